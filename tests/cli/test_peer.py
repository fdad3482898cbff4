"""Tables of whole peers: from the lobby to the result, and devices that die and come back."""

from __future__ import annotations

import pytest

from game.state import Stage
from ledger.level import Status
from tests.desk import Room
from tests.tables import options_of


def exports(room: Room) -> set[bytes]:
    games = [seated.peer.game for seated in room.seated]
    return {game.log.export() for game in games if game is not None}


@pytest.mark.parametrize("seats", [2, 3, 6])
async def test_people_sit_down_play_and_all_hold_the_same_log(seats: int) -> None:
    room = Room(options_of(seats=seats))
    await room.play()
    games = [seated.peer.game for seated in room.seated]
    assert all(game is not None and game.state.stage is Stage.OVER for game in games)
    assert len(exports(room)) == 1
    assert [seated.peer.trouble for seated in room.seated] == [None] * seats


@pytest.mark.parametrize("victim", [0, 1, 2])
@pytest.mark.parametrize("height", [1, 4, 7, 12, 40])
async def test_a_device_that_dies_comes_back_to_its_seat_and_hand(victim: int, height: int) -> None:
    room = Room(options_of(seats=3), label=f"dies {victim} {height}")
    room.settle()

    def far_enough() -> bool:
        game = room.seated[victim].peer.game
        return game is not None and game.log.height >= height

    await room.play(until=far_enough)
    hand = room.seated[victim].peer.view().hand
    room.restart(victim)
    assert room.seated[victim].peer.view().hand == hand
    await room.play()
    room.pass_time(10)
    await room.play()
    assert len(exports(room)) == 1
    game = room.seated[victim].peer.game
    assert game is not None
    assert game.log.status is Status.FINISHED


async def test_a_lost_link_is_known_and_what_was_missed_is_caught_up() -> None:
    room = Room(options_of(seats=3))
    game_of = [seated.peer for seated in room.seated]
    await room.play(until=lambda: game_of[0].game is not None and game_of[0].game.log.height > 12)
    room.loopback.cut(room.links[2], room.now)
    room.settle()
    lost = room.seated[2].peer.identity.public
    assert lost in room.seated[0].peer.presence.lost_at
    room.pass_time(30)
    room.link(2)
    room.settle()
    assert lost in room.seated[0].peer.presence.here
    await room.play()
    room.pass_time(10)
    await room.play()
    assert len(exports(room)) == 1
