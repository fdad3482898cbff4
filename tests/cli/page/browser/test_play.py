"""Fingers and keys: what a tap does, what it never does twice, and that everything goes by keyboard."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from cli.page.feed import Situation
from game import actions, events
from game.cards import Place, parse_card
from game.options import Options
from ledger.engine import Height, Seat

pytestmark = pytest.mark.browser

S8, D9, C8, ST, HQ = (parse_card(text) for text in ("8S", "9D", "8C", "TS", "QH"))


def card(screen, name: str):
    """The own card of this spoken name."""
    return screen.page.locator(f'#hand .card[aria-label^="{name}"]')


async def test_a_card_with_one_target_is_played_by_one_tap(open_screen, view_of):
    screen = await open_screen(view_of())
    await card(screen, "10 of spades").click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Beat(S8, Place(7), ST))]


async def test_a_double_click_plays_once(open_screen, view_of):
    screen = await open_screen(view_of())
    await card(screen, "10 of spades").dblclick()
    await screen.settle()
    assert len(screen.feed.acted) == 1


async def test_a_double_click_never_reaches_the_card_that_moved_under_the_finger(
    open_screen, view_of, hand_of
):
    """The first click is answered before the second comes, and it is our word again."""
    screen = await open_screen(view_of())
    original = screen.feed.act

    async def act(height, action):
        await original(height, action)
        hand = hand_of("6S JD 9D QH AC")
        again = tuple(actions.Beat(S8, held.place, held.card) for held in hand)
        screen.feed.show(view_of(height=Height(height + 1), hand=hand, legal=(*again, actions.TAKE)))

    screen.feed.act = act
    box = await card(screen, "10 of spades").bounding_box()
    where = (box["x"] + box["width"] / 2, box["y"] + 20)
    await screen.page.mouse.click(*where)
    await card(screen, "10 of spades").wait_for(state="detached")
    under = "document.elementFromPoint({}, {}).closest('.card[data-playable]') !== null".format(*where)
    assert await screen.page.evaluate(under), "another card lies there now"
    for kind in ("down", "up"):
        await getattr(screen.page.mouse, kind)(click_count=2)
    await screen.settle()
    assert len(screen.feed.acted) == 1
    await screen.page.wait_for_timeout(500)
    await screen.page.mouse.click(*where)
    await screen.settle()
    assert len(screen.feed.acted) == 2, "later it is a click like any other"


async def test_with_several_targets_they_glow_and_the_second_tap_chooses(open_screen, view_of, pairs_of):
    two = view_of(
        table=pairs_of("8S 9S"),
        legal=(*(actions.Beat(parse_card(on), Place(10), HQ) for on in ("8S", "9S")), actions.TAKE),
    )
    screen = await open_screen(two)
    await card(screen, "queen of hearts").click()
    assert await screen.page.locator(".pair[data-target]").count() == 2
    assert screen.feed.acted == []
    await screen.page.get_by_role("button", name="Beat the 9 of spades").click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Beat(parse_card("9S"), Place(10), HQ))]


async def test_a_choice_is_taken_back_by_a_second_tap_or_escape(open_screen, view_of, pairs_of):
    two = view_of(
        table=pairs_of("8S 9S"),
        legal=tuple(actions.Beat(parse_card(on), Place(10), HQ) for on in ("8S", "9S")),
    )
    screen = await open_screen(two)
    for undo in ("click", "escape"):
        await card(screen, "queen of hearts").click()
        assert await screen.page.locator(".target").count() == 2
        if undo == "click":
            await card(screen, "queen of hearts").click()
        else:
            await screen.page.keyboard.press("Escape")
        assert await screen.page.locator(".target").count() == 0
    assert screen.feed.acted == []


async def test_transfer_and_show_are_choices_of_their_own(open_screen, view_of, hand_of, pairs_of):
    eight = parse_card("8H")
    view = view_of(
        options=Options(seats=3, variant="transfer", show_transfer=True),
        hand=hand_of("8H AC"),
        table=pairs_of("8S"),
        legal=(
            actions.Beat(S8, Place(6), eight),
            actions.Transfer(Place(6), eight),
            actions.Show(Place(6), eight),
            actions.TAKE,
        ),
    )
    screen = await open_screen(view)
    await card(screen, "8 of hearts").click()
    names = await screen.page.locator("#actions button").all_inner_texts()
    assert names == ["Take", "Transfer: 8 of hearts", "Only show: 8 of hearts", "Hint"]
    await screen.shot("transfer")
    await screen.page.get_by_role("button", name="Transfer: 8 of hearts").click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Transfer(Place(6), eight))]


async def test_several_cards_of_one_rank_lead_together(open_screen, view_of, hand_of):
    hand = hand_of("7S 7D KC")
    single = [actions.Lead((held.place,), (held.card,)) for held in hand]
    both = actions.Lead((Place(6), Place(7)), (hand[0].card, hand[1].card))
    view = view_of(
        options=Options(seats=3, lead="several"), hand=hand, table=(), legal=(*single, both, actions.RESIGN)
    )
    screen = await open_screen(view)
    await card(screen, "7 of spades").click()
    assert await screen.page.locator("#actions .main").all_inner_texts() == ["Lay 1 card"]
    await card(screen, "7 of diamonds").click()
    await screen.page.get_by_role("button", name="Lay 2 cards").click()
    await screen.settle()
    assert screen.feed.acted == [(24, both)]


async def test_an_illegal_tap_says_why_with_the_rule(open_screen, view_of):
    screen = await open_screen(view_of())
    await card(screen, "jack of diamonds").click()
    await screen.settle()
    detail = await screen.text("#detail")
    assert "J♦" in detail
    assert "8♠" in detail
    assert "(rule R9)" in detail
    assert screen.feed.acted == []


async def test_taking_more_than_three_cards_asks_again(open_screen, view_of, pairs_of):
    many = view_of(table=pairs_of("8S/TS 8D/JD 8C"))
    screen = await open_screen(many)
    await screen.page.get_by_role("button", name="Take").click()
    assert screen.feed.acted == []
    await screen.page.get_by_role("button", name="Take 5 cards? Tap again").click()
    assert screen.feed.acted == [], "a double click must not take"
    await screen.page.wait_for_timeout(400)
    await screen.page.get_by_role("button", name="Take 5 cards? Tap again").click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.TAKE)]


async def test_taking_three_cards_is_one_tap(open_screen, view_of):
    screen = await open_screen(view_of())
    await screen.page.get_by_role("button", name="Take").click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.TAKE)]


async def test_take_never_stands_where_done_was(open_screen, view_of, throwing):
    screen = await open_screen(throwing(head=Seat(1)))
    done = await screen.page.get_by_role("button", name="Done").bounding_box()
    await screen.show(view_of(height=Height(25)))
    take = await screen.page.get_by_role("button", name="Take").bounding_box()
    assert take["x"] + take["width"] <= done["x"] or done["x"] + done["width"] <= take["x"]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"head": Seat(1)}, "Done"),
        ({"head": Seat(0)}, "Pass"),
        ({"head": Seat(1), "taking": True}, "Enough given"),
    ],
)
async def test_passing_goes_by_the_name_people_give_it(open_screen, throwing, changes, name):
    screen = await open_screen(throwing(**changes))
    assert await screen.page.locator("#actions .main").all_inner_texts() == [name]


async def test_a_card_can_wait_for_the_word_and_be_taken_back(open_screen, throwing):
    waiting = throwing(legal=(), my_turn=False, word=Seat(2), waiting_for=(Seat(2),))
    screen = await open_screen(waiting)
    await card(screen, "8 of clubs").click()
    await screen.settle()
    assert "waits to be thrown in" in await card(screen, "8 of clubs").get_attribute("aria-label")
    await card(screen, "8 of clubs").click()
    await screen.settle()
    assert "waits" not in await card(screen, "8 of clubs").get_attribute("aria-label")
    await card(screen, "8 of clubs").click()
    await screen.settle()
    await screen.shot("queued")
    await screen.show(throwing(height=Height(25)))
    assert screen.feed.acted == [(25, actions.Throw(Place(6), C8))]


async def test_pass_until_a_new_rank_is_seen_and_revocable(open_screen, throwing):
    waiting = throwing(legal=(), my_turn=False, word=Seat(2), waiting_for=(Seat(2),))
    screen = await open_screen(waiting)
    button = screen.page.get_by_role("button", name="Pass until a new rank")
    await button.click()
    await screen.settle()
    assert await button.get_attribute("aria-pressed") == "true"
    await button.click()
    await screen.settle()
    assert await button.get_attribute("aria-pressed") == "false"
    await button.click()
    await screen.settle()
    await screen.show(throwing(height=Height(25)))
    assert screen.feed.acted == [(25, actions.PASS)]


async def test_passing_by_itself_is_seen_and_can_be_stopped(open_screen, throwing):
    """On but at cheating tables; among friends it waits long enough for a finger."""
    nothing = throwing(legal=(actions.PASS, actions.RESIGN), height=Height(25))
    screen = await open_screen(throwing())
    await screen.show(nothing, situation=Situation("friends", ("linked", "me", "linked")))
    assert "passing for you" in await screen.text("#detail")
    await screen.page.get_by_role("button", name="Passing for you: stop").click()
    await screen.page.wait_for_timeout(3200)
    assert screen.feed.acted == []
    assert await screen.text("#detail") == "None of your cards fits."
    await screen.page.get_by_role("button", name="Pass", exact=True).click()
    await screen.settle()
    assert screen.feed.acted == [(25, actions.PASS)]


async def test_accusing_nobody_by_itself_is_seen_and_can_be_stopped(open_screen, throwing):
    ask = throwing(
        options=Options(seats=3, cheating=True),
        stage="challenge",
        word=None,
        waiting_for=(Seat(1),),
        legal=(actions.Challenge(None), actions.Challenge(Height(20))),
    )
    screen = await open_screen(ask)
    await screen.show(situation=Situation("friends", ("linked", "me", "linked")))
    await screen.page.get_by_role("button", name="Menu").click()
    await screen.page.get_by_label("Accuse nobody for me").check()
    await screen.page.keyboard.press("Escape")
    await screen.page.get_by_role("button", name="Accusing nobody: stop").click()
    await screen.page.wait_for_timeout(3200)
    assert screen.feed.acted == []
    await screen.page.get_by_role("button", name="Accuse nobody", exact=True).click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Challenge(None))]


async def drag(screen, name: str, to: str) -> None:
    """Draw an own card there with the mouse."""
    start = await card(screen, name).bounding_box()
    end = await screen.page.locator(to).bounding_box()
    mouse = screen.page.mouse
    await mouse.move(start["x"] + 12, start["y"] + 20)
    await mouse.down()
    await mouse.move(start["x"] + 12, start["y"] - 10, steps=3)
    await mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    await mouse.up()
    await screen.settle()


async def test_a_card_can_be_drawn_to_the_table(open_screen, view_of):
    screen = await open_screen(view_of())
    await drag(screen, "10 of spades", "#talon")
    assert screen.feed.acted == [(24, actions.Beat(S8, Place(7), ST))], "once, and no click after it"


async def test_a_finger_draws_a_card_too(open_screen, view_of):
    screen = await open_screen(view_of())
    tools = await screen.page.context.new_cdp_session(screen.page)
    await tools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    box = await card(screen, "10 of spades").bounding_box()
    x, y = box["x"] + 12, box["y"] + 20
    path = [("touchStart", y), *(("touchMove", y - 40 * step) for step in range(1, 8)), ("touchEnd", 0)]
    for kind, at in path:
        points = [] if kind == "touchEnd" else [{"x": x, "y": at}]
        await tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Beat(S8, Place(7), ST))]


async def test_drawn_onto_an_attack_it_beats_that_one(open_screen, view_of, pairs_of):
    two = view_of(
        table=pairs_of("8S 9S"),
        legal=(*(actions.Beat(parse_card(on), Place(10), HQ) for on in ("8S", "9S")), actions.TAKE),
    )
    screen = await open_screen(two)
    await drag(screen, "queen of hearts", ".pair:nth-child(2)")
    assert screen.feed.acted == [(24, actions.Beat(parse_card("9S"), Place(10), HQ))]


async def test_drawn_where_it_does_not_fit_it_comes_back_and_says_why(open_screen, view_of, pairs_of):
    two = view_of(
        table=pairs_of("8S 9D"), legal=(actions.Beat(S8, Place(7), ST), actions.TAKE, actions.RESIGN)
    )
    screen = await open_screen(two)
    home = await card(screen, "10 of spades").bounding_box()
    await drag(screen, "10 of spades", ".pair:nth-child(2)")
    assert "(rule R9)" in await screen.text("#detail")
    await drag(screen, "ace of clubs", "#talon")
    assert "(rule R9)" in await screen.text("#detail")
    await drag(screen, "10 of spades", '#hand .card[aria-label^="ace"]')
    assert screen.feed.acted == []
    assert await screen.page.locator("#hand [data-lifted], #hand [data-selected]").count() == 0
    assert await card(screen, "10 of spades").bounding_box() == home


async def test_accusing_asks_and_hints_at_nothing(open_screen, throwing, pairs_of):
    cheating = throwing(
        options=Options(seats=3, cheating=True),
        table=pairs_of("8S/TS QD/AC", defender=2),
        legal=(actions.PASS, *(actions.Accuse(height) for height in (20, 21, 22, 23))),
    )
    screen = await open_screen(cheating)
    buttons = screen.page.locator("#pairs .accuse")
    assert await buttons.count() == 4
    looks = await buttons.evaluate_all(
        "all => all.map((each) => getComputedStyle(each).cssText.replace(/\\d+(\\.\\d+)?px/g, '').length)"
    )
    assert len(set(looks)) == 1
    await screen.page.get_by_role("button", name="Accuse: ace of clubs").click()
    assert screen.feed.acted == []
    await screen.shot("accuse")
    await screen.page.get_by_role("button", name="No, back").click()
    assert screen.feed.acted == []
    await screen.page.get_by_role("button", name="Accuse: ace of clubs").click()
    await screen.page.get_by_role("button", name="Accuse", exact=True).click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Accuse(23))]


async def test_at_cheating_tables_a_card_that_would_cheat_looks_and_is_called_so(open_screen, throwing):
    cheating = throwing(
        options=Options(seats=3, cheating=True),
        legal=(actions.Throw(Place(6), C8), actions.Throw(Place(7), D9), actions.PASS),
    )
    screen = await open_screen(cheating)
    names = await screen.page.locator("#hand .card").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert names == ["8 of clubs, can be played", "9 of diamonds, only by cheating", "queen of hearts, trump"]
    assert "Throw in a card of a rank on the table" in await screen.text("#detail")
    assert await screen.page.locator("#hand [data-bluff]").count() == 1
    await card(screen, "9 of diamonds").click()
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Throw(Place(7), D9))]
    nothing = (actions.Throw(Place(7), D9), actions.PASS)
    await screen.show(replace(cheating, height=Height(25), legal=nothing))
    assert await screen.text("#detail") == "None of your cards fits."


async def test_resigning_asks_and_waits_for_the_word(open_screen, throwing):
    screen = await open_screen(throwing(legal=(), my_turn=False, word=Seat(2)))
    await screen.page.get_by_role("button", name="Menu").click()
    await screen.page.get_by_role("button", name="Resign").click()
    await screen.page.locator("#sheet-confirm").get_by_role("button", name="Resign").click()
    await screen.settle()
    assert screen.feed.acted == []
    assert await screen.page.get_by_role("button", name="Resigning; tap to take back").is_visible()
    await screen.show(throwing(height=Height(25)))
    assert screen.feed.acted == [(25, actions.RESIGN)]


async def test_a_hint_says_what_a_bot_would_do_and_marks_the_card(open_screen, view_of):
    screen = await open_screen(view_of())
    await screen.page.get_by_role("button", name="Hint").click()
    await screen.settle()
    assert await screen.text("#detail") == "A bot would: beat 8♠ with 10♠"
    assert await screen.page.locator("#hand [data-advised]").get_attribute("aria-label") == (
        "10 of spades, can be played"
    )
    assert screen.feed.acted == []
    await screen.show(view_of(height=Height(25)), situation=Situation("friends", ("linked", "me", "linked")))
    assert await screen.page.get_by_role("button", name="Hint").count() == 0
    assert await screen.page.locator("#hand [data-advised]").count() == 0


NEWS = """() => {
  window.told = [];
  const news = document.querySelector("#news");
  new MutationObserver(() => window.told.push([news.textContent, performance.now()]))
    .observe(news, { childList: true, characterData: true, subtree: true });
}"""


@pytest.mark.parametrize("mode", ["practice", "friends"])
async def test_what_bots_do_can_be_followed_and_people_are_never_held_back(open_screen, throwing, mode):
    screen = await open_screen(throwing())
    await screen.show(situation=Situation(mode, ("linked", "me", "linked")))
    waiting = throwing(legal=(), my_turn=False, word=Seat(2), waiting_for=(Seat(2),))
    await screen.show(replace(waiting, height=Height(25)), events.Joined())
    await screen.page.evaluate(NEWS)
    frames = (
        (replace(waiting, height=Height(26)), events.Thrown(Seat(0), C8, taking=False)),
        (replace(waiting, height=Height(27)), events.Beaten(Seat(2), C8, ST)),
        (throwing(height=Height(28)), events.Passed(Seat(0))),
    )
    for view, happened in frames:
        before = len(screen.frames)
        screen.feed.show(view, happened)
        while len(screen.frames) == before:
            await screen.page.wait_for_timeout(5)
    await screen.until("#news", "passes")
    told = await screen.page.evaluate("window.told")
    assert [text.split()[1].strip(".") for text, _ in told] == ["throws", "beats", "passes"]
    gaps = [later - earlier for (_, earlier), (_, later) in pairwise(told)]
    assert (min(gaps) > 400) == (mode == "practice"), gaps
    await screen.page.get_by_role("button", name="Pass", exact=True).click()
    await screen.settle()
    assert screen.feed.acted == [(28, actions.PASS)]


async def test_others_cards_and_seats_cannot_be_touched(open_screen, view_of):
    screen = await open_screen(view_of())
    assert await screen.page.locator("#seats button, #talon button, #pairs button").count() == 0


async def test_a_whole_bout_by_keyboard(open_screen, view_of, pairs_of):
    two = view_of(
        table=pairs_of("8S 9S"),
        legal=(*(actions.Beat(parse_card(on), Place(10), HQ) for on in ("8S", "9S")), actions.TAKE),
    )
    screen = await open_screen(two)
    keys = screen.page.keyboard
    await keys.press("ArrowRight")
    await keys.press("End")
    assert await screen.page.evaluate("document.activeElement.getAttribute('aria-label')") == (
        "queen of hearts, trump, can be played"
    )
    await keys.press("Enter")
    assert (
        await screen.page.evaluate("document.activeElement.getAttribute('aria-label')")
        == "Beat the 8 of spades"
    )
    await keys.press("Tab")
    await keys.press("Enter")
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Beat(parse_card("9S"), Place(10), HQ))]
    await screen.show(replace(two, height=Height(25)))
    assert await screen.page.evaluate("document.activeElement !== document.body"), "the focus was lost"


async def test_digits_and_space(open_screen, view_of):
    screen = await open_screen(view_of())
    await screen.page.keyboard.press("2")
    await screen.settle()
    assert screen.feed.acted == [(24, actions.Beat(S8, Place(7), ST))]
    await screen.show(view_of(height=Height(25)))
    await screen.page.evaluate("document.activeElement.blur()")
    await screen.page.keyboard.press("Space")
    await screen.settle()
    assert screen.feed.acted[1:] == [(25, actions.TAKE)]


async def test_space_is_the_main_button_with_a_card_in_focus_too(open_screen, view_of):
    screen = await open_screen(view_of())
    keys = screen.page.keyboard
    for height, first in enumerate(("ArrowRight", "End", "Home"), start=24):
        await keys.press(first)
        assert await screen.page.evaluate("document.activeElement.matches('#hand .card')")
        await keys.press("Space")
        await screen.settle()
        assert screen.feed.acted == [(at, actions.TAKE) for at in range(24, height + 1)]
        await screen.show(view_of(height=Height(height + 1)))
    await screen.page.get_by_role("button", name="Menu").focus()
    await keys.press("Space")
    await screen.page.get_by_role("dialog").wait_for()
    assert len(screen.feed.acted) == 3, "another button is pressed where it has the focus"


async def test_a_space_that_is_held_down_takes_no_more_than_one_word(open_screen, view_of, pairs_of):
    screen = await open_screen(view_of(table=pairs_of("8S/TS 8D/JD 8C")))
    for _ in range(2):
        await screen.page.keyboard.down("Space")
        await screen.page.wait_for_timeout(450)
    assert screen.feed.acted == []
    await screen.page.keyboard.up("Space")
    await screen.page.keyboard.press("Space")
    await screen.settle()
    assert screen.feed.acted == [(24, actions.TAKE)]


async def test_the_status_region_says_what_happened_and_what_is_asked(open_screen, view_of):
    screen = await open_screen(view_of())
    assert await screen.page.locator('[role="status"], [aria-live]').count() == 1
    await screen.show(view_of(height=Height(25)), events.Led(Seat(0), Seat(1), (S8,)))
    said = (await screen.text("#status")).split("\n")
    assert [line for line in said if line] == [
        "Anna leads 8♠; you defend.",
        "Anna attacks you",
        "Beat 8♠, or take 3 cards.",
    ]


async def test_every_card_says_rank_suit_trump_and_what_can_be_done(open_screen, view_of):
    screen = await open_screen(view_of())
    names = await screen.page.locator("#hand .card").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert names == [
        "6 of spades", "10 of spades, can be played", "ace of clubs", "9 of diamonds", "jack of diamonds",
        "queen of hearts, trump, can be played",
    ]  # fmt: skip
    seats = await screen.page.locator("#seats .spoken").all_inner_texts()
    assert seats == ["Chen: 6 cards, bot", "Anna: 5 cards, attacks, bot"]


async def test_the_hand_is_sorted_trumps_right_by_suit_or_rank(open_screen, view_of, hand_of):
    screen = await open_screen(view_of(hand=hand_of("6H KS 7D 7S AH 6D"), legal=()))
    index = screen.page.locator("#hand .card")
    by_suit = [
        "7 of spades",
        "king of spades",
        "6 of diamonds",
        "7 of diamonds",
        "6 of hearts, trump",
        "ace of hearts, trump",
    ]
    assert await index.evaluate_all("all => all.map((each) => each.ariaLabel)") == by_suit
    await screen.page.get_by_role("button", name="Menu").click()
    await screen.page.get_by_label("Order of the hand").select_option("rank")
    await screen.page.keyboard.press("Escape")
    by_rank = [
        "6 of diamonds",
        "7 of spades",
        "7 of diamonds",
        "king of spades",
        "6 of hearts, trump",
        "ace of hearts, trump",
    ]
    assert await index.evaluate_all("all => all.map((each) => each.ariaLabel)") == by_rank
    await screen.page.reload()
    await screen.page.wait_for_selector("#hand .card")
    assert await index.evaluate_all("all => all.map((each) => each.ariaLabel)") == by_rank
