"""The levels one can ask for."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, assert_never

from game.bots.bot import Bot, Dice
from game.bots.chance import Chance
from game.bots.easy import Easy
from game.bots.hard import Hard
from game.bots.normal import Normal

Level: TypeAlias = Literal["easy", "normal", "hard", "random"]

LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard", "random")
"""`random` is for arenas: nobody wants to play with it."""


def bot(level: Level, dice: Dice) -> Bot:
    """A player of that level with dice of its own."""
    match level:
        case "easy":
            return Easy()
        case "hard":
            return Hard(dice)
        case "normal":
            return Normal()
        case "random":
            return Chance(dice)
        case _:
            assert_never(level)
