"""Own statistics: games, placements, wins and losses per friend, pogony; from this device alone."""

from __future__ import annotations

import pytest

from cli.own_games import Companion, OwnGames

pytestmark = pytest.mark.browser

ONE_LINE = """() => [...document.querySelectorAll('#sheet-stats th[scope=row]')]
  .filter((each) => each.getClientRects()[0].height > 60).map((each) => each.textContent)"""


def many() -> OwnGames:
    """An autumn with friends of all kinds of names."""
    names = ("Boris [bot]", "Olya [bot]", "Мария Петровна", "W" * 32, "Zoë")
    companions = {
        bytes([number]) * 32: Companion(
            name, games=20 - number, won=5 - number, lost=number, bot=name.endswith("[bot]")
        )
        for number, name in enumerate(names)
    }
    places = {1: 9, 2: 4, 3: 1}
    own = OwnGames(20, 2, durak=5, draws=1, pogony=1, pogony_given=3, companions=companions)
    own.places.update(places)
    return own


async def test_games_places_friends_and_pogony(open_screen, view_of):
    screen = await open_screen(view_of(), width=320, height=568)
    screen.server._own_games = many
    await screen.page.get_by_role("button", name="Menu").click()
    await screen.page.get_by_role("button", name="My games").click()
    sheet = screen.page.locator("#sheet-stats")
    await sheet.locator("tbody tr").first.wait_for()
    said = await sheet.inner_text()
    assert "20 games played to the end; 2 not finished." in said
    assert "Durak: 5. Draws: 1. Shoulder boards worn: 1, given: 3." in said
    assert await sheet.locator("li").all_inner_texts() == [
        "Out as number 1: 9", "Out as number 2: 4", "Out as number 3: 1",
    ]  # fmt: skip
    rows = [row.split("\t") for row in (await sheet.locator("tbody").inner_text()).split("\n")]
    assert rows[0] == ["Boris [bot]", "20", "5", "0"], "most games first"
    assert rows[4] == ["Zoë", "16", "1", "4"]
    assert await screen.page.evaluate(ONE_LINE) == ["W" * 32], "names break between words"
    await screen.shot("stats-320")
    assert await sheet.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert await sheet.locator(".body").evaluate("each => each.scrollWidth <= each.clientWidth")
    await screen.shot("stats-320")


async def test_before_the_first_game_it_says_so(open_screen, view_of):
    screen = await open_screen(view_of())
    screen.server._own_games = OwnGames
    await screen.page.get_by_role("button", name="Menu").click()
    await screen.page.get_by_role("button", name="My games").click()
    await screen.until("#sheet-stats", "No game has been played to the end on this device yet.")
