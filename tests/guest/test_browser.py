"""A guest with nothing but Chromium, on an origin it does not trust, at the table of a native peer."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.guest.hosted import hosted, lan_address

playwright = pytest.importorskip("playwright.async_api")
pytestmark = [pytest.mark.guest, pytest.mark.browser]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome") or ""
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-proxy-server",
]  # fmt: skip
GAME = 180.0


@pytest.fixture(name="browser")
async def _browser() -> AsyncIterator[Any]:
    if not CHROMIUM or not lan_address():
        pytest.skip("needs Chromium and an address other than the loopback's")
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


async def open_guest(context: Any, address: str) -> Any:
    page = await context.new_page()
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    origin = address.split("#")[0]

    def look(request: Any) -> None:
        if not request.url.startswith((origin, "blob:", "data:")):
            page.errors.append(request.url)

    page.on("request", look)
    await page.goto(address)
    return page


async def sit(page: Any, name: str) -> None:
    await page.locator("#name").fill(name)
    await page.locator("#sit").click()
    await page.get_by_role("button", name="I agree").click(timeout=60_000)


async def press_something(page: Any) -> bool:
    """One decision; False if nothing is asked."""
    for choice in ("#pairs button.target", "#hand .card[data-playable]", "#actions button.main"):
        found = page.locator(choice).first
        if await found.count():
            await found.focus(timeout=500)
            await page.keyboard.press("Enter")
            return True
    return False


async def play_on(page: Any, *, until: str) -> None:
    async with asyncio.timeout(GAME):
        while not await page.locator(until).count():
            with contextlib.suppress(playwright.Error):  # it has just gone from under the finger
                await press_something(page)
            await asyncio.sleep(0.05)


async def log_of(page: Any) -> bytes:
    """The guest's own export, as he saves it."""
    link = page.locator('#sheet-over a[href^="blob:"]')
    await link.wait_for(timeout=20_000)
    async with page.expect_download() as saving:
        await link.click()
    return Path(await (await saving.value).path()).read_bytes()


async def same_export(page: Any, exports: Path) -> None:
    async with asyncio.timeout(30):
        while not (found := list(exports.glob("*.durak"))) or await log_of(page) != found[-1].read_bytes():
            await asyncio.sleep(0.3)


async def test_a_guest_plays_a_whole_game_and_both_hold_the_same_bytes(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        started = time.monotonic()
        page = await open_guest(context, await host.address())
        assert await page.evaluate("() => isSecureContext") is False
        await page.locator("#sit").wait_for()
        print(f"first paint with something to do: {time.monotonic() - started:.1f} s")
        await sit(page, "Boris")
        print(f"from opening to a seat: {time.monotonic() - started:.1f} s")
        await page.wait_for_selector("#hand .card", timeout=60_000)
        print(f"to the own cards: {time.monotonic() - started:.1f} s")
        await play_on(page, until="#sheet-over")
        await host.until("done")
        await same_export(page, host.exports)
        assert page.errors == []


async def test_reload_and_a_second_tab_keep_seat_and_hand_and_end_with_the_same_bytes(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        address = await host.address()
        page = await open_guest(context, address)
        await sit(page, "Boris")
        await page.wait_for_selector("#hand .card", timeout=60_000)
        for _ in range(3):
            before = await hand_of(page)
            started = time.monotonic()
            await page.reload()
            await page.wait_for_selector("#hand .card", timeout=60_000)
            print(f"reload to the own cards: {time.monotonic() - started:.1f} s")
            assert len(set(before) - set(await hand_of(page))) <= 1, "but for the card that was just played"
            with contextlib.suppress(playwright.Error):
                await press_something(page)
        second = await open_guest(context, address)
        await second.wait_for_selector("#hand .card", timeout=60_000)
        await page.get_by_text("open in another tab").wait_for(timeout=20_000)
        await play_on(second, until="#sheet-over")
        await host.until("done")
        await same_export(second, host.exports)
        assert second.errors == []


async def hand_of(page: Any) -> list[str]:
    return [
        str(label)
        for label in await page.locator("#hand .card").evaluate_all(
            "(cards) => cards.map((card) => card.getAttribute('data-key'))"
        )
    ]
