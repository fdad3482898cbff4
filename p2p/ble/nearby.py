"""The tables that advertise around here, without joining any."""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p.ble.end import BleEnd
from p2p.ble.link_events import LinkEvent
from p2p.ble.links import BleLinks
from p2p.ble.radio import open_radio
from p2p.messages import Address
from p2p.reasons import Why

GLANCE: Final = 4.0
"""Seconds: an advertisement comes every 0.1 to 1.3, a scanner listens half of the time."""


class TableAround(NamedTuple):
    """A host's device. `strength` in dBm: nearer is greater. `private`: a join code is needed, and `mark` is
    that of its key (`p2p.ble.advert.mark_of`)."""

    address: Address
    private: bool
    full: bool
    strength: int
    mark: bytes


async def tables_around(hci: str = "", adapter: str = "") -> tuple[TableAround, ...]:
    """Look for `GLANCE` seconds; in the order of the addresses, which stays. Raises `NoBluetooth`."""
    links = BleLinks(await open_radio(hci, adapter=adapter), _Nobody())
    try:
        seen = await links.lookout.look(GLANCE, lambda seen: False)
    finally:
        await links.aclose()
    hosts = sorted((found for found in seen if found.advert.host), key=lambda found: found.advert.process)
    return tuple(
        TableAround(
            Address(f"ble:{found.advert.process.hex()}"),
            found.advert.private,
            found.advert.full,
            found.rssi,
            found.advert.mark,
        )
        for found in hosts
    )


class _Nobody:
    """Has no links."""

    def link_up(self, end: BleEnd) -> None: ...

    def link_event(self, end: BleEnd, event: LinkEvent) -> None: ...

    def link_down(self, end: BleEnd, why: Why) -> None: ...
