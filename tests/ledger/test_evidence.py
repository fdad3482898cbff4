from __future__ import annotations

import pytest

from ledger.codec import encode
from ledger.engine import Kind
from ledger.entry import read_record
from ledger.errors import Unsupported
from ledger.evidence import case_of
from ledger.fault import Fault, fork_of
from ledger.genesis import Genesis
from ledger.outcome import Forbade, Forked
from ledger.verdict import Code, Verdict
from ledger.verify import judge_file
from tests.ledger.table import Table
from tests.ledger.toy import RESULT, ROUND, TURN, Toy, ToyState

ABORT = Kind(19)


def judge(data: bytes) -> Verdict:
    return judge_file(data, Toy())


def header(code: str = "F_FORK", seat: int = 0, height: int = 1) -> bytes:
    return encode((b"durak-case", 1, code.encode(), seat, height))


def fork_case(table: Table, *records: bytes, seat: int = 0, height: int = 1) -> bytes:
    return header(seat=seat, height=height) + table.genesis.to_bytes() + b"".join(records)


@pytest.fixture
def table() -> Table:
    """Height 1 waits for seat 0."""
    table = Table.of(3)
    table.play()
    return table


def offend(
    heights: int, seat: int, kind: Kind, payload: tuple[object, ...], **changes: object
) -> tuple[Table, Fault]:
    table = Table.of(3)
    table.play(heights)
    body = table.body(seat, kind, payload)  # type: ignore[arg-type]
    outcome = table.log.receive(table.sign(seat, body, **changes))
    assert isinstance(outcome, Forbade)
    return table, outcome.fault


@pytest.mark.parametrize(
    ("code", "heights", "seat", "kind", "payload", "changes"),
    [
        ("I_TURN", 5, 2, TURN, (1,), {}),
        ("I_STATE", 5, 0, TURN, (1,), {"state": bytes(16)}),
        ("I_SHAPE", 5, 0, TURN, (b"one",), {}),
        ("I_RULE", 2, 1, TURN, (0,), {}),
        ("I_RULE", 8, 1, RESULT, (0,), {}),
        ("I_PROOF", 4, 2, ROUND, (bytes(32),), {}),
        ("I_RULE", 1, 1, ABORT, ((2,),), {}),
        ("I_TURN", 0, 1, TURN, (1,), {}),
    ],
)
def test_every_offence_makes_a_case_that_proves_it(
    code: str, heights: int, seat: int, kind: Kind, payload: tuple[object, ...], changes: dict[str, object]
) -> None:
    table, fault = offend(heights, seat, kind, payload, **changes)
    assert fault.code == code
    case = case_of(table.log, fault)
    verdict = judge(case)
    assert verdict.code == Code.PROVEN
    assert verdict.fault == fault
    assert verdict.accused == seat
    assert verdict.to_json()["offence"] is not None
    assert verdict.to_json()["offence"]["case"] == fault.case_id(table.log.game_id).hex()  # type: ignore[index,call-overload]


def test_a_case_is_minimal_without_any_of_its_records_it_proves_nothing() -> None:
    table, fault = offend(5, 0, TURN, (b"one",))
    records = [*(entry.record for entry in table.log.entries() if entry.height < 5), fault.entries[0].record]
    whole = header("I_SHAPE", 0, 5) + table.genesis.to_bytes()
    assert whole + b"".join(records) == case_of(table.log, fault)
    for number in range(len(records)):
        short = whole + b"".join(records[:number] + records[number + 1 :])
        assert judge(short).code in (Code.INSUFFICIENT, Code.REFUTED), number


def test_a_case_holds_nothing_that_is_not_needed() -> None:
    table, fault = offend(5, 0, TURN, (b"one",))
    case = case_of(table.log, fault)
    exhibit = fault.entries[0].record
    extra = table.record(1)
    assert judge(case[: -len(exhibit)] + extra + exhibit).code == Code.MALFORMED
    assert judge(case + b"\0").code == Code.MALFORMED
    for cut in range(1, len(case), 7):
        assert judge(case[:cut]).code in (Code.MALFORMED, Code.INSUFFICIENT, Code.REFUTED)


def test_an_honest_entry_is_refuted(table: Table) -> None:
    start = header("I_RULE", 0, 1) + table.genesis.to_bytes()
    context = b"".join(table.log.records())
    verdict = judge(start + context + table.record(0))
    assert (verdict.code, verdict.reason) == (Code.REFUTED, "case.allowed")
    assert verdict.fault is None


def test_an_entry_on_another_history_is_insufficient_and_blames_nobody(table: Table) -> None:
    start = header("I_RULE", 0, 1) + table.genesis.to_bytes()
    exhibit = table.sign(0, table.body(0, TURN, (99,)), prev=bytes(32))
    verdict = judge(start + b"".join(table.log.records()) + exhibit)
    assert (verdict.code, verdict.reason) == (Code.INSUFFICIENT, "case.context")


def test_context_with_somebody_elses_offence_is_insufficient(table: Table) -> None:
    foul = table.record(0, TURN, (99,))
    start = header("I_RULE", 1, 2) + table.genesis.to_bytes()
    exhibit = table.sign(1, table.body(1, TURN, (99,)), height=2)
    verdict = judge(start + b"".join(table.log.records()) + foul + exhibit)
    assert (verdict.code, verdict.reason) == (Code.INSUFFICIENT, "case.context")


def test_a_fork_is_proven_by_two_records_under_any_rules(table: Table) -> None:
    first, second = table.record(0, TURN, (1,)), table.record(0, TURN, (2,))
    table.log.receive(first)
    outcome = table.log.receive(second)
    assert isinstance(outcome, Forked)
    case = case_of(table.log, outcome.fault)
    verdict = judge(case)
    assert verdict.code == Code.PROVEN
    assert verdict.fault == outcome.fault

    class Unknown(Toy):
        def start(self, genesis: Genesis) -> ToyState:
            raise Unsupported("rules of tomorrow")

    assert judge_file(case, Unknown()).code == Code.PROVEN
    forbidden, fault = offend(5, 0, TURN, (b"one",))
    assert judge_file(case_of(forbidden.log, fault), Unknown()).code == Code.UNSUPPORTED


def test_a_fork_needs_no_common_history(table: Table) -> None:
    """One body goes back farther than the other's history: the same due all the same."""
    case = fork_case(table, table.record(0), table.sign(0, table.body(0), prev=bytes(32)))
    assert judge(case).code == Code.PROVEN


def test_fork_traps(table: Table) -> None:
    one, two = table.record(0, TURN, (1,)), table.record(0, TURN, (2,))
    other = Table.of(3, game="other")
    other.play()

    def verdict(*records: bytes, seat: int = 0, height: int = 1) -> tuple[Code, str]:
        judged = judge(fork_case(table, *records, seat=seat, height=height))
        return judged.code, judged.reason

    assert verdict(one, two) == verdict(two, one) == (Code.PROVEN, "")
    assert verdict(one, one) == (Code.REFUTED, "case.same-body")
    assert verdict(one, other.record(0, TURN, (2,))) == (Code.REFUTED, "case.other-game")
    later = table.sign(0, table.body(0, TURN, (2,)), height=2)
    assert verdict(one, later) == (Code.REFUTED, "case.two-dues")
    assert verdict(one, table.record(1, TURN, (2,))) == (Code.REFUTED, "case.two-dues")
    assert verdict(one, table.abort(0, 1)) == (Code.REFUTED, "case.two-dues")
    assert verdict(table.abort(0, 1), table.abort(0, 2)) == (Code.REFUTED, "case.two-dues")
    assert verdict(one, two, seat=1) == (Code.REFUTED, "case.other-seat")
    assert verdict(one, two, height=2) == (Code.REFUTED, "case.other-seat")
    assert verdict(one) == (Code.INSUFFICIENT, "case.not-two")
    assert verdict() == (Code.INSUFFICIENT, "case.not-two")
    assert verdict(one, two, later) == (Code.MALFORMED, "case.not-two")
    assert verdict(one, two[:-1] + b"x") == (Code.MALFORMED, "E_SIG")
    assert verdict(one, table.sign(1, table.body(0, TURN, (2,)))) == (Code.MALFORMED, "E_SIG")
    assert verdict(one, table.sign(0, table.body(0), seat=5)) == (Code.MALFORMED, "E_SEAT")


def test_two_signatures_under_one_body_are_no_fork(table: Table) -> None:
    """Ed25519 lets its owner make many: the id hashes the body."""
    from ledger import edwards, identity
    from ledger.entry import signed_bytes
    from tests.ledger.table import seed_of

    body = table.body(0)
    record = table.sign(0, body)
    secret = identity.game_key(seed_of(0)).secret()
    a, _ = edwards._expand(secret)
    public, message = table.keys[0].public, signed_bytes(body.to_bytes())
    R = edwards.compress(edwards.multiply(12345, edwards.BASE))
    S = (12345 + edwards._scalar(R, public, message) * a) % edwards.L
    again = record[:-64] + R + S.to_bytes(32, "little")
    assert read_record(again).signed_by(public)
    assert judge(fork_case(table, record, again)).reason == "case.same-body"


def test_missing_is_not_zero(table: Table) -> None:
    one, two = table.record(0, TURN, (1,)), table.record(0, TURN, (2,))
    records = table.genesis.to_bytes() + one + two
    for items in (
        (b"durak-case", 1, b"F_FORK", None, 1),
        (b"durak-case", 1, b"F_FORK", 0, None),
        (b"durak-case", 1, b"F_FORK", 0),
        (b"durak-case", 1, b"F_FORK", False, 1),
        (b"durak-case", 1, b"F_FORK"),
        (b"durak-case", 1, None, 0, 1),
        (b"durak-case", 1, b"F_FORK", 0, 4096),
        (b"durak-case", 1, b"\xff", 0, 1),
    ):
        assert judge(encode(items) + records).code == Code.MALFORMED, items
    assert judge(header() + one + two).code == Code.MALFORMED


def test_another_offence_than_the_one_claimed_is_named_for_what_it_is() -> None:
    table, fault = offend(5, 0, TURN, (b"one",))
    case = case_of(table.log, fault).replace(b"I_SHAPE", b"I_STATE", 1)
    verdict = judge(case)
    assert verdict.code == Code.PROVEN
    assert verdict.fault is not None
    assert verdict.fault.code == "I_SHAPE"


def test_a_case_names_the_offence_and_not_its_evidence(table: Table) -> None:
    entries = [read_record(table.record(0, TURN, (number,))) for number in (1, 2, 3)]
    ids = {
        fork_of(first, second).case_id(table.log.game_id)
        for first in entries
        for second in entries
        if first != second
    }
    assert len(ids) == 1
    other, fault = offend(5, 0, TURN, (b"one",))
    assert fault.case_id(other.log.game_id) not in ids
