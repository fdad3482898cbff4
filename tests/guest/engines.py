"""Firefox and WebKitGTK from outside, as little as a guest's page needs: open an address, run a script in it.

Firefox speaks WebDriver BiDi over a WebSocket of its own; WebKitGTK classic WebDriver by its own driver.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import aiohttp

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox") or ""
WEBKIT = shutil.which("WebKitWebDriver") or ""
MINIBROWSER = next(map(str, Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")), "")
PREFERENCES = (
    'user_pref("network.proxy.type", 0);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
)


class Engine(Protocol):
    """One browser with one page."""

    async def open(self, address: str) -> None: ...

    async def run(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page, awaited, as JSON carries it."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@asynccontextmanager
async def program(*words: str) -> AsyncIterator[None]:
    process = await asyncio.create_subprocess_exec(
        *words,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # xvfb-run leaves its children behind
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        await process.wait()


class Firefox:
    def __init__(self, link: aiohttp.ClientWebSocketResponse) -> None:
        self._link = link
        self._asked = 0
        self._context = ""

    async def ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        await self._link.send_json({"id": self._asked, "method": method, "params": params})
        async for message in self._link:
            answer = json.loads(message.data)
            if answer.get("id") == self._asked:
                assert answer["type"] == "success", answer
                return answer["result"]
        raise ConnectionError("firefox has gone")

    async def begin(self) -> None:
        await self.ask("session.new", capabilities={})
        self._context = (await self.ask("browsingContext.getTree"))["contexts"][0]["context"]

    async def open(self, address: str) -> None:
        await self.ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    async def run(self, expression: str) -> Any:
        answer = await self.ask(
            "script.evaluate", expression=f"(async () => JSON.stringify(await ({expression}) ?? null))()",
            target={"context": self._context}, awaitPromise=True,
        )  # fmt: skip
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])


@asynccontextmanager
async def firefox(folder: Path) -> AsyncIterator[Engine]:
    folder.mkdir()
    (folder / "user.js").write_text(PREFERENCES)
    port = free_port()
    words = ("--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", str(port))
    async with program(FIREFOX, *words), aiohttp.ClientSession() as session:
        async with asyncio.timeout(60):
            while True:
                try:
                    link = await session.ws_connect(f"ws://127.0.0.1:{port}/session", max_msg_size=0)
                    break
                except aiohttp.ClientError:
                    await asyncio.sleep(0.2)
        engine = Firefox(link)
        await engine.begin()
        yield engine
        await link.close()


class WebKit:
    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session = session
        self._base = base

    async def ask(self, path: str, body: Any) -> Any:
        async with self._session.post(f"{self._base}{path}", json=body) as answer:
            said = await answer.json(content_type=None)
            assert answer.status == 200, said
            return said["value"]

    async def begin(self) -> None:
        options = {"binary": MINIBROWSER, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        found = await self.ask("/session", wanted)
        self._base += f"/session/{found['sessionId']}"

    async def open(self, address: str) -> None:
        await self.ask("/url", {"url": address})

    async def run(self, expression: str) -> Any:
        script = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => JSON.stringify(await ({expression}) ?? null))()"
            ".then((value) => done({ value }), (error) => done({ error: String(error) }));"
        )
        answer = await self.ask("/execute/async", {"script": script, "args": []})
        assert "value" in answer, answer
        return json.loads(answer["value"])

    async def end(self) -> None:
        async with self._session.delete(self._base):
            pass


@asynccontextmanager
async def webkit(folder: Path) -> AsyncIterator[Engine]:
    folder.mkdir()
    port = free_port()
    words = ("xvfb-run", "-a", "env", f"HOME={folder}", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1", WEBKIT)
    async with program(*words, f"--port={port}"), aiohttp.ClientSession() as session:
        engine = WebKit(session, f"http://127.0.0.1:{port}")
        async with asyncio.timeout(60):
            while True:
                try:
                    await engine.begin()
                    break
                except aiohttp.ClientError:
                    await asyncio.sleep(0.2)
        yield engine
        await engine.end()


ENGINES = {"firefox": (firefox, bool(FIREFOX)), "webkit": (webkit, bool(WEBKIT and MINIBROWSER))}
