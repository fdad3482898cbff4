"""A guest's browser, driven: open the page, sit down, play by itself, save the log, find what is kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from pathlib import Path
from typing import Any

from game.course import Course
from game.mental_poker import deck
from ledger.verify import judge_file

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome") or ""
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-proxy-server",
]  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce"}
GAME = 150.0
PATIENCE = 90.0
"""Seconds after which something does not come any more, on however busy a machine. How fast things are is
measured in `test_speed`."""
INSIDE = (Path(__file__).parent / "inpage.js").read_text(encoding="utf-8")


async def open_guest(context: Any, address: str) -> Any:
    """A page at `address`; `page.errors` is what its console says and whatever is asked of other origins."""
    context.set_default_timeout(PATIENCE * 1000)
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
    """Say the name where it is asked, and agree to the table."""
    await page.locator("#name").fill(name)
    await page.locator("#sit").click()
    await page.get_by_role("button", name="I agree").click()


async def cards_of(page: Any) -> list[str]:
    """The own cards as the page shows them, once there are any."""
    await page.wait_for_selector("#hand .card")
    keys = "(cards) => cards.map((card) => card.dataset.key)"
    return [str(key) for key in await page.locator("#hand .card").evaluate_all(keys)]


async def press(page: Any) -> bool:
    """One decision; False if nothing is asked."""
    await page.evaluate(INSIDE)
    return bool(await page.evaluate("() => guest.press()"))


async def kept(page: Any, address: str) -> Any:
    """What is kept of the table at `address`: {identity, games: [{genesis, seed}]} in hexadecimal."""
    await page.evaluate(INSIDE)
    return await page.evaluate("(host) => guest.kept(host)", address.rpartition("+")[2])


async def play_on(page: Any, *, until: str = "#sheet-over") -> None:
    """Let it play until `until` is on the page."""
    await page.evaluate(INSIDE)
    await page.evaluate("() => void guest.play()")
    await page.wait_for_selector(until, timeout=GAME * 1000)


async def log_of(page: Any) -> bytes:
    """The guest's own export, as he saves it."""
    link = page.locator('#sheet-over a[href^="blob:"]')
    await link.wait_for()
    async with page.expect_download() as saving:
        await link.click()
    saved = await saving.value
    log = Path(await saved.path()).read_bytes()
    genesis = judge_file(log, Course(deck)).genesis
    assert genesis is not None
    assert saved.suggested_filename == f"{genesis.game_id.hex()[:16]}.durak"
    return log


async def same_export(page: Any, exports: Path) -> bytes:
    """Wait until the guest saves what the native peer has exported; that."""
    async with asyncio.timeout(PATIENCE):
        while not (found := list(exports.glob("*.durak"))) or await log_of(page) != found[-1].read_bytes():
            await asyncio.sleep(0.3)
    return found[-1].read_bytes()


async def crash(page: Any) -> None:
    """The tab dies as a phone's does: at once, without a word to its scripts."""
    session = await page.context.new_cdp_session(page)
    async with page.expect_event("crash"):
        asked = asyncio.ensure_future(session.send("Page.crash"))
    await page.close()
    with contextlib.suppress(Exception):  # no answer comes from a page that is dead
        await asked
