"""Links inside one process: several peers on one device, and tests. Nothing is lost, nothing waits."""

from __future__ import annotations

from collections import deque
from typing import Final

from ledger.identity import PublicKey
from p2p.codes import Fingerprint
from p2p.link import LinkId
from p2p.pump import Pump
from p2p.reasons import Why

LOOPBACK_MTU: Final = 65_535


class LoopbackEnd:
    """One end of a link in memory; satisfies `p2p.link.Link`."""

    def __init__(self, pump: Pump, mtu: int) -> None:
        self.pump = pump
        self.number = LinkId(-1)
        self.inbox: deque[bytes] = deque()
        self.other: LoopbackEnd | None = None
        self.down = False
        self._mtu = mtu

    @property
    def mtu(self) -> int:
        return self._mtu

    @property
    def writable(self) -> bool:
        return True

    @property
    def urgently_writable(self) -> bool:
        return self.writable

    def send(self, datagram: bytes, *, urgent: bool) -> None:
        if self.other is not None and not self.other.down:
            self.other.inbox.append(datagram)

    def close(self, why: Why) -> None:
        self.down = True


class Loopback:
    """Joins pumps of one process. `deliver` carries everything until all are silent."""

    def __init__(self) -> None:
        self._ends: list[LoopbackEnd] = []

    def join(
        self,
        one: Pump,
        two: Pump,
        now: float,
        *,
        mtu: int = LOOPBACK_MTU,
        is_host: bool = False,
        expect: PublicKey | Fingerprint | None = None,
    ) -> tuple[LoopbackEnd, LoopbackEnd]:
        """`one` dials `two`; `is_host`: as the host of the table."""
        near, far = LoopbackEnd(one, mtu), LoopbackEnd(two, mtu)
        near.other, far.other = far, near
        near.number = one.up(near, initiator=True, now=now, is_host=is_host, expect=expect)
        far.number = two.up(far, initiator=False, now=now)
        self._ends += [near, far]
        return near, far

    def cut(self, end: LoopbackEnd, now: float) -> None:
        """Lose the link without a good-bye; what was under way is lost."""
        for each in (end, end.other):
            if each is not None and not each.down:
                each.down = True
                each.pump.down(each.number, now)
        self._sweep()

    def deliver(self, now: float) -> bool:
        """Carry what is under way, and what that makes; True if there was anything."""
        moved = False
        while self._step(now):
            moved = True
        return moved

    def _step(self, now: float) -> bool:
        moved = False
        for pump in dict.fromkeys(end.pump for end in self._ends):
            pump.flush(now)
        for end in tuple(self._ends):
            while end.inbox and not end.down:
                moved = True
                end.pump.received(end.number, end.inbox.popleft(), now)
            if not end.down and end.other is not None and end.other.down:
                end.down = True
                end.pump.down(end.number, now)
                moved = True
        self._sweep()
        return moved

    def _sweep(self) -> None:
        self._ends = [end for end in self._ends if not end.down or (end.other and not end.other.down)]
