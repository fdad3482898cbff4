"""`durak host --guests`: the listener for guests beside a table of ours."""

from __future__ import annotations

import importlib.util
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cli.exits import CommandError, Exit
from cli.guests.bundle import COMMAND, FOLDER, BadBundle, load
from p2p.codes import JoinCode
from p2p.tcp import local_hosts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cli.app import App
    from cli.guests.bundle import Bundle
    from cli.tables import AtTable


def guest_bundle(app: App, folder: str) -> Bundle:
    """What guests get, from `folder` or the data folder. Raises CommandError that says how to make it."""
    if importlib.util.find_spec("aiohttp") is None:
        raise CommandError(Exit.USAGE, "guests.needs-web")
    try:
        return load(Path(folder) if folder else app.home.folder / FOLDER)
    except BadBundle as error:
        command = f"{COMMAND} {folder}".strip()
        raise CommandError(Exit.USAGE, error.reason, command=command) from error


@asynccontextmanager
async def invited_guests(at: AtTable, bundle: Bundle | None, *, port: int) -> AsyncIterator[tuple[str, ...]]:
    """Serve guests while the context lasts; the addresses to open, best first. () without a bundle."""
    if bundle is None:
        yield ()
        return
    from cli.guests.listener import guest_address, guests  # aiohttp is optional

    code = JoinCode(at.part.code) if at.part.code else None
    async with guests(bundle, at.driver, host=at.part.listen, port=port) as listener:
        hosts = (at.part.listen,) if at.part.listen else local_hosts()
        shown = [host for host in hosts if "%" not in host]
        yield tuple(guest_address(host, listener.port, code, at.peer.identity.public) for host in shown)
