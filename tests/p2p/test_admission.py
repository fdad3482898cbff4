"""Who gets a seat or may watch, and who is told why not."""

from __future__ import annotations

import pytest

from ledger.identity import PublicKey
from p2p.events import LinkClosed
from p2p.host import HostLobby
from p2p.lobby import (
    GuestAsks,
    LobbyError,
    RefusedByTable,
)
from p2p.messages import (
    Address,
    AskSeat,
    Refused,
)
from p2p.reasons import Refusal, Why
from p2p.session import Door
from tests.ledger.table import identity_of, seat_record
from tests.p2p.people import Room, guest, host, sit, start, terms


def test_a_full_table_refuses_with_a_reason() -> None:
    room, anna = Room(), host(2)
    boris, ciro = guest(1), guest(2)
    sit(room, anna, boris)
    room.join(ciro, anna)
    ciro.guest.ask_seat(seat_record(2))
    room.carry(ciro)
    assert ciro.events(RefusedByTable) == [RefusedByTable(Refusal.FULL)]


def test_who_is_away_makes_room_and_who_is_here_does_not() -> None:
    room, anna = Room(), host(2)
    boris, ciro = guest(1), guest(2)
    near, _ = room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    room.carry(boris)
    room.net.cut(near, room.now)
    room.join(ciro, anna)
    ciro.guest.ask_seat(seat_record(2))
    room.carry(ciro)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Ciro"]
    room.join(boris, anna)
    assert boris.events(RefusedByTable) == [RefusedByTable(Refusal.FULL)]


def test_the_same_identity_from_another_device_is_refused() -> None:
    room, anna = Room(), host(3)
    boris, copy = guest(1), guest(1, name="copy")
    sit(room, anna, boris)
    room.join(copy, anna)
    assert [e.why for e in copy.events(LinkClosed)] == [Why.SAME_IDENTITY]
    assert identity_of(1).public in anna.node.peers()
    lobby = HostLobby(identity_of(0).public, terms(3))
    lobby.seat_own(seat_record(0))
    lobby.seat_own(seat_record(1), bot=True)
    lobby.opened(identity_of(1).public)
    lobby.take_messages()
    lobby.message(identity_of(1).public, AskSeat(1, seat_record(1, "again")))
    assert [m.message for m in lobby.take_messages()] == [Refused(Refusal.SAME_IDENTITY)]


@pytest.mark.parametrize(
    "record",
    [
        seat_record(2),
        seat_record(1, nonce=b"x" * 32),
        seat_record(1, game_key=seat_record(2).game_key),
        seat_record(1, certificate=seat_record(2).certificate),
    ],
    ids=["another's", "another nonce", "another key", "another certificate"],
)
def test_records_that_do_not_stand_are_refused(record) -> None:  # type: ignore[no-untyped-def]
    lobby = HostLobby(identity_of(0).public, terms(3))
    lobby.opened(identity_of(1).public)
    lobby.take_messages()
    lobby.message(identity_of(1).public, AskSeat(1, record))
    assert [m.message for m in lobby.take_messages()] == [Refused(Refusal.BAD_RECORD)]


def test_a_key_that_binds_nobody_is_no_game_key() -> None:
    lobby = HostLobby(identity_of(0).public, terms(3))
    lobby.opened(identity_of(1).public)
    lobby.take_messages()
    record = seat_record(1, game_key=PublicKey(b"\x01" + bytes(31)))
    lobby.message(identity_of(1).public, AskSeat(1, record))
    assert [m.message for m in lobby.take_messages()] == [Refused(Refusal.BAD_RECORD)]


def test_watching_only_where_the_table_allows_it() -> None:
    for allowed in (False, True):
        room, anna, eve = Room(), host(2, may_watch=allowed), guest(5)
        room.join(eve, anna)
        eve.guest.ask_watch("Eve")
        room.carry(eve)
        refused = eve.events(RefusedByTable)
        assert refused == ([] if allowed else [RefusedByTable(Refusal.NO_WATCHING)])
        assert anna.host.watchers == ((identity_of(5).public,) if allowed else ())


def test_a_seat_after_the_start_is_refused() -> None:
    room, anna, boris, ciro = Room(), host(2), guest(1), guest(2)
    sit(room, anna, boris)
    start(room, anna)
    room.join(ciro, anna)
    ciro.guest.ask_seat(seat_record(2))
    room.carry(ciro)
    assert ciro.events(RefusedByTable) == [RefusedByTable(Refusal.STARTED)]


def test_an_open_table_asks_its_host_about_each_guest() -> None:
    door = Door(None, open=True)
    room, anna = Room(), host(3, door=door, ask_person=True)
    boris, ciro = guest(1, door=Door()), guest(2, door=Door())
    for person in (boris, ciro):
        room.join(person, anna)
        person.guest.ask_seat(seat_record(person.number))
        room.carry(person)
    assert anna.events(GuestAsks) == [
        GuestAsks(identity_of(1).public, "Борис", watching=False),
        GuestAsks(identity_of(2).public, "Ciro", watching=False),
    ]
    assert len(anna.host.table.roster) == 1
    anna.host.admit(identity_of(1).public)
    anna.host.decline(identity_of(2).public)
    room.carry(anna)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
    assert ciro.events(RefusedByTable) == [RefusedByTable(Refusal.DECLINED)]
    with pytest.raises(LobbyError, match="nobody-asked"):
        anna.host.admit(identity_of(2).public)


def test_an_open_table_tells_who_is_there_only_to_whom_the_host_has_let_in() -> None:
    room, anna = Room(), host(3, door=Door(None, open=True), ask_person=True)
    boris, ciro = guest(1, door=Door(open=True)), guest(2, door=Door())
    boris.node.set_addresses([Address("10.0.0.7:4717")])
    for person in (boris, ciro):
        room.join(person, anna)
    boris.guest.ask_seat(seat_record(1))
    room.carry(boris)
    anna.host.admit(identity_of(1).public)
    room.carry(anna)
    assert boris.guest.table is not None
    assert [line.name for line in boris.guest.table.roster] == ["Olya", "Борис"]
    assert ciro.guest.table is not None
    assert ciro.guest.table.roster == ()
    assert ciro.guest.table.seats == 3
    assert ciro.node.addresses(identity_of(1).public) == ()
    assert not ciro.node.reaches(identity_of(1).public, room.now)
    assert boris.node.reaches(identity_of(0).public, room.now)
    ciro.guest.ask_seat(seat_record(2))
    room.carry(ciro)
    anna.host.admit(identity_of(2).public)
    room.carry(anna)
    assert [line.name for line in ciro.guest.table.roster] == ["Olya", "Борис", "Ciro"]
    assert ciro.node.addresses(identity_of(1).public) == ("10.0.0.7:4717",)
    assert ciro.node.reaches(identity_of(1).public, room.now)


def test_who_was_shown_out_is_asked_about_when_he_comes_back_with_the_code() -> None:
    room, anna = Room(), host(3)
    boris, ciro = guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    assert anna.events(GuestAsks) == [], "the code is enough"
    anna.host.remove(identity_of(1).public)
    room.carry(anna)
    boris.guest.ask_seat(seat_record(1))
    room.carry(boris)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Ciro"]
    assert anna.events(GuestAsks) == [GuestAsks(identity_of(1).public, "Борис", watching=False)]
    anna.host.admit(identity_of(1).public)
    room.carry(anna)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Ciro", "Борис"]


def test_bots_of_the_host_are_let_in_and_told_to_all() -> None:
    room, anna = Room(), host(3, door=Door(None, open=True), ask_person=True)
    olya, boris = guest(1, door=Door()), guest(2, door=Door())
    anna.host.expect_bots([identity_of(1).public])
    sit(room, anna, olya)
    sit(room, anna, boris)
    anna.host.admit(identity_of(2).public)
    room.carry(anna)
    assert boris.guest.table is not None
    assert [(line.bot, line.ready) for line in boris.guest.table.roster] == [
        (False, True), (True, True), (False, False),
    ]  # fmt: skip
