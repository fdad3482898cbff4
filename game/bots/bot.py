"""What a bot is: it is asked with everything its seat may know and answers with one of the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from game.actions import Action
from game.bots.memory import START, Memory
from game.cards import Card, Place
from game.position import Position

Dice: TypeAlias = Callable[[int], int]
"""`dice(bits)`: a uniform number of that many bits, as `secrets.randbits` or `random.Random(…).getrandbits`.

Never derived from anything public: whoever knows a bot's dice knows its moves.
"""

Stop: TypeAlias = Callable[[], bool]
"""Asked between two steps of thinking: True means answer now."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question to one seat.

    `hand` is the face of every own place, `legal` what `rules.legal_actions` says, never empty. `memory` is
    what the seat has noticed of the game so far; a bot plays without it too, only worse.
    """

    position: Position
    seat: int
    hand: Mapping[Place, Card]
    legal: tuple[Action, ...]
    memory: Memory = START


class Bot(Protocol):
    """A player by rule. It answers with one of `turn.legal`, never with `Resign`."""

    def decide(self, turn: Turn, stop: Stop) -> Action: ...


def never() -> bool:
    """A `Stop` that sets no limit."""
    return False
