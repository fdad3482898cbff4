"""A bot at a table: a face like any other. It reads what its seat may know and answers when asked."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from game.bots import START, Turn, remember
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from cli.game_peer import GamePeer
    from cli.peer import Peer
    from game.bots import Bot, Memory, Stop

THINKING = 0.05
"""Seconds a bot may think about one decision."""


class BotFace:
    """Plays the games of one peer, one after another. Thinks off the event loop."""

    def __init__(self, peer: Peer, player: Bot, *, seconds: float = THINKING) -> None:
        self._peer = peer
        self._player = player
        self._seconds = seconds
        self._memory: Memory = START
        self._remembered = 0

    async def play(self) -> None:
        """Play the peer's game to its end."""
        game = self._peer.game
        assert game is not None
        self._memory, self._remembered = START, 0
        while not game.done and game is self._peer.game:
            height = game.log.height
            turn = self._turn(game)
            if turn is None:
                if self._peer.absence.agreed:
                    await self._peer.go_on_without()
                await self._peer.changed()
                continue
            action = await asyncio.to_thread(self._player.decide, turn, _alarm(self._seconds))
            if game.log.height != height:
                continue
            try:
                await self._peer.act(action)
            except LedgerError:
                await self._peer.changed()

    def _turn(self, game: GamePeer) -> Turn | None:
        """The question put to our seat now, None if none is."""
        for before, met in game.plays_from(self._remembered):
            self._memory = remember(self._memory, before, met)
        self._remembered = game.log.height
        return game.turn(self._memory)


def _alarm(seconds: float) -> Stop:
    """A stop that says True once this much time has gone by."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until
