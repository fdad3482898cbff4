"""A whole table of real peers behind the page's feed: what each page hears, and what it never does."""

from __future__ import annotations

import asyncio
import json

import pytest

from cli.absence import LONG_PATIENCE, PATIENCE
from cli.page import encode
from cli.page.feed import WaysIn
from cli.page.peer_feed import PeerFeed
from cli.page.table import PageTable
from game.options import RULES_ID
from game.options import encode as encode_options
from ledger.level import Status
from ledger.verdict import Code
from ledger.verify import judge_file
from p2p.host import HostLobby
from p2p.lobby import Terms
from tests.desk import Room
from tests.tables import identity_of, options_of


def feeds_of(room: Room) -> list[PeerFeed]:
    return [
        PeerFeed(seated.peer, "friends", asyncio.Event(), ways=lambda: WaysIn(("here:1",)))
        for seated in room.seated
    ]


def cards_in(view: dict[str, object]) -> set[int]:
    """Every card a view message names."""
    found = {held["card"] for held in view["hand"]} | set(view["discard"])
    found |= {card for known in view["known"] for card in known}
    found |= {pair[side] for pair in view["table"] for side in ("attack", "beat") if pair[side] is not None}
    found |= {view["trump"]} - {None}
    return found | set(view["result"]["pogony"] if view["result"] else ())


async def test_the_lobby_then_the_game():
    room = Room(options_of(seats=3))
    [feed, *_] = feeds_of(room)
    assert feed.view() is None
    lobby = feed.situation().lobby
    assert [(person.name, person.me) for person in lobby.people] == [("Player 0", True)]
    assert lobby.ways.addresses == ("here:1",)
    room.settle()
    assert feed.view().stage == "play"
    assert feed.situation().lobby is None
    assert feed.situation().presence == ("me", "linked", "linked")
    assert [type(told.event).__name__ for told in feed.history()][:2] == ["Joined", "KeysOpened"]


@pytest.mark.parametrize("cheating", [False, True])
async def test_no_page_ever_names_a_card_its_seat_does_not_know(cheating):
    """Against the truth, from the deck secrets: every card in every message is the seat's own or public."""
    room = Room(options_of(seats=3, cheating=cheating), label=f"private {cheating}")
    feeds = feeds_of(room)
    heard: list[list[tuple[int, set[int]]]] = [[], [], []]

    def listen() -> bool:
        for seat, feed in enumerate(feeds):
            view = feed.view()
            if view is not None and view.trump is not None:
                message = json.loads(json.dumps(encode.view(view) | {"legal": encode.legal(view)}))
                legal = {card for action in message["legal"]["actions"] for card in action.get("cards", ())}
                heard[seat].append((view.height, cards_in(message) | legal))
        return False

    await room.play(until=listen)
    listen()
    for seat, feed in enumerate(feeds):
        game = room.seated[seat].peer.game
        opened = game.state.opened
        assert opened
        known: set[int] = set()
        levels = {height: game.log.level(height).before for height in range(game.log.height + 1)}
        for height, named in heard[seat]:
            position = levels[height].position
            own = {opened[place] for place in range(len(opened)) if position.hands[seat] >> place & 1}
            public = {card for card in range(52) if position.seen >> card & 1}
            known |= own
            assert named <= own | public, (seat, height)
        assert len(heard[seat]) > 20
        assert feed.history()[-1].event.deck == opened


async def test_a_page_plays_and_everybody_hears_it():
    room = Room(options_of(seats=2))
    feeds = feeds_of(room)
    room.settle()
    word = feeds[0].view().word
    table = PageTable(feeds[word], lambda: 0.0)
    view = feeds[word].view()
    await feeds[word].act(view.height, view.legal[0])
    room.settle()
    assert [message["type"] for message in table.changed(0)][:2] == ["view", "legal"]
    assert feeds[1 - word].view().height == view.height + 1
    await feeds[word].act(view.height, view.legal[0])
    assert feeds[1 - word].view().height == view.height + 1, "an old height is left alone"


async def test_a_lost_peer_is_away_and_comes_back():
    room = Room(options_of(seats=3))
    [feed, *_] = feeds_of(room)
    room.settle()
    room.loopback.cut(room.links[2], room.now)
    room.settle()
    assert feed.situation().presence == ("me", "linked", "lost")
    room.link(2)
    room.settle()
    assert feed.situation().presence == ("me", "linked", "linked")


async def test_r30_the_others_may_end_the_game_without_somebody_who_stays_away():
    room = Room(options_of(seats=3, absent="void"), label="gone")
    feeds = feeds_of(room)
    await room.play(
        until=lambda: (
            feeds[0].view() is not None and feeds[0].view().word == 2 and feeds[0].view().height > 12
        )
    )
    room.loopback.cut(room.links[2], room.now)
    room.settle()
    assert not feeds[1].situation().go_on
    assert not feeds[0].situation().go_on, "not at once"
    room.pass_time(PATIENCE + 1)
    assert feeds[0].situation().go_on
    assert not feeds[1].situation().go_on, "it never had a link to him: longer"
    room.pass_time(LONG_PATIENCE)
    assert feeds[1].situation().go_on
    assert feeds[1].situation().agreed == ()
    await feeds[0].go_on_without(on=True)
    room.settle()
    assert feeds[1].situation().agreed == (0,)
    assert feeds[0].view().stage == "play"
    await feeds[1].go_on_without(on=True)
    room.settle()
    assert [seated.peer.game.log.status for seated in room.seated[:2]] == [Status.ABORTED] * 2
    assert feeds[0].view().stage == "aborted"
    assert type(feeds[0].history()[-1].event).__name__ == "Aborted"


async def gone_while_cards_are_drawn(room: Room) -> None:
    """Play with a link to seat 2 only while it has to decide, until its tokens alone are missing."""
    room.settle()
    host = room.seated[0].peer
    for _ in range(200):
        room.loopback.cut(room.links[2], room.now)
        room.settle()
        while 2 not in host.game.log.waiting_for:
            for seated in room.seated[:2]:
                action = seated.choice()
                if action is not None:
                    await seated.peer.act(action)
                    room.settle()
        if host.view().stage == "refill" and host.game.log.waiting_for == (2,):
            return
        room.link(2)
        room.settle()
        action = room.seated[2].choice()
        if action is not None:
            await room.seated[2].peer.act(action)
            room.settle()
    raise AssertionError("no cards are drawn")


async def test_r30_the_others_may_end_a_game_that_stands_while_cards_are_drawn():
    room = Room(options_of(seats=3, absent="void"), label="drawing")
    feeds = feeds_of(room)
    await gone_while_cards_are_drawn(room)
    assert not any(feed.situation().go_on for feed in feeds[:2]), "not at once"
    room.pass_time(LONG_PATIENCE + 1)
    for feed in feeds[:2]:
        assert feed.situation().go_on
        await feed.go_on_without(on=True)
        room.settle()
    assert [seated.peer.game.log.status for seated in room.seated[:2]] == [Status.ABORTED] * 2


async def test_a_rematch_is_wanted_by_whom_it_is_and_the_series_counts():
    room = Room(options_of(seats=2, series=True), label="series")
    again = asyncio.Event()
    feed = PeerFeed(room.seated[0].peer, "friends", again, ways=WaysIn)
    await feed.rematch(on=True)
    assert not again.is_set(), "no game has ended yet"
    await room.play()
    now = feed.situation()
    assert now.can_rematch
    assert now.rematch == ()
    result = feed.view().result
    assert now.losses == tuple(int(seat in result.duraks) for seat in (0, 1))
    await feed.rematch(on=True)
    assert feed.situation().rematch == (0,)
    room.seated[0].peer.rematch()
    await room.play()
    after = feed.situation()
    assert after.game == now.game + 1
    assert not again.is_set()
    assert sum(after.losses) + sum(after.wins) == sum(now.losses) + sum(now.wins) + 2 * len(
        feed.view().result.duraks
    )


async def evening(seats: int) -> tuple[Room, list[PeerFeed]]:
    """A first game played to its end, at a table that deals ahead as the product does; people look at it."""
    room = Room(options_of(seats=seats), label=f"encore {seats}")
    for seated in room.seated:
        seated.peer.wishes.deals_ahead = True
        seated.peer.by_hand()
    feeds = feeds_of(room)
    room.settle()
    for seated in room.seated[1:]:
        seated.peer.ready()
    room.settle()
    room.seated[0].peer.start()
    room.settle()
    for seated in room.seated:
        seated.peer.wishes.seat = False
    await room.play()
    room.settle()
    return room, feeds


async def taps(room: Room, feeds: list[PeerFeed], number: int, *, on: bool = True) -> None:
    """What page and evening do when a person says he wants another game, or not after all."""
    await feeds[number].rematch(on=on)
    if on:
        room.seated[number].peer.sit_again()
    room.settle()


@pytest.mark.parametrize("first", [0, 1, 2])
async def test_all_are_told_who_wants_another_game_though_the_next_is_prepared_already(first):
    room, feeds = await evening(3)
    assert all(seated.peer.next is not None for seated in room.seated)
    assert [feed.situation().rematch for feed in feeds] == [()] * 3, "nobody has said so yet"
    await taps(room, feeds, first)
    assert [feed.situation().rematch for feed in feeds] == [(first,)] * 3
    [second, third] = [number for number in range(3) if number != first]
    await taps(room, feeds, second)
    assert [feed.situation().rematch for feed in feeds] == [tuple(sorted((first, second)))] * 3
    await taps(room, feeds, third)
    assert [feed.situation().game for feed in feeds] == [2] * 3
    assert [feed.situation().rematch for feed in feeds] == [()] * 3


async def test_a_word_for_another_game_can_be_taken_back_until_its_seat_has_dealt():
    room, feeds = await evening(2)
    assert not feeds[0].situation().may_take_back, "there is nothing to take back"
    await taps(room, feeds, 0)
    assert feeds[0].situation().may_take_back
    await taps(room, feeds, 0, on=False)
    assert [feed.situation().rematch for feed in feeds] == [(), ()]
    await taps(room, feeds, 1)
    assert feeds[0].situation().rematch == (1,)
    assert feeds[0].situation().game == 1, "the host has taken it back"
    assert not feeds[1].situation().may_take_back, "his seat has dealt"
    await taps(room, feeds, 1, on=False)
    assert [feed.situation().rematch for feed in feeds] == [(1,), (1,)]
    await taps(room, feeds, 0)
    assert [feed.situation().game for feed in feeds] == [2, 2]


async def test_who_comes_back_hears_again_who_wants_another_game():
    room, feeds = await evening(2)
    room.loopback.cut(room.links[1], room.now)
    await taps(room, feeds, 0)
    assert feeds[1].situation().rematch == ()
    room.link(1)
    room.settle()
    assert feeds[1].situation().rematch == (0,)


async def test_after_an_ended_game_who_agrees_can_take_it_back():
    """Nothing is dealt ahead after a game that came to nothing: agreeing is the word, and it is asked for."""
    room = Room(options_of(seats=3, absent="void"), label="after the end")
    for seated in room.seated:
        seated.peer.wishes.deals_ahead = True
    feeds = feeds_of(room)
    await gone_while_cards_are_drawn(room)
    assert not any(feed.situation().go_on for feed in feeds[:2])
    room.pass_time(LONG_PATIENCE + 1)
    for number in (0, 1):
        room.seated[number].peer.wishes.seat = False
        await feeds[number].go_on_without(on=True)
        room.settle()
    room.link(2)
    room.settle()
    await taps(room, feeds, 1)
    assert feeds[0].situation().rematch == (1,)
    assert feeds[1].situation().may_take_back
    await taps(room, feeds, 1, on=False)
    assert feeds[0].situation().rematch == ()


async def test_the_files_to_save_prove_what_they_say():
    room = Room(options_of(seats=2))
    [feed, _] = feeds_of(room)
    assert feed.log_file() == b""
    await room.play()
    assert judge_file(feed.log_file(), room.course).code is Code.VALID
    assert feed.situation().file == judge_file(feed.log_file(), room.course).genesis.game_id.hex()[:16]
    assert feed.case_file() is None


class AskingRoom(Room):
    """A table whose host is asked about each guest."""

    def new_lobby(self, number: int):
        if number:
            return super().new_lobby(number)
        terms = Terms(RULES_ID, encode_options(self.options), self.course.number, self.options.seats)
        return HostLobby(identity_of(0).public, terms, ask_person=True)


async def test_the_host_lets_guests_in_from_the_page():
    room = AskingRoom(options_of(seats=3))
    [feed, *_] = feeds_of(room)
    room.settle()
    asking = feed.situation().asking
    assert {guest.name for guest in asking} == {"Player 1", "Player 2"}
    assert [person.name for person in feed.situation().lobby.people] == ["Player 0"]
    await feed.admit("00" * 32, on=True)
    assert len(feed.situation().asking) == 2, "nobody of that id asks"
    for guest in asking:
        await feed.admit(guest.id, on=True)
        room.settle()
    assert feed.view().stage == "play"


async def test_a_declined_guest_gets_no_seat():
    room = AskingRoom(options_of(seats=2))
    [feed, _] = feeds_of(room)
    room.settle()
    [guest] = feed.situation().asking
    await feed.admit(guest.id, on=False)
    room.settle()
    assert feed.situation().asking == ()
    assert feed.view() is None
    assert room.seated[1].peer.refused is not None


async def test_people_agree_and_the_host_starts_from_the_page():
    room = Room(options_of(seats=3))
    feeds = feeds_of(room)
    for seated in room.seated:
        seated.peer.by_hand()
    room.settle()
    assert [feed.view() for feed in feeds] == [None] * 3
    host = feeds[0].situation().lobby
    assert (host.hosting, host.may_start) == (True, False)
    assert [person.ready for person in host.people] == [True, False, False]
    refused = await feeds[0].lobby("start")
    assert refused.reason == "lobby.not-ready"
    for feed in feeds[1:]:
        assert await feed.lobby("ready") is None
        room.settle()
    assert feeds[0].situation().lobby.may_start
    await feeds[2].lobby("not-ready")
    room.settle()
    assert not feeds[0].situation().lobby.may_start
    await feeds[2].lobby("ready")
    room.settle()
    assert await feeds[0].lobby("start") is None
    room.settle()
    assert [feed.view().stage for feed in feeds] == ["play"] * 3


async def test_a_bot_takes_a_free_seat_only():
    room = Room(options_of(seats=2))
    seated: list[str] = []

    async def seat_bot() -> None:
        seated.append("bot")

    feed = PeerFeed(
        room.seated[0].peer,
        "friends",
        asyncio.Event(),
        ways=WaysIn,
        seat_bot=seat_bot,
    )
    for each in room.seated:
        each.peer.by_hand()
    assert feed.situation().lobby.may_seat_bot
    await feed.lobby("seat-bot")
    room.settle()
    assert not feed.situation().lobby.may_seat_bot, "both seats are taken"
    await feed.lobby("seat-bot")
    assert seated == ["bot"]


async def test_a_hint_is_legal_and_given_in_practice_alone():
    room = Room(options_of(seats=2), label="hints")
    [friends, _] = feeds_of(room)
    practice = PeerFeed(room.seated[0].peer, "practice", asyncio.Event(), ways=WaysIn)
    hints = []

    async def ask() -> None:
        hint = await practice.hint()
        assert (hint is None) == (not practice.view().legal)
        assert hint is None or hint in practice.view().legal
        assert await friends.hint() is None
        hints.append(hint)

    room.settle()
    for _ in range(12):
        await ask()
        for seated in room.seated:
            action = seated.choice()
            if action is not None:
                await seated.peer.act(action)
                room.settle()
    assert any(hint is not None for hint in hints)
