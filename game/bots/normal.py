"""The normal bot (R34): spares trumps, throws ranks the defender seems to lack, minds the refill."""

from __future__ import annotations

from game.actions import Action
from game.bots.bot import Stop, Turn
from game.bots.easy import Easy
from game.bots.honest import accusation


class Normal:
    """Accuses every false play it saw."""

    def __init__(self) -> None:
        self._easy = Easy()

    def decide(self, turn: Turn, stop: Stop) -> Action:
        return accusation(turn) or self._easy.decide(turn, stop)
