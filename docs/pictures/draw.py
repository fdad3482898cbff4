"""Takes the pictures of the README from a real game against bots: `python docs/pictures/draw.py`.

Needs Chromium (CHROMIUM=path, else the one on the PATH) and Playwright.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Error, Page, async_playwright

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium"
SIZES = {"phone": (390, 844), "laptop": (1280, 800)}
PAIRS = 3


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli.main", "--lang", "en", "play", "--page", "--bots", "3",
            "--name", "Anna",
            cwd=ROOT, env={**os.environ, "DURAK_HOME": home}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        address = re.search(r"http://127\S+", (await process.stdout.readline()).decode())
        assert address is not None
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            context = await browser.new_context(color_scheme="dark", reduced_motion="reduce")
            page = await context.new_page()
            await page.goto(address[0])
            await page.wait_for_selector("#hand .card", timeout=60_000)
            while not await fair(page):
                await press(page)
                await page.wait_for_timeout(150)
            for name, (width, height) in SIZES.items():
                await page.set_viewport_size({"width": width, "height": height})
                await page.wait_for_timeout(400)
                await page.screenshot(path=HERE / f"{name}.jpg", type="jpeg", quality=85)
            await browser.close()
        process.terminate()
        await process.wait()


async def fair(page: Page) -> bool:
    """A moment worth a picture: our word, some cards on the table, some in the talon, something to choose."""
    if await page.locator("#sheet-over").count():
        await page.get_by_role("button", name="Play again").click()
        await page.wait_for_selector("#sheet-over", state="detached")
    pairs = await page.locator("#pairs .pair").count()
    choices = await page.locator("#hand .card[data-playable]").count()
    talon = await page.locator("#talon:not([data-empty])").count()
    return (
        talon == 1 and pairs >= PAIRS and choices >= 1 and await page.locator("#actions .main").count() == 1
    )


async def press(page: Page) -> None:
    """Play anything that may be played."""
    for selector in ("#pairs button.target", "#hand .card[data-playable]", "#actions button.main"):
        choice = page.locator(selector).first
        if await choice.count():
            try:
                await choice.click(timeout=500)
            except Error:  # it has just gone
                return
            return


asyncio.run(main())
