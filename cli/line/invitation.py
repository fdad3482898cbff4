"""What the others need to get to our table: to read out, and as a QR code where the screen can show one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.commands.tables import MARK
from cli.line.qr import qr_lines
from p2p.address import is_link_local
from p2p.codes import JoinCode, fingerprint, invite, show_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cli.app import App
    from cli.tables import AtTable
    from p2p.messages import Address

MOST_IN_QR = 3
"""Addresses in the QR code: it must fit a terminal."""


def invitation_lines(app: App, at: AtTable) -> Iterator[str]:
    """Top to bottom: name, join code, addresses, QR code."""
    say = app.texts.say
    code = JoinCode(at.part.code) if at.part.code else None
    spoken = "" if code is None else show_code(code)
    addresses = _to_type(at.driver.addresses)
    yield say("lobby.table-of", name=at.peer.name)
    if code is None:
        yield say("lobby.open")
    elif at.part.ble is None or not at.part.ble.alone:
        yield say("lobby.code", code=spoken)
    if any(address.startswith("ble:") for address in at.driver.addresses):
        yield say("bluetooth.open", words=f"--ble {spoken}".strip())
    for address in addresses:
        typed = f"'{address}'" if "[" in address else address  # shells take brackets for patterns
        yield say("lobby.listening", address=f"{typed} {spoken}".strip())
    yield say("lobby.marks", marks=app.texts.listed([*_marks(app, at)]))
    if addresses and app.style.signs:
        yield from _labelled(
            app, "host.qr", invite(code, addresses[:MOST_IN_QR], at.peer.identity.public).text
        )


def _marks(app: App, at: AtTable) -> Iterator[str]:
    """How this table is called in the lists of those who look for one."""
    if at.part.ble is None or not at.part.ble.alone:
        yield app.texts.say("finding.mark", mark=fingerprint(at.peer.identity.public)[:MARK])
    for address in at.driver.addresses:
        if address.startswith("ble:"):
            yield app.texts.say("bluetooth.mark", mark=address.removeprefix("ble:")[:MARK])


def guest_lines(app: App, addresses: Sequence[str]) -> Iterator[str]:
    """What phones without the program open: each address, the first as a QR code, and what that means."""
    for address in addresses:
        yield app.texts.say("guests.open", address=address)
    if addresses:
        yield app.texts.say("guests.honest")
        if app.style.signs:
            yield from _labelled(app, "host.qr.guests", addresses[0])


def _labelled(app: App, label: str, text: str) -> Iterator[str]:
    """A QR code below a line that says whom it is for: two of them stand one above the other."""
    drawn = qr_lines(text)
    if drawn:
        yield app.texts.say(label)
        yield from drawn


def _to_type(addresses: Iterable[Address]) -> list[Address]:
    """The addresses worth typing. Bluetooth finds its way by itself; one that means a single network
    interface is the last resort, for the guest's device has to try each of its own."""
    typed = [address for address in addresses if not address.startswith("ble:")]
    return [address for address in typed if not is_link_local(address.strip("["))] or typed
