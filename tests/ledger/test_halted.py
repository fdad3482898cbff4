"""R32: after a fault nothing more is signed, and one case names the seat."""

from __future__ import annotations

import pytest

from ledger.engine import Height
from ledger.errors import Forbidden
from ledger.log import Status
from ledger.outcome import Forbade, Forked
from tests.ledger.table import Table
from tests.ledger.toy import TURN


def begun() -> Table:
    """Two seats, after some turns; seat 0 is due, and may not say 5."""
    table = Table.of(2, turns=40)
    table.play()
    table.act(0, TURN, (4,))
    table.act(1, TURN, (5,))
    return table


def test_r32_after_a_forbidden_entry_nothing_more_is_signed() -> None:
    table = begun()
    outcome = table.act(0, TURN, (5,))
    assert isinstance(outcome, Forbade)
    assert table.log.status is Status.HALTED
    assert table.log.dues == ()
    assert table.log.waiting_for == ()
    for seat in (0, 1):
        with pytest.raises(Forbidden):
            table.log.draft(seat, *table.honest(seat))


def test_r32_after_a_fork_nothing_more_is_signed_and_the_case_names_the_seat() -> None:
    table = begun()
    one, two = table.record(0, TURN, (3,)), table.record(0, TURN, (4,))
    table.log.receive(one)
    outcome = table.log.receive(two)
    assert isinstance(outcome, Forked)
    assert table.log.status is Status.HALTED
    assert table.log.dues == ()
    assert table.log.fault is not None
    assert (table.log.fault.seat, table.log.fault.code) == (0, "F_FORK")


def test_r32_a_fork_found_later_replaces_a_milder_fault_of_the_same_seat() -> None:
    table = begun()
    allowed = table.record(0, TURN, (3,))
    assert isinstance(table.act(0, TURN, (5,)), Forbade)
    assert table.log.fault is not None
    assert table.log.fault.code == "I_RULE"
    assert isinstance(table.log.receive(allowed), Forked)
    assert table.log.fault.code == "F_FORK"
    assert table.log.fault.seat == 0


def test_r32_a_fault_shown_after_every_seat_has_signed_the_result_is_only_a_case() -> None:
    table = Table.of(2)
    table.play_on()
    assert table.log.status is Status.FINISHED
    ended = table.log.ended
    body = table.body(0, TURN, (7,))
    outcome = table.log.receive(table.sign(0, body, height=Height(0)))
    assert table.log.status is Status.FINISHED
    assert table.log.ended == ended
    assert isinstance(outcome, Forked)
    assert outcome.fault in table.log.faults
