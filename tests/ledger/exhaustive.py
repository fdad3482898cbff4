"""Every story of a small table, in every order: ABORT and RESIGN with one seat that keeps no rule (R30).

A story is a sequence of acts. An honest seat looks at its own log and moves, resigns or signs the ABORT it
may sign; the dishonest one, who knows everything, signs one body more of a small stock; a record that exists
reaches a seat that lacks it. Stories are explored breadth first up to so many acts. Two stories that leave
every seat with the same records are one: that nothing else counts is what `outcome_of` asserts for every set
of records that any seat ever held, in all its orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, permutations
from typing import NamedTuple

from ledger.engine import ABORT, Height, Kind, Payload, Seat
from ledger.entry import read_record
from ledger.errors import Forbidden
from ledger.fault import CaseId, Key, key_of
from ledger.level import Ended, Status
from ledger.log import Log
from tests.ledger.table import Table
from tests.ledger.toy import RESIGN, ROUND, TURN, Toy, ToyState

MOST_ORDERS = 720
"""All orders of six records; of more, these many."""

Records = frozenset[bytes]


class Outcome(NamedTuple):
    """How a game ends for somebody who holds certain records. `case` names the offence that is proven."""

    status: Status
    ended: Ended | None
    height: Height
    case: CaseId | None


class Situation(NamedTuple):
    """What exists, and what each honest seat holds of it, beyond the common beginning."""

    born: Records
    held: tuple[Records, ...]


@dataclass
class Explorer:
    """A table with its dishonest seat, which may sign `stock` bodies; stories are `deep` acts long."""

    table: Table
    dishonest: int
    stock: int
    deep: int
    seen: Counter[str] = field(default_factory=Counter)
    """How often a thing worth reaching was reached."""

    def __post_init__(self) -> None:
        self.beginning = self.table.log.records()
        self.first = self.table.log.height
        self.honest = [seat for seat in range(len(self.table.keys)) if seat != self.dishonest]
        self.log_of = cache(self._log_of)
        self.outcome_of = cache(self._outcome_of)

    def explore(self) -> set[Situation]:
        """All situations that can come about. Raises AssertionError where a promise is broken."""
        start = Situation(frozenset(), tuple(frozenset[bytes]() for _ in self.honest))
        known = {start}
        edge = [start]
        for _ in range(self.deep):
            following = {after: None for before in edge for after in self._acts(before)}
            edge = [situation for situation in following if situation not in known]
            known.update(edge)
        for situation in known:
            self._judge(situation)
        return known

    # what may happen next

    def _acts(self, now: Situation) -> Iterator[Situation]:
        for number, seat in enumerate(self.honest):
            for record in self._honest_acts(seat, now.held[number]):
                self._law(seat, record, now.born)
                yield Situation(now.born | {record}, self._with(now.held, number, record))
            for record in now.born - now.held[number]:
                yield Situation(now.born, self._with(now.held, number, record))
        for record in self._crooked_acts(now):
            yield Situation(now.born | {record}, now.held)

    @staticmethod
    def _with(held: tuple[Records, ...], number: int, record: bytes) -> tuple[Records, ...]:
        return (*held[:number], held[number] | {record}, *held[number + 1 :])

    def _honest_acts(self, seat: int, holds: Records) -> Iterator[bytes]:
        """What the product would let this person sign with this log."""
        log = self.log_of(holds)
        choices: list[tuple[Kind, Payload]] = [(ABORT, (log.waiting_for,))] if log.waiting_for else []
        if seat in log.waiting_for:
            choices.append(self._move(log))
            choices.append((RESIGN, ()))
        for kind, payload in choices:
            try:
                body = log.draft(Seat(seat), kind, payload)
            except Forbidden:
                continue
            yield self.table.sign(seat, body)

    def _law(self, seat: int, record: bytes, born: Records) -> None:
        """L1: nobody honest ever signs two bodies under one key."""
        key = key_of(read_record(record))
        for other in born:
            entry = read_record(other)
            assert entry.seat != seat or key_of(entry) != key or other == record

    def _crooked_acts(self, now: Situation) -> Iterator[bytes]:
        """Moves, resignations, ABORTs on the history of any seat, at the newest height and the one before."""
        own = sum(read_record(record).seat == self.dishonest for record in now.born)
        if own >= self.stock:
            return
        for holds in dict.fromkeys((*now.held, now.born)):
            log = self.log_of(holds)
            for height in range(max(self.first, log.height - 1), log.height + 1):
                self.table.log = log
                level = log.level(Height(height))
                others = [seat for seat in range(len(self.table.keys)) if seat != self.dishonest]
                aborts = [(ABORT, ((seat,),)) for seat in others]
                for kind, payload in (*self._lies(level.before), *aborts):
                    body = self.table.body(self.dishonest, kind, payload)  # type: ignore[arg-type]
                    record = self.table.sign(
                        self.dishonest, body, height=height, prev=level.prev, state=level.state
                    )
                    if record not in now.born:
                        yield record

    @staticmethod
    def _move(log: Log[ToyState]) -> tuple[Kind, Payload]:
        before = log.level(log.height).before
        if before.phase == "round":
            return ROUND, (Toy().proof(before),)
        return TURN, (7 * len(before.numbers) % 10,)

    @staticmethod
    def _lies(state: ToyState) -> list[tuple[Kind, Payload]]:
        if state.phase == "round":
            return [(ROUND, (Toy().proof(state),)), (ROUND, (bytes(32),))]
        return [(TURN, (7 * len(state.numbers) % 10,)), (TURN, (3,)), (RESIGN, ())]

    # what must be true of it

    def _log_of(self, holds: Records) -> Log[ToyState]:
        return self.replayed(sorted(holds, key=lambda record: key_of(read_record(record))[:3]))

    def replayed(self, records: list[bytes] | tuple[bytes, ...]) -> Log[ToyState]:
        log = self.table.fresh()
        for record in (*self.beginning, *records):
            log.receive(record)
        assert not log.stopped
        assert {fault.seat for fault in log.faults} <= {self.dishonest}, "an honest seat is blamed"
        return log

    def _outcome_of(self, holds: Records) -> frozenset[Outcome]:
        """What a seat with these records says in the end, in whatever order they came: one outcome, or
        several and in each a proof against the dishonest seat."""
        outcomes = set()
        for order in islice(permutations(sorted(holds)), MOST_ORDERS):
            log = self.replayed(order)
            case = None if log.fault is None else log.fault.case_id(log.game_id)
            outcomes.add(Outcome(log.status, log.ended, log.height, case))
            if case is None:
                assert (None if log.abort is None else tuple(log.abort)) == self._by_r30(holds, log)
        if len(outcomes) > 1:
            assert all(outcome.case is not None for outcome in outcomes), outcomes
            self.seen["several outcomes, each with a proof"] += 1
        return frozenset(outcomes)

    def _by_r30(self, holds: Records, log: Log[ToyState]) -> tuple[int, tuple[int, ...]] | None:
        """The ABORT that ends the game, by the words of R30 and the records alone.

        What is signed on a history that these records do not show withdraws nothing: nobody could pass it on.
        """
        known = [read_record(record) for record in (*self.beginning, *holds)]
        entries = [
            entry
            for entry in known
            if entry.height <= log.height and entry.body.prev == log.level(entry.height).prev
        ]
        complete = []
        for abort in entries:
            if abort.lane and abort.height <= log.height:
                (absent,) = abort.payload
                assert isinstance(absent, tuple)
                dues = [due.seat for due in log.level(abort.height).dues]
                outside = [seat for seat in range(len(self.table.keys)) if seat not in absent]
                mine = {seat: [entry for entry in entries if entry.seat == seat] for seat in outside}
                if all(
                    any(own.height == abort.height and own.payload == abort.payload for own in mine[seat])
                    and all(own.height <= abort.height for own in mine[seat])
                    and (
                        seat not in dues
                        or any(own.height == abort.height and not own.lane for own in mine[seat])
                    )
                    for seat in outside
                ):
                    complete.append((len(absent), abort.height, absent))
        return min(complete)[1:] if complete else None  # type: ignore[return-value]

    def _judge(self, now: Situation) -> None:
        """Whatever each holds, its outcome is one; when all hold the same, so is everybody's."""
        for holds in now.held:
            self.outcome_of(holds)
        together: Records = frozenset().union(*now.held)
        outcomes = self.outcome_of(together)
        self._note(now, together, outcomes)

    def _note(self, now: Situation, together: Records, outcomes: frozenset[Outcome]) -> None:
        for outcome in outcomes:
            self.seen[outcome.status.value] += 1
        entries = [read_record(record) for record in together]
        aborts = [entry for entry in entries if entry.lane]
        honest = [entry for entry in aborts if entry.seat != self.dishonest]
        statuses = {outcome.status for outcome in outcomes}
        if honest and statuses == {Status.OPEN}:
            self.seen["an honest ABORT that is not complete"] += 1
        newest = {
            seat: max((e.height for e in entries if e.seat == seat), default=-1) for seat in self.honest
        }
        if any(newest[abort.seat] > abort.height for abort in honest):
            self.seen["an honest seat that signed on after its ABORT"] += 1
        if any(entry.kind == RESIGN for entry in entries) and aborts:
            self.seen["RESIGN beside ABORT"] += 1
        mine: list[Key] = [key_of(entry) for entry in entries if entry.seat == self.dishonest]
        if len(mine) > len(set(mine)):
            self.seen["a fork"] += 1
        apart = {outcome for holds in now.held for outcome in self.outcome_of(holds)}
        if {outcome.status for outcome in apart} >= {Status.ABORTED, Status.OPEN}:
            self.seen["ended for one and open for another, until they talk"] += 1
