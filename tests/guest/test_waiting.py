"""Who opens the page while others play is told so, looks on where that is allowed, gets in between games."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.guest.browsing import PHONE, cards_of, log_of, open_guest, play_on, sit
from tests.guest.hosted import hosted, joined

pytestmark = [pytest.mark.guest, pytest.mark.browser]


async def come(browser: Any, address: str, name: str, **more: Any) -> Any:
    """A guest of this name, as far as his table is shown to him."""
    page = await open_guest(await browser.new_context(**PHONE, **more), address)
    await page.locator("#name").fill(name)
    await page.locator("#sit").click()
    return page


async def test_who_comes_in_the_middle_of_a_game_is_told_looks_on_and_asks_for_a_seat_after_it(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2", "--watch", "--games", "2") as host:
        boris = await open_guest(await browser.new_context(**PHONE), await host.address())
        await sit(boris, "Boris")
        hand = set(await cards_of(boris))
        dora = await come(browser, await host.address(), "Dora", locale="de")
        await dora.get_by_text("An diesem Tisch läuft gerade ein Spiel").wait_for()
        assert "bekommst du einen Platz" in await dora.locator("#detail").inner_text()
        assert await dora.get_by_role("button", name="Um einen Platz bitten").count() == 0
        await dora.get_by_role("button", name="Zuschauen").click()
        await dora.locator("#seats li").nth(1).wait_for()
        assert await dora.locator("#hand .card").count() == 0
        assert sorted(await dora.locator("#seats .name").all_text_contents()) == ["Anna", "Boris"]
        assert hand == set(await cards_of(boris)), "nobody at the table notices"
        await play_on(boris)
        await dora.locator("#sheet-over").wait_for()
        await boris.context.close()
        await dora.locator("#sheet-over").get_by_role("button", name="Um einen Platz bitten").click()
        await dora.get_by_role("button", name="Einverstanden").click()
        assert len(await cards_of(dora)) == 6
        assert dora.errors == []


async def test_who_waits_gets_the_seat_that_comes_free_and_the_others_agree_to_the_new_table(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path / "host", bundle_folder, "--seats", "3", "--games", "2") as host:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(joined(tmp_path / "native", host, "Cyril"))
            boris = await open_guest(await browser.new_context(**PHONE), await host.address())
            await sit(boris, "Boris")
            await cards_of(boris)
            dora = await come(browser, await host.address(), "Dora")
            await dora.get_by_text("A game is on at this table").wait_for()
            assert await dora.get_by_role("button", name="Watch").count() == 0, "the table does not allow it"
            await play_on(boris)
            await boris.evaluate("() => guest.stop()")
            await dora.get_by_text("The table is full").wait_for()
        agree = dora.get_by_role("button", name="I agree")  # Cyril has got up
        await agree.wait_for()
        sheet = boris.locator("#sheet-over")
        await sheet.get_by_text("3 of 3 seats taken").wait_for()
        assert await sheet.locator(".people li").count() == 3
        assert "Dora" in await sheet.locator(".people").inner_text()
        await agree.click()
        await sheet.get_by_role("button", name="I agree").click()
        assert len(await cards_of(dora)) == 6
        await boris.locator('#seats .name:has-text("Dora")').wait_for()
        assert await boris.locator("#sheet-over").count() == 0
        assert dora.errors == boris.errors == []


async def test_who_loads_the_page_again_after_a_game_sees_it_still_and_still_wants_another(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "3", "--games", "2") as host:
        boris, dora = [
            await open_guest(await browser.new_context(**PHONE), await host.address()) for _ in range(2)
        ]
        await sit(boris, "Boris")
        await sit(dora, "Dora")
        await cards_of(boris)
        await cards_of(dora)
        await asyncio.gather(play_on(boris), play_on(dora))
        for page in (boris, dora):
            await page.evaluate("() => guest.stop()")
        sheet = boris.locator("#sheet-over")
        await sheet.get_by_role("button", name="Play again").click()
        waits = sheet.get_by_text("You want another game")
        await waits.wait_for()
        said = await sheet.inner_text()
        log = await log_of(boris)
        await boris.reload()
        await waits.wait_for()
        assert await sheet.inner_text() == said
        assert await log_of(boris) == log
        await dora.reload()
        await dora.locator("#sheet-over").get_by_role("button", name="Play again").click()
        assert len(await cards_of(boris)) == 6
        assert len(await cards_of(dora)) == 6
        assert boris.errors == dora.errors == []
