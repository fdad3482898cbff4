"""Equivocation, order and floods: attacks 24 to 59 of the study, as far as the ledger meets them."""

from __future__ import annotations

import sys
import tracemalloc

import pytest

from ledger.engine import Kind, Seat
from ledger.errors import Forbidden
from ledger.evidence import case_of
from ledger.level import Status
from ledger.outcome import Accepted, Dropped, Duplicate, Forbade, Forked, Pending, UnknownBranch
from ledger.verdict import Code
from ledger.verify import judge_file
from ledger.waiting import MAX_BYTES, MAX_ENTRIES
from tests.ledger.table import Table
from tests.ledger.test_evidence import fork_case, judge
from tests.ledger.toy import RESIGN, ROUND, TURN, Toy

ABORT = Kind(19)


def at_a_turn(seats: int = 3, *, turns: int = 40) -> Table:
    table = Table.of(seats, turns=turns)
    table.play()
    return table


def test_attack_24_two_plays_for_one_due_told_to_two_peers() -> None:
    left, right = at_a_turn(), at_a_turn()
    left.act(0, TURN, (1,))
    right.act(0, TURN, (2,))
    (record,) = right.log.missing_for(left.log.heads())
    outcome = left.log.receive(record)
    assert isinstance(outcome, Forked)
    assert left.log.status is Status.HALTED
    assert left.log.dues == ()
    assert judge_file(case_of(left.log, outcome.fault), Toy()).code == Code.PROVEN
    for proof in left.log.missing_for(right.log.heads()):
        right.log.receive(proof)
    assert right.log.fault == left.log.fault


def test_attack_25_a_fork_of_a_height_long_past() -> None:
    table = at_a_turn(2, turns=70)
    other = table.record(0, TURN, (9,))
    table.play(50)
    assert isinstance(table.log.receive(other), Forked)


def test_attack_26_one_body_under_two_valid_signatures() -> None:
    from ledger import edwards
    from ledger.entry import signed_bytes

    table = at_a_turn()
    body = table.body(0)
    record = table.sign(0, body)
    assert isinstance(table.log.receive(record), Accepted)
    a, _ = edwards._expand(table.keys[0].secret())
    public, message = table.keys[0].public, signed_bytes(body.to_bytes())
    R = edwards.compress(edwards.multiply(99, edwards.BASE))
    S = (99 + edwards._scalar(R, public, message) * a) % edwards.L
    again = record[:-64] + R + S.to_bytes(32, "little")
    assert again != record
    assert isinstance(table.log.receive(again), Duplicate)
    assert table.log.faults == ()


def test_attack_27_a_fork_proof_with_the_same_record_twice() -> None:
    table = at_a_turn()
    assert judge(fork_case(table, table.record(0), table.record(0))).code == Code.REFUTED


def test_attack_28_a_fork_proof_swapped_is_the_same_case() -> None:
    table = at_a_turn()
    one, two = table.record(0, TURN, (1,)), table.record(0, TURN, (2,))
    assert judge(fork_case(table, one, two)).to_json() == judge(fork_case(table, two, one)).to_json()


def test_attack_29_a_proof_that_mixes_two_games() -> None:
    table, other = at_a_turn(), Table.of(3, game="other")
    other.play()
    assert judge(fork_case(table, table.record(0), other.record(0))).code == Code.REFUTED


def test_attack_31_a_turn_out_of_turn_and_after_the_end() -> None:
    table = at_a_turn()
    outcome = table.act(1, TURN, (1,))
    assert isinstance(outcome, Forbade)
    assert outcome.fault.code == "I_TURN"
    table = Table.of(2, turns=1)
    table.play_on()
    outcome = table.act(1, TURN, (1,))
    assert isinstance(outcome, Forbade)
    assert outcome.fault.code == "I_TURN"
    assert table.log.status is Status.FINISHED


def test_attack_32_a_flood_of_future_heights_is_bounded_and_never_crowds_others_out() -> None:
    table = at_a_turn(6)
    body = table.body(0)
    assert isinstance(table.log.receive(table.sign(0, body, height=1 + 9)), Dropped)
    kept = 0
    for height in range(2, 10):
        for kind in (TURN, *map(Kind, range(9, 16))):
            record = table.sign(0, body, height=height, kind=kind, payload=(bytes(300),))
            kept += isinstance(table.log.receive(record), Pending)
    assert kept <= MAX_ENTRIES // 6
    assert len(table.log._waiting) == kept
    for seat in range(1, 6):
        assert isinstance(table.log.receive(table.sign(seat, body, seat=Seat(seat), height=2)), Pending)
    assert len(table.log._waiting) <= MAX_ENTRIES


def test_attack_32_a_flood_of_big_records_is_bounded_by_bytes() -> None:
    table = at_a_turn(2)
    for number in range(100):
        record = table.sign(
            0, table.body(0), height=2 + number % 8, kind=ROUND, payload=(bytes(16_000), number)
        )
        table.log.receive(record)
    held = sum(len(entry.record) for entry in table.log._waiting._waiting.values())
    assert held <= MAX_BYTES // 2
    assert table.act(0).kept
    assert table.log.height == 2


def test_attack_33_an_unknown_branch_blames_nobody_and_is_bounded() -> None:
    table = at_a_turn()
    for number in range(200):
        record = table.sign(1, table.body(1, TURN, (number % 10,)), prev=number.to_bytes(32, "big"))
        assert isinstance(table.log.receive(record), UnknownBranch | Forked | Duplicate)
    assert len(table.log.entries()) == 3 + 2
    assert len(table.log._strays) <= 2
    table = at_a_turn()
    assert isinstance(table.log.receive(table.sign(0, table.body(0), prev=bytes(32))), UnknownBranch)
    assert table.log.fault is None
    assert table.log.status is Status.OPEN


def test_attack_34_a_wrong_state_is_a_case_of_its_own() -> None:
    table = at_a_turn()
    outcome = table.log.receive(table.sign(0, table.body(0), state=bytes(16)))
    assert isinstance(outcome, Forbade)
    assert outcome.fault.code == "I_STATE"
    assert judge_file(case_of(table.log, outcome.fault), Toy()).code == Code.PROVEN


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_attack_35_one_due_of_a_round_met_twice_with_different_answers(order: tuple[int, int]) -> None:
    """As with an accusation and a waiver: they compete for one due."""
    table = at_a_turn()
    answers = (table.record(0, TURN, (1,)), table.record(0, RESIGN, ()))
    assert isinstance(table.log.receive(answers[order[0]]), Accepted)
    assert isinstance(table.log.receive(answers[order[1]]), Forked)


def test_attack_37_a_round_entered_before_it_is_due() -> None:
    table = at_a_turn()
    outcome = table.act(0, ROUND, (Toy().proof(table.log.state),))
    assert isinstance(outcome, Forbade)
    assert outcome.fault.code == "I_TURN"


def test_attack_40_aborts_nobody_may_sign_and_one_everybody_may() -> None:
    table = at_a_turn()
    assert isinstance(table.log.receive(table.abort(0, 0)), Forbade)
    table = at_a_turn(2)
    assert isinstance(table.log.receive(table.abort(1, 0)), Forbade)
    table = Table.of(4)
    table.play(4)
    for seat in (0, 1):
        table.act(seat)
    assert isinstance(table.log.receive(table.abort(0, 2, 3)), Forbade)
    table = Table.of(4)
    table.play(4)
    for seat in (0, 1, 2):
        table.act(seat)
    assert isinstance(table.log.receive(table.abort(0, 3)), Accepted)
    assert table.log.faults == ()


def test_attack_41_an_abort_completed_after_its_signer_went_on_is_void() -> None:
    table = at_a_turn()
    aborts = [table.abort(seat, 0) for seat in (1, 2)]
    assert isinstance(table.log.receive(aborts[0]), Accepted)
    table.play(5)
    assert isinstance(table.log.receive(aborts[1]), Accepted)
    assert table.log.status is Status.OPEN
    assert table.log.faults == ()


def test_attack_42_a_late_move_meets_a_complete_abort() -> None:
    table = at_a_turn()
    late = table.record(0)
    for seat in (1, 2):
        table.log.receive(table.abort(seat, 0))
    assert isinstance(table.log.receive(late), Accepted)
    assert table.log.status is Status.ABORTED
    with pytest.raises(Forbidden):
        table.log.draft(Seat(1), *table.honest(1))


def test_attack_49_ten_thousand_records_of_unknown_games_leave_no_trace() -> None:
    table, other = at_a_turn(), Table.of(3, game="other")
    record = other.record(0)
    table.log.receive(record)
    tracemalloc.start()
    for number in range(10_000):
        place = record.index(other.log.game_id) + number % 32
        noise = record[:place] + bytes([number >> 5 & 255]) + record[place + 1 :]
        assert isinstance(table.log.receive(noise), Dropped)
    current, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert current < 64 * 1024
    assert table.log.status is Status.OPEN


def test_attack_50_a_flood_of_bad_signatures_harms_not_the_seat_it_names() -> None:
    table = at_a_turn(4)
    record = table.record(3, TURN, (1,))
    for number in range(300):
        noise = record[:-8] + number.to_bytes(8, "big")
        outcome = table.log.receive(noise)
        assert outcome == Dropped("E_SIG", "")
    assert table.log.status is Status.OPEN
    table.play(3)
    assert isinstance(table.act(3), Accepted)


def test_attack_55_equal_peers_exchange_nothing() -> None:
    table = Table.of(3)
    records = table.play_on()
    other = table.fresh()
    for record in records:
        other.receive(record)
    assert table.log.missing_for(other.heads()) == other.missing_for(table.log.heads()) == ()


def test_attack_59_a_thousand_proofs_of_one_fork_are_kept_once() -> None:
    table = at_a_turn()
    proofs = [table.record(0, TURN, (number,)) for number in range(10)]
    outcomes = [table.log.receive(proof) for proof in proofs * 100]
    assert sum(isinstance(outcome, Forked) for outcome in outcomes) == 1
    assert len(table.log.entries()) == 3 + 2
    assert len(table.log.faults) == 1
    assert sys.getsizeof(table.log._known) < 4096
