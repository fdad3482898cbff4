"""What a guest is told when the host does not answer, and the host when no guest comes: what to do."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.guests.bundle import load
from cli.guests.hosting import PATIENCE as HINT
from cli.guests.hosting import Invited
from tests.guest.browsing import PATIENCE, PHONE, cards_of, log_of, open_guest, play_on, same_export, sit
from tests.guest.hosted import hosted

aiohttp = pytest.importorskip("aiohttp")
pytestmark = [pytest.mark.guest, pytest.mark.browser]


@asynccontextmanager
async def instead(address: str, answer: Callable[[Any], Awaitable[Any]]) -> AsyncIterator[None]:
    """Somebody else answers where the host was."""
    from aiohttp import web

    name, _, port = address.partition("/#")[0].removeprefix("http://").partition(":")
    app = web.Application()
    app.router.add_route("*", "/{any:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await web.TCPSite(runner, name, int(port)).start()
                break
            except OSError:
                await asyncio.sleep(0.2)
    try:
        yield
    finally:
        await runner.cleanup()


async def test_a_guest_without_his_host_is_told_what_to_do(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    from aiohttp import web

    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        address = await host.address()
        page = await open_guest(await browser.new_context(**PHONE), address)
        await sit(page, "Boris")
        await cards_of(page)
    told = page.locator("#trouble")
    await page.get_by_text("keep it though it has no internet").wait_for(timeout=20_000)
    assert "does not answer" in await told.inner_text()
    assert "durak" not in await page.locator("#say").inner_text(), "a guest has none that he could start"

    async def portal(_: Any) -> Any:
        return web.Response(text="<h1>Welcome! Please sign in.</h1>", content_type="text/html")

    async with instead(address, portal):
        await page.get_by_text("sign-in page").wait_for(timeout=20_000)

    async def blocked(request: Any) -> Any:
        if request.path == "/bundle":
            return web.Response(
                body=load(bundle_folder).files["manifest.json"], content_type="application/json"
            )
        return web.Response(status=403)

    async with instead(address, blocked):
        await page.get_by_text("this Wi-Fi blocks it").wait_for(timeout=30_000)
    await page.context.set_offline(True)
    await page.get_by_text("The phone has no network").wait_for(timeout=20_000)


async def test_a_page_that_stayed_open_is_told_that_the_host_has_opened_another_table(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path / "first", bundle_folder, "--seats", "3") as host:
        address = await host.address()
        page = await open_guest(await browser.new_context(**PHONE), address)
        await sit(page, "Boris")
    await page.get_by_text("keep it though it has no internet").wait_for(timeout=20_000)
    asked, answer = asyncio.Event(), asyncio.Event()

    async def late(route: Any) -> None:
        asked.set()
        await answer.wait()
        await route.continue_()

    await page.evaluate("() => { AbortSignal.timeout = () => new AbortController().signal; }")
    await page.route("**/bundle", late)
    await asyncio.wait_for(asked.wait(), 20)  # after several links that failed
    shutil.copytree(
        tmp_path / "first", tmp_path / "second", ignore=shutil.ignore_patterns("exports", "games", "run")
    )
    port = address.partition("/#")[0].rpartition(":")[2]
    async with hosted(tmp_path / "second", bundle_folder, "--seats", "3", "--guest-port", port) as other:
        again = await other.address()
        assert again.rpartition("+")[2] == address.rpartition("+")[2], "the same host"
        assert again != address, "another table"
        words = page.get_by_text("That is not the table's join code")
        await words.wait_for(timeout=20_000)
        answer.set()
        await page.wait_for_timeout(6000)  # two more looks at the network
        assert await words.is_visible()
        assert "this Wi-Fi blocks it" not in await page.locator("body").inner_text()


COVERED = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const say = box("#status");
  const parts = ["#bar", "#trouble", "#hand", "#actions"].filter((part) => {
    const other = box(part);
    const high = Math.min(say.bottom, other.bottom) - Math.max(say.top, other.top);
    return high > 0.5 && Math.min(say.right, other.right) - Math.max(say.left, other.left) > 0.5;
  });
  return say.top < 0 || box("#trouble").bottom > innerHeight ? [...parts, "screen"] : parts;
}"""


@pytest.mark.parametrize("language", ["en", "de", "es", "ru"])
async def test_what_a_guest_without_his_host_is_told_fits_every_screen(
    browser: Any, bundle_folder: Path, tmp_path: Path, language: str
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        context = await browser.new_context(**PHONE, locale=language)
        page = await open_guest(context, await host.address())
        await page.locator("#name").fill("Boris")
        await page.locator("#sit").click()
        await page.locator("#actions button").first.click()
        await cards_of(page)
    await page.locator("#trouble:not(:empty)").wait_for()
    for width, height in ((844, 390), (360, 640), (320, 568), (390, 844)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_timeout(100)
        if os.environ.get("DURAK_SHOTS"):
            await page.screenshot(path=f"{os.environ['DURAK_SHOTS']}/away-{language}-{width}.png")
        assert await page.evaluate(COVERED) == [], f"{width}x{height}"


async def test_after_the_game_a_host_that_left_is_no_lost_network(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        page = await open_guest(await browser.new_context(**PHONE), await host.address())
        await sit(page, "Boris")
        await play_on(page)
        await same_export(page, host.exports)
    await page.get_by_text("this table is closed").wait_for(timeout=20_000)
    assert "goes on" not in await page.locator("body").inner_text()
    assert await log_of(page) == next(host.exports.glob("*.durak")).read_bytes()


async def test_an_address_that_is_cut_or_mistyped_is_told_from_a_wrong_code(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        address = await host.address()
        base, _, fragment = address.partition("#")
        host_print = fragment.partition("+")[2]
        for cut in (base, f"{base}#{fragment[:9]}", f"{base}#HELLO+{host_print}"):
            page = await open_guest(await browser.new_context(**PHONE), cut)
            await page.get_by_text("This address lacks its end").wait_for()
            assert "Opening" not in await page.locator("body").inner_text()
            assert page.errors == []
        page = await open_guest(await browser.new_context(**PHONE), f"{base}#0000-0000-0000+{host_print}")
        await page.locator("#name").fill("Boris")
        await page.locator("#sit").click()
        await page.get_by_text("That is not the table's join code").wait_for()
        assert "Scan the code on the host's screen again" in await page.locator("#detail").inner_text()
        assert "Opening" not in await page.locator("body").inner_text()


async def test_the_right_address_after_a_wrong_one_is_taken_in_the_same_tab(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    """They differ by their ends alone, so that no browser loads the page again."""
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        address = await host.address()
        page = await open_guest(await browser.new_context(**PHONE), address.partition("+")[0])
        await page.get_by_text("This address lacks its end").wait_for()
        base, _, fragment = address.partition("#")
        await page.goto(f"{base}#0000-0000-0000+{fragment.partition('+')[2]}")
        await page.locator("#name").fill("Boris")
        await page.locator("#sit").click()
        await page.get_by_text("That is not the table's join code").wait_for()
        await page.goto(address)
        await page.get_by_role("button", name="I agree").click()
        await cards_of(page)
        assert page.url == address
        assert page.errors == []


async def test_the_game_goes_on_by_itself_when_the_host_is_back(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        page = await open_guest(await browser.new_context(**PHONE), await host.address())
        await sit(page, "Boris")
        await cards_of(page)
        host.process.send_signal(signal.SIGSTOP)  # the host's device sleeps
        await page.wait_for_timeout(2000)
        host.process.send_signal(signal.SIGCONT)
        await play_on(page)
        assert (await host.until("done"))["status"] == "finished"


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 "
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 7"


@pytest.mark.parametrize(
    ("agent", "small"),
    [
        (f"{IPHONE}Mobile/15E148", True),
        (f"{IPHONE}Version/17.0 Mobile/15E148 Safari/604.1", False),
        (f"{ANDROID}; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile Safari/537.36", True),
        (f"{ANDROID}) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36", False),
    ],
)
async def test_the_sign_in_window_of_a_network_is_told_from_a_browser(
    browser: Any,
    bundle_folder: Path,
    tmp_path: Path,
    agent: str,
    small: bool,  # noqa: FBT001
) -> None:
    bundle = load(bundle_folder)
    context = await browser.new_context(**PHONE, user_agent=agent)

    async def answer(route: Any) -> None:
        name = route.request.url.rpartition("/")[2] or "index.html"
        kinds = {"js": "text/javascript", "css": "text/css", "html": "text/html", "json": "application/json"}
        if name == "guest-worker.js":
            await route.abort()
        else:
            await route.fulfill(
                body=bundle.files[name], content_type=kinds.get(name.rpartition(".")[2], "text/plain")
            )

    await context.route("**/*", answer)
    page = await context.new_page()
    await page.goto("http://192.0.2.77:8765/#ABCD-EFGH-JKMN+0123456789abcdef")
    await page.locator("#sit").wait_for()
    assert await page.locator(".warning").count() == int(small)


def test_a_host_whom_no_guest_reaches_is_told_why_that_may_be() -> None:
    listener = SimpleNamespace(links=0, opened=None)
    now = time.monotonic()
    assert Invited(("http://a",), listener, now).hint() == ""  # type: ignore[arg-type]
    assert Invited(("http://a",), listener, now - HINT - 1).hint() == "guests.nobody"  # type: ignore[arg-type]
    listener.opened = now
    assert Invited(("http://a",), listener, now - HINT - 1).hint() == ""  # type: ignore[arg-type]
    listener.opened = now - HINT - 1
    assert Invited(("http://a",), listener, now - HINT - 1).hint() == "guests.no-link"  # type: ignore[arg-type]
    listener.links = 1
    assert Invited(("http://a",), listener, now - HINT - 1).hint() == ""  # type: ignore[arg-type]
