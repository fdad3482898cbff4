"""The table page in other browsers than Chromium: it opens, a bout is played, a reload loses nothing."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("playwright.async_api")

from tests.cli.page.browser.test_real import durak
from tests.guest.engines import ENGINES
from tests.guest.test_engines import until

pytestmark = pytest.mark.engines

ERRORS = """(() => {
  window.wrong = [];
  addEventListener("error", (event) => window.wrong.push(event.message));
  addEventListener("unhandledrejection", (event) => window.wrong.push(String(event.reason)));
  addEventListener("securitypolicyviolation", (event) => window.wrong.push(event.violatedDirective));
  return true;
})()"""
HAND = "document.querySelectorAll('#hand .card').length"
MOVES = "document.querySelectorAll('#log li').length"
NEXT = """(() => {
  const next = document.querySelector(
    "#pairs button.target, #hand .card[data-playable]") ?? document.querySelector("#actions .main");
  next?.click();
  return next !== null;
})()"""
BOUT = """[...document.querySelectorAll("#log li")].some(
  (each) => /^(Beaten:|You take|.* takes )/.test(each.textContent))"""


@pytest.mark.parametrize("name", ENGINES)
async def test_a_card_is_played_and_the_game_goes_on(name, tmp_path):
    browser, here = ENGINES[name]
    if not here:
        pytest.skip(f"{name} is not installed")
    words = ("--lang", "en", "play", "--bots", "1", "--option", "deck=24", "--name", "Anna")
    async with durak(tmp_path / "home", *words) as program, browser(tmp_path / name) as page:
        await page.open(program.address)
        await until(page, "document.querySelector('#hand .card')")
        await page.run(ERRORS)
        assert await page.run(HAND) == 6
        assert await page.run("document.documentElement.scrollWidth <= innerWidth")
        before = await page.run(MOVES)
        async with asyncio.timeout(60):
            while not await page.run(BOUT):
                await page.run(NEXT)
                await asyncio.sleep(0.1)
        assert await page.run(MOVES) > before
        assert await page.run("document.querySelector('#status').textContent.length > 0")
        assert await page.run("window.wrong") == []
        moves = await page.run(MOVES)
        await page.run("location.reload()")
        await asyncio.sleep(0.5)
        await until(page, "document.querySelector('#hand .card')")
        assert await page.run(MOVES) >= moves, "all of the game is there again"
        assert await page.run("location.hash") == ""
