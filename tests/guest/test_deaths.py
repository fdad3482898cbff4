"""The tab is killed at every step, as phones kill tabs: the same seat and hand, and never two signatures.

The vault of each tab stops for ever before its next write, or after it; then the browser's own crash ends
that tab and another is opened in the same browser. The host would halt at a second body for one due.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.guest.browsing import INSIDE, PATIENCE, PHONE, cards_of, crash, open_guest, play_on, same_export
from tests.guest.crooked import changed
from tests.guest.hosted import Hosted, hosted

pytestmark = [pytest.mark.guest, pytest.mark.browser]
STORES = "const STORES ="
COMMIT = """  async commit(writes) {
    const writing = this.change("""
DYING = """  async commit(writes) {
    await die("before");
    await this.written(writes);
    await die("after");
  }

  async written(writes) {
    const writing = this.change("""
PROGRAM = (Path(__file__).parent / "deaths.js").read_text(encoding="utf-8")


async def live(page: Any, told: list[str], host: Hosted) -> bool:
    """Sit down, agree and play, until this tab has died; False if the game is over for both instead."""
    before = len(told)
    await page.evaluate(INSIDE)
    await page.evaluate(
        """() => {
          guest.play();
          new BroadcastChannel("deaths").onmessage = ({ data }) => window.died(data);
        }"""
    )
    async with asyncio.timeout(PATIENCE):
        while len(told) == before:
            if any(each["event"] == "done" for each in host.said):
                await page.locator("#sheet-over").wait_for()
                return False
            await asyncio.sleep(0.05)
    return True


PICTURES = """async () => {
  if (!(await indexedDB.databases()).some((each) => each.name === "durak-picture")) return 0;
  const opening = indexedDB.open("durak-picture", 1);
  const db = await new Promise((resolve) => (opening.onsuccess = () => resolve(opening.result)));
  const asked = db.transaction("pictures").objectStore("pictures").count();
  return await new Promise((resolve) => (asked.onsuccess = () => (db.close(), resolve(asked.result))));
}"""


async def keep_a_picture(context: Any, address: str) -> None:
    """So that each of the many tabs starts fast: a visit at the table of nobody."""
    page = await open_guest(context, f"{address.rpartition('+')[0]}+{16 * '0'}")
    async with asyncio.timeout(PATIENCE):
        while not await page.evaluate(PICTURES):
            await asyncio.sleep(0.3)
    await page.close()


async def die_at_every(steps: int, browser: Any, bundle: Path, tmp_path: Path) -> int:
    """At most 2·`steps` tabs die at their first writes, the one after plays to the end; how many died."""
    program = PROGRAM.replace("MOST", str(2 * steps))
    dying = changed(bundle, tmp_path / "dying", "vault.js", (STORES, program + STORES), (COMMIT, DYING))
    async with hosted(tmp_path / "host", dying, "--seats", "2", "--option", "deck=24") as host:
        told: list[str] = []
        context = await browser.new_context(**PHONE)
        await context.add_init_script('localStorage.setItem("durak-name", "Boris")')
        await context.expose_function("died", lambda when: told.append(when))
        address = await host.address()
        await keep_a_picture(context, address)
        hand: list[str] = []
        for death in ("before", "after") * steps:
            page = await open_guest(context, address)
            if not await live(page, told, host):
                break
            assert told[-1] == death
            found = await page.locator("#hand .card").evaluate_all(
                "(all) => all.map((each) => each.dataset.key)"
            )
            if hand and found:
                assert set(found) & set(hand), "the same hand, but for what was played and drawn"
            hand = found or hand
            await crash(page)
        else:
            page = await open_guest(context, address)
            await cards_of(page)
            await play_on(page)
        assert (await host.until("done"))["status"] == "finished"
        await same_export(page, host.exports)
        return len(told)


async def test_a_tab_killed_at_each_of_its_first_writes_keeps_its_seat(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    assert await die_at_every(6, browser, bundle_folder, tmp_path) == 12


@pytest.mark.slow
async def test_a_tab_killed_at_every_write_of_a_game_keeps_its_seat(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    died = await die_at_every(200, browser, bundle_folder, tmp_path)
    print(f"{died} tabs died")
    assert died > 40
