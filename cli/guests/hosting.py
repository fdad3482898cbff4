"""`durak host --guests`: the listener for guests beside a table of ours."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.exits import CommandError, Exit
from cli.guests.bundle import FOLDER, BadBundle, command, load, sources
from p2p.address import is_link_local
from p2p.codes import JoinCode
from p2p.errors import PortInUse
from p2p.tcp import local_hosts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cli.app import App
    from cli.guests.bundle import Bundle
    from cli.guests.listener import GuestListener
    from cli.tables import AtTable

PATIENCE: Final = 45.0
"""Seconds after which a network that lets no guest through is worth a word."""


@dataclass(frozen=True, slots=True)
class Invited:
    """The page for guests at a table of ours. `addresses`: what they open, best first."""

    addresses: tuple[str, ...]
    _listener: GuestListener
    _since: float

    def hint(self) -> str:
        """What may keep guests away, as a message id; "" if nothing seems to. A Wi-Fi that keeps its devices
        apart shows on this side only: nobody gets as far as the page."""
        if self._listener.links:
            return ""
        opened = self._listener.opened
        if opened is None:
            return "guests.nobody" if time.monotonic() - self._since > PATIENCE else ""
        return "guests.no-link" if time.monotonic() - opened > PATIENCE else ""


def guest_bundle(app: App, folder: str) -> Bundle:
    """What guests get, from `folder` or the data folder. Raises CommandError that says how to make it."""
    if importlib.util.find_spec("aiohttp") is None:
        raise CommandError(Exit.USAGE, "guests.needs-web")
    return own_bundle(app, folder)


def own_bundle(app: App, folder: str) -> Bundle:
    """The bundle of this device, whole and of this very program. Raises as `guest_bundle` does."""
    try:
        bundle = load(Path(folder) if folder else app.home.folder / FOLDER)
    except BadBundle as error:
        raise CommandError(Exit.USAGE, error.reason, command=command(folder)) from error
    if bundle.sources != sources():
        raise CommandError(Exit.USAGE, "guests.bundle-old", command=command(folder))
    return bundle


@asynccontextmanager
async def invited_guests(
    app: App, at: AtTable, bundle: Bundle | None, *, folder: str, port: int, quiet: bool
) -> AsyncIterator[tuple[str, ...]]:
    """Serve guests while the context lasts; the addresses to open, best first. () without a bundle.

    `folder`: where the bundle was said to be; it and the port become part of the table, for what a guest's
    browser keeps belongs to that address. Unless `quiet`, what seems to keep guests away is told once. Raises
    CommandError for a port in use.
    """
    if bundle is None:
        yield ()
        return
    from cli.guests.listener import guest_address, guests  # aiohttp is optional

    code = JoinCode(at.part.code) if at.part.code else None
    async with AsyncExitStack() as stack:
        try:
            listener = await stack.enter_async_context(
                guests(bundle, at.driver, host=at.part.listen, port=port)
            )
        except PortInUse as error:
            raise CommandError(Exit(error.exit_code), "guests.port-in-use", port=port) from error
        kept = str(Path(folder).resolve()) if folder else ""
        at.part = replace(at.part, guest_port=listener.port, guest_folder=kept)
        hosts = (at.part.listen,) if at.part.listen else local_hosts()
        # one of a single interface means nothing without its name, and browsers take none
        shown = [host for host in hosts if not is_link_local(host)]
        addresses = tuple(guest_address(host, listener.port, code, at.peer.identity.public) for host in shown)
        at.guests = Invited(addresses, listener, time.monotonic())
        watching = None if quiet else asyncio.create_task(_tell_hint(app, at, at.guests))
        try:
            yield addresses
        finally:
            at.guests = None
            if watching is not None:
                watching.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await watching


async def _tell_hint(app: App, at: AtTable, invited: Invited) -> None:
    """Say once, before a game, what may keep guests away."""
    while not (hint := invited.hint()):
        await asyncio.sleep(PATIENCE / 9)
    if at.peer.game is None:
        app.tell(hint)
