"""The guest's page: the messages of docs/page-protocol.md, over a port instead of a socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING

from cli.page import decode
from cli.page.feed import WaysIn
from cli.page.peer_feed import PeerFeed
from cli.page.table import AskGoOn, AskRematch, Do, InLobby, PageTable
from game.errors import GameError
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.game_peer import GamePeer
    from cli.guests.inside.driver import GuestDriver
    from cli.page.table import Message


class GuestPage:
    """`say` sends one frame (a JSON array) to the page; `wait` gives the seconds of one random wait."""

    def __init__(self, driver: GuestDriver, say: Callable[[str], None], wait: Callable[[], float]) -> None:
        self._peer = driver.peer
        self._say = say
        self._again = asyncio.Event()
        self._feed = PeerFeed(driver.peer, "friends", self._again, ways=WaysIn)
        self._table = PageTable(self._feed, wait)
        self._changed = asyncio.Event()
        self._played: GamePeer | None = None

    def welcome(self) -> None:
        """All a page needs that knows nothing."""
        self._send(self._table.welcome())

    def receive(self, text: str) -> None:
        """One intent of our own page; what is none is dropped."""
        with contextlib.suppress(decode.BadMessage):
            mine, everybody = self._table.receive(decode.read(text), _now())
            self._send([*mine, *everybody])
            self._changed.set()

    def log_file(self) -> bytes:
        return self._feed.log_file()

    async def run(self) -> None:
        """Follow the peer and carry out orders. Never ends."""
        await asyncio.gather(self._follow(), self._think())

    async def _follow(self) -> None:
        while True:
            self._go_on_with_the_evening()
            self._send(self._table.changed(_now()))
            self._changed.set()
            await self._feed.wait()

    def _go_on_with_the_evening(self) -> None:
        """A seat is wanted again when the person says so after the end of a game."""
        game = self._peer.game
        if game is not None and game is not self._played:
            self._played = game
            self._peer.wants_seat = False
        if game is not None and game.done and self._again.is_set() and not self._peer.wants_seat:
            self._peer.sit_again()

    async def _think(self) -> None:
        while True:
            self._changed.clear()
            for order in self._table.take_orders():
                match order:
                    case Do(height, action):
                        try:
                            await self._feed.act(height, action)
                        except (LedgerError, GameError):
                            self._send(self._table.failed(height))
                    case AskRematch(on):
                        await self._feed.rematch(on=on)
                    case AskGoOn(on):
                        await self._feed.go_on_without(on=on)
                    case InLobby(wish):
                        refusal = await self._feed.lobby(wish)
                        self._send([] if refusal is None else self._table.refused(refusal))
                    case _:  # what only a host or a practice table can be asked
                        pass
            deadline = self._table.deadline()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(
                    self._changed.wait(), None if deadline is None else max(0, deadline - _now())
                )
            self._table.tick(_now())

    def _send(self, messages: list[Message]) -> None:
        if messages:
            self._say(json.dumps(messages, ensure_ascii=False, separators=(",", ":")))


def _now() -> float:
    return asyncio.get_running_loop().time()
