"""One end of a Bluetooth link at work: a `BleLink`, the platform below, a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from p2p.alarm import Alarm
from p2p.ble.ble_link import BleLink
from p2p.ble.link_events import LinkEvent, Writable
from p2p.link import LinkId
from p2p.reasons import Why

WRITE_TIME: Final = 25.0
"""Longer than a link lives unheard: whether a frozen radio is dead is the link's to judge."""


class BleEnd:
    """Satisfies `p2p.link.Link`. Pulls values from `link` as fast as `write` takes them; events go to
    `on_event`.

    `write` returns False, or raises anything at all, when the connection below is gone. `mtu_now` is what the
    platform says at this moment, None where it says nothing.
    """

    def __init__(
        self,
        link: BleLink,
        *,
        write: Callable[[bytes], Awaitable[bool]],
        mtu_now: Callable[[], int | None],
        on_event: Callable[[BleEnd, LinkEvent], None],
        on_over: Callable[[BleEnd], None],
    ) -> None:
        self.link = link
        self.number = LinkId(-1)
        self.reading = True
        self._write = write
        self._mtu_now = mtu_now
        self._mtu: int | None = None
        self._takes = (True, True)
        self._on_event = on_event
        self._on_over = on_over
        self._wake = asyncio.Event()
        self._alarm = Alarm(self._tick)
        self._task = asyncio.get_running_loop().create_task(self._run())

    # — what the node asks —

    @property
    def mtu(self) -> int:
        return self.link.mtu

    @property
    def writable(self) -> bool:
        return self.link.writable

    @property
    def urgently_writable(self) -> bool:
        return self.link.urgently_writable

    def send(self, datagram: bytes, *, urgent: bool = False) -> None:
        self.link.send(datagram, urgent=urgent, now=self._now())
        self._takes = (self.link.writable, self.link.urgently_writable)
        self._wake.set()

    def close(self, why: Why) -> None:
        """Says BYE inside the link. The connection below may serve another."""
        self.link.close(why, self._now())
        self._wake.set()

    # — what the platform reports —

    def arrived(self, value: bytes) -> None:
        self.link.receive(value, self._now())
        self.poke()

    def lost(self) -> None:
        self.link.lost()
        self.poke()

    def poke(self) -> None:
        """Something happened to the link: report it, and see what is to send."""
        self._report()
        self._wake.set()

    async def end(self) -> None:
        """Stop at once, without a word."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._alarm.set(None)

    # — inside —

    async def _run(self) -> None:
        try:
            while not self.link.over:
                self._alarm.set(self.link.deadline())
                self._follow_mtu()
                value = self.link.take_value(self._now())
                if value is None:
                    await self._wake.wait()
                    self._wake.clear()
                elif not await self._written(value):
                    self.link.lost()
                self._report()
        finally:
            self._alarm.set(None)
        self._on_over(self)

    async def _written(self, value: bytes) -> bool:
        try:
            async with asyncio.timeout(WRITE_TIME):
                return await self._write(value)
        except Exception:  # bleak's platforms raise anything: DBusError, EOFError, OSError, KeyError …
            return False

    def _follow_mtu(self) -> None:
        mtu = self._mtu_now()
        if mtu is not None and mtu != self._mtu:
            if self._mtu is not None:
                self.link.set_mtu(mtu)
            self._mtu = mtu

    def _report(self) -> None:
        if self.reading:
            for event in self.link.take_events():
                self._on_event(self, event)
        takes = (self.link.writable, self.link.urgently_writable)
        before, self._takes = self._takes, takes
        if any(now and not then for now, then in zip(takes, before, strict=True)):
            self._on_event(self, Writable())

    def _tick(self) -> None:
        self.link.tick(self._now())
        self.poke()
        if not self._alarm.is_set and not self.link.over:
            # the writer may be stuck in the platform; time goes on all the same
            self._alarm.set(max(self.link.deadline() or 0.0, self._now() + 0.2))

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
