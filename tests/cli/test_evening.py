"""The order of an evening: what ends the gathering, and with which words."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from cli.evening import spend
from cli.home import Home
from cli.tables import AtTable, Part
from ledger.errors import StoreError
from tests.desk import MemoryGames, Room
from tests.tables import options_of

if TYPE_CHECKING:
    from pathlib import Path

    from p2p.lan import LanDriver


class Lying(MemoryGames):
    """A disk that has room until it is asked for it."""

    def rehearse(self) -> None:
        """Nothing is wrong yet."""


class Hosted(Room):
    def new_games(self, number: int) -> MemoryGames:
        return Lying()


class Waiting:
    """A face that lets everybody hear everything."""

    def __init__(self, room: Room) -> None:
        self.room = room

    async def gathering(self, at: AtTable) -> bool:
        self.room.settle()
        return True

    async def play(self, at: AtTable) -> bool:
        raise AssertionError("there is no game")


class Wavering(Waiting):
    """Somebody who wants another game, then does not, looks at the last one again, and leaves."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.looked = 0

    async def gathering(self, at: AtTable) -> bool:
        self.room.settle()
        if self.looked:
            at.peer.take_back()
        return True

    async def play(self, at: AtTable) -> bool:
        if not self.looked:
            await self.room.play()
        self.looked += 1
        return self.looked == 1


async def test_who_takes_back_that_he_wants_another_game_looks_at_the_last_one_again(tmp_path: Path) -> None:
    room = Room(options_of(seats=2))
    for seated in room.seated:
        seated.peer.wishes.deals_ahead = True
    peer = room.seated[0].peer
    at = AtTable(Home(tmp_path), peer, cast("LanDriver", None), Part("play"))
    face = Wavering(room)
    assert await spend(at, face) == 0
    assert face.looked == 2


async def test_a_game_that_has_begun_for_all_but_us_is_a_disk_that_refused_and_not_a_late_guest(
    tmp_path: Path,
) -> None:
    room = Hosted(options_of(seats=2))
    room.seated[0].games.full = True
    peer = room.seated[0].peer
    at = AtTable(Home(tmp_path), peer, cast("LanDriver", None), Part("host"))
    with pytest.raises(StoreError, match="no room"):
        await spend(at, Waiting(room))
    assert peer.game is None
