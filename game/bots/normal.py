"""The normal bot (R34): spares trumps, throws ranks the defender seems to lack, minds the refill.

It goes by the prices of `game.bots.prices`, has no dice, and plays the last few cards of two seats out in its
head, once, as if both went on like the easy bot. It accuses every false play it saw.
"""

from __future__ import annotations

from typing import Final

from game.actions import Action
from game.bots.bot import Stop, Turn, never
from game.bots.finish import solvable
from game.bots.habits import easy_habit
from game.bots.honest import accusation, honest_plays, no_accusation
from game.bots.prices import Glance
from game.bots.search import Search
from game.bots.worlds import Worlds
from game.bots.worth import worth_of
from game.position import Position

LAST_CARDS: Final = 8
"""In both hands and on the table."""


class Normal:
    """No dice; `stop` is not needed."""

    def decide(self, turn: Turn, stop: Stop) -> Action:
        said = accusation(turn) or no_accusation(turn)
        if said is not None:
            return said
        plays = honest_plays(turn)
        if len(plays) > 1 and _few_cards(turn.position):
            plays = _played_out(turn, plays)
        return min(plays, key=Glance(turn).price)


def _few_cards(position: Position) -> bool:
    held = sum(hand.bit_count() for hand in position.hands)
    return solvable(position) and held + len(position.plays) <= LAST_CARDS


def _played_out(turn: Turn, plays: list[Action]) -> list[Action]:
    """The plays that come out best by habit; all, if the other hand is not certain."""
    position = turn.position._replace(marked=(1 << turn.position.setup.seats) - 1)
    worth = worth_of(position.setup)
    worlds = Worlds(turn, worth, lambda bits: 0)
    if not worlds.certain:
        return plays
    habits = [easy_habit(worth)] * position.setup.seats
    tried = Search(position, turn.seat, plays, worlds, worth, habits).best(never)
    return [branch.action for branch in tried if branch.points == tried[0].points]
