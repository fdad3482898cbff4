"""How the levels play without thinking: a choice in a few operations on sets of bits."""

from __future__ import annotations

from game.bots.swift import Habit
from game.bots.worth import Worth


def easy_habit(worth: Worth) -> Habit:
    """R34: attacks low, beats with the smallest card that beats. Throws trumps in only once the talon is
    gone."""
    plain = ~worth.trumps

    def lead(hand: int, left: int, foe: int) -> int:
        return hand & -hand

    def beat(fits: int, attack: int, hand: int, ranks: int, left: int) -> int:
        return fits & -fits

    def throw(fits: int, hand: int, left: int, foe: int, taking: bool) -> int:  # noqa: FBT001
        if left:
            fits &= plain
        return fits & -fits

    def hand_on(fits: int, shown: int, unbeaten: int, hand: int, left: int) -> int:
        if hand & worth.beats[1 << unbeaten.bit_length() - 1]:
            return 0
        return fits & -fits if fits else -1

    return Habit(lead, beat, throw, hand_on)
