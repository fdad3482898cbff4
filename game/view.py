"""What one seat may know, as a face shows it (DESIGN §9). No face decides legality: it shows `legal`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.actions import Action
    from game.cards import Card, Place
    from game.options import Options
    from game.rules import Result
    from ledger.engine import Height, Seat


@dataclass(frozen=True, slots=True)
class Pair:
    """One attack card on the table and what beat it. `height` names the entry for an accusation (R25)."""

    attack: Card
    attacker: Seat
    attack_height: Height
    beat: Card | None
    beater: Seat | None
    beat_height: Height | None


@dataclass(frozen=True, slots=True)
class HandCard:
    """One own card: where it lies in the deck, its face, and whether all know it."""

    place: Place
    card: Card
    public: bool


@dataclass(frozen=True, slots=True)
class View:
    """Everything a seat (or a spectator, `me` None) may know before one height.

    `stage` is one of "join", "keys", "shuffle", "ack", "deal", "claim", "open", "no-lower", "play",
    "challenge", "refill", "result", "secrets", "over", "void", "aborted". Seat-indexed tuples have one item
    per seat.
    """

    options: Options
    names: tuple[str, ...]
    me: Seat | None
    height: Height
    stage: str
    waiting_for: tuple[Seat, ...]
    my_turn: bool
    trump: Card | None
    talon: int
    discard: tuple[Card, ...]
    counts: tuple[int, ...]
    hand: tuple[HandCard, ...]
    known: tuple[tuple[Card, ...], ...]
    table: tuple[Pair, ...]
    leader: Seat | None
    head: Seat | None
    defender: Seat | None
    word: Seat | None
    taking: bool
    passed: tuple[Seat, ...]
    marked: tuple[Seat, ...]
    capacity: int
    out: tuple[Seat, ...]
    result: Result | None
    legal: tuple[Action, ...]
