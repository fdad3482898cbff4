"""Chairs: who is on which, and who of their people has given his word."""

from __future__ import annotations

import pytest

from p2p.host import HostLobby
from p2p.lobby import (
    LobbyError,
    RefusedByTable,
    Terms,
    terms_digest,
)
from p2p.messages import (
    GUEST_PAGE,
    Ready,
    Runs,
)
from p2p.reasons import Refusal
from tests.ledger.table import identity_of, seat_record
from tests.ledger.toy import RULES_ID
from tests.p2p.people import Room, guest, host, sit, terms


def test_start_waits_for_people_and_their_word() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    with pytest.raises(LobbyError, match="seats-free"):
        anna.host.start()
    room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    room.carry(boris)
    with pytest.raises(LobbyError, match="not-ready"):
        anna.host.start()
    boris.guest.set_ready(ready=True)
    room.carry(boris)
    anna.host.start()
    with pytest.raises(LobbyError, match="started"):
        anna.host.start()


def test_a_word_given_for_other_terms_does_not_count() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    anna.host.set_terms(terms(2, turns=7))
    assert [line.ready for line in anna.host.table.roster] == [True, False]
    old = terms_digest(1, terms(2))
    anna.host.message(identity_of(1).public, Ready(old, ready=True))
    assert not anna.host.table.roster[1].ready


def test_seats_can_be_moved_and_people_removed() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    anna.host.move(identity_of(2).public, 0)
    assert [line.name for line in anna.host.table.roster] == ["Ciro", "Olya", "Борис"]
    anna.host.remove(identity_of(1).public)
    room.carry(anna)
    assert boris.events(RefusedByTable) == [RefusedByTable(Refusal.REMOVED)]
    with pytest.raises(LobbyError, match="nobody-there"):
        anna.host.remove(identity_of(1).public)
    with pytest.raises(LobbyError, match="too-many-seated"):
        anna.host.set_terms(Terms(RULES_ID, (6, 0), 0, 1))


def test_strangers_do_not_fill_the_host_with_what_they_run() -> None:
    lobby = HostLobby(identity_of(0).public, terms(2))
    shown = lobby.table
    for number in range(1, 40):
        stranger = identity_of(number).public
        lobby.message(stranger, Runs(GUEST_PAGE))
        lobby.opened(stranger)
        lobby.message(stranger, Runs(GUEST_PAGE))
        lobby.lost(stranger)
    assert lobby.table == shown
    assert not lobby._seating._programs
