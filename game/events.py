"""What happened at one height, in the order people tell it. The same log tells the same story everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from game.cards import Card
    from game.rules import Result
    from ledger.engine import Height, Seat


@dataclass(frozen=True, slots=True)
class Joined:
    """All seats have signed the genesis."""


@dataclass(frozen=True, slots=True)
class KeysOpened:
    """All deck keys are open; the beacon is fixed."""


@dataclass(frozen=True, slots=True)
class DealVoid:
    """Equal keys or a zero sum: nobody is to blame, the deal is void."""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """`seat` shuffled and proved it; `done` of `total` shuffles."""

    seat: Seat
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """Everybody holds six cards; the trump card lies open."""

    trump: Card
    talon: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """`seat` claims the trump of `rank` (0 … 12), or none (R4)."""

    seat: Seat
    rank: int | None


@dataclass(frozen=True, slots=True)
class TrumpOpened:
    """The best claimant showed his trump."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class LeaderFixed:
    """Who leads the first bout, and why: "lowest-trump", "lot", "previous"."""

    seat: Seat
    why: str


@dataclass(frozen=True, slots=True)
class Led:
    seat: Seat
    defender: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Beaten:
    seat: Seat
    attack: Card
    card: Card


@dataclass(frozen=True, slots=True)
class Transferred:
    seat: Seat
    card: Card
    defender: Seat


@dataclass(frozen=True, slots=True)
class Shown:
    seat: Seat
    card: Card
    defender: Seat


@dataclass(frozen=True, slots=True)
class Thrown:
    seat: Seat
    card: Card
    taking: bool


@dataclass(frozen=True, slots=True)
class TakeDeclared:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Accused:
    """`seat` accused the play at `height`; upheld or false."""

    seat: Seat
    accused: Seat
    height: Height
    card: Card
    upheld: bool


@dataclass(frozen=True, slots=True)
class RolledBack:
    """The table returned to the state before `height` (R26)."""

    height: Height


@dataclass(frozen=True, slots=True)
class BoutBeaten:
    defender: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BoutTaken:
    defender: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """`seat` drew `count` cards from the talon; `talon` are left after all have drawn."""

    seat: Seat
    count: int
    talon: int


@dataclass(frozen=True, slots=True)
class WentOut:
    seat: Seat
    order: int


@dataclass(frozen=True, slots=True)
class Resigned:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameOver:
    result: Result


@dataclass(frozen=True, slots=True)
class ResultSigned:
    """Every seat has signed the result."""


@dataclass(frozen=True, slots=True)
class HandsOpened:
    """Every seat has published its deck secret; `deck` is the card at each place."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Aborted:
    """The others ended the game without `waiting_for` (R30)."""

    waiting_for: tuple[Seat, ...]
    durak: bool


Event: TypeAlias = (
    Joined
    | KeysOpened
    | DealVoid
    | Shuffled
    | Dealt
    | Claimed
    | TrumpOpened
    | LeaderFixed
    | Led
    | Beaten
    | Transferred
    | Shown
    | Thrown
    | TakeDeclared
    | Passed
    | Accused
    | RolledBack
    | BoutBeaten
    | BoutTaken
    | Drew
    | WentOut
    | Resigned
    | GameOver
    | ResultSigned
    | HandsOpened
    | Aborted
)
