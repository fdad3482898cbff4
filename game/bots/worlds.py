"""Imagined worlds: ways the hidden cards may lie, all consistent with everything that is public.

Known faces stay where they are, cards seen elsewhere are nowhere else, and every hidden place — in a hand or
in the talon — gets one of the cards not seen yet. What `game.bots.memory` noticed is followed softly: most
unlikely cards are swapped away, some stay, because people bluff and spare.
"""

from __future__ import annotations

from typing import Final

from game.bots.bot import Dice, Turn
from game.bots.worth import Worth
from game.cards import bit_set, deck_cards, members

BELIEF: Final = 14
"""Out of 16: how often an unlikely card is swapped away, if one can be found that is not."""
TRIES: Final = 6


class Worlds:
    """The worlds one seat may imagine at one turn. Cards are bits of `worth`."""

    def __init__(self, turn: Turn, worth: Worth, dice: Dice) -> None:
        position = turn.position
        deck = position.setup.deck
        self._dice = dice
        self.known = [
            worth.bit[face - 1] if (face := position.faces >> 6 * place & 63) else 0 for place in range(deck)
        ]
        for place, card in turn.hand.items():
            self.known[place] = worth.bit[card]
        held = [place for hand in position.hands for place in members(hand) if not self.known[place]]
        talon = [place for place in range(position.next_place, deck) if not self.known[place]]
        self._hidden = held + talon
        self._held = len(held)
        seen = position.seen | bit_set(tuple(turn.hand.values()))
        self._unseen = [worth.bit[card] for card in deck_cards(deck) if not seen >> card & 1]
        others = sum(any(place in held for place in members(hand)) for hand in position.hands)
        self.certain = len(self._hidden) <= 1 or (not talon and others <= 1)
        """All worlds are one, as far as anybody's play goes."""
        unlikely = turn.memory.unlikely
        self._unlikely = [worth.bits(unlikely[place]) for place in self._hidden] if unlikely else []
        self._doubtful = any(self._unlikely[: self._held])

    def imagine(self) -> list[int]:
        """One world: the card at each place, 0 at places that do not matter any more."""
        cards = self._unseen[:]
        number = len(cards)
        luck = self._dice(16 * number)
        for index in range(number - 1, 0, -1):
            other = (luck & 65535) * (index + 1) >> 16
            luck >>= 16
            cards[index], cards[other] = cards[other], cards[index]
        if self._doubtful:
            self._believe(cards)
        world = self.known[:]
        for place, card in zip(self._hidden, cards, strict=True):
            world[place] = card
        return world

    def _believe(self, cards: list[int]) -> None:
        """Swap unlikely cards out of the hands, where a partner for the swap is found."""
        unlikely = self._unlikely
        number = len(cards)
        for index in range(self._held):
            if cards[index] & unlikely[index]:
                luck = self._dice(4 + 8 * TRIES)
                if luck & 15 >= BELIEF:
                    continue
                for _ in range(TRIES):
                    luck >>= 8
                    other = (luck & 255) * number >> 8
                    if not (cards[other] & unlikely[index] or cards[index] & unlikely[other]):
                        cards[index], cards[other] = cards[other], cards[index]
                        break
