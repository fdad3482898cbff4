"""What a seat can notice beyond the position: which cards a place seems not to hide.

Whoever passes seems to hold no plain card of the ranks on the table; whoever takes, no plain card that would
have beaten; whoever leads or beats, nothing much cheaper that would have done. All of it may be bluff or
thrift, so these are hints and never facts. They are kept per deck place and so stay right when hands change;
what is drawn later has a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from game.actions import Action, Beat, Lead, Pass, Take
from game.cards import ALL_CARDS, ALL_SUITS, SUIT_CARDS, members
from game.position import Position

SLACK: Final = 1
"""Ranks one may lead above one's cheapest card without anybody noticing."""


class Memory(NamedTuple):
    """`unlikely[place]` is the set of cards that place seems not to hide; () knows nothing about any."""

    unlikely: tuple[int, ...]


START: Final = Memory(())


def remember(memory: Memory, before: Position, met: Iterable[tuple[int, Action]]) -> Memory:
    """The memory after one height of play. `before` is the position the actions were taken at."""
    for seat, action in met:
        cards = _betrayed(before, action)
        if cards:
            unlikely = list(memory.unlikely or (0,) * before.setup.deck)
            for place in members(before.hands[seat]):
                unlikely[place] |= cards
            memory = Memory(tuple(unlikely))
    return memory


def _betrayed(position: Position, action: Action) -> int:
    """The cards whoever does this seems not to hold."""
    setup = position.setup
    trumps = SUIT_CARDS << 13 * setup.trump_suit
    match action:
        case Pass():
            return position.ranks * ALL_SUITS & ~trumps
        case Take():
            beaters = 0
            for attack in members(position.unbeaten):
                beaters |= setup.beaters[attack]
            return beaters & ~trumps
        case Lead(_, (card, *_)):
            lower = (1 << max(0, card % 13 - SLACK)) - 1
            if card // 13 == setup.trump_suit:
                return lower << 13 * setup.trump_suit | ALL_CARDS & ~trumps
            return lower * ALL_SUITS & ~trumps
        case Beat(attack, _, card):
            beaters = setup.beaters[attack]
            return beaters & ~setup.beaters[card] & ~(1 << card) if beaters >> card & 1 else 0
        case _:
            return 0
