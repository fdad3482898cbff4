"""A game nobody loses, as the page shows it: one that is played by real peers, and one from a log."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("playwright.async_api")

from tests.cli.page.browser.test_real import durak, is_over, open_page, play_on, way_in
from tests.cli.page.browser.test_replay import drop

pytestmark = pytest.mark.browser

GOLDEN = Path(__file__).parents[3] / "golden"
NEXT = """() => {
  const worth = (card) => Number(card.dataset.card) % 13;
  const playable = [...document.querySelectorAll('#hand .card[data-playable]')];
  const lowest = playable.sort((a, b) => worth(a) - worth(b))[0];
  const next = document.querySelector('#actions .main') ?? lowest;
  next?.click();
}"""
"""Take whatever comes, throw nothing in, lead the lowest card."""


async def take_and_lead(page) -> None:
    await page.evaluate(NEXT)


async def test_three_who_always_take_come_to_a_draw_on_every_page(browser, tmp_path):
    """R19: the same hands before the same lead for the third time."""
    words = ("host", "--seats", "3", "--option", "deck=24", "--port", "0", "--name", "Anna")
    series = ("--option", "series=on")
    async with durak(tmp_path / "host", *words, *series) as host:
        host_page = await open_page(browser, host.address)
        await host_page.wait_for_selector("#dealing code")
        where = await way_in(host_page)
        async with (
            durak(tmp_path / "one", *where, "--name", "Boris") as one,
            durak(tmp_path / "two", *where, "--name", "Chen") as two,
        ):
            guests = [await open_page(browser, each.address) for each in (one, two)]
            pages = [host_page, *guests]
            for page in guests:
                await page.get_by_role("button", name="I agree").click()
            await host_page.get_by_role("button", name="Start the game").click()
            for page in pages:
                await page.wait_for_selector("#hand .card", timeout=30_000)
            await play_on(pages, until=is_over, press=take_and_lead)
            for page in pages:
                sheet = page.locator("#sheet-over")
                assert await sheet.locator("h2").inner_text() == "A draw: nobody is the durak."
                assert await sheet.locator(".picture").count() == 0
                assert await sheet.locator("tbody td").all_inner_texts() == ["0"] * 6, "no win and no loss"
                await page.get_by_role("button", name="Look at the table").click()
                assert int(await page.locator("#hand .card").count()) > 0, "they still hold cards"
                await page.get_by_role("button", name="Result").click()
                await page.get_by_role("button", name="Play again").click()
                assert page.errors == []
            for page in pages:
                await page.wait_for_selector("#sheet-over", state="detached", timeout=30_000)


@pytest.mark.parametrize("name", ["2x24-draw", "3x24-repetition"])
async def test_a_log_of_a_draw_ends_with_it(open_screen, view_of, name):
    screen = await open_screen(view_of())
    await screen.page.goto(screen.address.split("#")[0] + "replay")
    await screen.page.wait_for_selector("#badge")
    await drop(screen, (GOLDEN / f"{name}.durak").read_bytes())
    assert await screen.page.get_attribute("#badge", "data-good") == "yes"
    await screen.page.keyboard.press("End")
    await screen.settle()
    assert await screen.text("#now") == "A draw: nobody is the durak."
