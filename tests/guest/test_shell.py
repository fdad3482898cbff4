"""What a first visit costs on the wire, and what is there before Python."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.guest.browsing import PHONE, cards_of, open_guest, sit
from tests.guest.hosted import hosted

pytestmark = [pytest.mark.guest, pytest.mark.browser]
INTERPRETER = ("pyodide", "python_stdlib", "cbor2", "durak.zip", "libsodium", "worker", "interpreter")
SHELL = 60_000
FIRST_VISIT = 7_000_000


class Wire:
    """Every answer with its size on the wire, headers and all, as the browser counts them."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.cached: set[str] = set()

    async def watch(self, context: Any) -> None:
        context.on("requestfinished", self._finished)

    async def _finished(self, request: Any) -> None:
        sizes = await request.sizes()
        self.sizes[request.url] = sizes["responseHeadersSize"] + sizes["responseBodySize"]


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_the_drawn_table_with_name_and_rules_is_small_and_needs_no_python(
    browser: Any, bundle_folder: Path, tmp_path: Path, language: str
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(**PHONE, locale=language)
        await context.route("**/guest-worker.js", lambda route: route.abort())
        wire = Wire()
        await wire.watch(context)
        page = await context.new_page()
        await page.goto(await host.address())
        await page.locator("#name").wait_for()
        assert await page.locator("#hand .back").count() == 6
        await page.locator("summary").click()
        assert await page.locator("details .rules li").count() > 8
        await page.wait_for_load_state("networkidle")
        for width in (320, 390):
            await page.set_viewport_size({"width": width, "height": 568})
            box = page.locator("#dealing")
            assert await box.evaluate("(box) => box.scrollWidth <= box.clientWidth"), "nothing is cut off"
        assert not [url for url in wire.sizes if any(part in url for part in INTERPRETER)]
        assert any(f"texts-{language}" in url for url in wire.sizes)
        print(f"{language}: {sum(wire.sizes.values())} bytes in {len(wire.sizes)} answers")
        assert 30_000 < sum(wire.sizes.values()) < SHELL


async def test_a_first_visit_to_the_seat_is_below_seven_megabytes_and_shows_how_far_it_is(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(**PHONE)
        wire = Wire()
        await wire.watch(context)
        page = await open_guest(context, await host.address())
        await page.evaluate(
            """() => {
              window.seen = [];
              const look = () => {
                const bar = document.querySelector("#guest-progress");
                if (bar) window.seen.push(bar.value);
              };
              const all = { subtree: true, childList: true, attributes: true };
              new MutationObserver(look).observe(document.body, all);
            }"""
        )
        await sit(page, "Boris")
        seen = await page.evaluate("() => window.seen")
        assert seen == sorted(seen)
        assert len(set(seen)) > 5
        assert seen[-1] == 100
        assert await page.locator("#guest-progress").count() == 0
        names = {url.rpartition("/")[2] for url in wire.sizes}
        assert {"pyodide.asm.wasm", "python_stdlib.zip", "durak.zip", "cbor2.whl"} <= names
        print(f"first visit: {sum(wire.sizes.values())} bytes in {len(wire.sizes)} answers")
        assert 4_000_000 < sum(wire.sizes.values()) < FIRST_VISIT
        again = Wire()
        await again.watch(context)
        await page.reload()
        await page.locator('body[data-guest="ready"]').wait_for()
        print(f"second visit: {sum(again.sizes.values())} bytes as counted")
        assert page.errors == []


async def test_no_bar_is_left_for_who_types_longer_than_the_loading_takes(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        page = await open_guest(await browser.new_context(**PHONE), await host.address())
        bar = page.locator("#guest-progress")
        await bar.wait_for()
        await bar.wait_for(state="detached")
        assert await page.locator("#name").is_visible()
        await sit(page, "Boris")
        await cards_of(page)
        assert await bar.count() == 0
        assert "Loading" not in await page.locator("body").inner_text()


async def test_before_a_guest_sits_down_every_button_does_something_and_an_empty_name_is_said(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(viewport={"width": 360, "height": 640})
        page = await open_guest(context, await host.address())
        field = page.locator("#name")
        await field.wait_for()
        seen = await page.get_by_role("button").evaluate_all(
            "(all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent)"
        )
        assert seen == ["Rules", "Sit down"]
        await page.get_by_role("button", name="Rules").click()
        assert "beats" in await page.locator("#sheet-help").inner_text()
        await page.keyboard.press("Escape")
        for name in ("", "   "):
            await field.fill(name)
            await page.locator("#sit").click()
            assert not await field.evaluate("(field) => field.validity.valid")
            assert await field.evaluate("(field) => field === document.activeElement")
        await page.locator("summary").click()
        await page.wait_for_timeout(200)
        part = await page.locator("details").bounding_box()
        box = await page.locator("#dealing").bounding_box()
        assert abs(part["y"] - box["y"]) < 20, "what was opened is what is seen"
        assert box["height"] > 400
        if os.environ.get("DURAK_SHOTS"):
            await page.screenshot(path=f"{os.environ['DURAK_SHOTS']}/shell-rules.png")
        await page.locator("summary").click()
        await sit(page, "Boris")
        assert await page.get_by_role("button", name="Menu").is_visible()
        assert page.errors == []
