"""The page's local server: static files, texts, one WebSocket per tab. Needs aiohttp (the extra `web`).

Bound to 127.0.0.1 alone. Every answer carries the policy of `guard`; nothing here reads a hand: it passes on
what `table` wrote for the own seat.
"""

from __future__ import annotations

import asyncio
import secrets
from importlib import resources
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from aiohttp import WSMsgType, web

from cli.engine import course
from cli.listening import runner_of
from cli.page import decode, encode
from cli.page.bundle import replay_page
from cli.page.guard import Guard
from cli.page.loop import PageLoop, framed, now
from cli.page.media import TYPES
from cli.page.replay import film
from cli.page.table import LONGEST_WAIT, SHORTEST_WAIT, PageTable
from cli.page.texts import choose, texts
from ledger.folder import MAX_LOG

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cli.own_games import OwnGames
    from cli.page.feed import Feed
    from cli.page.table import Message

LOOPBACK: Final = "127.0.0.1"
MOST_TABS: Final = 16
MOST_WAITING: Final = 256
"""Frames a tab may be behind; a slower one is closed and starts again from `welcome`."""
MOST_INTENTS: Final = 40
"""Intents a tab may send in a second."""


class PageServer:
    """Serves one table to the person at this device. `start` gives the address to open."""

    def __init__(
        self,
        feed: Feed,
        *,
        language: str | None = None,
        own_games: Callable[[], OwnGames] | None = None,
    ) -> None:
        self._feed = feed
        self._own_games = own_games
        self._language = language
        dice = secrets.SystemRandom()
        self._table = PageTable(feed, lambda: dice.uniform(SHORTEST_WAIT, LONGEST_WAIT))
        self._tabs: set[asyncio.Queue[str | None]] = set()
        self._files = _static_files()
        self._runner: web.AppRunner | None = None
        self._loop = PageLoop(feed, self._table, self._send)
        self._running: asyncio.Task[None] | None = None
        self._judging = asyncio.Lock()
        self._tickets: set[str] = set()
        self.guard = Guard(0, "", "")

    async def start(self, port: int = 0) -> str:
        """Bind, serve, and return the address with its token. Raises OSError when the port is taken."""
        app = web.Application(middlewares=[self._guarded], client_max_size=MAX_LOG)
        app.router.add_get("/", self._index)
        app.router.add_get("/replay", self._replay)
        app.router.add_post("/film", self._film)
        app.router.add_get("/static/{name}", self._static)
        app.router.add_get("/texts", self._texts)
        app.router.add_post("/enter", self._enter)
        app.router.add_get("/stats", self._stats)
        app.router.add_get("/entered", self._entered)
        app.router.add_get("/socket", self._socket)
        app.router.add_get("/log.durak", self._log)
        app.router.add_get("/case.durakcase", self._case)
        self._runner = runner_of(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, port)
        try:
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        bound = int(self._runner.addresses[0][1])
        self.guard = Guard(bound, secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        self._running = asyncio.create_task(self._loop.run())
        return self.guard.address

    def ticket(self) -> str:
        """An address that works once, for a browser's command line, which others on this device can read."""
        ticket = secrets.token_urlsafe(32)
        self._tickets.add(ticket)
        return self.guard.address.replace(self.guard.token, ticket)

    async def stop(self) -> None:
        """Close every tab and the port."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        for tab in self._tabs:
            tab.put_nowait(None)
        if self._runner is not None:
            await self._runner.cleanup()

    def _send(self, messages: list[Message]) -> None:
        if not messages:
            return
        frame = framed(messages)
        for tab in self._tabs:
            if tab.qsize() >= MOST_WAITING:
                while not tab.empty():
                    tab.get_nowait()
                tab.put_nowait(None)
            else:
                tab.put_nowait(frame)

    # The requests -----------------------------------------------------------------------------------------

    @web.middleware
    async def _guarded(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        try:
            if not self.guard.host_allowed(request.headers.get("Host")):
                raise web.HTTPForbidden(text="foreign host")
            if not self.guard.site_allowed(request.headers):
                raise web.HTTPForbidden(text="foreign origin")
            response = await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(self.guard.headers())
            raise
        if not response.prepared:
            response.headers.update(self.guard.headers())
        return response

    def _own(self, request: web.Request) -> None:
        """Raises 401 unless the request carries this start's cookie."""
        if not self.guard.session_fits(request.cookies.get(self.guard.cookie)):
            raise web.HTTPUnauthorized(text="open the address that durak has printed")

    async def _index(self, _: web.Request) -> web.Response:
        return self._file("index.html")

    async def _replay(self, _: web.Request) -> web.Response:
        return self._file("replay.html")

    async def _film(self, request: web.Request) -> web.Response:
        """A log file's verdict and frames; one at a time, beside the event loop."""
        self._own(request)
        data = await request.read()
        async with self._judging:
            found = await asyncio.to_thread(film, data, course())
        return web.json_response(found, headers={"Cache-Control": "no-store"})

    async def _static(self, request: web.Request) -> web.Response:
        return self._file(request.match_info["name"])

    def _file(self, name: str) -> web.Response:
        body = self._files.get(name)
        if body is None:
            raise web.HTTPNotFound(text="no such file")
        kind = TYPES[PurePosixPath(name).suffix]
        return web.Response(
            body=body, content_type=kind, charset="utf-8", headers={"Cache-Control": "no-cache"}
        )

    async def _texts(self, request: web.Request) -> web.Response:
        wanted = request.query.get("language") or self._language
        found = texts(choose(wanted, request.headers.get("Accept-Language", "")))
        return web.json_response(found, headers={"Cache-Control": "no-cache"})

    async def _enter(self, request: web.Request) -> web.Response:
        if not self.guard.origin_allowed(request.headers.get("Origin")):
            raise web.HTTPForbidden(text="foreign origin")
        token = (await request.content.read(200)).decode("ascii", "replace")
        if token in self._tickets:
            self._tickets.discard(token)
        elif not self.guard.token_fits(token):
            raise web.HTTPUnauthorized(text="open the address that durak has printed")
        response = web.Response(status=204, headers={"Cache-Control": "no-store"})
        response.set_cookie(self.guard.cookie, self.guard.session, httponly=True, samesite="Strict", path="/")
        return response

    async def _stats(self, request: web.Request) -> web.Response:
        """What the person's games on this device come to."""
        self._own(request)
        if self._own_games is None:
            raise web.HTTPNotFound(text="no games are kept here")
        own = await asyncio.to_thread(self._own_games)
        return web.json_response(encode.own_games(own), headers={"Cache-Control": "no-store"})

    async def _entered(self, request: web.Request) -> web.Response:
        """204 for a tab that has this start's cookie, so that a page can tell "refused" from "not there"."""
        self._own(request)
        return web.Response(status=204, headers={"Cache-Control": "no-store"})

    async def _log(self, request: web.Request) -> web.Response:
        self._own(request)
        return self._download(self._feed.log_file(), "durak")

    async def _case(self, request: web.Request) -> web.Response:
        self._own(request)
        case = self._feed.case_file()
        if case is None:
            raise web.HTTPNotFound(text="there is no case")
        return self._download(case, "durakcase")

    def _download(self, body: bytes, ending: str) -> web.Response:
        """A file to save, called as `durak games export` calls it."""
        name = f"{self._feed.situation().file or 'game'}.{ending}"
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
        return web.Response(body=body, content_type="application/octet-stream", headers=headers)

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        if not self.guard.origin_allowed(request.headers.get("Origin")):
            raise web.HTTPForbidden(text="foreign origin")
        self._own(request)
        if len(self._tabs) >= MOST_TABS:
            raise web.HTTPServiceUnavailable(text="too many tabs")
        socket = web.WebSocketResponse(max_msg_size=2 * decode.LONGEST, compress=False, heartbeat=20)
        await socket.prepare(request)
        tab: asyncio.Queue[str | None] = asyncio.Queue()
        tab.put_nowait(framed(self._table.welcome()))
        self._tabs.add(tab)
        writer = asyncio.create_task(_write(socket, tab))
        try:
            await self._listen(socket, tab)
        finally:
            self._tabs.discard(tab)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        return socket

    async def _listen(self, socket: web.WebSocketResponse, tab: asyncio.Queue[str | None]) -> None:
        window, heard = now(), 0
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            if now() - window >= 1:
                window, heard = now(), 0
            heard += 1
            if heard > MOST_INTENTS:
                break
            try:
                intent = decode.read(message.data)
            except decode.BadMessage:
                break
            mine, everybody = self._table.receive(intent, now())
            if mine:
                tab.put_nowait(framed(mine))
            self._send(everybody)
            self._loop.received()


async def _write(socket: web.WebSocketResponse, tab: asyncio.Queue[str | None]) -> None:
    while (frame := await tab.get()) is not None:
        await socket.send_str(frame)
    await socket.close()


def _static_files() -> dict[str, bytes]:
    """Every file of the page by name, read once: no path from a request ever reaches the file system."""
    folder = resources.files("cli.page") / "static"
    files = {
        file.name: file.read_bytes() for file in folder.iterdir() if PurePosixPath(file.name).suffix in TYPES
    }
    return files | {"replay.html": replay_page().encode()}
