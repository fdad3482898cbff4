"""The hard bot (R34): remembers every public card, searches, and plays the ending exactly where it can."""

from __future__ import annotations

from game.actions import Action
from game.bots.bot import Dice, Stop, Turn
from game.bots.finish import Notebook, by_line, by_luck, solvable, solve
from game.bots.habits import chance_habit, easy_habit, thrifty_habit
from game.bots.honest import accusation, honest_plays, no_accusation
from game.bots.lines import HASTY, THOROUGH
from game.bots.search import Search
from game.bots.worlds import Worlds
from game.bots.worth import worth_of


class Hard:
    """`dice` imagine the worlds."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._notebook = Notebook()

    def decide(self, turn: Turn, stop: Stop) -> Action:
        said = accusation(turn) or no_accusation(turn)
        if said is not None:
            return said
        plays = honest_plays(turn)
        if len(plays) == 1:
            return plays[0]
        position = turn.position
        if position.setup.cheating:
            # Imagined games are honest: everybody is bound, nobody accuses.
            position = position._replace(marked=(1 << position.setup.seats) - 1)
        worth = worth_of(position.setup)
        seats = position.setup.seats
        others = easy_habit(worth) if seats == 2 else thrifty_habit(worth, seats)
        habits = [others] * seats
        habits[turn.seat] = thrifty_habit(worth, seats)
        worlds = Worlds(turn, worth, self._dice)
        search = Search(position, turn.seat, plays, worlds, worth, habits)
        if worlds.certain and solvable(position):
            world = worlds.imagine()
            models = easy_habit(worth), thrifty_habit(worth, seats)
            own = habits[turn.seat]
            table = search.table
            tried = by_luck(search.best(stop), world, turn.seat, table, own, chance_habit(self._dice), stop)
            ordered = by_line(tried, world, turn.seat, table, own, models, HASTY, stop)
            endings = self._notebook.endings(position, turn.seat, world)
            best = solve(ordered, world, turn.seat, endings, stop)
            if len(best) > 1:
                # Lost, drawn or too hard to tell: what most probably goes wrong for the other.
                best = by_line(best, world, turn.seat, table, own, models, THOROUGH, stop)
            return best[0].action
        return search.best(stop)[0].action
