"""The host's listener for guests: the bundle's files, and one path for the links. Needs aiohttp.

Another socket than the owner's page, with none of its routes: nothing here knows a hand, a key or a log. A
guest's own peer runs in his browser and talks to ours through the same encrypted session as any other.
"""

from __future__ import annotations

import contextlib
import re
import time
from contextlib import asynccontextmanager
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from aiohttp import web

from cli.guests.carried import carry
from cli.listening import runner_of
from cli.page.media import TYPES
from p2p.codes import fingerprint, show_code
from p2p.lan import EVERYWHERE
from p2p.stream import STREAM_MTU
from p2p.tcp import cannot_listen, host_of, listener_on

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from cli.guests.bundle import Bundle
    from ledger.identity import PublicKey
    from p2p.codes import JoinCode
    from p2p.lan import LanDriver

DEFAULT_PORT: Final = 8765
FOR_EVER: Final = "public, max-age=31536000, immutable"
HOST: Final = re.compile(r"[0-9A-Za-z.:\[\]-]{1,80}")


class GuestListener:
    """Serves `bundle` and carries links to `driver`. `start` binds; `port` is the port it got."""

    def __init__(self, bundle: Bundle, driver: LanDriver) -> None:
        self._bundle = bundle
        self._driver = driver
        self._runner: web.AppRunner | None = None
        self.port = 0
        self.opened: float | None = None
        """When the page was first asked for, by `time.monotonic`."""
        self.links = 0
        """How many WebSockets have been opened."""

    async def start(self, host: str = "", port: int = DEFAULT_PORT) -> None:
        """Raises `PortInUse` or `BadAddress`."""
        app = web.Application(middlewares=[self._with_policy])
        app.router.add_get("/", self._index)
        app.router.add_get("/bundle", self._manifest)
        app.router.add_get("/link", self._link)
        app.router.add_get("/b/{digest}/{name}", self._file)
        self._runner = runner_of(app)
        await self._runner.setup()
        try:
            listener = listener_on(host or EVERYWHERE[0], port)
        except OSError as error:
            await self._runner.cleanup()
            raise cannot_listen(error, host, port) from error
        self.port = int(listener.getsockname()[1])
        await web.SockSite(self._runner, listener).start()
        if not host:
            with contextlib.suppress(OSError):  # a device without IPv6
                await web.SockSite(self._runner, listener_on(EVERYWHERE[1], self.port)).start()

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    @web.middleware
    async def _with_policy(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        host = request.headers.get("Host", "")
        headers = _headers(host if HOST.fullmatch(host) else "")
        try:
            response = await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(headers)
            raise
        if not response.prepared:
            response.headers.update(headers)
        return response

    async def _index(self, _: web.Request) -> web.Response:
        self.opened = time.monotonic() if self.opened is None else self.opened
        answer = web.Response(
            body=self._bundle.page,
            content_type="text/html",
            charset="utf-8",
            headers={"Cache-Control": "no-cache"},
        )
        answer.enable_compression()
        return answer

    async def _manifest(self, _: web.Request) -> web.Response:
        """What others compare with their own (`durak doctor --guest-bundle`)."""
        body = self._bundle.files["manifest.json"]
        return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-cache"})

    async def _file(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if request.match_info["digest"] != self._bundle.digest or name not in self._bundle.packed:
            raise web.HTTPNotFound(text="no such file")
        headers = {"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"}
        body = self._bundle.files[name]
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            body = self._bundle.packed[name]
            headers["Content-Encoding"] = "gzip"
        kind = TYPES.get(PurePosixPath(name).suffix, "application/octet-stream")
        return web.Response(body=body, headers=headers | {"Content-Type": kind})

    async def _link(self, request: web.Request) -> web.WebSocketResponse:
        if request.headers.get("Origin") != f"http://{request.headers.get('Host')}":
            raise web.HTTPForbidden(text="foreign origin")
        socket = web.WebSocketResponse(max_msg_size=STREAM_MTU + 2, compress=False, heartbeat=20)
        await socket.prepare(request)
        self.links += 1
        if (transport := request.transport) is not None:
            own = host_of(transport.get_extra_info("sockname"))
            await carry(self._driver, socket, transport.abort, remote=request.remote or "", own=own)
        return socket


def guest_address(host: str, port: int, code: JoinCode | None, identity: PublicKey) -> str:
    """What the QR code opens: the part after # stays in the browser and reaches no server."""
    shown = f"[{host}]" if ":" in host else host
    spoken = "" if code is None else show_code(code)
    return f"http://{shown}:{port}/#{spoken}+{fingerprint(identity)}"


@asynccontextmanager
async def guests(
    bundle: Bundle, driver: LanDriver, *, host: str = "", port: int = DEFAULT_PORT
) -> AsyncIterator[GuestListener]:
    """A listener for as long as the context lasts. Raises `PortInUse` or `BadAddress`."""
    listener = GuestListener(bundle, driver)
    await listener.start(host, port)
    try:
        yield listener
    finally:
        await listener.stop()


def _headers(host: str) -> dict[str, str]:
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
            f"img-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
