"""Determinised search: every play is tried in many imagined worlds and played out by habit.

Many worlds count more than many playouts of one, so each world is played out once per play. In every world
all plays meet the same cards, which takes most of the luck out of comparing them; plays that have clearly
fallen behind are dropped on the way. Among equals the cheapest play is kept.

With two seats and a small talon, a world that habit would lose is looked at again: once the talon is gone
both hands are known, and the seat will play that ending better than by habit (`game.bots.lines`). Each such
line costs a playout, which is well spent only when the talon ends soon.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from game.actions import Action, cards_laid
from game.bots.bot import Stop
from game.bots.lines import HASTY, best_line
from game.bots.swift import Habit, Habits, Table, habits_of, standing_of, stock_of
from game.bots.worlds import Worlds
from game.bots.worth import Worth
from game.cards import members
from game.position import Phase, Position
from game.rules import play, settle

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0
ROUND: Final = 8
"""Worlds between two looks at who has fallen behind."""
PATIENCE: Final = 6
"""A play is dropped once its arrears, squared, are more than this times the number of worlds: about two
standard deviations of a difference of points."""
MOST_WORLDS: Final = 4096
SMALL_TALON: Final = 8
"""With no more cards in the talon, the endings of two seats are played better than by habit."""


def points(duraks: int, seat: int) -> int:
    """What an ending is worth to a seat; `duraks` is a set of seats, 0 for a draw."""
    if not duraks:
        return DRAW
    return LOSS if duraks >> seat & 1 else WIN


def cost(action: Action, worth: Worth) -> int:
    """What a play lays down: less is cheaper."""
    return sum(worth.bit[card] for _, card in cards_laid(action))


class Branch:
    """One play and what is the same in every world after it."""

    def __init__(self, position: Position, action: Action, worth: Worth, known: Sequence[int]) -> None:
        height = max((laid.height for laid in position.plays), default=0) + 1
        after = play(position, action, height)
        if after.phase is Phase.REFILL:
            after = settle(after, height)
        self.action = action
        self.cost = cost(action, worth)
        self.after = after
        self.points = 0
        self.over = after.phase is Phase.OVER
        self.duraks = sum(1 << seat for seat in after.duraks)
        if not self.over:
            self.standing = standing_of(after, worth)
        hands = [tuple(members(hand)) for hand in after.hands]
        self._known = [sum(known[place] for place in hand) for hand in hands]
        self._hidden = [tuple(place for place in hand if not known[place]) for hand in hands]

    def hands(self, world: Sequence[int]) -> list[int]:
        """Everybody's cards in this world."""
        found = self._known[:]
        for seat, places in enumerate(self._hidden):
            for place in places:
                found[seat] |= world[place]
        return found

    def play_on(self, world: Sequence[int], stock: Sequence[int], table: Table, habits: Habits) -> int:
        """The set of duraks when this world, with this talon, is played out by habit."""
        return self.duraks if self.over else table.play_on(self.standing, self.hands(world), stock, habits)


def outcome(
    branch: Branch,
    world: Sequence[int],
    stock: Sequence[int],
    table: Table,
    habits: Sequence[Habit],
    seat: int,
    own: Habit,
) -> int:
    """The points of `seat` for a play in this world; it goes on by its `own` habit, the others by theirs."""
    playing = list(habits)
    playing[seat] = own
    return points(branch.play_on(world, stock, table, habits_of(playing)), seat)


class Search:
    """The plays of one turn, compared in as many worlds as there is time for."""

    def __init__(
        self,
        position: Position,
        seat: int,
        actions: Sequence[Action],
        worlds: Worlds,
        worth: Worth,
        habits: Sequence[Habit],
    ) -> None:
        self._seat = seat
        self._worlds = worlds
        self.table = Table(position, worth)
        self._models = list(habits)
        self._habits = habits_of(habits)
        left = position.setup.deck - position.next_place
        self._looks_ahead = position.setup.seats == 2 and 0 < left <= SMALL_TALON
        self.branches = [Branch(position, action, worth, worlds.known) for action in actions]
        self.tried = 0
        """Worlds in which every play still alive was tried."""

    def best(self, stop: Stop) -> list[Branch]:
        """The plays still in question when `stop` says so or nothing more can be learned, the best first."""
        alive = sorted(self.branches, key=lambda branch: branch.cost)
        most = 1 if self._worlds.certain else MOST_WORLDS
        while len(alive) > 1 and self.tried < most and not stop():
            if not self._try(alive, stop):
                break
            self.tried += 1
            if self.tried % ROUND == 0:
                best = max(branch.points for branch in alive)
                alive = [b for b in alive if (best - b.points) ** 2 <= PATIENCE * self.tried]
        return sorted(alive, key=lambda branch: -branch.points)

    def _try(self, alive: list[Branch], stop: Stop) -> bool:
        """All plays in one more world; points count only if there was time for all of them."""
        world = self._worlds.imagine()
        stocks: dict[int, tuple[int, ...]] = {}
        found = []
        for branch in alive:
            top = branch.after.next_place
            stock = stocks.get(top) or stocks.setdefault(top, stock_of(world[top:]))
            if self._looks_ahead:
                playing = partial(outcome, branch, world, stock, self.table, self._models, self._seat)
                found.append(best_line(playing, self._models[self._seat], WIN, HASTY, stop))
            else:
                found.append(points(branch.play_on(world, stock, self.table, self._habits), self._seat))
            if self.tried and stop():
                return False
        for branch, won in zip(alive, found, strict=True):
            branch.points += won
        return True
