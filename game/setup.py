"""What stays the same from the deal to the end of a game: options, trump, what beats what, who are
partners."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from game.cards import SUIT_CARDS, Card, bit_set, deck_cards
from game.options import Options


class Setup(NamedTuple):
    """What stays the same from the deal to the end. Built once per options and trump."""

    options: Options
    seats: int
    deck: int
    trump: Card
    trump_suit: int
    cards: int
    """The set of all cards of the deck."""
    beaters: tuple[int, ...]
    """Per card, the set of cards that beat it (R9)."""
    team: tuple[int, ...]
    """Per seat, the number of its team; its own number without teams."""
    neighbours: bool
    several: bool
    transfer: bool
    show: bool
    give: bool
    """`throw_after_take`."""
    cheating: bool


@lru_cache(maxsize=512)
def setup_of(options: Options, trump: Card) -> Setup:
    """The constants of a game with these options and this trump card."""
    seats = options.seats
    pairs = {"off": seats, "2v2": 2, "3v3": 2, "2v2v2": 3}[options.teams]
    return Setup(
        options=options,
        seats=seats,
        deck=options.deck,
        trump=trump,
        trump_suit=trump // 13,
        cards=bit_set(deck_cards(options.deck)),
        beaters=_all_beaters(trump // 13),
        team=tuple(seat % pairs for seat in range(seats)),
        neighbours=options.throwers == "neighbours",
        several=options.lead == "several",
        transfer=options.variant == "transfer",
        show=options.show_transfer,
        give=options.throw_after_take,
        cheating=options.cheating,
    )


@lru_cache(maxsize=4)
def _all_beaters(trump_suit: int) -> tuple[int, ...]:
    return tuple(_beaters(card, trump_suit) for card in range(52))


def _beaters(card: int, trump_suit: int) -> int:
    """R9: higher cards of its suit, and every trump if it is none."""
    own_suit = SUIT_CARDS << 13 * (card // 13)
    higher = own_suit & -(2 << card)
    return higher if card // 13 == trump_suit else higher | SUIT_CARDS << 13 * trump_suit
