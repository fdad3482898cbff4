"""Which of our own plays would be a cheat (R24), so that nobody cheats by a slip of the finger. Pure.

About plays we may make, never about those that lie: what is on the table hints at nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import rules
from game.actions import Beat, Throw
from game.cards import bit_set, rank
from game.setup import setup_of

if TYPE_CHECKING:
    from game.actions import Action
    from game.view import View


def is_bluff(view: View, action: Action) -> bool:
    """Whether this legal action would be false in the eyes of R24. Always False without cheating."""
    if not view.options.cheating or view.trump is None:
        return False
    match action:
        case Throw(_, card):
            lying = [each for pair in view.table for each in (pair.attack, pair.beat) if each is not None]
            return not rules.is_true_throw(bit_set(tuple(map(rank, lying))), card)
        case Beat(attack, _, card):
            return not rules.is_true_beat(setup_of(view.options, view.trump), attack, card)
        case _:
            return False
