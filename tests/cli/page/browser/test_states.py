"""Every state a table can be in, as a person sees it; and that nothing is lost whatever the tab does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.page.feed import Fault, Guest, Lobby, Person, Situation, WaysIn
from game import actions, events
from game.cards import parse_card
from game.options import Options
from game.position import Result
from ledger.engine import Height, Seat

pytestmark = pytest.mark.browser

FRIENDS = Situation("friends", ("linked", "me", "linked"))
SIXES = (parse_card("6S"), parse_card("6D"))


def before_cards(view_of, stage, waiting):
    return view_of(
        stage=stage, trump=None, table=(), hand=(), legal=(), my_turn=Seat(1) in waiting, waiting_for=waiting,
        talon=0, counts=(0, 0, 0), defender=None, word=None, leader=None, head=None,
    )  # fmt: skip


def ended(view_of, result, **changes):
    return view_of(
        stage="over", my_turn=False, legal=(), table=(), waiting_for=(), talon=0, result=result, hand=(),
        counts=(4, 0, 0), out=tuple(Seat(seat) for seat in result.order_out), **changes,
    )  # fmt: skip


async def test_my_word(open_screen, view_of):
    screen = await open_screen(view_of())
    assert await screen.text("#now") == "Anna attacks you"
    assert await screen.page.title() == "● Anna attacks you · Durak"
    assert await screen.page.locator("#actions .main").count() == 1, "never two golds"


async def test_waiting_names_whom_and_why(open_screen, throwing, pairs_of):
    screen = await open_screen(
        throwing(
            legal=(), my_turn=False, word=Seat(2), waiting_for=(Seat(2),), table=pairs_of("8S", defender=2)
        )
    )
    assert await screen.text("#now") == "Waiting for Chen"
    assert await screen.text("#detail") == "They beat 8♠, or take."
    assert await screen.page.locator("#seats [data-word] .name").all_inner_texts() == ["Chen"]


async def test_somebody_is_reconnecting(open_screen, view_of):
    screen = await open_screen(view_of(legal=(), my_turn=False, waiting_for=(Seat(2),)))
    await screen.show(situation=replace(FRIENDS, presence=("linked", "me", "lost")))
    assert await screen.text("#now") == "Chen is reconnecting …"
    assert "saved on every device" in await screen.text("#detail")
    assert await screen.text("#links") == "2 of 3 here"
    await screen.show(situation=FRIENDS)
    assert await screen.text("#now") == "Waiting for Chen"
    assert await screen.text("#links") == "3 of 3 here"


async def test_dealing_shows_real_progress_seat_by_seat(open_screen, view_of):
    screen = await open_screen(before_cards(view_of, "join", (Seat(0), Seat(1), Seat(2))))
    bar = screen.page.locator("#dealing progress")
    assert await bar.evaluate("bar => [bar.value, bar.max]") == [0, 15]
    await screen.show(
        before_cards(view_of, "shuffle", (Seat(1),)),
        events.Joined(),
        events.KeysOpened(),
        events.Shuffled(Seat(0), 1, 3),
    )
    assert await bar.evaluate("bar => bar.value") == 7
    assert await screen.page.locator("#dealing li").all_inner_texts() == [
        "Anna: shuffled and proved it", "You: working …", "Chen: still to come",
    ]  # fmt: skip
    await screen.shot("dealing")
    await screen.show(
        before_cards(view_of, "deal", (Seat(2),)),
        events.Shuffled(Seat(1), 2, 3),
        events.Shuffled(Seat(2), 3, 3),
    )
    assert await bar.evaluate("bar => bar.value") == 14
    await screen.show(view_of(), events.Dealt(parse_card("9H"), 18))
    assert await screen.page.locator("#dealing").is_hidden()
    assert await screen.page.locator("#hand .card").count() == 6


@pytest.mark.parametrize("kind", ["forbidden", "fork"])
async def test_a_fault_accuses_the_device_and_shows_proof(open_screen, view_of, kind):
    fault = Fault(
        Seat(0),
        kind,
        Height(129),
        "R10",
        "illegal.rank-not-on-table",
        {"card": 31},
        (("page.proof.entry", "ab" * 32),),
    )
    screen = await open_screen(view_of(legal=(), my_turn=False))
    screen.feed.case = b"the case"
    await screen.show(situation=replace(FRIENDS, fault=fault, file="0123456789abcdef"))
    alert = screen.page.get_by_role("alert")
    said = await alert.inner_text()
    assert "this device" in said
    assert "129" in said
    assert ("R10" in said) == (kind == "forbidden")
    assert "nothing about the person" in said
    assert not await screen.page.locator("#proof").is_visible()
    await screen.page.get_by_role("button", name="Show proof").click()
    assert "abab" in await screen.text("#proof")
    async with screen.page.expect_download() as download:
        await screen.page.get_by_role("link", name="Save the case").click()
    assert (await download.value).suggested_filename == "0123456789abcdef.durakcase"
    assert await screen.text("#now") == "The game has stopped"
    await screen.shot(f"fault-{kind}")
    await screen.page.locator("#menu").click()
    async with screen.page.expect_download() as download:
        await screen.page.get_by_role("link", name="Save the log").click()
    assert (await download.value).suggested_filename == "0123456789abcdef.durak"


async def test_game_over_with_pogony_on_the_picture(open_screen, view_of):
    screen = await open_screen(view_of())
    final = Result(0, (0,), (2, 1), SIXES)
    await screen.show(
        ended(view_of, final), events.GameOver(final), situation=replace(FRIENDS, can_rematch=True)
    )
    sheet = screen.page.get_by_role("dialog")
    assert "The durak is Anna." in await sheet.inner_text()
    assert "1. Chen, 2. you" in await sheet.inner_text()
    assert await sheet.locator(".board").evaluate_all(
        "all => all.map((each) => Number(each.dataset.card))"
    ) == [*SIXES]
    await screen.shot("over")
    await screen.page.get_by_role("button", name="Look at the table").click()
    assert await sheet.count() == 0
    await screen.page.get_by_role("button", name="Result").click()
    assert await sheet.count() == 1


async def test_a_draw_has_no_durak_and_no_picture(open_screen, view_of):
    screen = await open_screen(view_of())
    await screen.show(ended(view_of, Result(1, (), (), ())))
    sheet = screen.page.get_by_role("dialog")
    assert "nobody is the durak" in await sheet.inner_text()
    assert await sheet.locator(".picture").count() == 0


@pytest.mark.parametrize("stage", ["void", "aborted"])
async def test_a_game_without_a_result_says_so(open_screen, view_of, stage):
    screen = await open_screen(view_of())
    await screen.show(view_of(stage=stage, legal=(), my_turn=False, waiting_for=(), table=()))
    assert await screen.page.get_by_role("dialog").count() == 1


async def test_the_series_and_a_rematch(open_screen, view_of):
    screen = await open_screen(view_of())
    over = ended(view_of, Result(0, (0,), (2, 1), ()), options=Options(seats=3, series=True))
    again = replace(FRIENDS, wins=(1, 2, 0), losses=(2, 0, 1), can_rematch=True, rematch=(Seat(2),))
    await screen.show(over, situation=again)
    sheet = screen.page.get_by_role("dialog")
    rows = [row.split("\t") for row in (await sheet.locator("tbody").inner_text()).split("\n")]
    assert rows == [["Anna", "1", "2"], ["You", "2", "0"], ["Chen", "0", "1"]]
    order = await sheet.evaluate(
        "each => [...each.querySelectorAll('.main, table, a')].map((part) => part.className)"
    )
    assert order == ["main", "series", "button"], "the score before what one seldom wants"
    assert "Chen wants another game." in await sheet.inner_text()
    await sheet.get_by_role("button", name="Play again").click()
    await screen.settle()
    assert screen.feed.wishes == ["rematch True"]
    await screen.show(situation=replace(again, rematch=(Seat(1), Seat(2))))
    assert "it starts when all agree" in await sheet.inner_text()
    assert await sheet.get_by_role("button", name="Play again").count() == 0
    screen.feed._told = ()
    await screen.show(before_cards(view_of, "join", (Seat(0),)), situation=replace(FRIENDS, game=2))
    assert await sheet.count() == 0
    assert await screen.page.locator("#dealing").is_visible()


async def test_reload_back_and_a_second_tab_lose_nothing(open_screen, throwing):
    waiting = throwing(legal=(), my_turn=False, word=Seat(2), waiting_for=(Seat(2),))
    screen = await open_screen(waiting)
    await screen.page.locator('#hand .card[aria-label^="8 of clubs"]').click()
    await screen.settle()

    async def everything(page):
        await page.wait_for_selector("#hand .card")
        await page.wait_for_timeout(100)
        return await page.evaluate(
            "[document.querySelector('#table').innerText,"
            " [...document.querySelectorAll('#hand .card')].map((each) => each.ariaLabel).join()]"
        )

    before = await everything(screen.page)
    assert "waits to be thrown in" in before[1]
    assert "#" not in screen.page.url, "the token must not stay in the address"
    await screen.page.reload()
    assert await everything(screen.page) == before
    second = await screen.page.context.new_page()
    screen.listen(second)
    await second.goto(screen.address.split("#")[0])
    assert await everything(second) == before
    await screen.page.goto("about:blank")
    await screen.page.go_back()
    assert await everything(screen.page) == before
    await second.locator('#hand .card[aria-label^="8 of clubs"]').click()
    await screen.settle()
    assert "waits" not in (await everything(screen.page))[1], "both tabs show the same"


async def test_a_page_of_an_earlier_start_says_what_to_do(open_screen, view_of):
    screen = await open_screen(view_of())
    await screen.page.context.clear_cookies()
    await screen.page.reload()
    await screen.until("#now", "earlier start")
    assert "open the new address that durak prints" in await screen.text("#detail")
    assert any("401" in error for error in screen.errors)
    screen.errors.clear()


async def test_a_tab_of_an_earlier_start_comes_back_once_the_new_address_is_opened(open_screen, view_of):
    """At the same port, with other secrets: what the old tab holds opens nothing at the new start."""
    from cli.page.server import PageServer

    screen = await open_screen(view_of())
    port = screen.server.guard.port
    await screen.server.stop()
    await screen.until("#now", "Reconnecting", seconds=3)
    server = PageServer(screen.feed)
    address = await server.start(port)
    await screen.until("#now", "earlier start", seconds=4)
    second = await screen.page.context.new_page()
    await second.goto(address)
    await screen.until("#now", "attacks", seconds=4)
    await screen.page.get_by_role("button", name="Take").click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.TAKE)]
    await second.close()
    await screen.page.goto("about:blank")
    await server.stop()
    screen.errors.clear()


async def test_the_new_address_is_taken_in_the_very_tab_of_an_earlier_start(open_screen, view_of):
    """It differs from the old one by its end alone, so that no browser loads the page again."""
    from cli.page.server import PageServer

    screen = await open_screen(view_of())
    port = screen.server.guard.port
    await screen.server.stop()
    server = PageServer(screen.feed)
    address = await server.start(port)
    await screen.until("#now", "earlier start", seconds=4)
    await screen.page.goto(address)
    await screen.until("#now", "attacks", seconds=4)
    assert "#" not in screen.page.url, "the token must not stay in the address"
    await screen.page.goto("about:blank")
    await server.stop()
    screen.errors.clear()


async def test_our_own_peer_away_and_back(open_screen, view_of):
    from cli.page.server import PageServer

    screen = await open_screen(view_of())
    port = screen.server.guard.port
    guard = screen.server.guard
    await screen.server.stop()
    await screen.until("#now", "Reconnecting", seconds=3)
    assert await screen.page.locator("#actions button").count() == 0, "nothing can be sent now"
    server = PageServer(screen.feed)
    await server.start(port)
    server.guard = guard
    screen.feed.show(view_of(height=Height(30)))
    await screen.until("#now", "attacks", seconds=2)
    await screen.page.get_by_role("button", name="Take").click()
    await screen.settle()
    assert screen.feed.acted == [(30, actions.TAKE)]
    screen.errors.clear()
    await screen.page.close()
    await server.stop()


async def test_names_are_inert(open_screen, view_of):
    nasty = ("<img src=x onerror=alert`1`>", "Me", "{name} {n} ${1+1} &lt;b&gt;")
    screen = await open_screen(view_of(names=nasty))
    await screen.show(view_of(names=nasty, height=Height(25)), events.Passed(Seat(0)))
    assert await screen.page.locator("img").count() == 0
    assert nasty[0] in await screen.text("#news")
    shown = ["name n $1+1 &lt;b&gt;", nasty[0]]  # brackets are our own words' alone
    assert await screen.page.locator("#seats .name").all_inner_texts() == shown


async def test_a_spectator_has_no_hand_and_nothing_to_do(open_screen, view_of):
    screen = await open_screen(view_of(me=None, hand=(), legal=(), my_turn=False), feed=None)
    await screen.show(situation=Situation("watching", ("linked", "linked", "relayed")))
    assert await screen.page.locator("#seats li").count() == 3
    assert await screen.page.locator("#hand").is_hidden()
    assert await screen.page.locator("#actions button").count() == 0
    assert await screen.text("#links") == "Watching"


async def test_ending_without_somebody_says_what_that_means(open_screen, view_of):
    screen = await open_screen(view_of(legal=(), my_turn=False, waiting_for=(Seat(2),)))
    away = replace(FRIENDS, presence=("linked", "me", "lost"))
    await screen.show(situation=away)
    assert await screen.page.locator("#actions button").count() == 0
    await screen.show(situation=replace(away, go_on=True))
    await screen.page.get_by_role("button", name="End the game without them").click()
    sheet = screen.page.get_by_role("dialog")
    assert "without Chen?" in await sheet.inner_text()
    assert "nobody is the durak" in await sheet.inner_text()
    assert screen.feed.wishes == []
    await sheet.get_by_role("button", name="End it").click()
    await screen.settle()
    assert screen.feed.wishes == ["go on True"]
    await screen.show(situation=replace(away, go_on=False, agreed=(Seat(1),)))
    assert await screen.text("#detail") == "It ends without them once all others agree. So far: you."
    await screen.page.get_by_role("button", name="Rather wait for them").click()
    await screen.settle()
    assert screen.feed.wishes == ["go on True", "go on False"]


async def test_the_lobby_shows_who_is_there_and_how_to_join(open_screen, view_of):
    screen = await open_screen(view_of())
    people = (
        Person("Anna", ready=True, bot=False, me=True),
        Person("Boris", ready=False, bot=False, me=False),
        Person("Clara", ready=True, bot=True, me=False),
    )
    lobby = Lobby(
        Options(seats=4),
        people,
        WaysIn(
            ("192.168.1.4:4717", "[fe80::1%eth0]:4717", "127.0.0.1:4717"),
            "K7QM-2XNP-9TRA",
            ("101", "010", "111"),
        ),
        hosting=True,
        may_seat_bot=True,
    )
    screen.feed._view = None
    guest = Guest("ab12", "Dora", watching=False)
    screen.feed.show(situation=Situation("friends", (), lobby=lobby, asking=(guest,)))
    await screen.page.reload()
    await screen.page.wait_for_selector("#dealing code")
    assert await screen.page.locator("#dealing ul:not(.addresses) .line").all_inner_texts() == [
        "You: ready", "Boris: is looking at the rules", "Clara: bot; its host could read its cards",
    ]  # fmt: skip
    assert "3 of 4 seats taken" in await screen.text("#dealing")
    assert await screen.page.locator("#dealing code").all_inner_texts() == [
        "durak join K7QM-2XNP-9TRA",
        "durak join 192.168.1.4:4717 K7QM-2XNP-9TRA",
    ]
    assert await screen.page.get_by_role("img", name="QR code of the invitation").is_visible()
    await screen.page.get_by_role("button", name="Let in").click()
    await screen.settle()
    assert screen.feed.wishes == ["admit ab12 True"]
    assert await screen.text("#now") == "Seats are free"
    assert await screen.page.locator("#actions button").all_inner_texts() == ["Add a bot"]
    await screen.page.get_by_role("button", name="Add a bot").click()
    ready = tuple(replace(person, ready=True) for person in people)
    may = replace(lobby, options=Options(seats=3), people=ready, may_seat_bot=False, may_start=True)
    await screen.show(situation=Situation("friends", (), lobby=may))
    assert await screen.text("#now") == "Everybody has agreed"
    await screen.page.get_by_role("button", name="Start the game").click()
    await screen.settle()
    assert screen.feed.wishes == ["admit ab12 True", "seat-bot", "start"]
    assert await screen.text("#detail") == "Boris is away."


async def test_a_guest_agrees_to_the_rules_he_can_read(open_screen, view_of):
    screen = await open_screen(view_of())
    people = (
        Person("Anna", ready=True, bot=False, me=False),
        Person("Boris", ready=False, bot=False, me=True),
    )
    lobby = Lobby(Options(deck=52, seats=2), people)
    screen.feed._view = None
    screen.feed.show(situation=Situation("friends", (), lobby=lobby))
    await screen.page.reload()
    await screen.until("#now", "then agree")
    assert await screen.page.locator("#dealing .line").all_inner_texts() == [
        "Anna: ready", "You: not agreed yet",
    ]  # fmt: skip
    await screen.page.get_by_role("button", name="Rules").click()
    assert "52 cards" in await screen.page.get_by_role("dialog").inner_text()
    await screen.page.keyboard.press("Escape")
    await screen.page.get_by_role("button", name="I agree").click()
    agreed = replace(lobby, people=(people[0], replace(people[1], ready=True)))
    await screen.show(situation=Situation("friends", (), lobby=agreed))
    assert await screen.text("#now") == "Waiting for the host to start"
    await screen.page.get_by_role("button", name="Agreed; tap to take back").click()
    await screen.settle()
    assert screen.feed.wishes == ["ready", "not-ready"]


async def test_the_lobby_gives_way_to_the_game(open_screen, view_of):
    screen = await open_screen(view_of())
    lobby = Lobby(Options(seats=3), (Person("Anna", ready=True, bot=False, me=True),))
    screen.feed._view = None
    screen.feed.show(situation=Situation("friends", (), lobby=lobby))
    await screen.page.reload()
    await screen.page.wait_for_selector("#dealing h2")
    await screen.shot("lobby")
    await screen.show(view_of(), situation=FRIENDS)
    assert await screen.page.locator("#hand .card").count() == 6
    assert await screen.page.locator("#dealing").is_hidden()
