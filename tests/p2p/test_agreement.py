"""From the offer of a genesis to the start, or to the next round."""

from __future__ import annotations

import pytest

from p2p.lobby import (
    GenesisAgreed,
    GenesisRefused,
    LobbyError,
)
from p2p.reasons import Refusal
from tests.ledger.table import identity_of, seat_record
from tests.p2p.people import Room, guest, host, sit


def test_a_guest_who_leaves_during_the_offer_cancels_it_and_spends_all_records() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    for person in (anna, boris, ciro):
        person.events()
    anna.host.start()
    ciro.guest.leave()
    room.carry(ciro)
    assert anna.events(GenesisRefused) == [GenesisRefused(Refusal.GUEST_LEFT, identity_of(2).public)]
    assert boris.events(GenesisRefused) == [GenesisRefused(Refusal.GUEST_LEFT)]
    assert anna.host.table.round == 2
    with pytest.raises(LobbyError, match="spent"):
        boris.guest.ask_seat(seat_record(1))
    boris.guest.ask_seat(seat_record(1, "second"))
    room.carry(boris)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]


def test_the_start_reaches_a_guest_that_was_away_when_it_was_given() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near = sit(room, anna, boris)
    anna.host.start()
    anna.events()
    while anna.host.genesis is None:
        room.net._step(room.now)
    room.net.cut(near, room.now)
    assert boris.events(GenesisAgreed) == []
    room.join(boris, anna)
    assert boris.events(GenesisAgreed) == [GenesisAgreed(anna.host.genesis, 1)]


def test_the_offer_survives_a_lost_link() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near = sit(room, anna, boris)
    anna.host.start()
    anna.events()
    room.net.cut(near, room.now)
    room.join(boris, anna)
    assert anna.host.genesis is not None
    assert boris.events(GenesisAgreed) == [GenesisAgreed(anna.host.genesis, 1)]
