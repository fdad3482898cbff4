"""Whose links stay: who comes twice, whom nobody knows, who is somebody else."""

from __future__ import annotations

import pytest

from ledger.identity import SigningKey
from p2p.doorkeeper import MOST_STRANGERS
from p2p.events import LinkClosed, PeerDown, PeerUp
from p2p.lobby import TableShown
from p2p.messages import (
    AskWatch,
)
from p2p.reasons import Why
from p2p.session import Door
from tests.ledger.table import Table as Game
from tests.ledger.table import identity_of, seat_record
from tests.p2p.people import HIGH, Person, Room, asking, guest, host, links, two
from tests.p2p.stranger import Stranger


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


def test_strangers_make_room_for_seats() -> None:
    """An open table: who only looks goes when too many look; a seat or a watcher stays."""
    anna = host(3, door=Door(None, open=True), may_watch=True)
    door = Door()
    boris = Stranger(anna.node, identity_of(1), door=door)
    watcher = Stranger(anna.node, identity_of(5), door=door)
    watcher.say(AskWatch("Fay"))
    anna.host.message(identity_of(1).public, asking(1))
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


def test_a_peer_dialled_as_somebody_else_is_not_believed() -> None:
    room, anna = Room(), host(2)
    boris = guest(1)
    room.net.join(boris.pump, anna.pump, room.now, is_host=True, expect=identity_of(5).public)
    room.settle()
    assert [e.why for e in boris.events(LinkClosed)] == [Why.OTHER_PEER]
    assert boris.guest.table is None
    assert [e.why for e in anna.events(PeerDown)] == [Why.OTHER_PEER]


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
