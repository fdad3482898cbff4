"""ABORT (R30): lane 1, who may sign, what completes, what a later entry withdraws, in any order."""

from __future__ import annotations

from itertools import permutations

import pytest

from ledger.abort import complete_abort
from ledger.engine import Height, Kind, Seat
from ledger.errors import Forbidden
from ledger.level import Status
from ledger.log import Log
from ledger.outcome import Accepted, Forbade, Forked, Pending
from tests.ledger.table import Table
from tests.ledger.toy import RESIGN, ToyState

ABORT = Kind(19)


def at_a_turn(seats: int = 3, *, absent: int = 0) -> Table:
    """Height 1 waits for seat 0."""
    table = Table.of(seats, absent=absent)
    table.play()
    return table


def at_a_round(seats: int = 3) -> Table:
    """Height 4 waits for every seat."""
    table = Table.of(seats)
    table.play(4)
    assert len(table.log.waiting_for) == seats
    return table


def deliver(table: Table, records: list[bytes]) -> Log[ToyState]:
    log = table.fresh()
    for record in records:
        log.receive(record)
    return log


def test_r30_all_outside_w_have_signed_and_the_game_is_void() -> None:
    table = at_a_turn()
    assert isinstance(table.log.receive(table.abort(1, 0)), Accepted)
    assert table.log.status is Status.OPEN
    assert isinstance(table.log.receive(table.abort(2, 0)), Accepted)
    assert table.log.status is Status.ABORTED
    assert table.log.abort == (1, (0,))
    assert table.log.dues == ()
    assert table.log.ended == (0, table.log.digest(Height(0)))
    assert not table.log.engine.over(table.log.state)
    assert [step.height for step in table.log.steps()] == [0]


def test_r30_with_the_option_durak_the_engine_says_it_is_over() -> None:
    table = at_a_turn(absent=1)
    for seat in (1, 2):
        table.log.receive(table.abort(seat, 0))
    assert table.log.status is Status.ABORTED
    assert table.log.engine.over(table.log.state)


@pytest.mark.parametrize(
    ("seats", "seat", "waiting_for", "reason"),
    [
        (3, 0, (0,), "abort.own-seat"),
        (3, 1, (0, 1), "abort.own-seat"),
        (3, 1, (2,), "abort.nothing-due"),
        (2, 1, (0,), "abort.too-few"),
    ],
)
def test_r30_who_may_not_sign(seats: int, seat: int, waiting_for: tuple[int, ...], reason: str) -> None:
    table = at_a_turn(seats)
    outcome = table.log.receive(table.abort(seat, *waiting_for))
    assert isinstance(outcome, Forbade)
    assert (outcome.fault.code, outcome.fault.rule) == ("I_RULE", "R30")
    assert outcome.fault.reason == reason


def test_r30_half_of_the_seats_is_too_few() -> None:
    table = at_a_round(4)
    table.act(0)
    table.act(1)
    outcome = table.log.receive(table.abort(0, 2, 3))
    assert isinstance(outcome, Forbade)
    assert outcome.fault.reason == "abort.too-few"


def test_r30_not_before_the_first_lead_and_not_in_the_result_round() -> None:
    table = Table.of(3, turns=1)
    table.act(0)
    table.act(1)
    assert isinstance(table.log.receive(table.abort(0, 2)), Forbade)
    table = Table.of(3, turns=1)
    table.play(2)
    assert table.log.status is Status.FINISHED
    table.act(0)
    assert isinstance(table.log.receive(table.abort(0, 1)), Forbade)


@pytest.mark.parametrize("payload", [(), ((),), ((0, 0),), ((1, 0),), (0,), ((True,),), ((-1,),), ((0,), 1)])
def test_r30_other_shapes_are_forbidden(payload: tuple[object, ...]) -> None:
    table = at_a_turn(4)
    outcome = table.act(3, ABORT, payload)  # type: ignore[arg-type]
    assert isinstance(outcome, Forbade)
    assert outcome.fault.code == "I_SHAPE"


def test_r30_the_signer_has_met_its_own_due_or_the_abort_waits_for_it() -> None:
    table = at_a_round()
    abort, own = table.abort(0, 2), table.record(0)
    assert isinstance(table.log.receive(abort), Pending)
    outcome = table.log.receive(own)
    assert isinstance(outcome, Accepted)
    assert [entry.record for entry in outcome.kept] == [own, abort]


def test_r30_a_late_answer_to_a_complete_abort_changes_nothing() -> None:
    table = at_a_turn()
    late = table.record(0)
    for seat in (1, 2):
        table.log.receive(table.abort(seat, 0))
    before = table.log.ended
    assert isinstance(table.log.receive(late), Accepted)
    assert table.log.status is Status.ABORTED
    assert table.log.ended == before
    assert table.log.dues == ()
    assert table.log.height == 2


def test_r30_who_signs_on_has_withdrawn_his_abort() -> None:
    table = at_a_turn()
    aborts = [table.abort(1, 0), table.abort(2, 0)]
    table.log.receive(aborts[0])
    table.play(2)
    assert isinstance(table.log.receive(aborts[1]), Accepted)
    assert table.log.status is Status.OPEN
    assert table.log.abort is None
    table.play_on()
    assert table.log.status is Status.FINISHED


def test_r30_a_complete_abort_opens_again_when_a_signer_had_signed_on() -> None:
    """He signed on before he knew that it was complete: what holds is what all entries say together."""
    table = at_a_turn()
    aborts = [table.abort(1, 0), table.abort(2, 0)]
    line = table.play(2)
    log = deliver(table, [*deliver_join(table), *aborts])
    assert log.status is Status.ABORTED
    for record in line:
        log.receive(record)
    assert log.status is Status.OPEN
    assert log.height == 3


def deliver_join(table: Table) -> list[bytes]:
    return [entry.record for entry in table.log.met(Height(0))]


def test_r30_a_smaller_w_may_be_signed_when_somebody_answered_and_the_fewest_count() -> None:
    table = at_a_round(5)
    for seat in (0, 1, 2):
        table.act(seat)
    wide = [table.abort(seat, 3, 4) for seat in (0, 1, 2)]
    for record in wide[:2]:
        assert isinstance(table.log.receive(record), Accepted)
    table.act(3)
    for seat in (0, 1, 2, 3):
        assert isinstance(table.log.receive(table.abort(seat, 4)), Accepted)
    assert table.log.abort == (4, (4,))
    assert isinstance(table.log.receive(wide[2]), Accepted)
    assert table.log.abort == (4, (4,))
    assert len(table.log.faults) == 0


def test_r30_of_several_complete_ones_the_fewest_then_the_lowest() -> None:
    everybody = tuple(Seat(seat) for seat in range(5))
    newest = dict.fromkeys(everybody, Height(4))

    def signed(*sets: tuple[int, ...]) -> list[tuple[Seat, tuple[Seat, ...]]]:
        return [(seat, named) for named in sets for seat in everybody if seat not in named]  # type: ignore[misc]

    assert complete_abort(Height(4), signed((3, 4), (4,), (2, 3)), everybody, newest) == (4, (4,))
    assert complete_abort(Height(4), signed((3, 4), (1, 2)), everybody, newest) == (4, (1, 2))
    assert complete_abort(Height(4), signed((3, 4))[1:], everybody, newest) is None
    assert complete_abort(Height(3), signed((3, 4)), everybody, newest) is None


def test_r30_an_abort_beside_a_move_is_no_fork_and_two_of_one_w_are() -> None:
    table = at_a_round()
    table.act(0)
    assert isinstance(table.log.receive(table.abort(0, 2)), Accepted)
    assert table.log.faults == ()
    twisted = table.sign(0, table.body(0, ABORT, ((2,),)), prev=bytes(32))
    assert isinstance(table.log.receive(twisted), Forked)


def test_r30_any_order_of_arrival_gives_the_same_log() -> None:
    """Every order of a story with an abort, a late answer and somebody who signs on."""
    table = at_a_turn()
    start = list(table.log.records())
    story = [table.abort(1, 0), table.abort(2, 0)]
    story += table.play()
    complete = {deliver(table, [*start, *order]).export() for order in permutations(story)}
    statuses = {deliver(table, [*start, *order]).status for order in permutations(story)}
    assert len(complete) == 1
    assert statuses == {Status.ABORTED}
    story += table.play()
    exports = {deliver(table, [*start, *order]).export() for order in permutations(story)}
    statuses = {deliver(table, [*start, *order]).status for order in permutations(story)}
    assert len(exports) == 1
    assert statuses == {Status.OPEN}


def test_a_canonical_file_with_aborts_reads_back_the_same() -> None:
    table = at_a_round(5)
    for seat in (0, 1, 2):
        table.act(seat)
    for seat in (0, 1, 2):
        table.log.receive(table.abort(seat, 3, 4))
    for heights, status in ((0, Status.ABORTED), (2, Status.ABORTED), (2, Status.FINISHED)):
        table.play(heights)
        again = deliver(table, list(table.log.records()))
        assert again.export() == table.log.export()
        assert again.status is table.log.status is status


def test_draft_abort_names_exactly_who_is_waited_for() -> None:
    table = at_a_round(5)
    for seat in (0, 1, 2):
        table.act(seat)
    body = table.log.draft_abort(Seat(0))
    assert body.payload == ((3, 4),)
    assert isinstance(table.log.receive(table.sign(0, body)), Accepted)
    with pytest.raises(Forbidden, match=r"abort\.own-seat"):
        table.log.draft_abort(Seat(3))
    with pytest.raises(Forbidden, match=r"abort\.not-waiting"):
        table.log.draft(Seat(1), ABORT, ((3,),))
    with pytest.raises(Forbidden, match=r"signed-already"):
        table.log.draft_abort(Seat(0))


def test_a_fork_found_in_an_aborted_game_halts_it() -> None:
    table = at_a_turn()
    forged = table.record(0, RESIGN, ())
    table.play()
    for seat in (0, 2):
        table.log.receive(table.abort(seat, 1))
    assert table.log.status is Status.ABORTED
    table.log.receive(forged)
    assert table.log.status is Status.HALTED
