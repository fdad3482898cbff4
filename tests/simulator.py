"""Whole tables over bad links, in virtual time: every run is its seed.

Peers are real nodes with real logs; only the wires between them are imagined. A wire keeps order until it is
told to err; an error kills the talk, as it must, and the dialler begins anew: what is under test is that
every honest peer ends with the same log, or with the same named halt, and that no honest seat is ever blamed.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

from ledger.genesis import Genesis
from ledger.identity import PublicKey, SigningKey
from ledger.log import Log
from ledger.outcome import Outcome
from p2p.backoff import Backoff
from p2p.events import EntryArrived, LinkClosed, NodeEvent
from p2p.link import LinkId
from p2p.messages import Address
from p2p.node import Node
from p2p.pump import Pump
from p2p.reasons import Why
from p2p.session import Door


@dataclass(frozen=True)
class Faults:
    """Chances for each datagram; delays in seconds. `slow`: that a link can't be written to for a while."""

    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    truncate: float = 0.0
    flip: float = 0.0
    cut: float = 0.0
    slow: float = 0.0
    delay: tuple[float, float] = (0.001, 0.02)
    mtu: int = 1_024


class Holder(Protocol):
    """One seat's (or watcher's) share in a game: its log, and what it signs when it is due."""

    @property
    def log(self) -> Log[Any]: ...

    def receive(self, record: bytes) -> Outcome: ...

    def advance(self) -> Sequence[bytes]:
        """The own records due now, stored already."""

    def restarted(self) -> Holder:
        """The same share read back from what was stored."""


class Wire:
    """One end of a link through the simulator; satisfies `p2p.link.Link`."""

    def __init__(self, world: World, owner: Peer, mtu: int) -> None:
        self.world = world
        self.owner = owner
        self.other: Wire | None = None
        self.number = LinkId(-1)
        self.down = False
        self.busy_until = 0.0
        self.arrives = 0.0
        self._mtu = mtu

    @property
    def mtu(self) -> int:
        return self._mtu

    @property
    def writable(self) -> bool:
        now, asleep = self.world.now, self.world.asleep
        if now < self.busy_until or self.other is None:
            return now >= self.busy_until
        return now >= asleep.get(self.other.owner.number, 0.0)

    urgently_writable = writable

    def send(self, datagram: bytes, *, urgent: bool) -> None:
        if not self.down:
            self.world.carry(self, datagram)

    def close(self, why: Why) -> None:
        if not self.down:
            self.down = True
            other = self.other
            assert other is not None
            if frozenset((self.owner.number, other.owner.number)) not in self.world.apart:
                self.world.after(self.world.delay(), lambda: self.world.drop(other))


class Peer:
    """A node, its share of the game, and its dialler."""

    def __init__(
        self,
        world: World,
        number: int,
        key: SigningKey,
        holder: Holder,
        *,
        make_node: Callable[..., Node] = Node,
    ) -> None:
        self.world = world
        self.number = number
        self.key = key
        self.holder = holder
        self.alive = True
        self.make_node = make_node
        self.closed: list[Why] = []
        self.wakes = float("inf")
        self.dialling: dict[PublicKey, tuple[float, Backoff]] = {}
        self.epoch = 0
        self.start()

    @property
    def log(self) -> Log[Any]:
        return self.holder.log

    def start(self) -> None:
        """A fresh process: new node, nothing remembered but the log."""
        self.epoch += 1
        self.wakes = float("inf")
        dice = random.Random(f"{self.world.seed} {self.number} {self.epoch}")
        self.node = self.make_node(
            identity=self.key,
            door=Door(self.world.code),
            random=dice.randbytes,
            addresses=() if self.world.star and self.number else (Address(f"sim:{self.number}"),),
        )
        self.pump = Pump(self.node)
        self.node.attach(self.log, self.world.now)
        for other, addresses in self.world.known_to(self.number):
            self.node.learn(other, addresses)
        self.act()

    def crash(self) -> None:
        """Lose everything but what was stored."""
        self.alive = False
        self.world.cut_all(self)

    def restart(self) -> None:
        self.holder = self.holder.restarted()
        self.alive = True
        self.start()

    def act(self) -> None:
        """Sign what is due, store it, send it."""
        records = self.holder.advance()
        if records:
            self.node.push(self.log.game_id, records)
        self.settle()

    def settle(self) -> None:
        """Carry what the node has to say, and take what it reports."""
        while self.alive:
            self.pump.flush(self.world.now)
            events = self.node.take_events()
            if not events:
                break
            for event in events:
                self.take(event)
        self.world.wake(self)

    def take(self, event: NodeEvent) -> None:
        match event:
            case EntryArrived():
                outcome = self.holder.receive(event.record)
                self.node.judged(event.link, event.game, outcome, self.world.now)
                if outcome.kept:
                    records = self.holder.advance()
                    if records:
                        self.node.push(self.log.game_id, records)
            case LinkClosed():
                self.closed.append(event.why)
            case _:
                pass

    def dial(self) -> None:
        """Try whom we want, ever more slowly."""
        wanted = self.node.wanted(self.world.now)
        self.dialling = {w.identity: self.dialling.get(w.identity, (0.0, Backoff())) for w in wanted}
        for want in wanted:
            moment, backoff = self.dialling[want.identity]
            if self.world.now >= moment:
                self.dialling[want.identity] = (
                    self.world.now + backoff.failed(self.world.dice.random()),
                    backoff,
                )
                for address in want.addresses:
                    self.world.connect(self.number, int(address.partition(":")[2]), expect=want.identity)


@dataclass
class World:
    """The room: peers, wires and one clock. `star`: everybody knows where seat 0 is and nobody else."""

    seed: int
    faults: Faults = field(default_factory=Faults)
    star: bool = False
    code: bytes = b"c" * 32

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.now = 0.0
        self.peers: list[Peer] = []
        self.keys: list[PublicKey] = []
        self.wires: list[Wire] = []
        self.apart: set[frozenset[int]] = set()
        self.unheard: set[tuple[int, int]] = set()
        """Who is not heard by whom, though he hears him."""
        self.asleep: dict[int, float] = {}
        """Peers that do nothing until a moment; what comes waits for them."""
        self.datagrams = 0
        self.carried = 0
        self.calm = False
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()

    # — building —

    def sit(
        self,
        genesis: Genesis,
        keys: Sequence[SigningKey],
        holders: Sequence[Holder],
        **nodes: Callable[..., Node],
    ) -> list[Peer]:
        """One peer per seat; `seat_2=SomeNode` gives a seat another node."""
        self.keys = [key.public for key in keys]
        for number, (key, holder) in enumerate(zip(keys, holders, strict=True)):
            assert genesis.seats[number].identity_key == key.public
            self.peers.append(Peer(self, number, key, holder, make_node=nodes.get(f"seat_{number}", Node)))
        self._dial_regularly()
        return self.peers

    def known_to(self, number: int) -> list[tuple[PublicKey, tuple[Address, ...]]]:
        """Whom this peer can dial."""
        return [
            (key, (Address(f"sim:{other}"),))
            for other, key in enumerate(self.keys)
            if other != number and (not self.star or other == 0)
        ]

    # — time —

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (self.now + seconds, next(self._order), call))

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass; True as soon as `until` holds."""
        end = self.now + seconds
        while not until():
            if not self._queue or self._queue[0][0] > end:
                self.now = end
                return until()
            self.now, _, call = heapq.heappop(self._queue)
            call()
        return True

    def wake(self, peer: Peer) -> None:
        """Have the peer's clock looked at when its node wants it."""
        deadline = peer.node.deadline()
        if deadline is None or not peer.alive or deadline >= peer.wakes:
            return
        peer.wakes = deadline
        epoch = peer.epoch

        def tick() -> None:
            until = self.asleep.get(peer.number, 0.0)
            if self.now < until:
                self.after(until - self.now, tick)
            elif peer.alive and peer.epoch == epoch and peer.wakes == deadline:
                peer.wakes = float("inf")
                peer.node.tick(self.now)
                peer.settle()

        self.after(max(0.0, deadline - self.now), tick)

    def _dial_regularly(self) -> None:
        for peer in self.peers:
            if peer.alive and self.now >= self.asleep.get(peer.number, 0.0):
                peer.dial()
        self.after(0.5, self._dial_regularly)

    # — wires —

    def connect(self, one: int, two: int, *, expect: PublicKey | None = None) -> None:
        """`one` dials `two`."""
        near_peer, far_peer = self.peers[one], self.peers[two]
        if frozenset((one, two)) in self.apart or not far_peer.alive or not near_peer.alive:
            return
        near, far = Wire(self, near_peer, self.faults.mtu), Wire(self, far_peer, self.faults.mtu)
        near.other, far.other = far, near
        self.wires += [near, far]
        near.number = near_peer.pump.up(near, initiator=True, now=self.now, expect=expect)
        far.number = far_peer.pump.up(far, initiator=False, now=self.now)
        near_peer.settle()
        far_peer.settle()

    def delay(self) -> float:
        return self.dice.uniform(*self.faults.delay)

    def carry(self, wire: Wire, datagram: bytes) -> None:
        """One datagram on its way, with what may happen to it there."""
        self.datagrams += 1
        self.carried += len(datagram)
        other = wire.other
        assert other is not None
        faults, chance = self.faults, self.dice.random
        if self.calm:
            faults = Faults(delay=faults.delay, mtu=faults.mtu)
        way = (wire.owner.number, other.owner.number)
        apart = self.apart and frozenset(way) in self.apart
        if apart or way in self.unheard or chance() < faults.loss:
            return
        if chance() < faults.truncate:
            datagram = datagram[: self.dice.randrange(len(datagram))]
        if chance() < faults.flip and datagram:
            place = self.dice.randrange(len(datagram))
            datagram = (
                datagram[:place]
                + bytes([datagram[place] ^ 1 << self.dice.randrange(8)])
                + datagram[place + 1 :]
            )
        if chance() < faults.cut:
            self.after(self.delay(), lambda: self.drop(wire))
            self.after(self.delay(), lambda: self.drop(other))
        if chance() < faults.slow:
            wire.busy_until = self.now + self.dice.uniform(0.5, 5.0)
            self.after(wire.busy_until - self.now, wire.owner.settle)
        arrives = self.now + self.delay()
        if chance() >= faults.reorder:
            arrives = max(arrives, other.arrives)
            other.arrives = arrives
        for _ in range(2 if chance() < faults.duplicate else 1):
            self.after(arrives - self.now, lambda: self.deliver(other, datagram))

    def deliver(self, wire: Wire, datagram: bytes) -> None:
        until = self.asleep.get(wire.owner.number, 0.0)
        if self.now < until:
            self.after(until - self.now, lambda: self.deliver(wire, datagram))
        elif not wire.down and wire.owner.alive:
            wire.owner.pump.received(wire.number, datagram, self.now)
            wire.owner.settle()

    def drop(self, wire: Wire) -> None:
        """The transport loses one end."""
        if not wire.down:
            wire.down = True
            wire.owner.pump.down(wire.number, self.now)
            if wire.owner.alive:
                wire.owner.settle()

    def cut_all(self, peer: Peer) -> None:
        """All wires of a peer are gone, for both ends."""
        for wire in self.wires:
            if wire.owner is peer and not wire.down:
                wire.down = True
                assert wire.other is not None
                other = wire.other
                self.after(self.delay(), lambda other=other: self.drop(other))  # type: ignore[misc]
        self.wires = [wire for wire in self.wires if not wire.down]

    def part(self, *groups: Sequence[int]) -> None:
        """Only peers of one group hear each other, until `heal`. Nobody is told."""
        group_of = {number: index for index, group in enumerate(groups) for number in group}
        self.apart = {
            frozenset((one, two))
            for one in group_of
            for two in group_of
            if one != two and group_of[one] != group_of[two]
        }

    def heal(self) -> None:
        self.apart = set()
        self.unheard = set()

    def sleep(self, peer: Peer, seconds: float) -> None:
        """The peer's process stands still; links to it fill up, and nobody is told."""
        self.asleep[peer.number] = max(self.asleep.get(peer.number, 0.0), self.now + seconds)

        def woken() -> None:
            for each in self.peers:
                if each.alive:
                    each.settle()

        self.after(self.asleep[peer.number] - self.now, woken)

    def settle_down(self) -> None:
        """From now on the wires are good."""
        self.calm = True
