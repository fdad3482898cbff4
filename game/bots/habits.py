"""How the levels play without thinking: a choice in a few operations on sets of bits."""

from __future__ import annotations

from typing import Final

from game.bots.bot import Dice
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


NEAR: Final = 3
"""Ranks a pair may be above the lowest card and still be led."""
DEAR: Final = 6
"""Ranks a card may be above the cheapest one and still beat, if its rank lies on the table."""
HIGH_TRUMP: Final = 4
"""With two seats, a trump so many ranks above the lowest is not spent on a plain card …"""
EARLY: Final = 6
"""… while more cards than this are in the talon."""


def thrifty_habit(worth: Worth, seats: int) -> Habit:
    """As one plays after some practice: leads pairs, opens no new ranks, hands attacks on, and with two seats
    rather takes early than spend a high trump. It wins 54 of 100 decided games against the easy habit."""
    trumps, alike, rank = worth.trumps, worth.alike, worth.rank
    plain = ~trumps
    window = 1 << 3 * NEAR + 2
    high = HIGH_TRUMP if seats == 2 else 13

    def lead(hand: int, left: int, room: int) -> int:
        best = hand & -hand
        near = hand & plain & (best * window - 1)
        most = 0
        while near:
            card = near & -near
            same = near & alike[card]
            number = same.bit_count()
            if number > most:
                best, most = card, number
            near ^= same
        return best

    def beat(fits: int, attack: int, hand: int, ranks: int, left: int) -> int:
        card = fits & -fits
        if card & ranks:
            return card
        if card & trumps:
            if left > EARLY and rank[card] >= high and attack & plain:
                return 0
            known = fits & ranks
        else:
            known = fits & ranks & plain
        known &= -known
        return known if known and rank[known] - rank[card] <= DEAR else card

    def throw(fits: int, hand: int, left: int, foe: int, taking: bool) -> int:  # noqa: FBT001
        if left:
            fits &= plain
        return fits & -fits

    def hand_on(fits: int, shown: int, unbeaten: int, hand: int, left: int) -> int:
        if fits & plain:
            return fits & -fits
        if hand & plain & worth.beats[1 << unbeaten.bit_length() - 1]:
            return 0
        return -1 if shown else fits & -fits

    return Habit(lead, beat, throw, hand_on)


def chance_habit(dice: Dice) -> Habit:
    """Anything at all, taking and passing as likely as any one card."""

    def any_of(cards: int, others: int) -> int:
        """One of the cards, or 0 as often as if it were `others` cards more."""
        for _ in range(dice(16) * (cards.bit_count() + others) >> 16):
            cards &= cards - 1
        return cards & -cards

    def lead(hand: int, left: int, room: int) -> int:
        return any_of(hand, 0)

    def beat(fits: int, attack: int, hand: int, ranks: int, left: int) -> int:
        return any_of(fits, 1)

    def throw(fits: int, hand: int, left: int, foe: int, taking: bool) -> int:  # noqa: FBT001
        return any_of(fits, 1)

    def hand_on(fits: int, shown: int, unbeaten: int, hand: int, left: int) -> int:
        return any_of(fits, 1)

    return Habit(lead, beat, throw, hand_on)
