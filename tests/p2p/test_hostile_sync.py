"""Attacks on sync by their numbers in the list, 49 to 59: what a liar gains is the end of its own link."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest

from ledger.engine import Height, Kind
from ledger.fault import CaseId
from ledger.genesis import Digest, GameId
from ledger.heads import Heads
from ledger.log import Log
from ledger.outcome import Dropped, Duplicate, Forked
from p2p.events import EntryArrived, LinkClosed, OtherGame, PeerDown
from p2p.messages import Entries, Notice
from p2p.reasons import Why
from p2p.session import Door
from p2p.sync import ANSWER_LIMIT, answer, pack
from p2p.talk import ANSWER_BYTES_A_SECOND, ANSWER_BYTES_AT_ONCE
from tests.ledger.table import Table, identity_of
from tests.ledger.toy import ToyState
from tests.p2p.people import Person, host
from tests.p2p.stranger import Stranger


def holder(log: Log[ToyState], *, number: int = 0) -> Person:
    """A seat with a log and no lobby."""
    person = Person(number, None)
    person.node.attach(log, 0.0)
    return person


def judge(person: Person, log: Log[ToyState], now: float = 0.0) -> list[object]:
    """Do with the records that arrived what an owner does; the outcomes."""
    outcomes: list[object] = []
    for event in person.events(EntryArrived):
        outcome = log.receive(event.record)
        person.node.judged(event.link, event.game, outcome, now)
        outcomes.append(outcome)
    return outcomes


def blank(log: Log[ToyState], **changes: object) -> Heads:
    """Heads that say: I have nothing."""
    nothing = Heads(log.game_id, Height(0), Digest(bytes(log.game_id)), 0, (), None, ())
    return replace(nothing, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def long_game() -> Table:
    """More than one answer holds."""
    table = Table.of(3, turns=450)
    table.play_on()
    assert sum(len(record) for record in table.log.records()) > ANSWER_LIMIT
    return table


def test_attack_49_unknown_games_by_the_ten_thousand() -> None:
    table = Table.of(3)
    person = holder(table.log)
    eve = Stranger(person.node, identity_of(1))
    person.events()

    def spam(numbers: range) -> None:
        for number in numbers:
            if number % 500 == 0:
                eve.wait(3.0)
            game = GameId(number.to_bytes(32, "big"))
            if number % 2:
                eve.say(Entries(game, (b"r" * 40,), more=True))
            else:
                eve.say(Heads(game, Height(0), Digest(b"x" * 32), 0, (), None, ()))
            person.node.take_events()

    spam(range(9_000))
    eve.take_heard()
    tracemalloc.start()
    try:
        before = tracemalloc.take_snapshot()
        spam(range(9_000, 10_000))
        eve.take_heard()
        after = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    ours = tracemalloc.Filter(True, "*/p2p/n*.py")  # noqa: FBT003
    grown = after.filter_traces([ours]).compare_to(before.filter_traces([ours]), "filename")
    assert sum(each.size_diff for each in grown) < 20_000
    assert eve.closed is None
    assert person.events(EntryArrived) == []


def test_attack_50_a_flood_of_false_signatures_costs_the_link_and_not_the_seat_it_names() -> None:
    table = Table.of(4)
    person, mallory, seat_3 = holder(table.log), identity_of(1), identity_of(3)
    liar, honest = Stranger(person.node, mallory), Stranger(person.node, seat_3)
    honest_record = table.record(3)
    for number in range(30):
        forged = bytearray(honest_record)
        forged[-1 - number % 32] ^= 1
        liar.say(Entries(table.log.game_id, (bytes(forged),), more=False))
        judge(person, table.log)
    liar.carry()
    assert liar.closed is Why.FORGED
    assert table.log.fault is None
    again = Stranger(person.node, mallory, now=30.0)
    assert again.closed is Why.FORGED
    later = Stranger(person.node, mallory, now=61.0)
    assert later.closed is None
    honest.say(Entries(table.log.game_id, (honest_record,), more=False))
    (outcome,) = judge(person, table.log)
    assert not isinstance(outcome, Dropped)
    assert honest.closed is None


def test_attack_50_the_pause_grows_with_each_time() -> None:
    table = Table.of(3)
    person = holder(table.log)
    now = 0.0
    pauses = []
    for _ in range(3):
        liar = Stranger(person.node, identity_of(1), now=now)
        assert liar.closed is None
        for _ in range(20):
            liar.say(Entries(table.log.game_id, (b"noise",), more=False))
            judge(person, table.log, now)
        liar.carry()
        assert liar.closed is Why.FORGED
        pause = 0.0
        while Stranger(person.node, identity_of(1), now=now + pause).closed is Why.FORGED:
            pause += 10.0
        pauses.append(pause)
        now += pause
        person.node.close_all()
    assert pauses == sorted(pauses)
    assert pauses[0] < pauses[1] < pauses[2]


def test_attack_51_heads_that_promise_a_far_height_and_nothing_comes() -> None:
    table = Table.of(3)
    person = holder(table.log)
    liar = Stranger(person.node, identity_of(1))
    liar.take_heard()
    promise = blank(table.log, height=Height(4000), prev=Digest(b"p" * 32))
    for _ in range(200):
        liar.now += 0.01
        liar.say(promise)
    told = liar.take_heard()
    assert all(isinstance(message, Heads) for message in told)
    assert len(told) <= 2.0 / 0.25 + 2
    assert table.play(2)  # own play goes on


def test_attack_52_heads_that_stay_behind_for_ever(long_game: Table) -> None:
    table = long_game
    person = holder(table.log)
    liar = Stranger(person.node, identity_of(1))
    seconds = 20.0
    taken = 0
    while liar.now < seconds:
        liar.now += 0.05
        liar.say(blank(table.log))
        taken += sum(len(record) for m in liar.take_heard(Entries) for record in m.records)  # type: ignore[attr-defined]
    assert taken <= ANSWER_BYTES_AT_ONCE + ANSWER_BYTES_A_SECOND * seconds
    assert liar.closed is None


def test_attack_53_a_hub_that_withholds_one_seat_blames_nobody() -> None:
    """The leaf's record never arrives: the log says for whom it waits, and says so again when it comes."""
    table = Table.of(3)
    log = table.fresh()
    person = holder(log, number=1)
    hub = Stranger(person.node, identity_of(0))
    records = [table.record(0), table.record(1), table.record(2)]
    for record in records[:2]:
        hub.say(Entries(log.game_id, (record,), more=False))
    judge(person, log)
    hub.wait(60.0)
    assert log.waiting_for == (2,)
    assert log.fault is None
    leaf = Stranger(person.node, identity_of(2), now=hub.now)
    leaf.say(Entries(log.game_id, (records[2],), more=False))
    judge(person, log, hub.now)
    assert log.height == 1


def test_attack_55_equal_peers_exchange_no_entries() -> None:
    table = Table.of(3)
    table.play(5)
    person = holder(table.log)
    peer = Stranger(person.node, identity_of(1))
    peer.take_heard()
    for _ in range(10):
        peer.say(table.log.heads())
        peer.wait(5.0)
    assert peer.take_heard(Entries) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"height": Height(4096)},
        {"height": Height(4096), "met": 63, "older": ((Height(4095), Digest(b"o" * 32)),) * 12},
        {"height": Height(2), "older": ((Height(4096), Digest(b"o" * 32)), (Height(0), Digest(b"o" * 32)))},
        {"height": Height(1), "met": 63, "prev": Digest(b"p" * 32)},
        {"case": CaseId(b"c" * 32)},
    ],
    ids=["beyond all", "beyond with a past", "a past out of order", "another branch", "a case nobody has"],
)
def test_attack_56_heads_out_of_range_are_answered_within_bounds(changes: dict[str, object]) -> None:
    table = Table.of(3)
    table.play(5)
    records = set(table.log.records())
    for message in answer(table.log, blank(table.log, **changes)):
        assert set(message.records) <= records
    person = holder(table.log)
    liar = Stranger(person.node, identity_of(1))
    liar.say(blank(table.log, **changes))
    assert liar.closed is None


def test_attack_57_a_game_somebody_has_no_seat_in() -> None:
    table = Table.of(3)
    table.play(3)
    anna = host(3)
    anna.node.attach(table.log, 0.0)
    eve = Stranger(anna.node, identity_of(5))
    eve.take_heard()
    record = table.record(1) if 1 in table.log.waiting_for else table.record(0)
    eve.say(blank(table.log), Entries(table.log.game_id, (record,), more=True))
    eve.say(Notice(table.log.game_id, 0, 1, (), relayed=False))
    eve.wait(10.0)
    assert eve.take_heard(Heads, Entries, Notice) == []
    assert anna.events(EntryArrived) == []
    private = holder(table.log)
    assert Stranger(private.node, identity_of(5)).closed is Why.STRANGER


def test_attack_58_a_slow_reader_has_a_bounded_queue_and_is_repaired(long_game: Table) -> None:
    table = long_game
    person = holder(table.log)
    slow = Stranger(person.node, identity_of(1))
    slow.take_heard()
    person.node.set_writable(slow.link, writable=False, now=0.0)
    for _ in range(40):
        person.node.push(table.log.game_id, table.log.records())
    talk = person.node._talks[slow.link]
    assert talk.outbox.waiting_bytes <= 256 * 1024
    slow.carry()
    assert slow.take_heard() == []
    person.node.set_writable(slow.link, writable=True, now=1.0)
    slow.carry()
    slow.take_heard()
    log = table.fresh()
    for _ in range(20):
        slow.now += 1.0
        slow.say(log.heads())
        for message in slow.take_heard(Entries):
            assert isinstance(message, Entries)
            for record in message.records:
                log.receive(record)
    assert log.export() == table.log.export()


def test_attack_58_a_reader_that_never_reads_is_cut() -> None:
    table = Table.of(2)
    person = holder(table.log)
    slow = Stranger(person.node, identity_of(1))
    person.node.set_writable(slow.link, writable=False, now=0.0)
    for _ in range(28):
        slow.wait(0.5)
    assert slow.closed is None
    slow.wait(2.0)
    assert slow.closed is Why.SLOW


def test_attack_59_the_same_fork_proof_by_the_thousand() -> None:
    table = Table.of(3)
    log = table.fresh()
    first, second = table.record(1), table.record(1, Kind(0), (b"another",))
    person = holder(log)
    liar = Stranger(person.node, identity_of(2))
    outcomes = []
    for _ in range(1_000):
        liar.say(Entries(log.game_id, (first, second), more=False))
        outcomes += judge(person, log)
        liar.now += 0.01
    assert sum(isinstance(outcome, Forked) for outcome in outcomes) == 1
    assert all(isinstance(outcome, Duplicate) for outcome in outcomes[2:])
    assert len(log.faults) == 1
    assert len(log.records()) == 2


def test_a_flood_of_messages_is_dropped_and_then_ends_its_link() -> None:
    table = Table.of(3)
    person = holder(table.log)
    flood = Stranger(person.node, identity_of(1))
    sent = 0
    while flood.closed is None and sent < 5_000:
        flood.say(Entries(table.log.game_id, (b"r",), more=False))
        sent += 1
    assert flood.closed is Why.FLOOD
    assert 1_500 < sent < 2_500
    assert len(person.events(EntryArrived)) <= 1_000
    assert len(person.events(PeerDown, LinkClosed)) == 0


@pytest.mark.parametrize(
    "data", [b"\x00", b"\x81\x18\x63", b"\xff" * 100], ids=["no array", "unknown kind", "no CBOR"]
)
def test_a_sealed_message_that_is_none_ends_its_link(data: bytes) -> None:
    table = Table.of(3)
    person = holder(table.log)
    liar, honest = Stranger(person.node, identity_of(1)), Stranger(person.node, identity_of(2))
    liar.say_bytes(data)
    liar.carry()
    assert liar.closed is Why.GARBLED
    assert honest.closed is None
    assert person.node.peers() == (identity_of(2).public,)


def test_attack_21_a_peer_with_another_genesis_is_noticed() -> None:
    table, other = Table.of(3), Table.of(3, turns=7)
    person = holder(table.log)
    peer = Stranger(person.node, identity_of(1))
    person.events()
    peer.say(other.log.heads())
    peer.say(other.log.heads())
    assert person.events(OtherGame) == [OtherGame(identity_of(1).public, other.log.game_id)]


def test_attack_24_a_fork_reaches_everybody_and_halts_all_the_same() -> None:
    table = Table.of(3)
    one, two = table.fresh(), table.fresh()
    first, second = table.record(2), table.record(2, Kind(0), (b"another",))
    honest = [table.record(0), table.record(1)]
    for log, lie in ((one, first), (two, second)):
        for record in (*honest, lie):
            assert log.receive(record).kept
    for _ in range(2):
        for receiver, sender in ((one, two), (two, one)):
            for message in answer(sender, receiver.heads()):
                for record in message.records:
                    receiver.receive(record)
    assert one.fault is not None
    assert two.fault is not None
    assert one.fault.case_id(one.game_id) == two.fault.case_id(two.game_id)
    assert one.fault.seat == 2
    assert set(one.records()) == set(two.records())
    assert answer(one, two.heads()) == ()
    assert answer(two, one.heads()) == ()


def test_packing_keeps_order_and_bounds() -> None:
    records = [bytes([n]) * (1 + 997 * n % 16_500) for n in range(1, 60)]
    messages = pack(GameId(b"g" * 32), records, more=True)
    assert [record for message in messages for record in message.records] == records
    assert [message.more for message in messages] == [False] * (len(messages) - 1) + [True]
    assert pack(GameId(b"g" * 32), []) == ()


def test_the_code_is_asked_before_anything_is_told() -> None:
    table = Table.of(3)
    person = holder(table.log)
    eve = Stranger(person.node, identity_of(1), door=Door(b"w" * 32))
    assert eve.failed is not None
    assert eve.failed.why is Why.CODE_WRONG
    assert eve.heard == []
