"""Shuffle-ahead: the next game is shuffled while people look at the last one, and dealt when all want it."""

from __future__ import annotations

import pytest

from cli.ahead import Provisional
from cli.game_peer import GamePeer
from game import kinds
from game.course import Course
from game.mental_poker import deck as real_suite
from game.state import Stage
from ledger.errors import StoreError
from ledger.level import Status
from p2p.host import HostLobby
from p2p.lobby import GenesisAgreed, LobbyError
from p2p.reasons import Refusal
from tests.desk import Room
from tests.open_deck import NUMBER
from tests.tables import genesis_of, options_of, seed_of

BEFORE_TOKENS = {kinds.JOIN, kinds.OPEN_KEYS, kinds.SHUFFLE, kinds.ACK}


async def evening(seats: int = 3, *, course: Course | None = None, **options: object) -> Room:
    """A first game played to its end; nobody has said yet what comes next."""
    room = Room(options_of(seats=seats, **options), label=f"ahead {seats}", course=course)
    for seated in room.seated:
        seated.peer.wishes.deals_ahead = True
    room.settle()
    for seated in room.seated:
        assert seated.peer.game is not None
        seated.peer.wishes.seat = False
    await room.play()
    room.settle()
    return room


def coming(room: Room) -> list[GamePeer]:
    held = [seated.peer.next for seated in room.seated]
    return [each.game for each in held if each is not None]


def games(room: Room) -> list[GamePeer]:
    found = [seated.peer.game for seated in room.seated]
    return [game for game in found if game is not None]


def again(room: Room, number: int) -> None:
    room.seated[number].peer.sit_again()
    room.settle()


async def test_the_host_shows_out_who_does_not_say_whether_he_plays_again() -> None:
    room = await evening(3)
    for number in (1, 0):
        again(room, number)
    host, slow = room.seated[0].peer, room.seated[2].peer
    assert host.next is not None
    assert host.encore.wanting == (1,)
    host.show_out(slow.identity.public)
    room.settle()
    assert slow.refused is Refusal.REMOVED
    assert host.table is not None
    assert host.table.game is None, "the table gathers anew"
    assert [line.name for line in host.table.roster] == ["Player 0", "Player 1"]
    assert coming(room) == []


async def test_once_all_have_said_so_nobody_is_shown_out() -> None:
    room = await evening(2)
    again(room, 1)
    again(room, 0)
    host = room.seated[0].peer
    with pytest.raises(LobbyError, match="started"):
        host.show_out(room.seated[1].peer.identity.public)
    assert [game.state.stage for game in games(room)] == [Stage.PLAY] * 2


@pytest.mark.parametrize("seats", [2, 3, 6])
async def test_the_next_game_is_shuffled_and_held_while_people_look_at_the_result(seats: int) -> None:
    room = await evening(seats)
    first = games(room)
    assert {game.log.status for game in first} == {Status.FINISHED}
    held = coming(room)
    assert len(held) == seats
    assert {game.state.stage for game in held} == {Stage.DEAL}
    for game in held:
        assert {entry.kind for entry in game.log.entries()} == BEFORE_TOKENS
        assert game.log.waiting_for == tuple(range(seats))
        assert game.genesis.previous is not None
        assert game.genesis.previous.game_id == first[0].genesis.game_id
    assert [seated.peer.game for seated in room.seated] == first, "what people look at stays"
    for seated in room.seated:
        assert list(seated.games.stores) == [first[0].genesis.game_id], "nothing is kept of it yet"


async def test_with_the_real_suite_too() -> None:
    room = await evening(2, course=Course(real_suite))
    assert {game.state.stage for game in coming(room)} == {Stage.DEAL}
    again(room, 1)
    again(room, 0)
    assert all(game.state.stage not in (Stage.DEAL, Stage.OVER) for game in games(room))
    await room.play()
    assert len({game.log.export() for game in games(room)}) == 1
    assert {game.log.status for game in games(room)} == {Status.FINISHED}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
async def test_cards_are_dealt_when_the_last_person_has_said_again(order: tuple[int, ...]) -> None:
    room = await evening()
    first = games(room)
    for number in order[:-1]:
        again(room, number)
        assert [seated.peer.game for seated in room.seated] == first
    said = {entry.seat for entry in coming(room)[0].log.entries() if entry.kind == kinds.TOKENS}
    assert said == set(order[:-1]) - {0}, "the host deals last of all"
    again(room, order[-1])
    second = games(room)
    assert coming(room) == []
    assert all(game not in first for game in second)
    assert len({game.log.export() for game in second}) == 1
    for seated, game in zip(room.seated, second, strict=True):
        store = seated.games.stores[game.genesis.game_id]
        assert game.store is store
        assert {entry.record for entry in store.entries} == set(game.log.records())
    await room.play()
    assert {game.log.status for game in games(room)} == {Status.FINISHED}
    assert len(coming(room)) == 3, "and the third is shuffled"


async def test_who_said_again_before_the_end_of_the_shuffles_waits_for_nothing_else() -> None:
    room = await evening()
    for number in range(3):
        room.seated[number].peer.wishes.seat = True
    again(room, 0)
    again(room, 1)
    again(room, 2)
    assert coming(room) == []
    await room.play()
    assert {game.log.status for game in games(room)} == {Status.FINISHED}


async def test_a_device_that_is_restarted_after_the_deal_has_its_hand() -> None:
    room = await evening()
    for number in range(3):
        again(room, number)
    hand = room.seated[1].peer.view().hand
    assert len(hand) == 6
    room.restart(1)
    room.seated[1].peer.wishes.seat = False
    assert room.seated[1].peer.view().hand == hand
    await room.play()
    room.pass_time(10)
    await room.play()
    assert len({game.log.export() for game in games(room)}) == 1


async def test_somebody_gets_up_and_the_host_gathers_anew() -> None:
    room = await evening()
    held = coming(room)[0].genesis.game_id
    again(room, 1)
    room.seated[2].peer.leave()
    room.seated[2].node.close_all()
    room.settle()
    assert [seated.peer.next for seated in room.seated] == [None] * 3
    lobby = room.seated[0].node.lobby
    assert isinstance(lobby, HostLobby)
    assert lobby.table.game is None
    assert [line.identity for line in lobby.table.roster] == [
        room.seated[number].node.identity for number in (0, 1)
    ], "the chair is free"
    assert not any(held in seated.games.stores for seated in room.seated), "it leaves nothing behind"

    room.seated[2].peer.wishes.deals_ahead = room.seated[2].peer.wishes.seat = True
    room.link(2)
    room.settle()
    assert len(coming(room)) == 3
    assert coming(room)[0].genesis.game_id != held
    again(room, 1)
    again(room, 0)
    await room.play()
    assert {game.log.status for game in games(room)} == {Status.FINISHED}
    assert len({game.genesis.game_id for game in games(room)}) == 1


async def test_who_gets_up_while_the_next_game_is_being_agreed_is_not_in_it() -> None:
    """The host's "start" and our "leave" pass each other on the way."""
    room = Room(options_of(seats=3))
    for seated in room.seated:
        seated.peer.wishes.deals_ahead = True
    room.settle()
    for seated in room.seated:
        seated.peer.wishes.seat = False
    peer = room.seated[2].peer
    took = peer._agreed

    def late(event: GenesisAgreed, now: float) -> None:
        peer.leave()
        took(event, now)

    peer._agreed = late  # type: ignore[method-assign]
    await room.play()
    room.settle()
    assert peer.next is None
    assert len(room.seated[2].games.stores) == 1
    assert [seated.peer.next is not None for seated in room.seated[:2]] == [True, True]
    room.seated[2].node.close_all()
    room.settle()
    assert coming(room) == []


async def test_nothing_is_called_off_once_the_host_has_dealt() -> None:
    room = await evening()
    for number in (2, 1, 0):
        again(room, number)
    begun = {game.genesis.game_id for game in games(room)}
    room.loopback.cut(room.links[2], room.now)
    room.settle()
    assert {game.genesis.game_id for game in games(room)} == begun
    room.link(2)
    room.pass_time(10)
    await room.play()
    assert {game.log.status for game in games(room)} == {Status.FINISHED}


async def test_a_peer_that_does_not_deal_ahead_is_waited_for_in_the_lobby() -> None:
    """The same messages as ever: it takes its seat when its person says so."""
    room = Room(options_of(seats=3))
    for number in (0, 1):
        room.seated[number].peer.wishes.deals_ahead = True
    room.settle()
    for seated in room.seated:
        seated.peer.wishes.seat = False
    await room.play()
    assert coming(room) == []
    for number in (0, 1, 2):
        again(room, number)
    room.seated[2].peer.wishes.seat = False
    await room.play()
    assert {game.log.status for game in games(room)} == {Status.FINISHED}
    assert len({game.log.export() for game in games(room)}) == 1


async def test_an_unfinished_game_is_followed_by_none() -> None:
    room = Room(options_of(seats=3))
    for seated in room.seated:
        seated.peer.wishes.deals_ahead = True
    room.settle()
    for seated in room.seated:
        seated.peer.wishes.seat = False
    peer = room.seated[0].peer
    await room.play(until=lambda: peer.game is not None and peer.game.log.height > 15)
    room.pass_time(5)
    assert coming(room) == []


async def test_a_full_disk_is_met_before_anything_is_signed_after_the_deal() -> None:
    room = await evening()
    room.seated[1].games.full = True
    for number in range(3):
        again(room, number)
    assert isinstance(room.seated[1].peer.trouble, StoreError)
    assert room.seated[1].peer.next is None
    signed = {entry.kind for entry in games(room)[0].log.entries() if entry.seat == 1}
    assert signed == BEFORE_TOKENS | {kinds.TOKENS}


def test_the_seed_of_a_held_game_shows_nowhere() -> None:
    genesis = genesis_of(options_of(), suite=NUMBER)
    store = Provisional(genesis, seed_of("game 0"))
    assert seed_of("game 0").hex() not in repr(store)
    store.delete_seed()
    assert not store.may_sign
    with pytest.raises(StoreError):
        store.seed()
