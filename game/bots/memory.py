"""What a seat can notice beyond the position: which cards a place seems not to hide.

Whoever passes seems to hold no plain card of the ranks on the table; whoever takes seems to hold no plain
card that would have beaten. Both may be bluff or thrift, so this is a hint and never a fact. Hints are kept
per deck place, so they stay right when hands change: a card drawn later has a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from game.actions import Action, Pass, Take
from game.cards import ALL_SUITS, SUIT_CARDS, members
from game.position import Position


class Memory(NamedTuple):
    """`unlikely[place]` is the set of cards that place seems not to hide; () knows nothing about any."""

    unlikely: tuple[int, ...]


START: Final = Memory(())


def remember(memory: Memory, before: Position, met: Iterable[tuple[int, Action]]) -> Memory:
    """The memory after one height of play. `before` is the position the actions were taken at."""
    for seat, action in met:
        if isinstance(action, Pass):
            memory = _add(memory, before, seat, before.ranks * ALL_SUITS)
        elif isinstance(action, Take):
            for attack in members(before.unbeaten):
                memory = _add(memory, before, seat, before.setup.beaters[attack])
    return memory


def _add(memory: Memory, position: Position, seat: int, cards: int) -> Memory:
    plain = cards & ~(SUIT_CARDS << 13 * position.setup.trump_suit)
    unlikely = list(memory.unlikely or (0,) * position.setup.deck)
    for place in members(position.hands[seat]):
        unlikely[place] |= plain
    return Memory(tuple(unlikely))
