"""Who has no seat, and who gathers for the next game: what the page is told, among whole peers."""

from __future__ import annotations

import asyncio

import pytest

from cli.page.feed import Lobby, WaysIn
from cli.page.peer_feed import PeerFeed
from game.options import RULES_ID
from game.options import encode as encode_options
from p2p.host import HostLobby
from p2p.lobby import Terms
from tests.desk import MemoryGames, Room, Seated
from tests.tables import identity_of, options_of

DORA = 9


class Table(Room):
    """A table that may be watched, or asks its host about each guest; people agree by hand."""

    def __init__(self, seats: int, label: str, *, watch: bool = False, asks: bool = False) -> None:
        self.ways = {"may_watch": watch, "ask_person": asks}
        super().__init__(options_of(seats=seats), label=label)
        for seated in self.seated:
            seated.peer.by_hand()
        self.feeds = [feed_of(seated) for seated in self.seated]

    def new_lobby(self, number: int):
        if number:
            return super().new_lobby(number)
        terms = Terms(RULES_ID, encode_options(self.options), self.course.number, self.options.seats)
        return HostLobby(identity_of(0).public, terms, **self.ways)

    def comes(self) -> PeerFeed:
        """One more person opens the page."""
        seated = Seated(self, DORA, self.new_lobby(DORA), MemoryGames())
        seated.peer.by_hand()
        self.seated.append(seated)
        self.loopback.join(seated.pump, self.seated[0].pump, self.now, is_host=True)
        self.settle()
        return feed_of(seated)

    async def begin(self) -> None:
        self.settle()
        for feed in self.feeds[1:]:
            await feed.lobby("ready")
            self.settle()
        await self.feeds[0].lobby("start")
        self.settle()


def feed_of(seated: Seated) -> PeerFeed:
    return PeerFeed(seated.peer, "friends", asyncio.Event(), ways=WaysIn)


def lobby_of(feed: PeerFeed) -> Lobby:
    lobby = feed.situation().lobby
    assert lobby is not None
    return lobby


def names(lobby: Lobby) -> list[str]:
    return [person.name for person in lobby.people]


@pytest.mark.parametrize("watch", [True, False])
async def test_who_comes_during_a_game_is_told_and_may_watch_where_that_is_allowed(*, watch: bool):
    table = Table(3, "late", watch=watch)
    await table.begin()
    dora = table.comes()
    lobby = lobby_of(dora)
    assert lobby.apart == "page.lobby.playing"
    assert (lobby.may_watch, lobby.may_sit) == (watch, False)
    assert await dora.lobby("watch") is None
    table.settle()
    if watch:
        assert dora.situation().mode == "watching"
        assert dora.view().me is None
        assert dora.situation().lobby is None
    else:
        assert lobby_of(dora).apart == "refused.no-watching"
        assert not lobby_of(dora).may_watch
    assert [feed.view().stage for feed in table.feeds] == ["play"] * 3


async def test_a_full_table_says_so_and_a_seat_that_is_left_can_be_asked_for():
    table = Table(2, "full")
    table.settle()
    dora = table.comes()
    assert lobby_of(dora).apart == "refused.full"
    assert lobby_of(dora).may_sit
    await dora.lobby("sit")
    table.settle()
    assert lobby_of(dora).apart == "refused.full", "and so it is"
    table.seated[1].peer.leave()
    table.settle()
    await dora.lobby("sit")
    table.settle()
    assert names(lobby_of(dora)) == ["Player 0", "Player 9"]
    assert lobby_of(dora).apart == ""
    assert not lobby_of(dora).may_sit
    assert lobby_of(table.feeds[0]).apart == ""


async def test_an_open_table_shows_nobody_and_its_host_is_asked():
    table = Table(3, "door", asks=True)
    table.settle()
    dora = table.comes()
    assert lobby_of(dora).apart == "lobby.at-the-door"
    assert lobby_of(dora).people == ()
    assert not lobby_of(dora).may_sit, "it is asked already"
    [host, *_] = table.feeds
    guest = next(each for each in host.situation().asking if each.name == "Player 9")
    await host.admit(guest.id, on=False)
    table.settle()
    assert lobby_of(dora).apart == "refused.declined"
    await dora.lobby("sit")
    table.settle()
    guest = next(each for each in host.situation().asking if each.name == "Player 9")
    await host.admit(guest.id, on=True)
    table.settle()
    assert lobby_of(dora).apart == ""
    assert "Player 9" in names(lobby_of(dora))


async def test_at_an_open_table_the_host_is_asked_during_a_game_too():
    table = Table(3, "door in game", watch=True, asks=True)
    [host, *_] = table.feeds
    table.settle()
    for guest in host.situation().asking:
        await host.admit(guest.id, on=True)
        table.settle()
    await table.begin()
    dora = table.comes()
    assert await dora.lobby("watch") is None
    table.settle()
    [guest] = host.situation().asking
    assert (guest.name, guest.watching) == ("Player 9", True)
    assert host.situation().lobby is None, "the game is on"
    await host.admit(guest.id, on=True)
    table.settle()
    assert host.situation().asking == ()
    assert dora.situation().mode == "watching"
    assert dora.view().stage == host.view().stage


async def test_the_same_people_play_again_without_another_word():
    table = Table(3, "same")
    await table.begin()
    await table.play()
    table.seated[0].peer.rematch()
    table.settle()
    assert [feed.situation().lobby for feed in table.feeds] == [None] * 3
    table.settle()
    assert [feed.view().stage for feed in table.feeds] == ["play"] * 3


async def test_when_others_gather_after_a_game_each_sees_who_and_agrees_again():
    table = Table(3, "others")
    await table.begin()
    await table.play()
    assert all(feed.view().stage == "over" for feed in table.feeds)
    table.seated[2].peer.leave()
    table.seated[0].peer.rematch()
    table.settle()
    dora = table.comes()
    [host, boris, gone] = table.feeds
    for feed in (host, boris, dora):
        assert names(lobby_of(feed)) == ["Player 0", "Player 1", "Player 9"]
    assert [person.ready for person in lobby_of(boris).people] == [True, False, False]
    assert lobby_of(gone).apart == "refused.full"
    assert not lobby_of(host).may_start
    for feed in (dora, boris):
        await feed.lobby("ready")
        table.settle()
    assert boris.situation().rematch == (0, 1), "who agrees wants to play"
    assert lobby_of(host).may_start
    await host.lobby("start")
    table.settle()
    for feed in (host, boris, dora):
        assert feed.view().stage == "play"
        assert feed.situation().lobby is None
    assert dora.view().names == ("Player 0", "Player 1", "Player 9")
    assert gone.view().stage == "over"


async def test_the_host_sees_who_is_away_and_shows_him_out():
    table = Table(3, "away")
    table.settle()
    [host, boris, _] = table.feeds
    assert [person.away for person in lobby_of(host).people] == [False] * 3
    assert [person.may_show_out for person in lobby_of(host).people] == [False, True, True]
    assert not any(person.may_show_out for person in lobby_of(boris).people), "it is not his table"
    table.loopback.cut(table.links[2], table.now)
    table.settle()
    [anna, _, clara] = lobby_of(host).people
    assert [person.away for person in lobby_of(host).people] == [False, False, True]
    for nobody in ("", "00" * 32, anna.id):
        assert await host.show_out(nobody) is None
    assert await boris.show_out(clara.id) is None
    assert len(lobby_of(host).people) == 3
    assert await host.show_out(clara.id) is None
    table.settle()
    for feed in (host, boris):
        assert names(lobby_of(feed)) == ["Player 0", "Player 1"]
    dora = table.comes()
    assert names(lobby_of(dora)) == ["Player 0", "Player 1", "Player 9"]


async def test_a_bot_that_is_shown_out_is_let_go_and_nobody_is_shown_out_of_a_game():
    table = Table(2, "out")
    dismissed = []
    host = PeerFeed(
        table.seated[0].peer, "friends", asyncio.Event(), ways=WaysIn, dismiss_bot=dismissed.append
    )
    table.settle()
    [_, boris] = lobby_of(host).people
    await table.begin()
    refused = await host.show_out(boris.id)
    assert refused.reason == "refused.started"
    assert dismissed == []
    other = Table(2, "out before")
    host = PeerFeed(
        other.seated[0].peer, "friends", asyncio.Event(), ways=WaysIn, dismiss_bot=dismissed.append
    )
    other.settle()
    assert await host.show_out(boris.id) is None
    other.settle()
    assert [identity.hex() for identity in dismissed] == [boris.id]
    assert str(other.seated[1].peer.refused) == "refused.removed"
