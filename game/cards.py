"""Cards and places (R1, R2). A card is 13·suit + (rank − 2), suits S H C D = 0 … 3; a place is an index in
the shuffled deck. Sets of cards and sets of places are ints: bit i is card i, or place i.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NewType

from game.errors import BadCard

Card = NewType("Card", int)
"""0 … 51, the same in every deck, on the wire and in hashes."""
Place = NewType("Place", int)
"""0 … deck − 1, from the top; the last one is the trump card."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHCD"
LOWEST_RANK: Final = {24: 7, 36: 4, 52: 0}
"""Rank (0 = two … 12 = ace) of the lowest card of each deck."""

ALL_SUITS: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""A set of ranks times this is the set of all cards of those ranks."""
SUIT_CARDS: Final = (1 << 13) - 1
"""The thirteen cards of suit 0; shifted left by 13·suit, those of another."""
ALL_CARDS: Final = (1 << 52) - 1
"""Every card there is."""

_RANK_INPUT: Final = {text: index for index, text in enumerate(RANKS)} | {
    "10": 8,
    "В": 9,
    "Д": 10,
    "К": 11,
    "Т": 12,
}
_SUIT_INPUT: Final = {text: index for index, text in enumerate(SUITS)} | {
    "♠": 0,
    "♥": 1,
    "♣": 2,
    "♦": 3,
    "♤": 0,
    "♡": 1,
    "♧": 2,
    "♢": 3,
}
_VARIATION_SELECTORS: Final = str.maketrans("", "", "\ufe0e\ufe0f")


def rank(card: int) -> int:
    """0 (two) … 12 (ace)."""
    return card % 13


def suit(card: int) -> int:
    """0 … 3 for spades, hearts, clubs, diamonds."""
    return card // 13


def card_of(rank: int, suit: int) -> Card:
    """The card of that rank (0 … 12) and suit (0 … 3)."""
    return Card(13 * suit + rank)


def card_text(card: int) -> str:
    """Rank and suit: `6S`, `TD`, `AC`."""
    return RANKS[card % 13] + SUITS[card // 13]


def parse_card(text: str) -> Card:
    """Read a card as people type it (R1): `6S`, `10d`, `6♠`, `S6`, `ТS`. Raises `BadCard`.

    Cyrillic В Д К Т are jack, queen, king, ace; Latin T is ten.
    """
    cleaned = text.strip().translate(_VARIATION_SELECTORS).upper()
    for rank_text, suit_text in ((cleaned[:-1], cleaned[-1:]), (cleaned[1:], cleaned[:1])):
        if rank_text in _RANK_INPUT and suit_text in _SUIT_INPUT:
            return card_of(_RANK_INPUT[rank_text], _SUIT_INPUT[suit_text])
    raise BadCard(text)


def deck_cards(size: int) -> tuple[Card, ...]:
    """The cards of a deck of 24, 36 or 52, ascending ids."""
    lowest = LOWEST_RANK[size]
    return tuple(Card(card) for card in range(52) if card % 13 >= lowest)


def members(bits: int) -> Iterator[int]:
    """The cards, places or seats of a bit set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def bit_set(items: tuple[int, ...]) -> int:
    """The bit set of some cards, places or seats."""
    bits = 0
    for item in items:
        bits |= 1 << item
    return bits
