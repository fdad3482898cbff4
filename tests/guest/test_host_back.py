"""A host whose process was killed takes its game up with the page at its old address: guests go on."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.guest.browsing import PATIENCE, PHONE, cards_of, log_of, open_guest, play_on, press, sit
from tests.guest.hosted import hosted, program
from tests.guest.test_hidden import log_at

pytestmark = [pytest.mark.guest, pytest.mark.browser]


@asynccontextmanager
async def taken_up(home: Path) -> AsyncIterator[Path]:
    """`durak games resume` there; the file it talks into."""
    said = home / "said"
    with said.open("wb") as out:
        async with program(home, "--lang", "en", "games", "resume", stdout=out, stderr=out):
            yield said


async def test_guests_go_on_when_a_killed_host_takes_its_game_up(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        address = await host.address()
        page = await open_guest(await browser.new_context(**PHONE), address)
        await sit(page, "Boris")
        before = await cards_of(page)
        host.process.send_signal(signal.SIGKILL)
        await host.process.wait()
        async with taken_up(tmp_path) as said:
            async with asyncio.timeout(PATIENCE):
                while address.encode() not in said.read_bytes():
                    await asyncio.sleep(0.1)
            await page.reload()
            assert len(set(before) - set(await cards_of(page))) <= 1, "but for the card that was just played"
            await press(page)
            await play_on(page)
            async with asyncio.timeout(PATIENCE):
                while (log := log_at(host)) is None or log.export() != await log_of(page):
                    await asyncio.sleep(0.3)
