"""Playing an ending exactly: when two seats are left, the talon is empty and every card is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from game.bots.bot import Stop
from game.bots.ending import Ending, OutOfTime
from game.bots.lines import Effort, best_line
from game.bots.search import WIN, Branch, outcome, points
from game.bots.swift import Habit, Table, habits_of, stock_of
from game.bots.worth import worth_of
from game.cards import members
from game.position import Position

MOST_ANSWERS: Final = 400_000
"""Remembered answers until the notebook is emptied."""


GAMES_OF_LUCK: Final = 24
"""Played out per play, to see what an opponent that plays at random makes of it."""


NO_STOCK: Final = stock_of(())


class Notebook:
    """What a bot has found out about the endings of one game. It only saves time."""

    def __init__(self) -> None:
        self._about: object = None
        self._endings: dict[bool, Ending] = {}

    def endings(self, position: Position, seat: int, world: Sequence[int]) -> dict[bool, Ending]:
        """The two questions, by "must win", with the answers known so far."""
        about = (position.setup, repeated_bouts(position, seat, world))
        if about != self._about or sum(ending.size for ending in self._endings.values()) > MOST_ANSWERS:
            table = Table(position, worth_of(position.setup))
            self._about = about
            self._endings = {win: Ending(table, win=win, repeated=about[1]) for win in (True, False)}
        return self._endings


def solvable(position: Position) -> bool:
    """Two seats are left and nothing can be drawn."""
    return position.seats_in.bit_count() == 2 and position.next_place == position.setup.deck


def repeated_bouts(position: Position, seat: int, world: Sequence[int]) -> frozenset[tuple[int, int, bool]]:
    """R19: the bouts that have begun twice already, as (leader's hand, other hand, the seat leads)."""
    found = set()
    for key in position.memory:
        if position.memory.count(key) >= 2:
            leader, hands = key
            cards = [sum(world[place] for place in members(hand)) for hand in hands]
            other = sum(cards) - cards[leader]
            found.add((cards[leader], other, leader == seat))
    return frozenset(found)


def reaches(branch: Branch, world: Sequence[int], seat: int, ending: Ending, stop: Stop) -> bool:
    """Whether the seat reaches the goal after this play. Raises `OutOfTime`."""
    if branch.over:
        return points(branch.duraks, seat) >= ending.goal
    hands = branch.hands(world)
    defender = branch.standing.defender
    seats_in = branch.standing.seats_in ^ 1 << defender
    attacker = seats_in.bit_length() - 1
    return ending.reaches(branch.standing, hands[attacker], hands[defender], mine=attacker == seat, stop=stop)


def solve(
    branches: Sequence[Branch], world: Sequence[int], seat: int, endings: dict[bool, Ending], stop: Stop
) -> list[Branch]:
    """The plays that may be best, in the order given: exactly the best ones, if there was time.

    A play that wins is returned alone, at once.
    """
    lost: list[Branch] = []
    try:
        for branch in branches:
            if reaches(branch, world, seat, endings[True], stop):
                return [branch]
        for branch in branches:
            if not reaches(branch, world, seat, endings[False], stop):
                lost.append(branch)
    except OutOfTime:
        pass
    return [branch for branch in branches if branch not in lost] or list(branches)


def by_line(
    branches: Sequence[Branch],
    world: Sequence[int],
    seat: int,
    table: Table,
    own: Habit,
    models: Sequence[Habit],
    effort: Effort,
    stop: Stop,
) -> list[Branch]:
    """The plays by the best line that follows, the best first; equal ones stay in their order.

    Each model is one habit all others may have; the points against all of them are added up. All plays keep
    their order if there was not enough time.
    """
    scores = []
    for branch in branches:
        against = (
            partial(outcome, branch, world, NO_STOCK, table, [model] * table.seats, seat) for model in models
        )
        scores.append(sum(best_line(playing, own, WIN, effort, stop) for playing in against))
        if stop():
            return list(branches)
    return _ranked(branches, scores)


def by_luck(
    branches: Sequence[Branch],
    world: Sequence[int],
    seat: int,
    table: Table,
    own: Habit,
    chance: Habit,
    stop: Stop,
) -> list[Branch]:
    """The plays by how well they do against chance, the best first; equal ones stay in their order.

    What is lost against every habit is not given up: an opponent that has been lucky so far may play anyhow.
    All plays keep their order if there was not enough time.
    """
    habits = [chance] * table.seats
    habits[seat] = own
    everybody = habits_of(habits)
    scores = [0] * len(branches)
    for _ in range(GAMES_OF_LUCK):
        for index, branch in enumerate(branches):
            if stop():
                return list(branches)
            scores[index] += points(branch.play_on(world, NO_STOCK, table, everybody), seat)
    return _ranked(branches, scores)


def _ranked(branches: Sequence[Branch], scores: Sequence[int]) -> list[Branch]:
    """The plays by their scores, the best first; equal ones stay in their order."""
    order = sorted(range(len(branches)), key=lambda index: -scores[index])
    return [branches[index] for index in order]
