"""What a guest agrees to, and what it asks for again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.genesis import Digest, GameId, Genesis, Previous
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import (
    GenesisAgreed,
    GenesisRefused,
    LobbyEvent,
)
from p2p.messages import (
    Agree,
    AskSeat,
    Cancel,
    Message,
    OfferGenesis,
    Start,
)
from p2p.reasons import Refusal
from tests.ledger.table import identity_of, seat_record
from tests.ledger.toy import RULES_ID
from tests.p2p.people import Room, guest, host, sit, start, terms


def talk(lobby: GuestLobby, *messages: Message) -> list[LobbyEvent]:
    """What these messages of the host make a guest report."""
    lobby.take_events()
    for message in messages:
        lobby.message(identity_of(0).public, message)
    return list(lobby.take_events())


def seated_guest() -> tuple[GuestLobby, HostLobby]:
    """A guest that has a seat and is ready, and an honest host's lobby in the same state."""
    table = HostLobby(identity_of(0).public, terms(2))
    table.seat_own(seat_record(0))
    table.opened(identity_of(1).public)
    lobby = GuestLobby(identity_of(1).public, RULES_ID)
    lobby.opened(identity_of(0).public, is_host=True)
    talk(lobby, table.table)
    lobby.ask_seat(seat_record(1))
    table.message(identity_of(1).public, AskSeat(1, seat_record(1)))
    talk(lobby, table.table)
    lobby.set_ready(ready=True)
    lobby.take_messages()
    return lobby, table


GOOD = Genesis(RULES_ID, (6, 0), 0, (seat_record(0), seat_record(1)))
PREVIOUS = Previous(GameId(b"g" * 32), Digest(b"d" * 32), None, (0, 0), (0, 0))


@pytest.mark.parametrize(
    "genesis",
    [
        replace(GOOD, options=(7, 0)).to_bytes(),
        replace(GOOD, rules_id=b"x" * 32).to_bytes(),
        replace(GOOD, suite=1).to_bytes(),
        replace(GOOD, previous=PREVIOUS).to_bytes(),
        replace(GOOD, seats=GOOD.seats[::-1]).to_bytes(),
        replace(GOOD, seats=(seat_record(0), seat_record(2))).to_bytes(),
        replace(GOOD, seats=(*GOOD.seats, seat_record(2))).to_bytes(),
        replace(GOOD, seats=(seat_record(2), seat_record(1))).to_bytes(),
        replace(GOOD, seats=(seat_record(0), seat_record(1, "older"))).to_bytes(),
        GOOD.to_bytes()[:-1],
        b"\x80",
    ],
    ids=[
        "other options",
        "other rules",
        "other suite",
        "a game before",
        "other order",
        "without me",
        "one more",
        "somebody else",
        "attack 20: my old nonce",
        "cut",
        "empty",
    ],
)
def test_a_guest_agrees_only_to_what_was_shown(genesis: bytes) -> None:
    lobby, _ = seated_guest()
    events = talk(lobby, OfferGenesis(1, genesis))
    assert events == [GenesisRefused(Refusal.NOT_WHAT_WAS_SHOWN)]
    assert [m.message for m in lobby.take_messages()] == [Cancel(1, Refusal.NOT_WHAT_WAS_SHOWN)]


def test_a_guest_agrees_to_one_genesis_a_round() -> None:
    lobby, _ = seated_guest()
    assert talk(lobby, OfferGenesis(1, GOOD.to_bytes())) == []
    assert [m.message for m in lobby.take_messages()] == [Agree(GOOD.game_id)]
    assert talk(lobby, Start(GameId(b"x" * 32))) == []
    assert talk(lobby, OfferGenesis(1, replace(GOOD, options=(6, 0), suite=0).to_bytes())) == []
    assert talk(lobby, Start(GOOD.game_id)) == [GenesisAgreed(GOOD, 1)]
    assert talk(lobby, Start(GOOD.game_id)) == []


def test_a_guest_that_is_not_ready_does_not_agree() -> None:
    lobby, _ = seated_guest()
    lobby.set_ready(ready=False)
    lobby.take_messages()
    assert talk(lobby, OfferGenesis(1, GOOD.to_bytes())) == [GenesisRefused(Refusal.NOT_WHAT_WAS_SHOWN)]


def test_a_guest_listens_to_its_host_alone() -> None:
    lobby, table = seated_guest()
    lobby.message(identity_of(2).public, OfferGenesis(1, GOOD.to_bytes()))
    lobby.message(identity_of(2).public, replace(table.table, seats=6))
    assert lobby.take_events() == ()
    assert lobby.table is not None
    assert lobby.table.seats == 2


def test_attack_21_two_geneses_for_two_guests_never_become_one_game() -> None:
    """Different options for different guests mean different game ids, hence no common log."""
    first, _ = seated_guest()
    second, table = seated_guest()
    table.set_terms(terms(2, turns=9))
    talk(second, table.table)
    second.set_ready(ready=True)
    one, two = GOOD, replace(GOOD, options=(9, 0))
    talk(first, OfferGenesis(1, one.to_bytes()))
    talk(second, OfferGenesis(1, two.to_bytes()))
    (agreed_one,) = talk(first, Start(one.game_id))
    (agreed_two,) = talk(second, Start(two.game_id))
    assert isinstance(agreed_one, GenesisAgreed)
    assert isinstance(agreed_two, GenesisAgreed)
    assert agreed_one.genesis.game_id != agreed_two.genesis.game_id


def test_a_guest_without_its_seed_does_not_take_its_seat_back() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    start(room, anna)
    lost = guest(1, name="reinstalled")
    room.wait(7.0, lost)
    room.join(lost, anna)
    assert lost.events(GenesisAgreed, GenesisRefused) == [GenesisRefused(Refusal.BAD_RECORD)]


def test_a_guest_that_was_restarted_asks_for_the_same_seat_and_takes_up_the_game_begun_with_it() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near, _ = room.join(boris, anna)
    asked = AskSeat(1, seat_record(1))
    boris.guest.ask_seat(asked.record)
    room.carry(boris)
    for begun in (False, True):
        if begun:
            boris.guest.set_ready(ready=True)
            room.carry(boris)
            start(room, anna)
            assert anna.host.genesis is not None
        room.net.cut(near, room.now)
        room.settle()
        boris = guest(1)
        near, _ = room.join(boris, anna)
        assert boris.guest.ask_again(asked)
        room.carry(boris)
        assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
    (agreed,) = boris.events(GenesisAgreed)
    assert agreed == GenesisAgreed(anna.host.genesis, 1)


def test_what_was_kept_for_another_round_is_not_asked_for() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    room.join(boris, anna)
    assert not boris.guest.ask_again(AskSeat(7, seat_record(1)))
    room.carry(boris)
    assert [line.name for line in anna.host.table.roster] == ["Olya"]
    boris.guest.ask_seat(seat_record(1, "new"))
    room.carry(boris)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
