"""Guests with only a browser, as the owner's page shows them: how they get here, and what their seats are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.page.face import _qr
from cli.page.feed import Lobby, Person, Situation, WaysIn
from game.options import Options

pytestmark = pytest.mark.browser

ADDRESS = "http://192.168.43.1:8765/#K7QM-2XNP-9TRA+0123456789abcdef"


async def test_the_lobby_has_a_code_for_phones_says_what_a_guest_page_is_and_marks_who_has_one(
    open_screen, view_of
):
    people = (
        Person("Anna", ready=True, bot=False, me=True),
        Person("Boris", ready=True, bot=False, me=False, program="guest-page"),
    )
    rows = _qr(ADDRESS)
    ways = WaysIn(("192.168.43.1:4717",), "K7QM-2XNP-9TRA", ("101",), (ADDRESS,), rows, "guests.nobody")
    lobby = Lobby(Options(seats=3), people, ways, hosting=True)
    screen = await open_screen(view_of())
    screen.feed._view = None
    screen.feed.show(situation=Situation("friends", (), lobby=lobby))
    await screen.page.reload()
    guests = screen.page.locator("#dealing .guests")
    await guests.wait_for()
    assert ADDRESS in await guests.inner_text()
    assert "trust you with their cards" in await guests.inner_text()
    assert "keeps its devices apart" in await guests.inner_text()
    said = await screen.page.locator("#dealing > ul").first.inner_text()
    assert "Boris" in said
    assert "guest page: code from the host's device" in said
    assert "Anna" not in said.partition("guest page")[0].partition("Boris")[2]
    picture = guests.locator("svg")
    assert await picture.get_attribute("aria-label") == "QR code of the page for guests"
    modules = sum(row.count("1") for row in rows)
    assert (
        await picture.locator(".dark").evaluate("(path) => path.getAttribute('d').split('M').length - 1")
        == modules
    )
    await screen.shot("lobby-with-guests")
    none = replace(lobby, ways=WaysIn(("192.168.43.1:4717",), "K7QM-2XNP-9TRA", ("101",)))
    await screen.show(situation=Situation("friends", (), lobby=none))
    await guests.wait_for(state="hidden")


async def test_a_guest_page_is_marked_at_its_seat(open_screen, view_of):
    screen = await open_screen(view_of())
    programs = ("guest-page", "own-app", "own-app")
    await screen.show(situation=Situation("friends", ("linked", "me", "linked"), programs=programs))
    marks = screen.page.locator("#seats .seat .phone")
    seen = await marks.evaluate_all("(all) => all.map((each) => getComputedStyle(each).display !== 'none')")
    names = await screen.page.locator("#seats .seat .name").all_inner_texts()
    assert dict(zip(names, seen, strict=True)) == {"Chen": False, "Anna": True}
    spoken = await screen.page.locator("#seats .seat[data-program='guest-page'] .spoken").inner_text()
    assert "code from the host's device" in spoken


@pytest.mark.parametrize("language", ["en", "de", "es", "ru"])
async def test_on_a_small_screen_the_way_in_for_phones_is_seen_at_once(open_screen, view_of, language):
    people = (Person("Anna", ready=True, bot=False, me=True),)
    ways = WaysIn(
        ("127.0.0.1:4717", "192.168.43.1:4717", "[2001:db8::7]:4717", "[fe80::7%wlan0]:4717"),
        "K7QM-2XNP-9TRA", _qr("durak join K7QM-2XNP-9TRA"), (ADDRESS,), _qr(ADDRESS), None,
    )  # fmt: skip
    screen = await open_screen(view_of(), width=360, height=640, language=language)
    screen.feed._view = None
    screen.feed.show(
        situation=Situation("friends", (), lobby=Lobby(Options(seats=3), people, ways, hosting=True))
    )
    await screen.page.reload()
    square = screen.page.locator("#dealing .guests svg")
    await square.wait_for()
    await screen.settle()
    box, seen = await square.bounding_box(), await screen.page.locator("#dealing").bounding_box()
    assert box["width"] > 150
    assert box["y"] + box["height"] <= seen["y"] + seen["height"]
    said = await screen.page.locator("#dealing > .addresses code").all_inner_texts()
    assert [each.partition("durak join ")[2] for each in said] == [
        "K7QM-2XNP-9TRA", "192.168.43.1:4717 K7QM-2XNP-9TRA", "'[2001:db8::7]:4717' K7QM-2XNP-9TRA",
    ]  # fmt: skip
    await screen.shot(f"lobby-guests-360-{language}")
