"""The table page as a face of a running table; satisfies `cli.evening.Face`. Needs aiohttp to start."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import shutil
import sys
import webbrowser
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING

from cli.exits import CommandError, Exit
from cli.kept_results import kept
from cli.page.feed import WaysIn
from cli.page.peer_feed import PeerFeed
from cli.stopping import when_told_to_stop
from cli.texts.catalogue import SOURCE_LANGUAGE
from p2p.codes import invite, read_code, show_code

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Mapping

    from cli.app import App
    from cli.home import Home
    from cli.page.feed import Mode
    from cli.page.server import PageServer
    from cli.tables import AtTable


def can_show(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a page can be opened here: aiohttp is there, and a browser a person sees."""
    if importlib.util.find_spec("aiohttp") is None or "SSH_CONNECTION" in environment:
        return False
    if platform in {"darwin", "win32"} or shutil.which("termux-open-url", path=environment.get("PATH")):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


@asynccontextmanager
async def page_face(
    app: App, mode: Mode, *, browse: Callable[[str], object] | None = webbrowser.open
) -> AsyncIterator[PageFace]:
    """A page face, its server closed at the end. Raises CommandError where aiohttp is missing.

    `browse` opens an address in a browser; None: the person does it.
    """
    if importlib.util.find_spec("aiohttp") is None:
        raise CommandError(Exit.USAGE, "page.needs-web")
    face = PageFace(app, mode, browse)
    try:
        yield face
    finally:
        await face.close()


def ways_in(at: AtTable) -> WaysIn:
    """How others find this table: nothing to say where it is not ours."""
    if not at.peer.hosting:
        return WaysIn()
    addresses = tuple(each for each in at.driver.addresses if not each.startswith("ble:"))
    code = read_code(at.part.code) if at.part.code else None
    invitation = invite(code, at.driver.addresses, at.peer.identity.public).text if addresses else ""
    spoken = "" if code is None else show_code(code)
    if at.guests is None:
        return WaysIn(addresses, spoken, _qr(invitation))
    guests = at.guests.addresses
    return WaysIn(
        addresses, spoken, _qr(invitation), guests, _qr(guests[0]) if guests else (), at.guests.hint()
    )


@cache
def _qr(text: str) -> tuple[str, ...]:
    """The modules of a QR code, row by row; () without the package `segno`."""
    if not text or importlib.util.find_spec("segno") is None:
        return ()
    import segno

    return tuple(
        "".join("1" if dark else "0" for dark in row) for row in segno.make(text, micro=False).matrix
    )


async def _start(server: PageServer, home: Home) -> str:
    """Serve at the port used last, so that a tab left open finds us again; at any free one if it is taken.

    The port alone is kept: who listens there while we are away learns from the old tab a cookie that the next
    start does not know.
    """
    port = home.page_port()
    try:
        address = await server.start(port)
    except OSError:
        if not port:
            raise
        address = await server.start()
    with contextlib.suppress(OSError):
        home.keep_page_port(server.guard.port)
    return address


class PageFace:
    """One person with a browser. The page outlives games: it goes on with the next one of the table."""

    def __init__(self, app: App, mode: Mode, browse: Callable[[str], object] | None) -> None:
        self._app = app
        self._mode = mode
        self._browse = browse
        self._again = asyncio.Event()
        self._stopped = asyncio.Event()
        self._server: PageServer | None = None
        when_told_to_stop(self._stopped.set)

    async def gathering(self, at: AtTable) -> bool:
        """Show who is there; the page itself needs no help from here."""
        await self._open(at)
        await self._until(at.peer.changed())
        return not self._stopped.is_set()

    async def play(self, at: AtTable) -> bool:
        """One game, and after its end the page until the person wants another or another begins."""
        await self._open(at)
        game = at.peer.game
        assert game is not None
        while at.peer.game is game and at.peer.trouble is None:
            if self._stopped.is_set():
                return False
            if game.done and self._again.is_set():
                return True
            wishes = [self._again.wait()] if game.done else []
            await self._until(at.peer.changed(), *wishes)
        return True

    async def close(self) -> None:
        """Close the page's server."""
        if self._server is not None:
            await self._server.stop()

    async def _open(self, at: AtTable) -> None:
        if self._server is not None:
            return
        from cli.page.server import PageServer

        bots = at.bots
        feed = PeerFeed(
            at.peer,
            self._mode,
            self._again,
            ways=lambda: ways_in(at),
            seat_bot=None if bots is None else bots.seat,
            dismiss_bot=None if bots is None else bots.dismiss,
        )
        if self._mode == "friends":
            at.peer.by_hand()
        home = at.home
        self._server = PageServer(feed, language=self._language(), own_games=lambda: kept(home))
        self._app.tell("page.open", address=await _start(self._server, home))
        if self._browse is not None:
            await asyncio.to_thread(self._browse, self._server.ticket())

    def _language(self) -> str | None:
        """The language chosen for the program; None, for English by default, lets the browser say its own."""
        spoken = self._app.texts.language
        return spoken if self._app.settings.language or spoken != SOURCE_LANGUAGE else None

    async def _until(self, *things: Coroutine[object, object, object]) -> None:
        """Return when one of these has happened, or we are told to stop."""
        tasks = [asyncio.create_task(thing) for thing in (*things, self._stopped.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
