"""Links that come twice, go silent, come back: failures of others by their numbers in the transport notes."""

from __future__ import annotations

import pytest

from ledger.engine import Height, Kind
from ledger.entry import read_record
from ledger.heads import Heads
from ledger.outcome import Forked
from p2p.events import EntryArrived, LinkClosed, LinkOpened, NoticeArrived, PeerDown, PeerUp
from p2p.link import LinkId
from p2p.lobby import TableShown
from p2p.messages import (
    Address,
    AskWatch,
    Entries,
    EntryName,
    Have,
    Linked,
    Listening,
    Notice,
    PeerLine,
    Peers,
    Table,
    Want,
)
from p2p.node import MOST_STRANGERS, MOST_UNOPENED, Close, Send
from p2p.reasons import Why
from p2p.session import Door
from tests.ledger.table import Table as Game
from tests.ledger.table import identity_of, seat_record
from tests.p2p.people import Person, Room, guest, host
from tests.p2p.stranger import Stranger

LOW, HIGH = sorted((identity_of(0), identity_of(1)), key=lambda key: key.public)


def two(room: Room) -> tuple[Person, Person]:
    """Two seats of a running game; the first has the lower key, hence decides about duplicates."""
    game = Game.of(2)
    people = (Person(0, None, identity=LOW), Person(1, None, identity=HIGH))
    for person in people:
        person.node.attach(game.fresh(), room.now)
    return people


def links(person: Person) -> int:
    return len(person.node._talks)


def test_p2p_20_two_that_dial_each_other_at_once_end_with_one_link() -> None:
    room = Room()
    low, high = two(room)
    room.net.join(low.pump, high.pump, room.now)
    room.net.join(high.pump, low.pump, room.now)
    room.settle()
    room.wait(1.5, low, high)
    assert (links(low), links(high)) == (1, 1)
    (talk,) = low.node._talks.values()
    assert talk.initiator  # the link the lower key has dialled stays
    assert [e.identity for e in low.events(PeerUp, PeerDown)] == [high.key.public]
    assert [e.identity for e in high.events(PeerUp, PeerDown)] == [low.key.public]


@pytest.mark.parametrize("dialler", [0, 1])
def test_p2p_18_who_dials_again_gets_the_newer_link(dialler: int) -> None:
    room = Room()
    people = two(room)
    one, other = people[dialler], people[1 - dialler]
    for _ in range(5):
        room.net.join(one.pump, other.pump, room.now)
        room.settle()
        room.wait(1.0, *people)
    room.wait(1.0, *people)
    assert (links(one), links(other)) == (1, 1)
    assert len(one.events(PeerUp)) == 1
    assert len(other.events(PeerUp)) == 1


def test_p2p_18_a_new_link_wins_over_a_silent_old_one_of_another_process() -> None:
    room = Room()
    low, high = two(room)
    again = Person(1, None, identity=HIGH, name="restarted")
    again.node.attach(Game.of(2).fresh(), room.now)
    near, far = room.net.join(high.pump, low.pump, room.now)
    room.settle()
    near.down = far.down = True  # frozen: nobody is told
    room.net.join(again.pump, low.pump, room.now)
    room.settle()
    assert [e.why for e in again.events(LinkClosed)] == [Why.SAME_IDENTITY]
    room.wait(7.0, low)
    room.net.join(again.pump, low.pump, room.now)
    room.settle()
    assert [e.identity for e in again.events(PeerUp)] == [low.key.public]
    assert links(low) == 1


def test_p2p_17_an_identity_is_its_key_and_not_its_address() -> None:
    game = Game.of(2)
    person = Person(0, None)
    person.node.attach(game.log, 0.0)
    for number in range(3):
        peer = Stranger(person.node, identity_of(1), process="one")
        assert person.node.peers() == (identity_of(1).public,)
        person.node.link_down(peer.link, float(number))
        assert person.node.peers() == ()


def test_p2p_19_what_an_evicted_link_owed_the_survivor_pays_at_once() -> None:
    """Entries that were on their way over the duplicate are asked for over the other link, without a wait."""
    room = Room()
    low, high = two(room)
    game = Game.of(2)
    log = game.fresh()
    high.node.attach(log, room.now)
    room.net.join(low.pump, high.pump, room.now)
    room.settle()
    low.events(), high.events()
    near, _ = room.net.join(high.pump, low.pump, room.now)
    record = game.record(0)
    log.receive(record)
    for _ in range(20):
        high.node.push(game.log.game_id, [])
        if not room.net._step(room.now):
            break
    high.node.push(game.log.game_id, [record])
    room.net.cut(near, room.now)
    room.settle()
    assert record in [e.record for e in low.events(EntryArrived)]


def test_p2p_15_silence_is_noticed_and_told_before_it_is_final() -> None:
    room = Room()
    low, high = two(room)
    near, far = room.net.join(low.pump, high.pump, room.now)
    room.settle()
    near.other = far.other = None  # the radio freezes: nothing moves and nobody is told
    room.wait(5.0, low)
    assert not low.node.peer_states(room.now)[0].quiet
    room.wait(2.0, low)
    (state,) = low.node.peer_states(room.now)
    assert state.quiet
    assert state.heard_seconds_ago >= 6.0
    low.events()
    room.wait(9.0, low)
    assert [e.why for e in low.events(PeerDown)] == [Why.SILENT]


def test_p2p_22_seats_of_ghosts_are_free_within_fifteen_seconds() -> None:
    room, anna = Room(), host(2)
    for number in (1, 2):
        person = guest(number)
        near, far = room.join(person, anna)
        person.guest.ask_seat(seat_record(number))
        person.events()
        room.settle()
        assert anna.host.table.roster[1].identity == identity_of(number).public
        near.other = far.other = None
        room.wait(15.5, anna)
        assert anna.node.peers() == ()


def test_p2p_21_a_handshake_that_stops_half_way_expires() -> None:
    room, anna = Room(), host(2)
    anna.node.link_up(LinkId(77), initiator=False, mtu=1024, now=room.now)
    anna.node.tick(9.9)
    assert not any(isinstance(o, Close) for o in anna.node.take_output(9.9))
    assert anna.node.deadline() == 10.0
    anna.node.tick(10.0)
    assert Close(LinkId(77), Why.HANDSHAKE_TIME) in anna.node.take_output(10.0)
    assert [e.why for e in anna.events(LinkClosed)] == [Why.HANDSHAKE_TIME]
    boris = guest(1)
    room.join(boris, anna)
    assert [e.identity for e in boris.events(PeerUp)] == [identity_of(0).public]


def test_a_guest_that_refuses_a_guest_does_not_speak_for_the_host() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    room.join(boris, anna)
    boris.events()
    room.net.join(boris.pump, ciro.pump, room.now)  # he has not heard of any table yet
    room.settle()
    assert [(e.why, e.is_host) for e in boris.events(LinkClosed)] == [(Why.STRANGER, False)]
    anna.node.close_all(Why.BYE)
    room.settle()
    assert [(e.why, e.is_host) for e in boris.events(LinkClosed)] == [(Why.BYE, True)]


def test_ten_thousand_half_open_handshakes_are_refused_as_busy() -> None:
    anna = host(2)
    refused = 0
    for number in range(10_000):
        anna.node.link_up(LinkId(number), initiator=False, mtu=1024, now=0.0)
        refused += sum(isinstance(o, Close) and o.why is Why.BUSY for o in anna.node.take_output(0.0))
    assert links(anna) == MOST_UNOPENED
    assert refused == 10_000 - MOST_UNOPENED


def test_strangers_make_room_for_seats() -> None:
    """An open table: who only looks goes when too many look; a seat or a watcher stays."""
    anna = host(3, door=Door(None, open=True), may_watch=True)
    door = Door()
    boris = Stranger(anna.node, identity_of(1), door=door)
    watcher = Stranger(anna.node, identity_of(5), door=door)
    watcher.say(AskWatch("Fay"))
    anna.host.message(identity_of(1).public, _ask(1))
    from ledger.identity import SigningKey

    crowd = [
        Stranger(anna.node, SigningKey(number.to_bytes(32, "big")), door=door) for number in range(1, 40)
    ]
    closed = [one for one in crowd if one.closed]
    for one in crowd:
        one.carry()
    assert boris.closed is None
    assert watcher.closed is None
    assert len(anna.node.peers()) == 2 + MOST_STRANGERS
    assert all(one.closed in (None, Why.BUSY) for one in closed)


def _ask(number: int):  # type: ignore[no-untyped-def]
    from p2p.messages import AskSeat

    return AskSeat(1, seat_record(number))


def test_p2p_39_a_full_queue_drops_whole_messages_and_never_pieces() -> None:
    game = Game.of(2)
    person = Person(0, None)
    person.node.attach(game.log, 0.0)
    peer = Stranger(person.node, identity_of(1), mtu=128)
    peer.take_heard()
    person.node.set_writable(peer.link, writable=False, now=0.0)
    for number in range(100):
        person.node.push(game.log.game_id, [bytes([number]) * 10_000])
    person.node.set_writable(peer.link, writable=True, now=1.0)
    peer.carry()
    heard = peer.take_heard(Entries)
    assert 20 <= len(heard) <= 27
    assert all(len(m.records[0]) == 10_000 and len(set(m.records[0])) == 1 for m in heard)  # type: ignore[attr-defined]
    assert peer.failed is None


@pytest.mark.parametrize("fault", ["flipped", "cut by three", "replayed", "another link's"])
def test_a_fault_in_one_link_ends_that_link_alone(fault: str) -> None:
    game = Game.of(3)
    person = Person(0, None)
    person.node.attach(game.log, 0.0)
    one, other = Stranger(person.node, identity_of(1)), Stranger(person.node, identity_of(2))
    one.session.send(b"\x81\x01")
    (datagram,) = one.session.take_datagrams()
    other.session.send(b"\x81\x01")
    (foreign,) = other.session.take_datagrams()
    if fault == "replayed":
        one.send(datagram)
    one.send(
        {
            "flipped": datagram[:5] + bytes([datagram[5] ^ 1]) + datagram[6:],
            "cut by three": datagram[:-3],
            "replayed": datagram,
            "another link's": foreign,
        }[fault]
    )
    other.send(foreign)
    one.carry()
    assert one.closed is Why.BAD_TAG
    assert person.node.peers() == (identity_of(2).public,)


def test_a_peer_dialled_as_somebody_else_is_not_believed() -> None:
    room, anna = Room(), host(2)
    boris = guest(1)
    room.net.join(boris.pump, anna.pump, room.now, is_host=True, expect=identity_of(5).public)
    room.settle()
    assert [e.why for e in boris.events(LinkClosed)] == [Why.OTHER_PEER]
    assert boris.guest.table is None
    assert [e.why for e in anna.events(PeerDown)] == [Why.OTHER_PEER]


def test_the_host_tells_where_the_others_listen_and_only_to_its_table() -> None:
    room, anna = Room(), host(3)
    boris = Stranger(anna.node, identity_of(1))
    boris.say(_ask(1), Listening((Address("10.0.0.1:4717"),)))
    boris.take_heard()
    ciro = Stranger(anna.node, identity_of(2))
    ciro.say(_ask(2))
    told = [m for m in ciro.take_heard(Peers) if isinstance(m, Peers)]
    assert told[-1].peers == (PeerLine(identity_of(1).public, (Address("10.0.0.1:4717"),)),)
    ciro.say(Listening((Address("10.0.0.2:4717"),)))
    boris.carry()
    room.settle()
    assert anna.node.addresses(identity_of(2).public) == ("10.0.0.2:4717",)


def test_the_address_a_link_comes_from_is_worth_a_try() -> None:
    anna = host(2)
    link = LinkId(5)
    boris = guest(1)
    anna.node.link_up(link, initiator=False, mtu=1024, now=0.0, remote="fe80::7")
    boris.node.link_up(link, initiator=True, mtu=1024, now=0.0, is_host=True)
    boris.node.set_addresses((Address("0.0.0.0:4720"),))
    moved = True
    while moved:
        moved = False
        for sender, receiver in ((anna, boris), (boris, anna)):
            for output in sender.node.take_output(0.0):
                assert isinstance(output, Send)
                receiver.node.datagram(link, output.datagram, 0.0)
                moved = True
    assert anna.node.addresses(identity_of(1).public) == ("0.0.0.0:4720", "[fe80::7]:4720")


def test_whom_to_dial_and_who_dials_first() -> None:
    room = Room()
    low, high = two(room)
    for person, other in ((low, high), (high, low)):
        person.node.learn(other.key.public, (Address("10.0.0.9:1"),))
    assert [w.identity for w in low.node.wanted(0.0)] == [high.key.public]
    assert low.node.wanted(0.0)[0].addresses == ("10.0.0.9:1",)
    assert high.node.wanted(0.0) == ()
    assert [w.identity for w in high.node.wanted(5.0)] == [low.key.public]
    room.join(low, high, is_host=False)
    assert low.node.wanted(5.5) == ()
    assert high.node.wanted(5.5) == ()
    assert [w.identity for w in low.node.wanted(6.5)] == [high.key.public], "nothing heard for too long"


def test_notices_are_hints_that_the_host_carries_once() -> None:
    game = Game.of(3)
    anna = host(3)
    anna.node.attach(game.log, 0.0)
    boris, ciro = Stranger(anna.node, identity_of(1)), Stranger(anna.node, identity_of(2))
    anna.events()
    ciro.take_heard()
    said = Notice(game.log.game_id, 1, 7, (2,), relayed=False)
    boris.say(said)
    ciro.carry()
    relayed = Notice(game.log.game_id, 1, 7, (2,), relayed=True)
    assert anna.events(NoticeArrived) == [NoticeArrived(game.log.game_id, 1, 7, (2,), relayed=False)]
    assert ciro.take_heard(Notice) == [relayed]
    assert boris.take_heard(Notice) == []
    anna.node.notice(game.log.game_id, 3)
    boris.carry()
    heard = boris.take_heard(Notice)
    assert heard == [Notice(game.log.game_id, 0, 3, (), relayed=False)]
    for lie in (
        Notice(game.log.game_id, 2, 7, (), relayed=False),
        Notice(game.log.game_id, 0, 7, (), relayed=True),
    ):
        boris.say(lie)
    assert anna.events(NoticeArrived) == []
    boris.say(relayed)
    assert anna.events(NoticeArrived) == [NoticeArrived(game.log.game_id, 1, 7, (2,), relayed=True)]


def test_a_guest_lets_in_only_people_of_its_table() -> None:
    room, anna, boris = Room(), host(3), guest(1)
    room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    boris.events()
    room.settle()
    assert Stranger(boris.node, identity_of(2)).closed is Why.STRANGER
    ciro = guest(2)
    room.join(ciro, anna)
    ciro.guest.ask_seat(seat_record(2))
    ciro.events()
    room.settle()
    assert boris.events(TableShown)
    assert Stranger(boris.node, identity_of(2)).closed is None


def test_good_bye_is_told_with_its_reason() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    room.join(boris, anna)
    assert [e.link for e in boris.events(LinkOpened)] == [LinkId(0)]
    anna.node.close_all(Why.BYE)
    room.settle()
    assert [e.why for e in boris.events(LinkClosed)] == [Why.BYE]
    assert (links(anna), links(boris)) == (0, 0)


def test_a_table_is_shown_in_its_newest_form_only() -> None:
    anna = host(2)
    boris = Stranger(anna.node, identity_of(1))
    boris.take_heard()
    anna.node.set_writable(boris.link, writable=False, now=0.0)
    for turns in range(2, 60):
        from tests.p2p.people import terms

        anna.host.set_terms(terms(2, turns=turns))
        anna.events()
    anna.node.set_writable(boris.link, writable=True, now=1.0)
    boris.carry()
    tables = boris.take_heard(Table)
    assert [m.options for m in tables] == [(59, 0)]  # type: ignore[attr-defined]


def test_who_has_a_link_to_the_author_gets_nothing_passed_on() -> None:
    game = Game.of(4)
    log = game.fresh()
    person = Person(0, None)
    person.node.attach(log, 0.0)
    author, near, far = (Stranger(person.node, identity_of(seat)) for seat in (1, 2, 3))
    near.say(Linked((identity_of(1).public, identity_of(0).public)))
    told = [m for m in far.take_heard(Linked) if isinstance(m, Linked)]
    assert set(told[-1].peers) == {identity_of(1).public, identity_of(2).public}
    for one in (author, near):
        one.take_heard()
    record = game.record(1)
    author.say(Entries(log.game_id, (record,), more=False))
    for event in person.events(EntryArrived):
        person.node.judged(event.link, event.game, log.receive(event.record), 0.0)
    author.carry()
    name = EntryName(0, 1, 0, log.met(Height(0))[0].id[:8])
    assert far.take_heard(Entries, Have) == [Entries(log.game_id, (record,), more=False)]
    assert near.take_heard(Entries, Have) == [Have(log.game_id[:4], (name,))]
    assert author.take_heard(Entries, Have) == []
    own = game.record(0)
    log.receive(own)
    person.node.push(log.game_id, [own])
    author.carry()
    for one in (author, near, far):
        assert one.take_heard(Entries) == [Entries(log.game_id, (own,), more=False)]


def test_a_record_the_author_has_kept_from_somebody_is_asked_for_by_heads() -> None:
    game = Game.of(3)
    log = game.fresh()
    person = Person(0, None)
    person.node.attach(log, 0.0)
    peer = Stranger(person.node, identity_of(2))
    peer.wait(0.5)
    peer.take_heard()
    record = game.record(1)
    entry = read_record(record)
    peer.say(Have(log.game_id[:4], (EntryName(0, 1, 0, entry.id[:8]),)))
    assert peer.take_heard(Heads, Want) == []
    peer.wait(1.0)
    assert peer.take_heard(Heads, Want) == [log.heads()]
    log.receive(record)
    peer.wait(6.0)
    peer.take_heard()
    peer.say(Have(log.game_id[:4], (EntryName(0, 1, 0, entry.id[:8]),)))
    peer.wait(1.0)
    assert peer.take_heard(Heads, Want) == []


def test_a_rival_is_asked_for_at_once_and_given() -> None:
    """One seat, two bodies for one due of a round that is not complete: equal heads, and still a fork."""
    game = Game.of(3)
    one, two = game.fresh(), game.fresh()
    first, second = game.record(1), game.record(1, Kind(0), (b"another",))
    one.receive(first)
    two.receive(second)
    assert one.heads() == two.heads()
    person = Person(0, None)
    person.node.attach(one, 0.0)
    peer = Stranger(person.node, identity_of(2))
    peer.take_heard()
    (rival,) = two.met(Height(0))
    name = EntryName(0, 1, 0, rival.id[:8])
    peer.say(Have(one.game_id[:4], (name,)))
    assert peer.take_heard(Heads, Want) == [Want(one.game_id[:4], (name,))]
    peer.say(Entries(one.game_id, (second,), more=False))
    (event,) = person.events(EntryArrived)
    outcome = one.receive(event.record)
    assert isinstance(outcome, Forked)
    person.node.judged(event.link, event.game, outcome, 0.0)
    for wanted in one.met(Height(0))[0], rival:
        peer.say(Want(one.game_id[:4], (EntryName(0, 1, 0, wanted.id[:8]),)))
        assert peer.take_heard(Entries) == [Entries(one.game_id, (wanted.record,), more=False)]
    for nothing in (EntryName(7, 1, 0, rival.id[:8]), EntryName(0, 1, 0, b"8 bytes.")):
        peer.say(Want(one.game_id[:4], (nothing,)))
        peer.say(Want(b"none", (name,)))
        assert peer.take_heard(Entries) == []
