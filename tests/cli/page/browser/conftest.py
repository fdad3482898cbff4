"""A real Chromium on the real server. Every screen is checked at its end: no console error, no request to
another origin, no message id in place of words."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("aiohttp")
playwright = pytest.importorskip("playwright.async_api")

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from cli.page.server import PageServer

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome") or ""
SHOTS = os.environ.get("DURAK_SHOTS", "")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTLED = """() => Promise.all(document.getAnimations()
  .filter((each) => each.effect.getTiming().iterations !== Infinity)
  .map((each) => each.finished.catch(() => {})))"""
MESSAGE_ID = re.compile(r"\b(page|event|role|stage|illegal|rules|result|leader|table|store)\.[a-z]")


@dataclass
class Screen:
    """One tab on one feed."""

    browser: Browser
    page: Page
    feed: object
    server: PageServer
    address: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))

    def _frame(self, data: object) -> None:
        self.frames.append(str(data))

    async def show(self, *changes: object, **more: object) -> None:
        """Change what the feed says and wait until the page shows it."""
        self.feed.show(*changes, **more)
        await self.settle()

    async def settle(self) -> None:
        """Until the last frame is on the screen and nothing moves any more."""
        await self.page.wait_for_timeout(60)
        await self.page.evaluate(SETTLED)

    async def until(self, selector: str, text: str, *, seconds: float = 5.0) -> None:
        """Until this part of the page says this."""
        await playwright.expect(self.page.locator(selector)).to_contain_text(text, timeout=1000 * seconds)

    async def text(self, selector: str) -> str:
        return await self.page.inner_text(selector)

    async def shot(self, name: str) -> None:
        """Keep a picture where DURAK_SHOTS names a folder."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            await self.page.screenshot(path=f"{SHOTS}/{name}.png")

    def check(self) -> None:
        origin = self.address.split("#")[0]
        foreign = [url for url in self.requests if not url.startswith((origin, "data:"))]
        assert foreign == []
        assert self.errors == []


@pytest.fixture(name="browser")
async def _browser() -> AsyncIterator[Browser]:
    if not CHROMIUM:
        pytest.skip("no Chromium: set CHROMIUM")
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture(name="open_screen")
async def _open_screen(browser: Browser, feed_of):
    """open_screen(view, width=, height=, language=, …) gives a Screen with the table on it."""
    screens: list[Screen] = []
    async with AsyncExitStack() as stack:

        async def open_screen(
            view, *, width=390, height=844, language="en", scheme="dark", motion="reduce", feed=None
        ):
            from cli.page.server import PageServer

            feed = feed or feed_of(view)
            server = PageServer(feed, language=language)
            address = await server.start()
            stack.push_async_callback(server.stop)
            context = await browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                reduced_motion=motion,
                service_workers="block",
            )
            stack.push_async_callback(context.close)
            page = await context.new_page()
            screen = Screen(browser, page, feed, server, address)
            screen.listen(page)
            await page.goto(address)
            await page.wait_for_selector("#seats li, #dealing h2")
            await screen.settle()
            screens.append(screen)
            return screen

        yield open_screen
        for screen in screens:
            if not screen.page.is_closed():
                body = await screen.page.inner_text("body")
                assert MESSAGE_ID.findall(body) == []
            screen.check()
