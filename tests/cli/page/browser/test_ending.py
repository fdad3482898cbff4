"""How the program ends while its page is open: Ctrl-C, SIGTERM, a closed terminal, before and in a game."""

from __future__ import annotations

import asyncio
import signal
import time

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("playwright.async_api")

from tests.cli.page.browser.test_real import durak, open_page, press_something

pytestmark = pytest.mark.browser

SOON = 6.0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda each: each.name)
@pytest.mark.parametrize("phase", ["lobby", "play"])
async def test_a_signal_ends_the_program_and_its_page_says_so(browser, tmp_path, number, phase):
    words = ("play",) if phase == "play" else ("host", "--seats", "2", "--port", "0")
    async with durak(tmp_path, *words, "--name", "Anna") as program:
        page = await open_page(browser, program.address)
        await page.wait_for_selector("#hand .card" if phase == "play" else "#dealing code", timeout=30_000)
        if phase == "play":
            await press_something(page)
        program.process.send_signal(number)
        asked = time.monotonic()
        code = await asyncio.wait_for(program.process.wait(), SOON)
        print(f"{number.name} in {phase}: ended after {time.monotonic() - asked:.1f} s")
        assert code == 0
        assert "Traceback" not in program.said
        await page.get_by_text("Reconnecting").first.wait_for(timeout=5000)
        assert await page.locator("#actions button").count() == 0
        log = list((tmp_path / "games").glob("*/log.durak"))
        assert len(log) == (phase == "play")
