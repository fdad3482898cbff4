"""The random bot, for arenas alone: any honest action by its dice; it accuses nothing."""

from __future__ import annotations

from game.actions import Action
from game.bots.bot import Dice, Stop, Turn
from game.bots.honest import honest_plays, no_accusation


class Chance:
    """`dice` decide everything."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def decide(self, turn: Turn, stop: Stop) -> Action:
        silent = no_accusation(turn)
        if silent is not None:
            return silent
        plays = honest_plays(turn)
        return plays[self._dice(32) * len(plays) >> 32]
