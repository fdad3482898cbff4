"""Whole tables over Bluetooth in virtual time: real nodes and links, one imagined radio a device.

All links of a device share its radio: while a value is on the air neither end can send or hear another. A
platform takes values for `QUEUE` seconds of air in advance and then has to be asked again; of the links that
wait for a radio the one whose last turn is longest ago goes first, as connection events come round.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from ledger.identity import PublicKey
from p2p.ble.ble_link import BleLink
from p2p.ble.desk import Desk
from p2p.ble.link_events import Arrived, Down, Up
from p2p.link import LinkId
from p2p.reasons import Why
from tests.simulator import Peer, World

QUEUE = 0.06
OVERHEAD = 7
"""Bytes of ATT and L2CAP headers of a value."""


class BleWire:
    """One end of a link; satisfies `p2p.link.Link`."""

    def __init__(self, room: Room, owner: Peer, link: BleLink, *, expect: PublicKey | None = None) -> None:
        self.room = room
        self.owner = owner
        self.link = link
        self.expect = expect
        self.other: BleWire | None = None
        self.number = LinkId(-1)
        self.wakes = float("inf")
        self.turn = 0
        """When it was last on the air, in the order of all."""

    @property
    def mtu(self) -> int:
        return self.link.mtu

    @property
    def writable(self) -> bool:
        return self.link.writable

    @property
    def urgently_writable(self) -> bool:
        return self.link.urgently_writable

    def send(self, datagram: bytes, *, urgent: bool) -> None:
        self.link.send(datagram, urgent=urgent, now=self.room.now)
        self.room.serve(self)

    def close(self, why: Why) -> None:
        self.link.close(why, self.room.now)
        self.room.serve(self)


@dataclass
class Room(World):
    """`rate`: bytes a second of each radio, all its links together; `interval`: a connection interval."""

    rate: float = 20_000.0
    interval: float = 0.03
    ble_mtu: int = 247

    def __post_init__(self) -> None:
        super().__post_init__()
        self._free: dict[int, float] = {}
        self.air = 0
        self._turns = count(1)
        self.ends: list[BleWire] = []

    def connect(self, one: int, two: int, *, expect: PublicKey | None = None) -> None:
        """`one` has dialled `two` and subscribed; from here on everything is values."""
        near, far = self.peers[one], self.peers[two]
        if not near.alive or not far.alive or self._apart(near, far):
            return
        process = one.to_bytes(8, "big")
        link = BleLink.dial(nonce=self.dice.randbytes(4), process=process, mtu=self.ble_mtu, now=self.now)
        central = BleWire(self, near, link, expect=expect)
        self.ends.append(central)
        desk = Desk(process=two.to_bytes(8, "big"), random=self.dice.randbytes, limit=1)
        central.other = BleWire(self, far, link)  # its link comes with the HELLO
        central.other.other = central
        self._desks[central.other] = desk
        self.serve(central)

    @property
    def _desks(self) -> dict[BleWire, Desk]:
        return self.__dict__.setdefault("desks", {})

    def cut_all(self, peer: Peer) -> None:
        for wire in [w for w in self.ends if w.owner is peer or (w.other and w.other.owner is peer)]:
            wire.link.lost()
            self._settle(wire)
        self.ends = [wire for wire in self.ends if not wire.link.over]

    # — values —

    def serve(self, wire: BleWire) -> None:
        """Put what the link has on the air as far as the platform takes it; look again when it is time."""
        other = wire.other
        if other is None or not wire.owner.alive:
            return
        while self._ready_at(wire) <= self.now:
            value = wire.link.take_value(self.now)
            if value is None:
                break
            radios = (wire.owner.number, other.owner.number)
            start = max(self.now, *(self._free.get(radio, 0.0) for radio in radios))
            end = start + (len(value) + OVERHEAD) / self.rate
            self._free.update(dict.fromkeys(radios, end))
            self.air += len(value) + OVERHEAD
            wire.turn = next(self._turns)
            delay = end + self.interval / 2 - self.now
            self.after(delay, lambda value=value: self._arrive(other, value))  # type: ignore[misc]
        self._wake(wire)

    def _ready_at(self, wire: BleWire) -> float:
        assert wire.other is not None
        radios = (wire.owner.number, wire.other.owner.number)
        return max(self._free.get(radio, 0.0) for radio in radios) - QUEUE

    def _wake(self, wire: BleWire) -> None:
        deadline = wire.link.deadline()
        if wire.link.over or deadline is None:
            return
        at = max(deadline, self._ready_at(wire), self.now + 1e-4) + wire.turn * 1e-9
        if at >= wire.wakes:
            return
        wire.wakes = at

        def tick() -> None:
            if wire.wakes == at:
                wire.wakes = float("inf")
                wire.link.tick(self.now)
                self._settle(wire)

        self.after(at - self.now, tick)

    def _apart(self, one: Peer, two: Peer) -> bool:
        return frozenset((one.number, two.number)) in self.apart

    def _arrive(self, wire: BleWire, value: bytes) -> None:
        assert wire.other is not None
        if not wire.owner.alive or self._apart(wire.owner, wire.other.owner):
            return
        desk = self._desks.get(wire)
        if desk is not None:
            desk.receive("central", value, self.ble_mtu, self.now)
            if desk.links and wire.link is not desk.links[0]:
                wire.link = desk.links[0]
                self.ends.append(wire)
        else:
            wire.link.receive(value, self.now)
        self._settle(wire)

    def _settle(self, wire: BleWire) -> None:
        for event in wire.link.take_events():
            match event:
                case Up():
                    wire.number = wire.owner.pump.up(
                        wire, initiator=wire.link.central, now=self.now, expect=wire.expect
                    )
                case Arrived(datagram):
                    wire.owner.pump.received(wire.number, datagram, self.now)
                case Down():
                    wire.owner.pump.down(wire.number, self.now)
                case _:
                    pass
        if wire.owner.alive:
            wire.owner.settle()
        for each in sorted(self.ends, key=lambda end: end.turn):
            if each.owner is wire.owner or each is wire.other:
                self.serve(each)
