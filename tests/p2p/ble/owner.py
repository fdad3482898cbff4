"""Whose links they are, where nobody waits for them."""

from __future__ import annotations

from p2p.ble.end import BleEnd
from p2p.ble.link_events import LinkEvent
from p2p.reasons import Why


class Nobody:
    """`p2p.ble.links.Owner` that only remembers why its links ended."""

    def __init__(self) -> None:
        self.downs: list[Why] = []

    def link_up(self, end: BleEnd) -> None: ...

    def link_event(self, end: BleEnd, event: LinkEvent) -> None: ...

    def link_down(self, end: BleEnd, why: Why) -> None:
        self.downs.append(why)


async def nothing() -> None:
    """What a radio has to shut down that needs no shutting down."""
