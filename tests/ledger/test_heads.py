"""Stateless sync: what two peers that answer each other's heads end up with, and when they fall silent."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.engine import Kind
from ledger.heads import Heads
from ledger.level import Status
from ledger.log import Log
from tests.ledger.table import Table
from tests.ledger.toy import TURN, ToyState


def exchange(left: Log[ToyState], right: Log[ToyState], *, limit: int = 1 << 18, rounds: int = 60) -> int:
    """Let two logs answer each other until both are silent; how many records were sent."""
    sent = 0
    for _ in range(rounds):
        to_right = left.missing_for(right.heads(), limit=limit)
        to_left = right.missing_for(left.heads(), limit=limit)
        if not to_right and not to_left:
            return sent
        sent += len(to_right) + len(to_left)
        for record in to_right:
            right.receive(record)
        for record in to_left:
            left.receive(record)
    raise AssertionError("they never fall silent")


def test_equal_heads_are_silence() -> None:
    table = Table.of(3)
    other = table.fresh()
    for _ in range(9):
        assert table.log.missing_for(other.heads()) == ()
        for record in table.play():
            other.receive(record)


def test_the_one_behind_gets_exactly_what_it_lacks() -> None:
    table = Table.of(3)
    records = table.play(8)
    other = table.fresh()
    for record in (records[1], records[0]):
        other.receive(record)
    assert table.log.missing_for(other.heads()) == tuple(records[2:])
    assert other.missing_for(table.log.heads()) == ()
    assert exchange(table.log, other) == len(records) - 2
    assert other.export() == table.log.export()


def test_both_halves_of_a_round_cross() -> None:
    table = Table.of(3)
    records = [table.record(seat) for seat in range(3)]
    left, right = table.fresh(), table.fresh()
    for record in records[:2]:
        left.receive(record)
    right.receive(records[2])
    assert exchange(left, right) == 3
    assert left.height == right.height == 1


def test_a_small_limit_sends_one_record_at_least_and_gets_there() -> None:
    table = Table.of(3)
    records = table.play(9)
    other = table.fresh()
    assert table.log.missing_for(other.heads(), limit=1) == (records[0],)
    exchange(table.log, other, limit=1)
    assert other.export() == table.log.export()


def test_aborts_travel_also_to_the_one_that_is_ahead() -> None:
    table = Table.of(3)
    table.play()
    behind = table.fresh()
    for record in table.log.records():
        behind.receive(record)
    for seat in (1, 2):
        behind.receive(table.abort(seat, 0))
    table.play()
    exchange(table.log, behind)
    assert table.log.export() == behind.export()
    assert table.log.status is behind.status is Status.ABORTED


def test_a_case_travels_and_then_there_is_silence() -> None:
    table = Table.of(2, turns=20)
    table.play()
    forged = table.record(0, TURN, (7,))
    table.play(9)
    other = table.fresh()
    for record in table.log.records():
        other.receive(record)
    other.receive(forged)
    exchange(table.log, other)
    assert table.log.fault == other.fault
    assert table.log.export() == other.export()


def test_two_branches_meet_and_prove_the_fork() -> None:
    """Seat 0 told left and right different turns; both went on for many heights."""
    left, right = Table.of(2, turns=60), Table.of(2, turns=60)
    for table in (left, right):
        table.play(11)
    seat = left.log.waiting_for[0]
    left.act(seat, TURN, (left.honest(seat)[1][0],))
    right.act(seat, TURN, ((right.honest(seat)[1][0] + 1) % 10,))  # type: ignore[operator]
    left.play(20)
    right.play(23)
    exchange(left.log, right.log)
    for log in (left.log, right.log):
        assert log.status is Status.HALTED
        assert log.fault is not None
        assert (log.fault.seat, log.fault.height) == (seat, 11)
    assert left.log.fault == right.log.fault


def test_three_bodies_of_one_due_also_end_in_silence() -> None:
    tables = [Table.of(2, turns=20) for _ in range(3)]
    for number, table in enumerate(tables):
        table.play()
        table.act(0, TURN, (number,))
    for _ in range(2):
        for left, right in ((0, 1), (1, 2), (0, 2)):
            exchange(tables[left].log, tables[right].log)
    assert len({table.log.heads().case for table in tables}) == 1


def test_a_forbidden_entry_travels_with_its_case() -> None:
    table = Table.of(3)
    table.play()
    other = table.fresh()
    exchange(table.log, other)
    table.act(2, TURN, (1,))
    exchange(table.log, other)
    assert other.status is Status.HALTED
    assert other.fault == table.log.fault


def test_heads_of_another_game_get_nothing() -> None:
    assert Table.of(2).log.missing_for(Table.of(2, game="other").log.heads()) == ()


@given(
    st.one_of(st.integers(-3, 12), st.integers(-(2**64), 2**64)),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 63),
    st.lists(st.tuples(st.integers(-3, 5000), st.binary(min_size=32, max_size=32)), max_size=12),
)
def test_heads_that_lie_cost_no_more_than_the_limit(
    height: int, prev: bytes, met: int, older: list[tuple[int, bytes]]
) -> None:
    table = PLAYED
    lie = Heads(table.log.game_id, height, prev, met, (), None, tuple(older))  # type: ignore[arg-type]
    assert sum(map(len, table.log.missing_for(lie, limit=1000))) <= 1000


PLAYED = Table.of(3)
PLAYED.play(8)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_lossy_gossip_converges(data: st.DataObject) -> None:
    """Three logs that hold any parts of one story end with the same bytes, then say nothing."""
    table = Table.of(3)
    table.play()
    extra = [table.abort(1, 0)]
    table.play(5)
    extra.append(table.record(0, Kind(8), (77,)))
    records = [*table.log.records(), *extra]
    logs = [table.fresh() for _ in range(3)]
    for record in records:
        who = data.draw(st.integers(1, 7))
        for index, log in enumerate(logs):
            if who >> index & 1:
                log.receive(record)
    for _ in range(3):
        for left, right in ((0, 1), (1, 2), (0, 2)):
            exchange(logs[left], logs[right])
    reached = {log.height for log in logs}
    assert len(reached) == 1
    assert len({log.export() for log in logs}) == 1


def test_more_aborts_than_heads_can_name_end_in_silence_too() -> None:
    """One seat signs an ABORT for every set of others it can think of."""
    from itertools import combinations

    table = Table.of(6)
    table.play(4)
    for seat in range(6):
        table.act(seat)
        if seat == 0:
            for size in (1, 2):
                for others in combinations(range(1, 6), size):
                    table.log.receive(table.abort(0, *others))
    table.log.receive(table.abort(1, 2))
    level = table.log.level(4)  # type: ignore[arg-type]
    assert len(level.aborts) > 12
    other = table.fresh()
    exchange(table.log, other)
    assert exchange(table.log, other) == 0
    assert other.height == table.log.height
