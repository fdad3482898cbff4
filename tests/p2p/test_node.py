"""Links that go silent, come back, break: failures of others by their numbers in the transport notes."""

from __future__ import annotations

import pytest

from p2p.events import EntryArrived, LinkClosed, LinkOpened, PeerDown, PeerUp
from p2p.link import LinkId
from p2p.messages import (
    Entries,
    Table,
)
from p2p.node import MOST_UNOPENED
from p2p.output import Close
from p2p.reasons import Why
from tests.ledger.table import Table as Game
from tests.ledger.table import identity_of, seat_record
from tests.p2p.people import Person, Room, guest, host, links, two
from tests.p2p.stranger import Stranger


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
