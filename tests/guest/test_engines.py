"""A guest in the other two engines, on an origin they do not trust: a whole game, a reload in it, one log."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from cli.engine import course
from ledger.genesis import Genesis
from ledger.log import Log
from tests.guest.browsing import INSIDE
from tests.guest.engines import ENGINES, Engine
from tests.guest.hosted import hosted, lan_address

pytestmark = [pytest.mark.guest, pytest.mark.engines]
AGREE = "[...document.querySelectorAll('#actions button')].find((each) => each.textContent === 'I agree')"


async def until(page: Engine, expression: str, seconds: float = 90) -> None:
    async with asyncio.timeout(seconds):
        while not await page.run(f"Boolean({expression})"):
            await asyncio.sleep(0.1)


async def start(page: Engine) -> None:
    """What plays, in the page; again after a reload."""
    await page.run(f"(() => {{ {INSIDE.rstrip().removesuffix(';')}; return true; }})()")


@pytest.mark.parametrize("name", ENGINES)
async def test_a_guest_plays_a_whole_game_with_a_reload_in_it(
    name: str, bundle_folder: Path, tmp_path: Path
) -> None:
    browser, here = ENGINES[name]
    if not here or not lan_address():
        pytest.skip(f"{name} is not installed")
    async with (
        hosted(tmp_path / "host", bundle_folder, "--seats", "2") as host,
        browser(tmp_path / name) as page,
    ):
        address = await host.address()
        began = time.monotonic()
        await page.open(address)
        assert await page.run("isSecureContext") is False
        await until(page, "document.querySelector('#sit')")
        await page.run(
            "(document.querySelector('#name').value = 'Boris', document.querySelector('#sit').click())"
        )
        await until(page, AGREE)
        print(f"\n{name}: {time.monotonic() - began:.1f} s cold to the seat")
        await page.run(f"{AGREE}.click()")
        await until(page, "document.querySelector('#hand .card')")
        hand = await page.run("[...document.querySelectorAll('#hand .card')].map((each) => each.dataset.key)")
        await asyncio.sleep(4)
        began = time.monotonic()
        await page.run("location.reload()")
        await asyncio.sleep(0.3)
        await until(page, "document.querySelector('#hand .card')")
        print(f"{name}: {time.monotonic() - began:.1f} s from a reload to the own cards")
        again = await page.run(
            "[...document.querySelectorAll('#hand .card')].map((each) => each.dataset.key)"
        )
        assert set(hand) <= set(again)
        await start(page)
        await page.run("void guest.play()")
        await until(page, "document.querySelector('#sheet-over')", 150)
        assert (await host.until("done"))["status"] == "finished"
        (export,) = host.exports.glob("*.durak")
        async with asyncio.timeout(20):
            while await kept_export(page, address) != export.read_bytes():
                await asyncio.sleep(0.3)


async def kept_export(page: Engine, address: str) -> bytes:
    """The game as this browser keeps it, exported here."""
    (game,) = (await page.run(f"guest.kept({json.dumps(address.rpartition('+')[2])})"))["games"]
    log = Log(course(), Genesis.from_bytes(bytes.fromhex(game["genesis"])))
    for record in game["records"]:
        log.receive(bytes.fromhex(record))
    return log.export()
