"""What a play costs, judged at a glance: the normal bot makes the cheapest one.

Ten points are about one rank. A card costs its rank, a trump much more. It costs more if it opens a rank in
which others may throw in, less if the defender probably cannot beat it, and a lead less if more cards of its
rank can follow. The numbers were found by playing paired deals against the easy bot.
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never

from game.actions import Accuse, Action, Beat, Challenge, Lead, Pass, Resign, Show, Take, Throw, Transfer
from game.bots.bot import Turn
from game.bots.worth import worth_of
from game.cards import ALL_CARDS, bit_set, members

TOO_DEAR: Final = 10_000
NEVER: Final = 1_000
RANK: Final = 10
TRUMP: Final = 120
RANK_AT_THE_END: Final = 20
"""Without a talon nobody gets better cards any more: ranks differ more."""
REFILL: Final = 6
"""R34, minding the refill: with no more cards than this in the talon it does not pay to take."""
HAND_ON: Final = 50
"""What is saved by handing an attack on."""


class Prices(NamedTuple):
    """Numbers for a table with few or many seats."""

    pair: int
    """Off a lead, per further plain card of its rank in hand."""
    unbeatable: int
    """Off a card that certainly can't be beaten."""
    opens: int
    """Per card not seen yet of a rank not yet on the table."""
    pair_at_the_end: int
    unbeatable_at_the_end: int
    opens_at_the_end: int
    take: int
    """With many cards in the talon, less one half of a rank per card on the table."""


TWO: Final = Prices(60, 100, 20, 90, 200, 70, 140)
MANY: Final = Prices(20, 30, 20, 30, 60, 70, NEVER)


class Glance:
    """What a seat sees at once: its hand, what others hold for all to see, and how much is hidden."""

    def __init__(self, turn: Turn) -> None:
        position = turn.position
        setup = position.setup
        self.taking = position.taking
        self.left = setup.deck - position.next_place
        self.prices = TWO if setup.seats == 2 else MANY
        self.worth = worth = worth_of(setup)
        own = bit_set(
            tuple(card for place, card in turn.hand.items() if position.hands[turn.seat] >> place & 1)
        )
        self.hand = worth.bits(own)
        self.plays = len(position.plays)
        self.table = worth.bits(bit_set(tuple(laid.card for laid in position.plays)))
        self.unseen = worth.bits(~(position.seen | own) & ALL_CARDS)
        known = [0] * setup.seats
        for seat, hand in enumerate(position.hands):
            for place in members(hand):
                face = position.faces >> 6 * place & 63
                if face:
                    known[seat] |= worth.bit[face - 1]
        self.defender = known[position.defender]
        """The cards all know the defender to hold."""
        self.throwers = 0
        """The cards all know the other throwers to hold."""
        for seat in position.order:
            if seat != turn.seat:
                self.throwers |= known[seat]
        hidden = [
            place
            for place in members(position.hands[position.defender])
            if not position.faces >> 6 * place & 63
        ]
        self.hidden = len(hidden)
        doubted = self.unseen if turn.memory.unlikely and hidden else 0
        for place in hidden if doubted else ():
            doubted &= worth.bits(turn.memory.unlikely[place])
        self.possible = self.unseen & ~doubted
        """The cards the defender may hold, less those he seems to lack."""

    def price(self, action: Action) -> int:
        """The less the better."""
        worth, end = self.worth, not self.left
        match action:
            case Lead(_, cards):
                first = worth.bit[cards[0]]
                alike = self.hand & worth.alike[first] & ~worth.trumps & ~first
                many = self.prices.pair_at_the_end if end else self.prices.pair
                return self._card(first) - many * alike.bit_count() - self._hope(first) + len(cards)
            case Throw(_, card):
                bit = worth.bit[card]
                return TOO_DEAR if bit & worth.trumps and not end else self._card(bit) - self._hope(bit)
            case Beat(_, _, card):
                return self._card(worth.bit[card]) + self._opening(worth.bit[card])
            case Transfer(_, card):
                return self._card(worth.bit[card]) - HAND_ON
            case Show():
                return 0
            case Take():
                if self.left <= REFILL or self.prices.take == NEVER:
                    return NEVER
                return self.prices.take - RANK * (self.plays - 1) // 2
            case Pass():
                return NEVER
            case Resign() | Accuse() | Challenge():
                return 2 * TOO_DEAR
            case _:
                assert_never(action)

    def _card(self, bit: int) -> int:
        """What a card is worth."""
        rank = self.worth.rank[bit] * (RANK if self.left else RANK_AT_THE_END)
        return rank + TRUMP if bit & self.worth.trumps else rank

    def _hope(self, bit: int) -> int:
        """What it is worth that the defender may be unable to beat this card. Trumps are spared (R34)."""
        if self.left and bit & self.worth.trumps:
            return 0
        most = self.prices.unbeatable if self.left else self.prices.unbeatable_at_the_end
        return most * (100 - self.beatable(bit)) // 100

    def beatable(self, bit: int) -> int:
        """How probably the defender can beat a card, in per cent."""
        beats = self.worth.beats[bit]
        if self.defender & beats:
            return 100
        unseen = self.unseen.bit_count()
        if not unseen or not self.hidden:
            return 0
        harmless = unseen - (self.possible & beats).bit_count()
        spared: int = 100 * harmless**self.hidden // unseen**self.hidden
        return 100 - spared

    def _opening(self, bit: int) -> int:
        """What may be thrown in because of this card."""
        alike = self.worth.alike[bit]
        if alike & self.table:
            return 0
        each = self.prices.opens if self.left else self.prices.opens_at_the_end
        return each * ((alike & self.unseen).bit_count() + (alike & self.throwers).bit_count())
