"""Looking for a line that wins against habit, where all cards are known: once two seats have no talon left.

Only one seat thinks here; the others go on by habit, so every line of its own choices has one ending. The
line its own habit gives comes first, then every line that departs from it once, then twice (limited
discrepancy search, Harvey and Ginsberg 1995). Each line is played from the start: cheaper than keeping
positions. While there is a talon no line departs: the seat could not know yet what it would depart for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from game.bots.bot import Stop
from game.bots.swift import Habit
from game.cards import members


class Effort(NamedTuple):
    """How far one looks for lines."""

    departures: int
    lines: int
    """Tried at most."""


THOROUGH: Final = Effort(departures=2, lines=120)
"""For the one world there is, once every card is known."""
HASTY: Final = Effort(departures=1, lines=12)
"""For one of many imagined worlds."""


class Choice(NamedTuple):
    """One decision on a line: what was chosen, the cards there were, and whether 0 or −1 were possible."""

    chosen: int
    cards: int
    others: tuple[int, ...]


def follow(habit: Habit, script: Sequence[int], line: list[Choice]) -> Habit:
    """The habit of a seat that makes the choices of `script` and then goes on by `habit`; `line` gets all of
    them."""

    def choose(left: int, usual: int, cards: int, *others: int) -> int:
        if left:
            return usual
        chosen = script[len(line)] if len(line) < len(script) else usual
        line.append(Choice(chosen, cards, others))
        return chosen

    def lead(hand: int, left: int, room: int) -> int:
        return choose(left, habit.lead(hand, left, room), hand)

    def beat(fits: int, attack: int, hand: int, ranks: int, left: int) -> int:
        return choose(left, habit.beat(fits, attack, hand, ranks, left), fits, 0)

    def throw(fits: int, hand: int, left: int, foe: int, taking: bool) -> int:  # noqa: FBT001
        return choose(left, habit.throw(fits, hand, left, foe, taking), fits, 0)

    def hand_on(fits: int, shown: int, unbeaten: int, hand: int, left: int) -> int:
        return choose(
            left, habit.hand_on(fits, shown, unbeaten, hand, left), fits, *((0, -1) if shown else (0,))
        )

    return Habit(lead, beat, throw, hand_on)


def best_line(play: Callable[[Habit], int], habit: Habit, win: int, effort: Effort, stop: Stop) -> int:
    """The most points any line tried brings; `play` plays one out and tells its points, `win` are enough.

    At least the line of habit is tried.
    """
    best = -1
    scripts: list[tuple[int, ...]] = [()]
    tried = 0
    for departure in range(effort.departures + 1):
        departing: list[tuple[int, ...]] = []
        for script in scripts:
            line: list[Choice] = []
            best = max(best, play(follow(habit, script, line)))
            tried += 1
            if best >= win or tried >= effort.lines or stop():
                return best
            if departure < effort.departures:
                departing += _departures(line, len(script))
        scripts = departing
    return best


def _departures(line: Sequence[Choice], start: int) -> Iterator[tuple[int, ...]]:
    """Every script that departs from a line once, at or after `start`, the earliest first."""
    for index in range(start, len(line)):
        chosen, cards, others = line[index]
        before = tuple(choice.chosen for choice in line[:index])
        for option in (*(1 << bit for bit in members(cards)), *others):
            if option != chosen:
                yield (*before, option)
