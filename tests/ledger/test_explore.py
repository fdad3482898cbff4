"""Random tables with one seat that keeps no rule: what honest seats say in the end, and whom they name."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.engine import Height, Kind, Seat
from ledger.entry import Body, read_record
from ledger.errors import Forbidden
from ledger.fault import Key, key_of
from ledger.level import Status
from ledger.log import Log
from tests.ledger.table import Table
from tests.ledger.test_heads import exchange
from tests.ledger.toy import ROUND, TURN, Toy, ToyState

ABORT = Kind(19)


@dataclass
class Explorer:
    """Seat `seats − 1` may do anything, the others do what a client would; each has its own log."""

    table: Table
    logs: list[Log[ToyState]]
    signed: dict[Key, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, seats: int) -> Explorer:
        table = Table.of(seats, turns=4, absent=1)
        return cls(table, [table.fresh() for _ in range(seats)])

    @property
    def dishonest(self) -> Seat:
        return Seat(len(self.logs) - 1)

    def act(self, seat: int, *, abort: bool) -> None:
        """An honest seat does what its own log allows; the law L1 is checked here."""
        log = self.logs[seat]
        self.table.log = log
        try:
            if abort:
                body = log.draft_abort(Seat(seat))
            elif seat in log.waiting_for:
                body = log.draft(Seat(seat), *self.table.honest(seat))
            else:
                return
        except Forbidden:
            return
        record = self.table.sign(seat, body)
        key = key_of(read_record(record))
        assert self.signed.setdefault(key, record) == record
        assert log.receive(record).kept

    def misbehave(self, data: st.DataObject, victim: int) -> None:
        """Something signed by the dishonest seat, on the history of `victim`, told to `victim` alone."""
        log = self.logs[victim]
        height = data.draw(st.integers(max(0, log.height - 2), log.height + 1))
        level = log.level(Height(min(height, log.height)))
        kind = data.draw(st.sampled_from((TURN, ROUND, ABORT, Kind(0), Kind(18))))
        number = data.draw(st.integers(0, 3))
        payload = {ABORT: ((number,),), ROUND: (Toy().proof(level.before),), Kind(0): (bytes([9, number]),)}
        prev = data.draw(st.sampled_from((level.prev, bytes(32))))
        body = Body(
            1,
            log.game_id,
            Height(height),
            self.dishonest,
            prev,  # type: ignore[arg-type]
            level.state,
            kind,
            payload.get(kind, (number,)),
        )
        log.receive(self.table.sign(self.dishonest, body))

    def pass_on(self, source: int, target: int) -> None:
        for record in self.logs[source].missing_for(self.logs[target].heads()):
            self.logs[target].receive(record)

    def begin(self, heights: int) -> None:
        """So many heights in peace."""
        self.table.log = self.logs[0]
        for record in self.table.play(heights):
            for log in self.logs[1:]:
                log.receive(record)
            self.signed[key_of(read_record(record))] = record


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_honest_seats_end_in_one_state_and_are_never_named(data: st.DataObject) -> None:
    explore(data)


def explore(data: st.DataObject) -> list[Log[ToyState]]:
    """One random story; the logs of the honest seats after it."""
    explorer = Explorer.of(data.draw(st.integers(3, 4)))
    explorer.begin(data.draw(st.integers(0, 5)))
    seats = st.integers(0, len(explorer.logs) - 1)
    honest = st.integers(0, len(explorer.logs) - 2)
    crooked = data.draw(st.booleans())
    patience = data.draw(st.integers(4, 9))  # how seldom an ABORT is signed
    for _ in range(data.draw(st.integers(3, 30))):
        match data.draw(st.integers(0, 9)):
            case 0 if crooked:
                explorer.misbehave(data, data.draw(honest))
            case 0 | 1:
                explorer.act(explorer.dishonest, abort=False)
            case 2 | 3:
                explorer.act(data.draw(honest), abort=False)
            case number if number > patience:
                explorer.act(data.draw(honest), abort=True)
            case _:
                explorer.pass_on(data.draw(seats), data.draw(seats))
    logs = explorer.logs[:-1]
    for _ in range(3):
        for left in range(len(logs)):
            for right in range(left):
                exchange(logs[left], logs[right])
    for log in logs:
        assert not log.stopped
        assert {fault.seat for fault in log.faults} <= {explorer.dishonest}
    assert len({log.status for log in logs}) == 1
    assert len({log.heads().case for log in logs}) == 1
    if not any(fault.is_fork for fault in logs[0].faults):
        assert len({log.height for log in logs}) == 1
        assert len({log.digest(Height(log.height - 1)) for log in logs if log.height}) <= 1
        assert len({log.ended for log in logs}) == 1
    if not crooked:
        assert len({log.export() for log in logs}) == 1
        assert logs[0].status is not Status.HALTED
    return logs
