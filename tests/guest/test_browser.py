"""A guest with nothing but Chromium, on an origin it does not trust, at the table of a native peer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.guest.browsing import PHONE, cards_of, crash, open_guest, play_on, press, same_export, sit
from tests.guest.hosted import hosted

pytestmark = [pytest.mark.guest, pytest.mark.browser]


async def test_a_guest_plays_a_whole_game_and_both_hold_the_same_bytes(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(**PHONE)
        page = await open_guest(context, await host.address())
        assert await page.evaluate("() => isSecureContext") is False
        await sit(page, "Boris")
        await page.wait_for_selector('#dealing li:has-text("guest page: code from the host")')
        await cards_of(page)
        await play_on(page)
        await host.until("done")
        await same_export(page, host.exports)
        assert page.errors == []


async def test_reload_crash_and_a_second_tab_keep_seat_and_hand_and_end_with_the_same_bytes(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(**PHONE)
        address = await host.address()
        page = await open_guest(context, address)
        await sit(page, "Boris")
        for end in ("reload", "crash"):
            before = await cards_of(page)
            started = time.monotonic()
            if end == "crash":
                await crash(page)
                page = await open_guest(context, address)
            else:
                await page.reload()
            after = await cards_of(page)
            print(f"{end} to the own cards: {time.monotonic() - started:.1f} s")
            assert len(set(before) - set(after)) <= 1, "but for the card that was just played"
            await press(page)
        before = await cards_of(page)
        second = await open_guest(context, address)
        assert len(set(before) - set(await cards_of(second))) <= 1
        await page.get_by_text("open in another tab").wait_for()
        assert "open in another tab" in await page.locator("#now").inner_text()
        assert await page.locator("#seats [data-lost]").count() == 0, (
            "nobody is away because this tab has stopped"
        )
        assert await page.locator("#actions button").count() == 0
        await play_on(second)
        await host.until("done")
        await same_export(second, host.exports)
        assert second.errors == []
