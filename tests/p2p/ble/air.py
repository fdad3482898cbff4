"""Two ends of a Bluetooth link over an imagined air, under a virtual clock, deterministic from a seed."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from p2p.ble.ble_link import BleLink
from p2p.ble.desk import Desk
from p2p.ble.link_events import Arrived, LinkEvent

PROCESS_A, PROCESS_B = b"process-", b"PROCESS+"


@dataclass
class Air:
    """How badly values travel. Chances are per value; `rate` bytes a second each way, 7 bytes more each.

    While `now` is inside `frozen` values queue and nothing moves. `longest` cuts values as a stack would
    whose MTU is smaller than it says; `swallow` drops them whole instead; `split` delivers longer ones in
    two. A value that finds more than `overflow` seconds of others before it is dropped without a word.
    """

    delay: float = 0.03
    rate: float = 20_000.0
    loss: float = 0.0
    twice: float = 0.0
    late: float = 0.0
    cut: float = 0.0
    frozen: tuple[float, float] = (0.0, 0.0)
    longest: int = 512
    swallow: int = 512
    split: int = 512
    overflow: float = 60.0
    seed: int = 0
    queue: float = 0.2
    """Seconds of air time the platform takes in advance; BlueZ takes all it is given."""


@dataclass
class Pair:
    """A central and a peripheral. `run` until quiet or a time; `got` has what arrived at each end."""

    air: Air = field(default_factory=Air)
    mtu: tuple[int, int] = (517, 517)

    def __post_init__(self) -> None:
        self.now = 0.0
        self.random = Random(self.air.seed)
        self.desk = Desk(process=PROCESS_B, random=self.random.randbytes, limit=4)
        self.central = BleLink.dial(nonce=b"nonc", process=PROCESS_A, mtu=self.mtu[0], now=0.0)
        self.events: dict[str, list[LinkEvent]] = {"c": [], "p": []}
        self.got: dict[str, list[tuple[float, bytes]]] = {"c": [], "p": []}
        self.values: dict[str, list[bytes]] = {"c": [], "p": []}
        self.connected = True
        self._air_free = {"c": 0.0, "p": 0.0}
        self._flying: list[tuple[float, int, str, bytes]] = []
        self._count = 0
        self.peripheral_link: BleLink | None = None

    @property
    def peripheral(self) -> BleLink:
        assert self.peripheral_link is not None
        return self.peripheral_link

    def open(self) -> Pair:
        self.run(until=self.now + 20, stop=lambda: self.central.up and self._peripheral_up())
        assert self.central.up
        assert self.peripheral.up
        return self

    def run(self, until: float, stop: Callable[[], bool] = lambda: False) -> None:
        """Until `until`, or `stop()`."""
        self._settle()
        while not stop():
            times = [self._flying[0][0]] if self._flying else []
            for name, link in zip("cp", self._links(), strict=False):
                deadline = link.deadline()
                if deadline is not None:
                    times.append(max(deadline, self._takes_from(name)))
            later = max(self.now, min(times, default=until))
            if later > until:
                self.now = until
                break
            if later == self.now and not (self._flying and self._flying[0][0] <= self.now):
                later = self.now + 1e-6
            self.now = later
            while self._flying and self._flying[0][0] <= self.now:
                _, _, end, value = heapq.heappop(self._flying)
                self._deliver(end, value)
            for link in self._links():
                link.tick(self.now)
            self._settle()

    def send(self, end: str, datagram: bytes, *, urgent: bool = False) -> None:
        self.end(end).send(datagram, urgent=urgent, now=self.now)

    def end(self, end: str) -> BleLink:
        return self.central if end == "c" else self.peripheral

    def _peripheral_up(self) -> bool:
        return self.peripheral_link is not None and self.peripheral_link.up

    def _links(self) -> list[BleLink]:
        return [self.central] + ([self.peripheral_link] if self.peripheral_link else [])

    def _settle(self) -> None:
        if self.peripheral_link is None and self.desk.links:
            self.peripheral_link = self.desk.links[0]
        for name, link in zip("cp", self._links(), strict=False):
            while self._takes_from(name) <= self.now and (value := link.take_value(self.now)) is not None:
                self.values[name].append(value)
                self._fly(name, value)
            for event in link.take_events():
                self.events[name].append(event)
                if isinstance(event, Arrived):
                    self.got[name].append((self.now, event.datagram))

    def _takes_from(self, name: str) -> float:
        """When the platform takes a value again."""
        return self._air_free[name] - self.air.queue

    def _fly(self, name: str, value: bytes) -> None:
        air, dice = self.air, self.random
        start = max(self.now, self._air_free[name])
        if air.frozen[0] <= start < air.frozen[1]:
            start = air.frozen[1]
        self._air_free[name] = start + (len(value) + 7) / air.rate
        if not self.connected or len(value) > air.swallow or start - self.now > air.overflow:
            return
        if len(value) > air.split:
            for piece in (value[: air.split], value[air.split :]):
                self._count += 1
                end = "p" if name == "c" else "c"
                heapq.heappush(self._flying, (self._air_free[name] + air.delay, self._count, end, piece))
            return
        value = value[: air.longest]
        for _ in range(2 if dice.random() < air.twice else 1):
            if dice.random() < air.loss:
                continue
            at = self._air_free[name] + air.delay
            if dice.random() < air.late:
                at += dice.random() * 4 * air.delay
            shown = value
            if dice.random() < air.cut and len(value) > 8:
                shown = value[: -dice.randint(1, 3)]
            self._count += 1
            heapq.heappush(self._flying, (at, self._count, "p" if name == "c" else "c", shown))

    def _deliver(self, end: str, value: bytes) -> None:
        if end == "c":
            self.central.receive(value, self.now)
        else:
            assert self.desk.receive("phone", value, self.mtu[1], self.now) is None
