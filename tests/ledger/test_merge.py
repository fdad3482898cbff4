from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.engine import Kind
from ledger.entry import read_record
from ledger.genesis import GameId
from ledger.log import Log
from ledger.merge import OtherGame, diff, merge
from ledger.verdict import Code
from ledger.verify import judge_file
from tests.ledger.table import Table
from tests.ledger.toy import TURN, Toy, ToyState


def branch(seats: int = 3, turns: int = 6) -> Table:
    return Table.of(seats, turns=turns)


def log_of(table: Table, records: list[bytes]) -> Log[ToyState]:
    log = table.fresh()
    for record in records:
        log.receive(record)
    return log


def test_same_prefix_and_halves() -> None:
    table = branch()
    records = table.play(8)
    whole, part = log_of(table, records), log_of(table, records[:4])
    assert (diff(whole, whole).code, diff(whole, whole).relation) == (0, "same")
    shorter = diff(part, whole)
    assert (shorter.code, shorter.relation, shorter.common) == (3, "prefix", 2)
    assert (shorter.only_left, shorter.only_right) == (0, len(records) - 4)
    left, right = log_of(table, records[:1]), log_of(table, records[1:2])
    halves = diff(left, right)
    assert (halves.code, halves.only_left, halves.only_right) == (3, 1, 1)
    assert merge(left, right).records() == tuple(records[:2])
    assert merge(part, whole).export() == whole.export()


def test_a_fork_between_two_logs_is_found_and_kept() -> None:
    left, right = branch(), branch()
    for table in (left, right):
        table.play(2)
    left.act(1, TURN, (1,))
    right.act(1, TURN, (2,))
    left.play(3)
    right.play(2)
    found = diff(left.log, right.log)
    assert (found.code, found.relation, found.common) == (10, "fork", 2)
    assert found.fork is not None
    assert (found.fork.seat, found.fork.height) == (1, 2)
    assert found.to_json()["fork"] == diff(right.log, left.log).to_json()["fork"]
    merged = merge(left.log, right.log)
    assert merged.export() == merge(right.log, left.log).export()
    assert merged.fault == found.fork
    assert max(entry.height for entry in merged.entries()) == 2
    assert judge_file(merged.export(), Toy()).code == Code.PROVEN


def test_a_result_that_all_have_signed_stays_whole() -> None:
    left, right = branch(turns=2), branch(turns=2)
    for table in (left, right):
        table.play()
    right.act(0, TURN, (9,))
    left.play_on()
    for merged in (merge(left.log, right.log), merge(right.log, left.log)):
        assert merged.result_stands
        assert merged.height == left.log.height
        assert merged.fault is not None
        assert judge_file(merged.export(), Toy()).to_json()["status"] == "finished"


def test_two_games_have_nothing_to_merge() -> None:
    with pytest.raises(OtherGame):
        merge(Table.of(2).log, Table.of(2, game="other").log)
    with pytest.raises(OtherGame):
        diff(Table.of(2).log, Table.of(2, game="other").log)
    assert GameId(b"") != Table.of(2).log.game_id


def universe() -> list[list[bytes]]:
    """Six histories of one game: branches of a fork, foul entries, an abort, an end."""
    histories = []
    for number, turn in enumerate((0, 0, 5, 5, 6, 0)):
        table = branch(turns=3)
        records = table.play()
        records.append(table.record(0, TURN, (turn,)))
        table.log.receive(records[-1])
        if number == 1:
            records.append(table.record(2, TURN, (1,)))
        if number == 3:
            records += [table.abort(0, 1), table.abort(2, 1)]
        if number == 4:
            records.append(table.record(1, TURN, (b"foul",)))
        if number == 5:
            records += table.play_on()
        elif number in (0, 2):
            records += table.play(1)
            records.append(table.record(2, Kind(9), ()))
        histories.append(records)
    return histories


UNIVERSE = universe()


@st.composite
def logs(draw: st.DrawFn) -> Log[ToyState]:
    """Any log that could come of these records: a shuffled part of one or two histories."""
    histories = draw(st.lists(st.sampled_from(UNIVERSE), max_size=2))
    records = [record for history in histories for record in history]
    records = records[: draw(st.integers(0, len(records)))]
    if draw(st.booleans()):
        records = draw(st.permutations(records))
    return log_of(branch(turns=3), records)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(logs(), logs(), logs())
def test_merge_is_commutative_associative_and_idempotent(
    a: Log[ToyState], b: Log[ToyState], c: Log[ToyState]
) -> None:
    ab = merge(a, b)
    assert ab.export() == merge(b, a).export()
    assert merge(ab, c).export() == merge(a, merge(b, c)).export()
    assert merge(ab, ab).export() == ab.export()
    assert merge(ab, a).export() == ab.export()
    again = judge_file(ab.export(), Toy())
    assert again.log is not None
    assert again.log.export() == ab.export()
    assert again.code not in (Code.MALFORMED, Code.INTERNAL)
    if a.faults or b.faults:
        assert ab.faults
    ids = {entry.id for log in (a, b) for entry in log.entries()}
    assert {read_record(record).id for record in ab.records()} <= ids
    if not any(fault.is_fork for fault in ab.faults):
        assert {entry.id for entry in ab.entries()} == ids
