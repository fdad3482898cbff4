"""`durak watch --page`: a person who looks on sees the table, no hand, and game after game."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("playwright.async_api")

from tests.cli.page.browser.test_real import durak, is_over, open_page, play_on, way_in

pytestmark = pytest.mark.browser


async def test_a_spectator_sees_the_table_and_no_hand_game_after_game(browser, tmp_path):
    frames: list[str] = []
    hosting = ("host", "--watch", "--seats", "2", "--bots", "1", "--port", "0", "--name", "Anna")
    async with durak(tmp_path / "host", *hosting) as host:
        page = await open_page(browser, host.address)
        await page.wait_for_selector("#dealing code")
        _, *where = await way_in(page)
        async with durak(tmp_path / "watch", "watch", *where, "--name", "Wera") as watching:
            watcher = await open_page(browser, watching.address, frames)
            await watcher.wait_for_selector("#dealing h2")
            assert await watcher.inner_text("#links") == "Watching"
            assert await watcher.inner_text("#now") == "Waiting for the host to start"
            assert await watcher.locator("#actions button").count() == 0, "a spectator agrees to nothing"
            await page.get_by_role("button", name="Start the game").click()
            for game in (1, 2):
                await watcher.wait_for_selector("#talon .stack", timeout=30_000)
                assert await watcher.inner_text("#links") == "Watching"
                assert await watcher.locator("#seats li").count() == 2
                assert await watcher.locator("#hand").is_hidden()
                assert await watcher.locator("#trouble").is_hidden(), "who looks on misses nothing"
                await play_on([page], until=is_over)
                await watcher.wait_for_selector("#sheet-over", timeout=10_000)
                end = await watcher.inner_text("#sheet-over h2")
                assert "durak" in end
                assert "you" not in end.lower()
                assert await watcher.get_by_role("button", name="Play again").count() == 0
                assert await watcher.locator("#actions [data-slot=left]").count() == 0
                if game == 1:
                    await page.get_by_role("button", name="Play again").click()
                    await watcher.wait_for_selector("#sheet-over", state="detached", timeout=30_000)
            assert page.errors == []
            assert watcher.errors == []
    messages = [message for frame in frames for message in json.loads(frame)]
    views = [message for message in messages if message["type"] == "view"]
    assert len(views) > 20
    assert all(view["me"] is None and view["hand"] == [] for view in views)
    assert not any(message["actions"] for message in messages if message["type"] == "legal")
