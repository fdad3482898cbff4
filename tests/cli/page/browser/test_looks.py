"""Small things a person sees: colours of a sheet, where a list opens, what stands beside a seat in full."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.page.feed import Fault, Situation
from game import events
from game.options import Options
from ledger.engine import Height, Seat

pytestmark = pytest.mark.browser

FRIENDS = Situation("friends", ("linked", "me", "linked"))
BRIGHT = (
    "(each) => Math.max(...getComputedStyle(each).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number))"
)
CUT = """(all) => all
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .map((each) => each.textContent)"""


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_a_sheet_is_as_dark_as_the_table(open_screen, view_of, scheme):
    screen = await open_screen(view_of(), scheme=scheme)
    await screen.page.get_by_role("button", name="Menu").click()
    sheet = screen.page.locator("#sheet-menu")
    for part in (sheet, sheet.locator("select").first, sheet.get_by_role("button", name="Moves")):
        assert (await part.evaluate(BRIGHT) > 128) == (scheme == "light")
    await screen.settle()
    await screen.shot(f"menu-{scheme}")


async def test_the_moves_open_at_the_last_one(open_screen, view_of):
    screen = await open_screen(view_of(), width=360, height=640)
    await screen.show(
        view_of(height=Height(90)), *(events.TakeDeclared(Seat(each % 3)) for each in range(60))
    )
    await screen.page.get_by_role("button", name="Menu").click()
    await screen.page.get_by_role("button", name="Moves").click()
    last, body = screen.page.locator("#sheet-log li").last, screen.page.locator("#sheet-log .body")
    line, box = await last.bounding_box(), await body.bounding_box()
    assert box["y"] <= line["y"]
    assert line["y"] + line["height"] <= box["y"] + box["height"] + 1


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (844, 390), (1280, 800)])
async def test_the_ring_of_who_is_waited_for_leaves_the_name_alone(open_screen, view_of, width, height):
    screen = await open_screen(
        view_of(legal=(), my_turn=False, waiting_for=(Seat(2),)), width=width, height=height
    )
    disc = await screen.page.locator("#seats [data-word] .disc").bounding_box()
    name = await screen.page.locator("#seats [data-word] .name").bounding_box()
    beside = name["x"] > disc["x"] + disc["width"] + 5
    assert beside or name["y"] >= disc["y"] + disc["height"] + 5


async def test_an_order_that_stands_looks_like_one(open_screen, throwing):
    screen = await open_screen(throwing(legal=(), my_turn=False, word=Seat(2), waiting_for=(Seat(2),)))
    button = screen.page.get_by_role("button", name="Pass until a new rank")
    before = await button.evaluate(BRIGHT)
    await button.click()
    await screen.settle()
    assert await button.evaluate(BRIGHT) > before + 40
    await screen.shot("pass-until-on")


async def test_a_game_that_has_stopped_cannot_be_resigned(open_screen, view_of):
    screen = await open_screen(view_of())
    await screen.show(situation=replace(FRIENDS, fault=Fault(Seat(0), "fork", Height(9), None, None, {})))
    await screen.page.get_by_role("button", name="Menu").click()
    assert await screen.page.get_by_role("button", name="Moves").is_visible()
    assert await screen.page.get_by_role("button", name="Resign").count() == 0


@pytest.mark.parametrize("language", ["en", "de", "es", "ru"])
@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
@pytest.mark.parametrize("seats", [3, 4])
async def test_what_stands_under_a_name_is_seen_whole(open_screen, view_of, language, width, height, seats):
    table = view_of(
        options=Options(seats=seats), names=("Anna", "Me", "Chen", "Dora")[:seats],
        counts=(5, 6, 0, 4)[:seats], known=((),) * seats, out=(Seat(2),),
        defender=Seat(1), leader=None, head=None,
    )  # fmt: skip
    screen = await open_screen(table, width=width, height=height, language=language)
    people = ("linked", "me", "linked", "linked")[:seats]
    programs = ("guest-page", "own-app", "own-app", "guest-page")[:seats]
    await screen.show(situation=Situation("friends", people, programs=programs))
    roles = screen.page.locator("#seats .role")
    assert all(await roles.all_inner_texts())
    await screen.shot(f"roles-{width}-{language}-{seats}")
    assert await roles.evaluate_all(CUT) == []
