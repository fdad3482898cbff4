"""Lobbies beyond the plain one: without a seat, after a game, with somebody at the door, on every screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.page.face import _qr
from cli.page.feed import Guest, Lobby, Person, Situation, WaysIn
from game.cards import parse_card
from game.options import Options
from game.position import Result
from ledger.engine import Seat

pytestmark = pytest.mark.browser

ANNA = Person("Anna", ready=True, bot=False, me=False)
ME = Person("Boris", ready=False, bot=False, me=True)
DORA = Person("Dora", ready=True, bot=False, me=False, program="guest-page")
EMIL = Guest("ab12", "Emil", watching=False)
FRIENDS = Situation("friends", ("linked", "me", "lost"), can_rematch=True)


async def lobby_screen(open_screen, view_of, lobby: Lobby, *, asking: tuple[Guest, ...] = (), **more: object):
    screen = await open_screen(view_of(), **more)
    screen.feed._view = None
    screen.feed.show(situation=Situation("friends", (), lobby=lobby, asking=asking))
    await screen.page.reload()
    await screen.page.wait_for_selector("#dealing:not([hidden])", state="attached")
    await screen.settle()
    return screen


def over(view_of):
    final = Result(0, (0,), (2, 1), (parse_card("6S"),))
    return view_of(
        stage="over", my_turn=False, legal=(), table=(), waiting_for=(), talon=0, result=final, hand=(),
        counts=(4, 0, 0), out=(Seat(2), Seat(1)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("apart", "now", "detail"),
    [
        ("page.lobby.playing", "A game is on at this table", "when the game is over you get a seat"),
        ("refused.full", "The table is full.", "the next seat that comes free"),
        ("refused.declined", "The host said no.", ""),
        ("lobby.at-the-door", "The host is asked", ""),
    ],
)
async def test_who_has_no_seat_reads_why_and_what_he_may_hope_for(open_screen, view_of, apart, now, detail):
    lobby = Lobby(Options(seats=2), (ANNA, DORA), apart=apart, may_sit=True, may_watch=True)
    screen = await lobby_screen(open_screen, view_of, lobby)
    assert now in await screen.text("#now")
    assert detail in await screen.text("#detail")
    assert await screen.page.locator("#dealing li").count() == 2
    await screen.page.get_by_role("button", name="Ask for a seat").click()
    await screen.page.get_by_role("button", name="Watch", exact=True).click()
    await screen.settle()
    assert screen.feed.wishes == ["sit", "watch"]
    hidden = replace(lobby, people=(), may_sit=False, may_watch=False)
    await screen.show(situation=Situation("friends", (), lobby=hidden))
    assert await screen.page.locator("#dealing .taken").is_hidden(), "nothing is said of who sits there"
    assert await screen.page.locator("#actions button").count() == 0


async def test_when_others_gather_after_a_game_the_end_shows_who_and_asks(open_screen, view_of):
    screen = await open_screen(over(view_of))
    lobby = Lobby(Options(seats=3, deck=52), (ANNA, ME, DORA))
    await screen.show(situation=replace(FRIENDS, lobby=lobby))
    sheet = screen.page.locator("#sheet-over")
    assert "The next game" in await sheet.inner_text()
    assert await sheet.locator(".people li").all_inner_texts() == [
        "Anna: ready", "You: not agreed yet", "Dora: guest page: code from the host's device, ready",
    ]  # fmt: skip
    assert await sheet.get_by_role("button", name="Play again").count() == 0, "agreeing is what counts now"
    await screen.shot("next-table")
    await sheet.get_by_role("button", name="I agree").click()
    await sheet.get_by_role("button", name="Look at the table").click()
    assert await screen.text("#detail") == "Look at the rules (?), then agree"
    await screen.page.get_by_role("button", name="Rules").click()
    assert "52 cards" in await screen.page.locator("#sheet-help").inner_text(), "those of the next game"
    await screen.page.keyboard.press("Escape")
    await screen.page.locator("#actions").get_by_role("button", name="I agree").click()
    await screen.settle()
    assert screen.feed.wishes == ["ready", "ready"]
    host = replace(lobby, people=(DORA, ME), hosting=True)
    await screen.show(situation=replace(FRIENDS, lobby=host, asking=(EMIL,)))
    await screen.page.locator("#actions").get_by_role("button", name="Result").click()
    await sheet.get_by_role("button", name="Let in").click()
    await screen.settle()
    assert screen.feed.wishes[-1] == "admit ab12 True"
    await screen.show(situation=FRIENDS)
    assert await sheet.get_by_role("button", name="Play again").is_visible(), "the same people after all"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_on_a_wide_screen_both_ways_in_are_seen_at_once(open_screen, view_of, scheme):
    address = "http://192.168.43.1:8765/#K7QM-2XNP-9TRA+0123456789abcdef"
    code = "K7QM-2XNP-9TRA"
    ways = WaysIn(("192.168.43.1:4717",), code, _qr(f"durak join {code}"), (address,), _qr(address))
    lobby = Lobby(Options(seats=3), (replace(ANNA, me=True),), ways, hosting=True)
    screen = await lobby_screen(open_screen, view_of, lobby, width=1280, height=800, scheme=scheme)
    for name in ("QR code of the invitation", "QR code of the page for guests"):
        box = await screen.page.get_by_role("img", name=name).bounding_box()
        assert box["y"] + box["height"] < 800 - 100, name
        assert box["width"] > 150
    await screen.shot(f"lobby-wide-{scheme}")


@pytest.mark.parametrize("width", [320, 390, 1280])
async def test_who_asks_is_named_in_one_piece(open_screen, view_of, width):
    guest = Guest("ab12", "Maximilian-Alexander", watching=True)
    lobby = Lobby(Options(seats=3), (replace(ANNA, me=True),), hosting=True)
    screen = await lobby_screen(
        open_screen, view_of, lobby, asking=(guest,), width=width, height=568, language="de"
    )
    boxes = [await each.bounding_box() for each in await screen.page.locator("#dealing .guest > *").all()]
    assert boxes[0]["height"] < 40, "two lines at most"
    assert boxes[1]["y"] == boxes[2]["y"], "yes and no side by side"


@pytest.mark.parametrize(("width", "height"), [(320, 568), (844, 390), (1280, 800)])
async def test_who_asks_during_a_game_is_answered_without_leaving_it(open_screen, view_of, width, height):
    screen = await open_screen(view_of(), width=width, height=height)
    eve = Guest("cd34", "Eve", watching=True)
    playing = replace(screen.feed.situation(), mode="friends")
    await screen.show(situation=replace(playing, asking=(eve, EMIL)))
    box = screen.page.locator("#asking")
    assert await box.locator(".guest").count() == 1
    assert "Eve" in await box.inner_text()
    assert "Eve" in await screen.page.locator("#status").text_content(), "for who hears the page"
    hand = await screen.page.locator("#hand").bounding_box()
    for button in await box.locator("button").all():
        at = await button.bounding_box()
        assert at["height"] >= 44
        assert at["y"] + at["height"] <= hand["y"]
    await screen.shot(f"asking-in-game-{width}")
    await box.get_by_role("button", name="Let in").click()
    await screen.settle()
    assert screen.feed.wishes == ["admit cd34 True"]
    await screen.show(situation=replace(playing, asking=(EMIL,)))
    assert "Emil" in await box.inner_text()
    await box.get_by_role("button", name="Decline").click()
    await screen.show(situation=playing)
    assert not await box.is_visible()
    await screen.page.locator("#hand .card").first.click()
    assert await screen.page.locator("#actions button").count() > 0, "the game went on"


async def test_who_looks_on_is_not_alarmed_by_who_is_away(open_screen, view_of):
    screen = await open_screen(view_of(me=None, hand=(), legal=(), my_turn=False))
    lost = Situation("watching", ("linked", "linked", "lost"))
    await screen.show(situation=lost)
    assert await screen.page.get_attribute("#links", "data-bad") is None
    await screen.show(situation=replace(FRIENDS, mode="friends"))
    assert await screen.page.get_attribute("#links", "data-bad") == ""


@pytest.mark.parametrize("width", [320, 390, 1280])
async def test_the_host_sees_who_is_away_and_shows_him_out_or_a_bot(open_screen, view_of, width):
    me = Person("Anna", ready=True, bot=False, me=True, id="aa")
    boris = Person("B" * 32, ready=False, bot=False, me=False, id="bb", away=True, may_show_out=True)
    olya = Person("Olya", ready=True, bot=True, me=False, id="cc", may_show_out=True)
    lobby = Lobby(Options(seats=3), (me, boris, olya), hosting=True)
    screen = await lobby_screen(open_screen, view_of, lobby, width=width)
    lines = await screen.page.locator("#dealing .line").all_inner_texts()
    assert lines == [
        "You: ready",
        f"{'B' * 32}: away; the seat is kept until somebody else wants it",
        "Olya: bot; its host could read its cards",
    ]
    buttons = screen.page.locator("#dealing .out:visible")
    assert await buttons.count() == 2, "nobody shows himself out"
    for button in await buttons.all():
        at = await button.bounding_box()
        assert at["height"] >= 44
        assert at["width"] >= 44
        assert at["x"] >= 0
        assert at["x"] + at["width"] <= width
    await screen.shot(f"show-out-{width}")
    await screen.page.get_by_role("button", name=f"Show out: {'B' * 32}").dblclick()
    await screen.settle()
    assert screen.feed.wishes == ["show out bb"], "the second half of a double click is for nobody"
    await screen.show(situation=Situation("friends", (), lobby=replace(lobby, people=(me, olya))))
    await screen.page.get_by_role("button", name="Show out: Olya").click()
    await screen.settle()
    assert screen.feed.wishes == ["show out bb", "show out cc"]
    here = replace(boris, away=False)
    await screen.show(situation=Situation("friends", (), lobby=replace(lobby, people=(me, here))))
    assert "is looking at the rules" in await screen.text("#dealing")


async def test_who_gathers_for_the_next_game_can_be_shown_out_of_its_sheet_too(open_screen, view_of):
    me = Person("Boris", ready=True, bot=False, me=True, id="bb")
    anna = replace(ANNA, id="aa", away=True, may_show_out=True)
    lobby = Lobby(Options(seats=3), (me, anna), hosting=True)
    screen = await open_screen(over(view_of), width=320)
    await screen.show(situation=replace(FRIENDS, lobby=lobby))
    button = screen.page.get_by_role("dialog").get_by_role("button", name="Show out: Anna")
    at = await button.bounding_box()
    assert at["height"] >= 44
    assert at["width"] < 200, "it stands beside the name"
    await screen.shot("show-out-over")
    await button.click()
    await screen.settle()
    assert screen.feed.wishes == ["show out aa"]


async def test_the_result_says_who_wants_another_game_and_takes_a_word_back(open_screen, view_of):
    screen = await open_screen(over(view_of), width=320)
    done = Situation("friends", ("linked", "me", "linked"), can_rematch=True)
    await screen.show(situation=done)
    dialog = screen.page.get_by_role("dialog")
    await screen.show(situation=replace(done, rematch=(Seat(0),)))
    assert "Anna wants another game." in await dialog.inner_text()
    await dialog.get_by_role("button", name="Play again").click()
    await screen.show(situation=replace(done, rematch=(Seat(0), Seat(1)), may_take_back=True))
    await dialog.get_by_role("button", name="Not after all").dblclick()
    await screen.settle()
    assert screen.feed.wishes == ["rematch True", "rematch False"]
    await screen.show(situation=replace(done, rematch=(Seat(0), Seat(1))))
    assert "it starts when all agree" in await dialog.inner_text()
    assert await dialog.get_by_role("button", name="Not after all").count() == 0, "it has been dealt"
