"""What a host keeps of its people while links and devices come and go."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.genesis import Digest, Genesis, Previous
from p2p.events import PeerDown, PeerUp
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import (
    GenesisAgreed,
    LobbyError,
    RefusedByTable,
)
from p2p.messages import (
    GUEST_PAGE,
    OWN_APP,
)
from p2p.reasons import Why
from tests.ledger.table import identity_of, seat_record
from tests.ledger.toy import RULES_ID
from tests.p2p.people import Person, Room, guest, host, sit, start, terms


def test_a_guest_that_lost_its_link_has_its_seat_when_it_comes_back() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near, _ = room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    room.carry(boris)
    boris.guest.set_ready(ready=True)
    boris.events()
    room.net.cut(near, room.now)
    assert [e.why for e in anna.events(PeerDown)] == [Why.GONE]
    assert not anna.host.table.roster[1].ready
    with pytest.raises(LobbyError, match="not-ready"):
        anna.host.start()
    room.join(boris, anna)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
    assert anna.host.table.roster[1].ready  # the word was given for these terms and is repeated


def test_rematch_with_the_game_before_and_new_records() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    start(room, anna)
    first = anna.host.genesis
    assert first is not None
    boris.guest.attached(first.game_id)
    previous = Previous(first.game_id, Digest(b"d" * 32), None, (0, 0), (0, 0))
    anna.host.next_round(replace(terms(2), previous=previous))
    anna.host.seat_own(seat_record(0, "second"))
    room.carry(anna)
    boris.events()
    assert boris.guest.table is not None
    assert boris.guest.table.previous == previous
    with pytest.raises(LobbyError, match="spent"):
        boris.guest.ask_seat(seat_record(1))
    boris.guest.ask_seat(seat_record(1, "second"))
    boris.guest.set_ready(ready=True)
    room.carry(boris)
    start(room, anna)
    (agreed,) = boris.events(GenesisAgreed)
    assert agreed.genesis.previous == previous
    assert agreed.genesis.game_id != first.game_id
    assert agreed.seat == 1


def test_who_leaves_while_the_game_runs_has_no_seat_in_the_next_one() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    start(room, anna)
    boris.guest.leave()
    room.carry(boris)
    assert len(anna.host.table.roster) == 3
    genesis = anna.host.genesis
    assert genesis is not None
    anna.host.next_round(terms(3))
    assert [line.identity for line in anna.host.table.roster] == [
        identity_of(0).public, identity_of(2).public,
    ]  # fmt: skip
    sit(room, anna, boris, "again")
    assert boris.events(RefusedByTable) == [], "and may come again"


def test_a_host_restarted_in_a_game_knows_its_guests() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    start(room, anna)
    genesis = anna.host.genesis
    assert genesis is not None
    again = Person(0, HostLobby.resumed(identity_of(0).public, genesis), name="again")
    boris_again = Person(
        1, GuestLobby(identity_of(1).public, RULES_ID, playing=genesis.game_id), name="again"
    )
    room.join(boris_again, again)
    assert [e.identity for e in boris_again.events(PeerUp)] == [identity_of(0).public]
    assert boris_again.guest.table is not None
    assert boris_again.guest.table.game == genesis.game_id


def programs(lobby: HostLobby) -> list[int]:
    return [line.program for line in lobby.table.roster]


def test_where_a_guest_has_his_program_from_is_said_after_every_link_and_shown_to_all() -> None:
    room, anna, boris = Room(), host(3), guest(1)
    ciro = Person(2, GuestLobby(identity_of(2).public, RULES_ID, program=GUEST_PAGE))
    sit(room, anna, boris)
    sit(room, anna, ciro)
    assert programs(anna.host) == [OWN_APP, OWN_APP, GUEST_PAGE]
    assert boris.guest.table == anna.host.table
    start(room, anna)
    assert programs(anna.host) == [OWN_APP, OWN_APP, GUEST_PAGE]


def test_a_host_that_was_restarted_learns_again_what_its_guests_run() -> None:
    genesis = Genesis(RULES_ID, (6, 0), 0, tuple(seat_record(seat) for seat in range(2)))
    lobby = HostLobby.resumed(identity_of(0).public, genesis)
    assert programs(lobby) == [OWN_APP, OWN_APP]
    back = GuestLobby(identity_of(1).public, RULES_ID, playing=genesis.game_id, program=GUEST_PAGE)
    back.opened(identity_of(0).public, is_host=True)
    lobby.opened(identity_of(1).public)
    for each in back.take_messages():
        lobby.message(identity_of(1).public, each.message)
    assert programs(lobby) == [OWN_APP, GUEST_PAGE]
    lobby.lost(identity_of(1).public)
    assert programs(lobby) == [OWN_APP, GUEST_PAGE], "a seat keeps its mark while its person is away"
