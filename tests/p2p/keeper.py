"""A person behind a driver of real links."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from ledger.identity import PublicKey
from ledger.log import Log
from p2p.events import EntryArrived, NodeEvent
from p2p.lan import LanDriver
from p2p.lobby import GenesisAgreed
from tests.ledger.table import Table, seat_record
from tests.ledger.toy import Toy, ToyState
from tests.p2p.people import Person

Driver = TypeVar("Driver", bound=LanDriver)


class Keeper(Generic[Driver]):
    """Keeps a log once a genesis is agreed, and passes on what it keeps. `drive` makes the driver for its
    events."""

    def __init__(self, person: Person, drive: Callable[[Callable[[NodeEvent], None]], Driver]) -> None:
        self.person = person
        self.node = person.node
        self.events: list[NodeEvent] = []
        self.log: Log[ToyState] | None = None
        self.driver = drive(self._on_event)
        self._changed = asyncio.Event()

    def _on_event(self, event: NodeEvent) -> None:
        self.events.append(event)
        now = asyncio.get_running_loop().time()
        match event:
            case GenesisAgreed(genesis=genesis):
                self.log = Log(Toy(), genesis)
                self.node.attach(self.log, now)
            case EntryArrived() if self.log is not None:
                self.node.judged(event.link, event.game, self.log.receive(event.record), now)
            case _:
                pass
        self._changed.set()

    async def until(self, holds: Callable[[], bool], seconds: float = 15.0) -> None:
        """Wait for something an event brings."""
        async with asyncio.timeout(seconds):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    def saw(self, kind: type, **fields: object) -> bool:
        return any(
            isinstance(e, kind) and all(getattr(e, k) == v for k, v in fields.items()) for e in self.events
        )

    async def sit(self, address: str) -> PublicKey:
        """Dial a table, ask for a seat there, be ready. Who hosts it."""
        host = await self.driver.dial(address)
        await self.until(lambda: self.person.guest.table is not None)
        self.person.guest.ask_seat(seat_record(self.person.number))
        self.person.guest.set_ready(ready=True)
        self.driver.flush()
        roster = lambda: self.person.guest.table.roster  # type: ignore[union-attr] # noqa: E731
        await self.until(lambda: any(e.identity == self.node.identity and e.ready for e in roster()))
        return host

    async def says(self, record: bytes, *listeners: Keeper[Driver]) -> None:
        """Keep and send an own record; wait until the listeners have it."""
        assert self.log is not None
        assert self.log.receive(record).kept
        self.node.push(self.log.game_id, [record])
        self.driver.flush()
        for one in listeners:
            await one.until(lambda one=one: record in one.log.records())  # type: ignore[misc,union-attr]


async def start(host: Keeper[Driver], *guests: Keeper[Driver]) -> None:
    """The host starts; everybody has a log."""
    host.person.host.start()
    host.driver.flush()
    for one in (host, *guests):
        await one.until(lambda one=one: one.log is not None)  # type: ignore[misc]


async def play_on(table: Table, *everybody: Keeper[Driver]) -> None:
    """Every seat keeps and sends its entries of the whole game; all end with the same file."""
    for record in table.play_on():
        author = everybody[next(entry for entry in table.log.entries() if entry.record == record).seat]
        log = author.log
        assert log is not None
        await author.until(lambda log=log, r=record: log.receive(r).kept or r in log.records())  # type: ignore[misc]
        author.node.push(table.genesis.game_id, [record])
        author.driver.flush()
    for one in everybody:
        await one.until(lambda one=one: one.log.export() == table.log.export())  # type: ignore[misc,union-attr]
