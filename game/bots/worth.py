"""Cards by what they are worth, one bit each: plain cards by rank, then the trumps by rank.

A set of cards in this order shows its cheapest card as its lowest bit (`cards & -cards`), and in a game of 36
cards fits into 36 bits. Bots think in it; everything else speaks of cards (R1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from game.cards import LOWEST_RANK, Card, members
from game.position import Setup


class Worth(NamedTuple):
    """The order for one deck and one trump suit."""

    bit: tuple[int, ...]
    """Per card its bit; 0 for cards that are not in the deck."""
    card: dict[int, Card]
    """The other way round."""
    beats: dict[int, int]
    """Per bit, the set of cards that beat it (R9)."""
    alike: dict[int, int]
    """Per bit, the set of cards of its rank."""
    rank: dict[int, int]
    """Per bit, its rank above the lowest of the deck."""
    trumps: int
    ranks: int
    """How many ranks the deck has."""

    def bits(self, cards: int) -> int:
        """A set of cards (R1) in this order."""
        bit = self.bit
        found = 0
        for card in members(cards):
            found |= bit[card]
        return found


def worth_of(setup: Setup) -> Worth:
    """The order of this game's cards."""
    return _worth(setup.deck, setup.trump_suit, setup.beaters)


@lru_cache(maxsize=16)
def _worth(deck: int, trump_suit: int, beaters: tuple[int, ...]) -> Worth:
    lowest = LOWEST_RANK[deck]
    ranks = 13 - lowest
    plain = [suit for suit in range(4) if suit != trump_suit]
    bit = [0] * 52
    for rank in range(ranks):
        for index, suit in enumerate(plain):
            bit[13 * suit + lowest + rank] = 1 << 3 * rank + index
        bit[13 * trump_suit + lowest + rank] = 1 << 3 * ranks + rank
    beats = {}
    alike = {}
    for card in range(52):
        if bit[card]:
            beats[bit[card]] = sum(bit[other] for other in members(beaters[card]))
            alike[bit[card]] = sum(bit[13 * suit + card % 13] for suit in range(4))
    return Worth(
        bit=tuple(bit),
        card={bit[card]: Card(card) for card in range(52) if bit[card]},
        beats=beats,
        alike=alike,
        rank={bit[card]: card % 13 - lowest for card in range(52) if bit[card]},
        trumps=(1 << ranks) - 1 << 3 * ranks,
        ranks=ranks,
    )
