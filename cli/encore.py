"""Who wants another game of this table once one is over.

The next game is agreed and shuffled at once, whatever people want (`cli.ahead`). That somebody wants it
is said by a hint, which nobody signs, and by the tokens of a seat that has dealt in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.state import Stage
from ledger.engine import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.peer import Peer
    from ledger.genesis import GameId
    from ledger.identity import PublicKey
    from p2p.events import NoticeArrived

AGAIN, NOT_AGAIN = 3, 4
"""Codes of NOTICE about a game that is over: "I want another one", "I do not, or no longer"."""


class Encore:
    """What the others at the table of `peer` have said since its last game ended."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._of: GameId | None = None
        self._said: set[Seat] = set()

    @property
    def wanting(self) -> tuple[Seat, ...]:
        """The seats of the game that is over, others than ours, that want another one; ascending."""
        self._follow()
        game = self._peer.game
        if game is None or not game.done:
            return ()
        dealt = set(self._dealt())
        seats = enumerate(record.identity_key for record in game.genesis.seats)
        return tuple(Seat(seat) for seat, key in seats if Seat(seat) in self._said or key in dealt)

    def say(self, *, on: bool) -> None:
        """Our person wants another game, or no longer."""
        game = self._peer.game
        if game is not None and game.done and game.seat is not None:
            self._peer.node.notice(game.genesis.game_id, AGAIN if on else NOT_AGAIN)

    def repeat(self) -> None:
        """Hints get lost with a link: say again what stands."""
        if self._peer.wishes.seat:
            self.say(on=True)

    def noticed(self, event: NoticeArrived) -> None:
        """What somebody else wants."""
        self._follow()
        if event.game != self._of:
            return
        if event.code == AGAIN:
            self._said.add(Seat(event.seat))
        elif event.code == NOT_AGAIN:
            self._said.discard(Seat(event.seat))

    def _dealt(self) -> Iterator[PublicKey]:
        """The others that have given their tokens in the next game."""
        coming = self._peer.next
        if coming is None or coming.game.state.stage is not Stage.DEAL:
            return
        for seat, record in enumerate(coming.game.genesis.seats):
            if Seat(seat) not in coming.game.log.waiting_for and seat != coming.game.seat:
                yield record.identity_key

    def _follow(self) -> None:
        """Forget what was said after an earlier game."""
        game = self._peer.game
        of = None if game is None else game.genesis.game_id
        if of != self._of:
            self._of = of
            self._said.clear()
