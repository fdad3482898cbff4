"""How a device of a whole table gets its seat, game after game; and how one that only looks on has none."""

from __future__ import annotations

import pytest

from cli.seat_request import SeatRequest
from game.options import RULES_ID, encode
from ledger.errors import StoreError
from ledger.level import Status
from p2p.host import HostLobby
from p2p.lobby import LobbyError, Terms
from tests.desk import Lobby, MemoryGames, Room, Seated
from tests.tables import identity_of, options_of

WATCHER = 9


async def test_r5_another_game_keeps_seats_and_the_loser_is_attacked_first() -> None:
    room = Room(options_of(seats=3, series=True))
    await room.play()
    first = room.seated[0].peer.game
    assert first is not None
    result = first.state.result
    assert result is not None
    room.seated[0].peer.rematch()
    await room.play()
    second = room.seated[0].peer.game
    assert second is not None
    assert second is not first
    assert [record.identity_key for record in second.genesis.seats] == [
        record.identity_key for record in first.genesis.seats
    ]
    previous = second.genesis.previous
    assert previous is not None
    assert previous.game_id == first.genesis.game_id
    assert sum(previous.losses) == len(result.duraks)
    if result.duraks:
        assert previous.leader == (result.duraks[0] - 1) % 3
    assert len({seated.peer.game.log.export() for seated in room.seated if seated.peer.game}) == 1
    game_keys = {record.game_key for game in (first, second) for record in game.genesis.seats}
    assert len(game_keys) == 6


async def test_a_rematch_needs_a_game_that_is_over() -> None:
    room = Room(options_of(seats=2))
    room.settle()
    with pytest.raises(LobbyError, match="no-game-before"):
        room.seated[0].peer.rematch()


async def test_people_who_agree_by_hand_play_again_without_another_word() -> None:
    room = Room(options_of(seats=2))
    for seated in room.seated:
        seated.peer.by_hand()
    host, guest = (seated.peer for seated in room.seated)
    room.settle()
    assert [line.ready for line in host.table.roster] == [True, False], "a guest is asked"
    guest.ready()
    room.settle()
    assert host.game is None, "and so is the host"
    host.start()
    await room.play()
    first = host.game
    host.rematch()
    room.settle()
    assert host.game is not first
    assert guest.game.genesis == host.game.genesis


def test_a_seat_is_asked_for_with_what_is_kept_until_the_game_begins() -> None:
    room = Room(options_of(seats=2), auto_start=False)
    room.settle()
    guest = room.seated[1]
    kept = guest.games.request
    assert isinstance(kept, SeatRequest)
    assert kept.host == identity_of(0).public
    room.seated[0].peer.start()
    room.settle()
    assert guest.games.request is None
    assert kept.asked.record in guest.peer.game.genesis.seats
    assert guest.games.stores[guest.peer.game.genesis.game_id].seed() == kept.seed


class Watched(Room):
    """A table that may be watched."""

    def new_lobby(self, number: int) -> Lobby:
        if number:
            return super().new_lobby(number)
        terms = Terms(RULES_ID, encode(self.options), self.course.number, self.options.seats)
        return HostLobby(identity_of(0).public, terms, may_watch=True)

    def watcher(self) -> Seated:
        """One more device in the room, linked to the host, that only looks on."""
        seated = Seated(self, WATCHER, self.new_lobby(WATCHER), MemoryGames())
        seated.peer.wishes.watches, seated.peer.wishes.seat = True, False
        self.seated.append(seated)
        self.loopback.join(seated.pump, self.seated[0].pump, self.now, is_host=True)
        self.settle()
        return seated


@pytest.mark.parametrize("ahead", [False, True])
async def test_a_watcher_sees_game_after_game_and_holds_nothing(ahead: bool) -> None:  # noqa: FBT001
    room = Watched(options_of(seats=3), label="watched")
    for seated in room.seated:
        seated.peer.wishes.deals_ahead = ahead
    host = room.seated[0]
    await room.play(until=lambda: host.peer.game is not None and host.peer.game.log.height > 15)
    wanda = room.watcher()
    assert wanda.peer.game is not None
    assert wanda.peer.view().me is None
    assert wanda.peer.view().hand == ()
    games = set()
    for _ in range(3):
        await room.play()
        room.pass_time(10)
        assert wanda.peer.game.log.status is Status.FINISHED
        assert host.peer.game is not None
        assert wanda.peer.game.log.export() == host.peer.game.log.export()
        games.add(wanda.peer.game.genesis.game_id)
        if not ahead:
            host.peer.rematch()
        for seated in room.seated[:3]:
            seated.peer.sit_again()
            room.settle()
    assert len(games) == 3
    assert all(not store.may_sign for store in wanda.games.stores.values())


async def test_a_game_that_could_not_be_kept_is_not_begun_and_may_be_once_there_is_room() -> None:
    room = Room(options_of(seats=2))
    for seated in room.seated:
        seated.peer.by_hand()
    room.settle()
    for seated, word in zip(reversed(room.seated), ("ready", "start"), strict=True):
        say = getattr(seated.peer, word)
        seated.games.full = True
        with pytest.raises(LobbyError, match="not-kept"):
            say()
        room.settle()
        assert all(each.peer.game is None for each in room.seated)
        seated.games.full = False
        say()
        room.settle()
    assert all(each.peer.game is not None for each in room.seated)


@pytest.mark.parametrize("full", [0, 1])
async def test_where_nobody_is_asked_no_game_begins_that_could_not_be_kept(full: int) -> None:
    room = Room(options_of(seats=2))
    room.seated[full].games.full = True
    room.settle()
    assert isinstance(room.seated[full].peer.trouble, StoreError)
    assert all(each.peer.game is None for each in room.seated)
