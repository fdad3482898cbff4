"""The tab is killed at every step, as phones kill tabs: the same seat and hand, and never two signatures.

The vault of each tab stops for ever before its next write, or after it; then the browser's own crash ends
that tab and another is opened in the same browser. The host would halt at a second body for one due.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.guest.browsing import INSIDE, PHONE, cards_of, crash, open_guest, play_on, same_export
from tests.guest.crooked import give
from tests.guest.hosted import hosted

pytestmark = [pytest.mark.guest, pytest.mark.browser]
STORES = "const STORES ="
COMMIT = """  async commit(writes) {
    await this.change("""
DYING = """  async commit(writes) {
    await die("before");
    await this.written(writes);
    await die("after");
  }

  async written(writes) {
    await this.change("""
PROGRAM = (Path(__file__).parent / "deaths.js").read_text(encoding="utf-8")


class Deaths:
    """Every tab dies at its first write, by turns before and after it, `steps` times each. `told` grows."""

    def __init__(self, steps: int) -> None:
        self.coming = ["before", "after"] * steps
        self.now = ""
        self.told: list[str] = []

    def next(self) -> bool:
        self.now = self.coming.pop(0) if self.coming else ""
        return bool(self.now)

    async def answer(self, route: Any) -> None:
        await route.fulfill(body=json.dumps(self.now), content_type="application/json")


async def live(page: Any, deaths: Deaths) -> None:
    """Sit down, agree and play, until this tab has died."""
    before = len(deaths.told)
    await page.evaluate(INSIDE)
    await page.evaluate(
        """() => {
          guest.play();
          new BroadcastChannel("deaths").onmessage = ({ data }) => window.died(data);
        }"""
    )
    async with asyncio.timeout(60):
        while len(deaths.told) == before:
            await asyncio.sleep(0.05)


async def die_at_every(steps: int, browser: Any, bundle: Path, tmp_path: Path) -> None:
    async with hosted(tmp_path, bundle, "--seats", "2", "--option", "deck=24") as host:
        deaths = Deaths(steps)
        context = await browser.new_context(**PHONE)
        await context.add_init_script('localStorage.setItem("durak-name", "Boris")')
        await context.expose_function("died", lambda when: deaths.told.append(when))
        await context.route("**/deaths", deaths.answer)
        await give(context, bundle, "vault.js", (STORES, PROGRAM + STORES), (COMMIT, DYING))
        address = await host.address()
        hand: list[str] = []
        while deaths.next():
            page = await open_guest(context, address)
            await live(page, deaths)
            assert deaths.told[-1] == deaths.now
            found = await page.locator("#hand .card").evaluate_all(
                "(all) => all.map((each) => each.dataset.key)"
            )
            if hand and found:
                assert set(found) & set(hand), "the same hand, but for what was played and drawn"
            hand = found or hand
            await crash(page)
        page = await open_guest(context, address)
        await cards_of(page)
        await play_on(page)
        assert (await host.until("done"))["status"] == "finished"
        await same_export(page, host.exports)
        assert len(deaths.told) == 2 * steps


async def test_a_tab_killed_at_each_of_its_first_writes_keeps_its_seat(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    await die_at_every(6, browser, bundle_folder, tmp_path)


@pytest.mark.slow
async def test_a_tab_killed_at_every_write_of_a_game_keeps_its_seat(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    await die_at_every(40, browser, bundle_folder, tmp_path)
