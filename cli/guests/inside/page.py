"""The guest's page: the messages of docs/page-protocol.md, over a port instead of a socket."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from cli.page import decode
from cli.page.feed import WaysIn
from cli.page.loop import PageLoop, framed, now
from cli.page.peer_feed import PeerFeed
from cli.page.table import PageTable
from p2p.lobby import LobbyError, seated
from p2p.reasons import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.game_peer import GamePeer
    from cli.guests.inside.driver import GuestDriver
    from cli.page.table import Message
    from p2p.messages import Table

PASSING: Final = frozenset({Refusal.FULL, Refusal.STARTED, Refusal.OLD_ROUND})
"""Refusals that end when a seat comes free."""


class GuestPage:
    """`say` sends one frame (a JSON array) to the page; `wait` gives the seconds of one random wait."""

    def __init__(self, driver: GuestDriver, say: Callable[[str], None], wait: Callable[[], float]) -> None:
        self._peer = driver.peer
        self._games = driver.games
        self._say = say
        self._again = asyncio.Event()
        self._feed = PeerFeed(driver.peer, "friends", self._again, ways=WaysIn)
        self._table = PageTable(self._feed, wait)
        self._loop = PageLoop(self._feed, self._table, self._send, self._before_each_look)
        self._played: GamePeer | None = None
        self._table_seen: Table | None = None
        self._waits = False

    def welcome(self) -> None:
        """All a page needs that knows nothing."""
        self._send(self._table.welcome())

    def receive(self, text: str) -> None:
        """One intent of our own page; what is none is dropped."""
        with contextlib.suppress(decode.BadMessage):
            mine, everybody = self._table.receive(decode.read(text), now())
            self._send([*mine, *everybody])
            self._loop.received()

    def log_file(self) -> bytes:
        return self._feed.log_file()

    async def run(self) -> None:
        """Follow the peer and carry out orders. Never ends."""
        await self._loop.run()

    def _before_each_look(self) -> None:
        self._go_on_with_the_evening()
        self._seek_a_seat()

    def _seek_a_seat(self) -> None:
        """Who has none waits while a game is on, and then takes one that is free for all to see. The chair of
        somebody whose phone sleeps looks taken: to ask for that one is for a person to do."""
        peer, table = self._peer, self._peer.table
        if table is None or table is self._table_seen or peer.playing or peer.wishes.watches:
            return
        self._table_seen = table
        if any(line.identity == peer.identity.public for line in table.roster):
            self._waits = False
        elif table.game is not None:
            self._waits, peer.wishes.seat = True, False
        elif (self._waits or peer.refused in PASSING) and len(seated(table.roster)) < table.seats:
            peer.wishes.seat = True
            with contextlib.suppress(LobbyError):
                peer.sit()

    def _go_on_with_the_evening(self) -> None:
        """A seat is wanted again when the person says so after a game, in this tab or one before."""
        game = self._peer.game
        if game is None:
            return
        game_id = game.genesis.game_id
        if game is not self._played:
            self._played = game
            self._peer.wishes.seat = False
            self._feed.view()  # it takes each new game for one nobody has spoken of
            if game.done and self._games.wants_another(game_id):
                self._again.set()
        if game.done and game.seat is not None:
            self._games.want_another(game_id, on=self._again.is_set())
            self._peer.flush()
        if game.done and self._again.is_set() and not self._peer.wishes.seat:
            self._peer.sit_again()

    def _send(self, messages: list[Message]) -> None:
        if messages:
            self._say(framed(messages))
