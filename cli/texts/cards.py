"""How a card is written for a person: index letters of the language, suits as letters or as signs.

Card ids are 13·suit + (rank − 2), suits S, H, C, D (RULES R1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.texts.catalogue import Texts
    from game.cards import Card

SUITS = ("S", "H", "C", "D")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SIGNS = ("♠", "♥", "♣", "♦")


@dataclass(frozen=True, slots=True)
class CardStyle:
    """`signs`: ♠♥♣♦ where the terminal can show them, else the letters of the language."""

    texts: Texts
    signs: bool

    def card(self, card: Card) -> str:
        """Index and suit, "10♠" or "10S"."""
        return self.rank(card % 13) + self.suit(card // 13)

    def cards(self, cards: Iterable[Card]) -> str:
        """Several cards with a space between; the catalogue's word for none if there is none."""
        return " ".join(self.card(card) for card in cards) or self.texts.say("cards.none")

    def rank(self, rank: int) -> str:
        """Index of rank 0 (the two) … 12 (the ace)."""
        text = RANKS[rank]
        return text if text.isdigit() else self.texts.say(f"rank.{text}")

    def suit(self, suit: int) -> str:
        """Sign or letter of suit 0 … 3."""
        return SIGNS[suit] if self.signs else self.texts.say(f"suit.letter.{SUITS[suit]}")

    def suit_name(self, suit: int) -> str:
        """The suit in a word, "spades"."""
        return self.texts.say(f"suit.name.{SUITS[suit]}")


def can_show_signs(encoding: str | None, terminal: str | None) -> bool:
    """Whether suits can be shown as signs: the encoding has them and the terminal is not a dumb one."""
    if terminal in {None, "", "dumb"}:
        return False
    try:
        "".join(SIGNS).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
