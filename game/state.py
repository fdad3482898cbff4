"""What is public of a game before one height: the course's state, which all peers compute alike.

Immutable. Its bytes (`Course.public_bytes`) are hashed into every entry, so that peers whose programs differ
notice at the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from game import rules
from game.cards import Card, Place
from ledger.engine import Height, Seat

if TYPE_CHECKING:
    from game.mental_poker.deck import MaskedDeck
    from game.options import Options
    from game.position import Position
    from game.rules import Result

HAND = 6
_FIRST = Height(0)


class Stage(IntEnum):
    """What the game is doing. Numbers are hashed (`public_bytes`): never reuse one."""

    JOIN = 0
    KEYS = 1
    SHUFFLE = 2
    ACK = 3
    DEAL = 4
    CLAIM = 5
    OPEN = 6
    NO_LOWER = 7
    PLAY = 8
    REFILL = 9
    RESULT = 10
    SECRETS = 11
    OVER = 12
    VOID = 13
    ABORTED = 14


@dataclass(frozen=True, slots=True)
class Setup:
    """What the genesis fixes: the same for every state of one game."""

    game_id: bytes
    options: Options
    names: tuple[str, ...]
    leader: Seat | None
    cards: tuple[Card, ...]

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def trump_place(self) -> Place:
        """The last place of the deck (R2, R3)."""
        return Place(len(self.cards) - 1)

    def dealt(self, seat: Seat) -> range:
        """The places dealt to a seat (R2)."""
        return range(HAND * seat, HAND * (seat + 1))


class CourseState(NamedTuple):
    """All that is public before one height.

    `tokens[place][seat]` is that seat's token (32 B) once it is in the log; `secrets` are the published deck
    secrets and `opened` the card at each place, both only after the SECRETS round.
    """

    setup: Setup
    stage: Stage = Stage.JOIN
    height: Height = _FIRST
    commitments: tuple[bytes, ...] = ()
    keys: tuple[bytes, ...] = ()
    nonces: tuple[bytes, ...] = ()
    joint: bytes = b""
    deck: MaskedDeck | None = None
    shuffled: int = 0
    tokens: tuple[tuple[bytes | None, ...], ...] = ()
    claimed: tuple[int | None, ...] = ()
    position: Position | None = None
    led: bool = False
    secrets: tuple[bytes, ...] = ()
    opened: tuple[Card, ...] = ()
    waited_for: tuple[Seat, ...] = ()

    @property
    def the_deck(self) -> MaskedDeck:
        assert self.deck is not None
        return self.deck

    @property
    def the_position(self) -> Position:
        assert self.position is not None
        return self.position

    @property
    def result(self) -> Result | None:
        """The result once play is over, else None."""
        if self.position is None or self.stage not in _WITH_RESULT:
            return None
        return rules.result(self.position)

    def other_tokens(self, place: int, holder: Seat) -> tuple[bytes, ...]:
        """The tokens of every seat but the holder, in seat order; all must be in the log."""
        found = [token for seat, token in enumerate(self.tokens[place]) if seat != holder]
        assert None not in found
        return tuple(token for token in found if token is not None)


_WITH_RESULT = (Stage.RESULT, Stage.SECRETS, Stage.OVER, Stage.ABORTED)
