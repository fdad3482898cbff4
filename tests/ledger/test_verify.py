from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from ledger.codec import encode
from ledger.engine import Kind
from ledger.evidence import case_of
from ledger.log import HEADER, Log
from ledger.verdict import Code, Verdict
from ledger.verify import judge_file
from tests.ledger.table import Table
from tests.ledger.toy import RESIGN, TURN, Toy


def judge(data: bytes) -> Verdict:
    verdict = judge_file(data, Toy())
    assert json.loads(json.dumps(verdict.to_json())) == verdict.to_json()
    return verdict


def finished() -> Table:
    table = Table.of(3)
    table.play_on()
    return table


def void() -> Table:
    table = Table.of(2)
    for seat in (0, 1):
        table.act(seat, Kind(0), (b"same",))
    return table


def aborted(absent: int) -> Table:
    table = Table.of(3, absent=absent)
    table.play()
    for seat in (1, 2):
        table.log.receive(table.abort(seat, 0))
    return table


def forbidden() -> Table:
    table = Table.of(3)
    table.play(5)
    table.act(2, TURN, (1,))
    return table


def forked() -> Table:
    table = Table.of(2, turns=20)
    table.play()
    other = table.record(0, TURN, (7,))
    table.play(8)
    table.log.receive(other)
    return table


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (finished, Code.VALID),
        (lambda: Table.of(2), Code.UNFINISHED),
        (void, Code.VOID),
        (lambda: aborted(0), Code.VOID),
        (lambda: aborted(1), Code.VALID),
        (forbidden, Code.PROVEN),
        (forked, Code.PROVEN),
    ],
)
def test_the_code_of_every_ending(make: Callable[[], Table], code: Code) -> None:
    table = make()
    verdict = judge(table.log.export())
    assert verdict.code == code
    assert verdict.log is not None
    assert verdict.log.export() == table.log.export()
    assert verdict.to_json()["status"] == table.log.status.value


def test_play_that_is_over_is_finished_even_with_results_missing() -> None:
    table = Table.of(3)
    table.play(8)
    verdict = judge(table.log.export())
    assert verdict.code == Code.VALID
    assert verdict.to_json()["waiting_for"] == [0, 1, 2]
    assert verdict.to_json()["result_stands"] is False


def test_a_fault_shown_after_the_result_is_proven_and_the_result_stands() -> None:
    table = Table.of(2)
    table.play()
    other = table.record(0, TURN, (7,))
    table.act(0, RESIGN, ())
    table.play_on()
    table.log.receive(other)
    verdict = judge(table.log.export())
    assert verdict.code == Code.PROVEN
    assert verdict.to_json()["result_stands"] is True
    assert verdict.to_json()["status"] == "finished"


def test_every_cut_is_malformed_or_on_a_record_boundary() -> None:
    table = Table.of(2, turns=2)
    table.play_on()
    data = table.log.export()
    edge = len(HEADER) + len(table.genesis.to_bytes())
    boundaries = {edge: 0}
    for number, record in enumerate(table.log.records()):
        edge += len(record)
        boundaries[edge] = number + 1
    boundaries.pop(edge)
    for cut in sorted({*range(0, len(data), 3), *boundaries, *(boundary + 1 for boundary in boundaries)}):
        verdict = judge(data[:cut])
        if cut in boundaries:
            assert verdict.code in (Code.UNFINISHED, Code.VALID), cut
            assert verdict.to_json()["entries"] == boundaries[cut]
        else:
            assert (verdict.code, verdict.reason) == (Code.MALFORMED, "E_CUT"), cut


def test_every_flipped_bit_is_found_and_never_blamed_on_a_seat() -> None:
    table = Table.of(2, turns=2)
    table.play_on()
    data = table.log.export()
    for place in range(0, len(data), 2):
        damaged = bytearray(data)
        damaged[place] ^= 1 << place % 8
        verdict = judge(bytes(damaged))
        assert verdict.code in (Code.MALFORMED, Code.UNSUPPORTED), place
        assert verdict.fault is None


def test_offset_height_and_reason_say_where_it_stops() -> None:
    table = Table.of(3)
    records = table.play(4)
    start = len(HEADER) + len(table.genesis.to_bytes())
    offset = start + sum(map(len, records[:4]))
    data = HEADER + table.genesis.to_bytes() + b"".join(records[:4])

    def where(tail: bytes) -> tuple[Code, str, int | None, int | None]:
        verdict = judge(data + tail)
        return verdict.code, verdict.reason, verdict.offset, verdict.height

    assert where(b"\0") == (Code.MALFORMED, "E_CBOR", offset, 2)
    assert where(records[0]) == (Code.MALFORMED, "E_TWICE", offset, 2)
    assert where(records[5]) == (Code.MALFORMED, "E_ORDER", offset, 2)
    assert where(records[4] + bytes(3)) == (Code.MALFORMED, "E_CBOR", offset + len(records[4]), 3)
    assert where(Table.of(3, game="x").record(0)) == (Code.MALFORMED, "E_GAME", offset, 2)
    assert where(records[4][:-1] + b"x") == (Code.MALFORMED, "E_SIG", offset, 2)
    astray = table.sign(0, table.body(0), height=2, prev=bytes(32))
    assert where(astray)[1] == "E_BRANCH"
    assert where(table.sign(0, table.body(0), height=200))[1] == "E_FAR"


def test_entries_in_order_of_arrival_are_judged_too() -> None:
    table = Table.of(3)
    records = table.play_on()
    arrival = [*records[2::-1], *records[3:]]
    data = HEADER + table.genesis.to_bytes() + b"".join(arrival)
    assert data != table.log.export()
    assert judge(data).code == Code.VALID
    assert judge(data).to_json() == judge(table.log.export()).to_json()


def test_what_came_after_a_fault_is_judged_as_well() -> None:
    table = Table.of(2, turns=20)
    table.play()
    other = table.record(0, TURN, (7,))
    records = table.play(3)
    rest = table.play(4)
    head = HEADER + table.genesis.to_bytes() + b"".join(map(bytes, table.fresh().records()))
    start = b"".join([*(entry.record for entry in table.log.met(0)), *records, other, *rest])  # type: ignore[arg-type]
    assert judge(head + start).code == Code.PROVEN
    assert judge(head + start + b"\0").code == Code.MALFORMED


def test_other_versions_are_unsupported_and_never_invalid() -> None:
    genesis = Table.of(2).genesis.to_bytes()
    for data in (
        encode((b"durak-log", 2)) + genesis,
        encode((b"durak-log", 99, b"more")),
        HEADER + b"\x86\x02" + genesis[2:],
        HEADER + type(Table.of(2).genesis)(bytes(32), (), 0, Table.of(2).genesis.seats).to_bytes(),
        encode((b"durak-case", 2, b"x")),
        encode((b"durak-case", 1, b"I_NEW", 0, 0)) + genesis,
    ):
        assert judge(data).code == Code.UNSUPPORTED
    body = Table.of(2).body(0).to_bytes()
    record = Table.of(2).record(0).replace(body, body[:1] + b"\x02" + body[2:])
    assert judge(HEADER + genesis + record).code == Code.UNSUPPORTED


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"hello", HEADER, HEADER[:-1], b"\x82", encode((b"durak-log", 1, 1)), encode((b"durak", 1))],
)
def test_what_is_no_file_of_ours(data: bytes) -> None:
    assert judge(data).code == Code.MALFORMED


def test_a_genesis_no_game_may_start_from_is_malformed() -> None:
    genesis = bytearray(Table.of(2).genesis.to_bytes())
    genesis[-200] ^= 1
    verdict = judge(HEADER + bytes(genesis))
    assert verdict.code == Code.MALFORMED
    assert verdict.reason.startswith(("genesis.", "E_"))


def test_a_failing_engine_is_an_internal_stop_and_no_verdict_on_anybody() -> None:
    table = Table.of(2)
    table.play()
    table.act(0, TURN, (7,))
    verdict = judge_file(table.log.export(), Toy(bug=7))
    assert verdict.code == Code.INTERNAL
    assert verdict.fault is None
    assert "ZeroDivisionError" in verdict.reason
    case = case_of(forbidden().log, forbidden().log.fault)  # type: ignore[arg-type]
    assert judge_file(case, Toy(bug=7)).code == Code.INTERNAL


def test_attack_70_gigabytes_of_garbage_cost_one_chunk() -> None:
    """A source that would never end: it is asked for little, and memory holds little."""
    for start in (b"", HEADER, Table.of(2).log.export(), HEADER + b"\x9b" + bytes([127] * 8)):
        asked = 0

        def read(count: int, start: bytes = start) -> bytes:
            nonlocal asked
            asked += count
            assert asked <= 1 << 20
            return (start if asked == count else b"") + b"\x5b" * (count - len(start))

        assert judge_file(read, Toy()).code == Code.MALFORMED


def test_a_reader_that_gives_one_byte_at_a_time_changes_nothing() -> None:
    data = finished().log.export()
    at = 0

    def read(count: int) -> bytes:
        nonlocal at
        at += 1
        return data[at - 1 : at]

    assert judge_file(read, Toy()).to_json() == judge(data).to_json()


def test_the_keys_of_a_verdict_are_always_the_same() -> None:
    verdicts = [judge(make().log.export()) for make in (finished, void, forbidden, forked)]
    verdicts += [judge(b""), judge(case_of(forked().log, forked().log.fault))]  # type: ignore[arg-type]
    assert len({tuple(verdict.to_json()) for verdict in verdicts}) == 1
    for verdict in verdicts:
        more = ["copy"] if verdict.fault is not None and verdict.fault.is_fork else []
        assert verdict.to_json()["limits"] == ["slow", "withheld", "intent", "person", *more]
    offence = verdicts[2].to_json()["offence"]
    assert isinstance(offence, dict)
    assert (offence["code"], offence["seat"], offence["height"]) == ("I_TURN", 2, 5)


def test_attack_72_a_log_of_4096_heights_is_judged() -> None:
    """The longest log there can be; one seat's turns are the cheapest, so this is also the most entries."""

    class Endless(Toy):
        def expect(self, state):  # type: ignore[no-untyped-def]
            return () if state.phase == "done" else super().expect(state)

        def apply(self, state, met):  # type: ignore[no-untyped-def]
            if state.phase != "turn":
                return super().apply(state, met)
            numbers = (*state.numbers[-1:], met[0][1][0])[-2:]
            return state._replace(numbers=numbers, turns=state.turns - 1, phase="turn")

    table = Table.of(2, turns=2**31)
    log = Log(Endless(), table.genesis)
    table.log = log
    for seat in (0, 1):
        table.act(seat)
    number = 0
    while log.height < 4095:
        number = 1 - number
        assert table.act(log.waiting_for[0], TURN, (number,)).kept
    verdict = judge_file(log.export(), Endless())
    assert verdict.code == Code.UNFINISHED
    assert verdict.to_json()["entries"] == 4096


def test_a_fork_of_two_bodies_on_unknown_branches_is_proof_and_one_alone_is_malformed() -> None:
    table = Table.of(3)
    table.play()
    start = table.log.export()
    strays = [table.sign(1, table.body(1, TURN, (number,)), prev=bytes([number] * 32)) for number in (1, 2)]
    for stray in strays:
        table.log.receive(stray)
    assert table.log.fault is not None
    assert judge(table.log.export()).code == Code.PROVEN
    alone = judge(start + strays[0])
    assert (alone.code, alone.reason, alone.offset) == (Code.MALFORMED, "E_BRANCH", len(start))
    assert judge(start + strays[0] + b"\0").offset == len(start) + len(strays[0])
