from __future__ import annotations

import pytest

from ledger.engine import Height, Kind
from ledger.errors import BadGenesis, Forbidden, Unsupported
from ledger.level import Status
from ledger.log import HEADER, Log
from ledger.outcome import (
    Accepted,
    Dropped,
    Duplicate,
    Forbade,
    Forked,
    Pending,
    Stopped,
    UnknownBranch,
)
from tests.ledger.table import Table, genesis_of
from tests.ledger.toy import RESIGN, TURN, Toy


def test_a_whole_game_from_join_to_result() -> None:
    table = Table.of(3, turns=6)
    assert table.log.status is Status.OPEN
    assert table.log.waiting_for == (0, 1, 2)
    table.play(8)
    assert table.log.status is Status.FINISHED
    assert not table.log.result_stands
    assert table.log.waiting_for == (0, 1, 2)
    assert table.log.ended == (7, table.log.digest(Height(7)))
    table.play()
    assert table.log.result_stands
    assert table.log.dues == ()
    assert table.log.ended == (7, table.log.digest(Height(7)))
    assert [step.height for step in table.log.steps()] == list(range(9))
    assert [len(step.met) for step in table.log.steps()] == [3, 1, 1, 1, 3, 1, 1, 1, 3]


def test_a_round_may_be_met_in_any_order_and_two_files_are_the_same() -> None:
    table = Table.of(3)
    records = table.play_on()
    first, second = table.fresh(), table.fresh()
    for record in records:
        assert isinstance(first.receive(record), Accepted)
    for record in (*records[2::-1], *records[3:]):
        assert isinstance(second.receive(record), Accepted)
    assert first.export() == second.export() == HEADER + table.genesis.to_bytes() + b"".join(records)
    assert len(HEADER) == 12


def test_entries_ahead_wait_and_are_kept_in_order_once_they_fit() -> None:
    table = Table.of(2)
    records = table.play(5)
    other = table.fresh()
    for record in reversed(records[1:]):
        assert isinstance(other.receive(record), Pending | Accepted)
    outcome = other.receive(records[0])
    assert isinstance(outcome, Accepted)
    assert [entry.record for entry in outcome.kept] == [records[0], *records[2:]]
    assert outcome.completed == (0, 1, 2, 3, 4)
    assert other.export() == table.log.export()


def test_a_record_twice_is_silent_and_another_signature_is_no_fork() -> None:
    table = Table.of(2)
    (record, *_) = table.play(2)
    assert isinstance(table.log.receive(record), Duplicate)
    assert isinstance(table.log.receive(record[:-1] + bytes([record[-1] ^ 1])), Dropped)


def test_two_bodies_for_one_due_are_a_fork_however_long_ago() -> None:
    table = Table.of(2, turns=40)
    table.play()
    forged = table.record(0, TURN, (7,))
    table.play(50)
    outcome = table.log.receive(forged)
    assert isinstance(outcome, Forked)
    assert (outcome.fault.seat, outcome.fault.height) == (0, 1)
    assert table.log.status is Status.HALTED
    assert table.log.dues == ()
    assert table.log.ended is not None
    assert table.log.ended.height == 0
    with pytest.raises(Forbidden):
        table.log.draft(table.log.level(table.log.height).dues[0].seat, TURN, (1,))


@pytest.mark.parametrize(
    ("seat", "kind", "payload", "code", "rule"),
    [
        (1, TURN, (4,), "I_TURN", ""),
        (0, Kind(9), (4,), "I_TURN", ""),
        (0, TURN, (), "I_SHAPE", ""),
        (0, TURN, (True,), "I_SHAPE", ""),
        (0, TURN, (5,), "I_RULE", "R9"),
    ],
)
def test_a_forbidden_entry_halts_and_names_its_signer(
    seat: int, kind: Kind, payload: tuple[int, ...], code: str, rule: str
) -> None:
    table = Table.of(2)
    table.play()
    table.act(0, TURN, (4,))
    table.act(1, TURN, (5,))
    outcome = table.act(seat, kind, payload)
    assert isinstance(outcome, Forbade)
    assert (outcome.fault.code, outcome.fault.rule, outcome.fault.seat) == (code, rule, seat)
    assert table.log.status is Status.HALTED
    assert table.log.fault == outcome.fault


def test_the_first_failure_names_the_outcome() -> None:
    table = Table.of(2)
    table.play()
    body = table.body(1, TURN, (99,))
    wrong = {"prev": bytes(32), "state": bytes(16)}
    assert isinstance(table.log.receive(table.sign(1, body, height=99, **wrong)), Dropped)
    assert isinstance(table.log.receive(table.sign(1, body, height=2, **wrong)), Pending)
    assert isinstance(table.log.receive(table.sign(1, body, **wrong)), UnknownBranch)
    table = Table.of(2)
    table.play()
    outcome = table.log.receive(table.sign(1, body, state=bytes(16)))
    assert isinstance(outcome, Forbade)
    assert outcome.fault.code == "I_TURN"
    table = Table.of(2)
    table.play()
    outcome = table.log.receive(table.sign(0, table.body(0, TURN, (99,)), state=bytes(16)))
    assert isinstance(outcome, Forbade)
    assert outcome.fault.code == "I_STATE"


def test_a_stray_that_contradicts_a_later_entry_proves_the_fork() -> None:
    table = Table.of(2)
    table.play()
    assert isinstance(table.log.receive(table.sign(0, table.body(0), prev=bytes(32))), UnknownBranch)
    outcome = table.act(0)
    assert isinstance(outcome, Forked)
    assert table.log.height == 2
    again = table.fresh()
    for record in table.log.records():
        again.receive(record)
    assert again.export() == table.log.export()
    assert again.fault == table.log.fault


def test_another_game_another_seat_and_a_bad_signature_are_noise() -> None:
    table, other = Table.of(2), Table.of(2, game="other")
    assert table.log.receive(other.record(0)) == Dropped("E_GAME", "another game")
    assert table.log.receive(table.sign(0, table.body(0), seat=5)) == Dropped("E_SEAT", "5")
    assert table.log.receive(table.sign(1, table.body(0))) == Dropped("E_SIG", "")
    assert table.log.receive(b"") == Dropped("E_CBOR", "not an entry's head")
    assert table.log.status is Status.OPEN


def test_a_failing_engine_stops_the_log_and_blames_nobody() -> None:
    table = Table.of(2)
    log = Log(Toy(bug=7), table.genesis)
    for record in table.play():
        log.receive(record)
    outcome = log.receive(table.record(0, TURN, (7,)))
    assert isinstance(outcome, Stopped)
    assert log.fault is None
    assert isinstance(log.receive(table.record(0, TURN, (7,))), Stopped)
    with pytest.raises(Forbidden):
        log.draft(table.body(0).seat, TURN, (1,))


def test_void_when_nothing_is_due_and_nobody_won() -> None:
    table = Table.of(2)
    for seat in (0, 1):
        table.act(seat, Kind(0), (b"same",))
    assert table.log.status is Status.VOID
    assert table.log.ended == (0, table.log.digest(Height(0)))


def test_a_fault_after_all_signed_the_result_changes_no_result() -> None:
    table = Table.of(2, turns=2)
    table.play()
    forged = table.record(0, TURN, (7,))
    table.act(0, RESIGN, ())
    table.play_on()
    assert isinstance(table.log.receive(forged), Forked)
    assert table.log.status is Status.FINISHED
    assert table.log.result_stands


def test_draft_is_what_receive_accepts() -> None:
    table = Table.of(2)
    body = table.log.draft(table.body(0).seat, *table.honest(0))
    assert isinstance(table.log.receive(table.sign(0, body)), Accepted)
    with pytest.raises(Forbidden, match=r"log\.signed-already"):
        table.log.draft(body.seat, *table.honest(0))
    with pytest.raises(Forbidden, match="I_SHAPE"):
        table.log.draft(table.body(1).seat, Kind(0), ())


def test_what_we_signed_in_another_life_is_not_signed_again() -> None:
    table = Table.of(2)
    table.play()
    ahead = table.sign(0, table.body(0), height=3)
    assert isinstance(table.log.receive(ahead), Pending)
    with pytest.raises(Forbidden, match=r"log\.signed-already"):
        table.log.draft(table.body(0).seat, TURN, (1,))


def test_an_engine_may_refuse_the_genesis() -> None:
    genesis = genesis_of(2)
    with pytest.raises(Unsupported):
        Log(Toy(), type(genesis)(bytes(32), genesis.options, 0, genesis.seats))
    with pytest.raises(BadGenesis):
        type(genesis)(bytes(31), genesis.options, 0, genesis.seats)
