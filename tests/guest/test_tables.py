"""Several guests at one table with native peers: one log, whatever each of them runs on."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.guest.browsing import PHONE, cards_of, open_guest, play_on, same_export, sit
from tests.guest.hosted import hosted, joined

pytestmark = [pytest.mark.guest, pytest.mark.browser]


async def test_two_guests_a_native_peer_and_the_host_end_with_one_log(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path / "host", bundle_folder, "--seats", "4") as host, AsyncExitStack() as stack:
        native = await stack.enter_async_context(joined(tmp_path / "native", host, "Cyril"))
        pages = []
        for name in ("Boris", "Dora"):
            context = await browser.new_context(**PHONE)
            pages.append(await open_guest(context, await host.address()))
            await sit(pages[-1], name)
        hands = [set(await cards_of(page)) for page in pages]
        assert not hands[0] & hands[1], "places of one deck"
        seats = pages[0].locator("#seats .seat")
        marks = await seats.evaluate_all("(all) => all.map((each) => each.dataset.program)")
        names = await seats.locator(".name").all_text_contents()
        assert dict(zip(names, marks, strict=True)) == {
            "Anna": "own-app",
            "Cyril": "own-app",
            "Dora": "guest-page",
        }
        await play_on(pages[0], until="body")
        await play_on(pages[1])
        await play_on(pages[0])
        await host.until("done")
        await native.until("done")
        exports = [await same_export(page, host.exports) for page in pages]
        (own,) = native.exports.glob("*.durak")
        assert exports[0] == exports[1] == own.read_bytes()
        assert all(page.errors == [] for page in pages)
