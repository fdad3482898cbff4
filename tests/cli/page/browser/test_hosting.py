"""Real programs and a real browser: what a host does at his table, and when somebody is killed."""

from __future__ import annotations

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("playwright.async_api")

from tests.cli.commands.running import guest
from tests.cli.page.browser.test_real import bout_begun, durak, hand_of, is_over, open_page, play_on, way_in

pytestmark = pytest.mark.browser


async def line_of(page, words: str) -> None:
    await page.locator("#dealing .line", has_text=words).wait_for(timeout=20_000)


async def test_a_bot_of_the_lobby_comes_back_with_a_game_that_was_killed(browser, tmp_path):
    words = ("host", "--seats", "2", "--port", "0", "--option", "deck=24", "--name", "Anna")
    async with durak(tmp_path, *words) as program:
        page = await open_page(browser, program.address)
        await page.get_by_role("button", name="Add a bot").click()
        await page.get_by_role("button", name="Show out: Olya [bot]").click()
        await page.locator("#dealing .line").nth(1).wait_for(state="detached")
        await page.get_by_role("button", name="Add a bot").click()
        await page.get_by_role("button", name="Start the game").click(timeout=20_000)
        await page.wait_for_selector("#hand .card", timeout=20_000)
        await play_on([page], until=bout_begun)
        hand = await hand_of(page)
        await program.kill()
    async with durak(tmp_path, "games", "resume") as again:
        page = await open_page(browser, again.address)
        await page.wait_for_selector("#hand .card")
        assert await hand_of(page) == hand
        await play_on([page], until=is_over)
        assert page.errors == []


async def test_a_guest_that_was_killed_is_away_and_his_seat_can_be_freed(browser, tmp_path):
    words = ("host", "--seats", "2", "--port", "0", "--name", "Anna")
    async with durak(tmp_path / "host", *words) as program:
        page = await open_page(browser, program.address)
        await page.wait_for_selector("#dealing code")
        _, address, code = await way_in(page)
        with guest(tmp_path / "guest", address.split(":")[1], "--name", "Boris", code=code) as boris:
            await line_of(page, "Boris: ready")
            boris.process.kill()
        await line_of(page, "Boris: away")
        await page.get_by_role("button", name="Show out: Boris").click()
        await page.locator("#dealing .line", has_text="Boris").wait_for(state="detached")
        await page.get_by_role("button", name="Add a bot").wait_for()
        assert page.errors == []


async def test_the_host_reads_that_the_other_wants_another_game(browser, tmp_path):
    words = ("host", "--seats", "2", "--port", "0", "--option", "deck=24", "--name", "Anna")
    async with durak(tmp_path / "host", *words) as host:
        page = await open_page(browser, host.address)
        await page.wait_for_selector("#dealing code")
        async with durak(tmp_path / "guest", *await way_in(page), "--name", "Boris") as other:
            theirs = await open_page(browser, other.address)
            await theirs.get_by_role("button", name="I agree").click(timeout=20_000)
            await page.get_by_role("button", name="Start the game").click(timeout=20_000)
            await play_on([page, theirs], until=is_over)
            await page.get_by_role("button", name="Play again").click()
            await theirs.get_by_text("Anna wants another game.").wait_for()
            await page.get_by_role("button", name="Not after all").click()
            await theirs.get_by_text("Anna wants another game.").wait_for(state="detached")
            await theirs.get_by_role("button", name="Play again").click()
            await page.get_by_text("Boris wants another game.").wait_for()
            await page.get_by_role("button", name="Play again").click()
            for each in (page, theirs):
                await each.wait_for_selector("#sheet-over", state="detached")
                await each.wait_for_selector("#hand .card")
            assert page.errors == theirs.errors == []
