"""A bot at a table: a face like any other. It reads what its seat may know and answers when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.thinking import Thinker
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from cli.peer import Peer
    from game.bots import Bot

THINKING = 0.05
"""Seconds a bot may think about one decision."""


class BotFace:
    """Plays the games of one peer, one after another. Thinks off the event loop."""

    def __init__(self, peer: Peer, player: Bot, *, seconds: float = THINKING) -> None:
        self._peer = peer
        self._player = player
        self._seconds = seconds

    async def play(self) -> None:
        """Play the peer's game to its end."""
        game = self._peer.game
        assert game is not None
        thinker = Thinker(game, self._player, seconds=self._seconds)
        while not game.done and game is self._peer.game:
            height = game.log.height
            turn = thinker.turn()
            if turn is None:
                if self._peer.absence.agreed:
                    await self._peer.go_on_without()
                await self._peer.changed()
                continue
            action = await thinker.decide(turn)
            if game.log.height != height:
                continue
            try:
                await self._peer.act(action)
            except LedgerError:
                await self._peer.changed()
