"""A bot that follows one game as its seat sees it and thinks off the event loop: to play, or to advise."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from game.bots import START, Turn, remember

if TYPE_CHECKING:
    from cli.game_peer import GamePeer
    from game.actions import Action
    from game.bots import Bot, Memory, Stop


class Thinker:
    """One bot at one game; `seconds` is how long it may think about one decision."""

    def __init__(self, game: GamePeer, player: Bot, *, seconds: float) -> None:
        self.game = game
        self._player = player
        self._seconds = seconds
        self._memory: Memory = START
        self._remembered = 0

    def turn(self) -> Turn | None:
        """The question put to our seat now, None if none is."""
        for before, met in self.game.plays_from(self._remembered):
            self._memory = remember(self._memory, before, met)
        self._remembered = self.game.log.height
        return self.game.turn(self._memory)

    async def decide(self, turn: Turn) -> Action:
        """Its answer. The game may have gone on in the meantime."""
        return await asyncio.to_thread(self._player.decide, turn, _alarm(self._seconds))


def _alarm(seconds: float) -> Stop:
    """A stop that says True once this much time has gone by."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until
