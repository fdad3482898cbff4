"""Who has no seat at a guests' table: when his browser asks for one, and when it leaves that to him."""

from __future__ import annotations

from types import SimpleNamespace

from cli.guests.inside.page import GuestPage
from cli.guests.inside.vault import BrowserGames, Journal, Kept
from tests.desk import MemoryGames, Room, Seated
from tests.guest.test_vault import MemoryVault
from tests.tables import options_of

DORA = 9


def comes(room: Room) -> tuple[Seated, GuestPage]:
    """One more guest, and the page before his table."""
    dora = Seated(room, DORA, room.new_lobby(DORA), MemoryGames())
    dora.peer.by_hand()
    room.seated.append(dora)
    room.loopback.join(dora.pump, room.seated[0].pump, room.now, is_host=True)
    games = BrowserGames(Journal(MemoryVault()), Kept(b"", ()))
    driver = SimpleNamespace(peer=dora.peer, games=games)
    page = GuestPage(driver, lambda _: None, lambda: 0.0)  # type: ignore[arg-type]
    look(room, page)
    return dora, page


def look(room: Room, page: GuestPage) -> None:
    room.settle()
    page._before_each_look()
    room.settle()
    page._before_each_look()


def seated(room: Room) -> list[str]:
    table = room.seated[0].peer.table
    assert table is not None
    return [line.name for line in table.roster]


async def test_who_waited_through_a_game_takes_the_seat_that_is_left() -> None:
    room = Room(options_of(seats=3), label="waits")
    room.settle()
    dora, page = comes(room)
    assert not dora.peer.wishes.seat
    await room.play()
    room.seated[2].peer.leave()
    room.seated[0].peer.rematch()
    look(room, page)
    assert seated(room) == ["Player 0", "Player 1", "Player 9"]
    assert dora.peer.refused is None


async def test_the_chair_of_somebody_whose_phone_sleeps_is_not_taken_without_a_word() -> None:
    room = Room(options_of(seats=3), label="sleeps")
    room.settle()
    dora, page = comes(room)
    await room.play()
    room.loopback.cut(room.links[2], room.now)
    room.settle()
    room.seated[0].peer.rematch()
    look(room, page)
    assert seated(room) == ["Player 0", "Player 1", "Player 2"]
    assert dora.peer.refused is None, "nothing was asked"
    dora.peer.wishes.seat = True
    dora.peer.sit()
    look(room, page)
    assert seated(room) == ["Player 0", "Player 1", "Player 9"], "a person may ask for it"


async def test_a_full_table_is_asked_again_only_when_a_seat_is_free() -> None:
    room = Room(options_of(seats=2), label="full")
    for each in room.seated:
        each.peer.by_hand()
    room.settle()
    dora, page = comes(room)
    asked = dora.games.request
    assert str(dora.peer.refused) == "refused.full"
    room.seated[1].peer.ready()
    look(room, page)
    assert dora.games.request is asked, "the table has changed, and is full as before"
    room.seated[1].peer.leave()
    look(room, page)
    assert seated(room) == ["Player 0", "Player 9"]
    assert dora.peer.refused is None
