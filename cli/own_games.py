"""What the games of this device come to for its person: counted from the own logs, on this device only.

A result counts once our own seat has signed it: our peer has checked the game by then, so nothing is checked
again and hundreds of games take a moment. A game that ended otherwise (R30, R32) is told apart from one that
may still be played. Partners of a team share a loss and neither beats the other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from game import kinds
from game.payloads import SignedResult, read_result
from ledger.engine import Seat

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from game.position import Result
    from ledger.entry import Entry
    from ledger.genesis import GameId, Genesis
    from ledger.identity import PublicKey

DRAW = 1
NOTHING: Mapping[GameId, Result | None] = MappingProxyType({})


@dataclass(slots=True)
class Companion:
    """One identity we have played with. `won`: it was the durak and we were not; `lost`: the other way.
    `bot`: it is one of this device."""

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0
    bot: bool = False


@dataclass(slots=True)
class OwnGames:
    """`places[n]` is how often we went out as number n, from 1. `ended` games came to nothing, `unfinished`
    ones have no result yet."""

    games: int = 0
    unfinished: int = 0
    ended: int = 0
    me: str = ""
    """The name we played by last: a companion of the same name is told apart from us."""
    durak: int = 0
    draws: int = 0
    pogony: int = 0
    pogony_given: int = 0
    places: Counter[int] = field(default_factory=Counter)
    companions: dict[PublicKey, Companion] = field(default_factory=dict)

    @property
    def most_played(self) -> list[Companion]:
        """Whom we have played with, most games first."""
        return sorted(self.companions.values(), key=lambda each: (-each.games, each.name))


def count(
    games: Iterable[tuple[Genesis, Iterable[Entry]]],
    me: PublicKey,
    bots: Collection[PublicKey] = (),
    ended: Mapping[GameId, Result | None] = NOTHING,
) -> OwnGames:
    """All games in which `me` has a seat, the oldest first, so that the newest name of everybody is kept.
    `bots`: the keys of this device's bots; `ended`: what came of games in which no result is signed."""
    total = OwnGames()
    for genesis, entries in games:
        seat = next(
            (Seat(seat) for seat, record in enumerate(genesis.seats) if record.identity_key == me), None
        )
        if seat is None:
            continue
        total.me = genesis.seats[seat].name
        result = _signed_by(entries, seat) or ended.get(genesis.game_id)
        if result is None:
            total.ended += genesis.game_id in ended
            total.unfinished += genesis.game_id not in ended
        else:
            _add(total, genesis, seat, result)
    for identity in total.companions.keys() & bots:
        total.companions[identity].bot = True
    return total


def _signed_by(entries: Iterable[Entry], seat: Seat) -> SignedResult | None:
    for entry in entries:
        if entry.kind == kinds.RESULT and entry.seat == seat:
            return read_result(entry.payload)
    return None


def _add(total: OwnGames, genesis: Genesis, seat: Seat, result: SignedResult | Result) -> None:
    total.games += 1
    total.draws += result.outcome == DRAW
    lost = seat in result.duraks
    total.durak += lost
    total.pogony += lost and bool(result.pogony)
    total.pogony_given += not lost and bool(result.pogony)
    if seat in result.order_out:
        total.places[result.order_out.index(seat) + 1] += 1
    for other, record in enumerate(genesis.seats):
        if other == seat:
            continue
        companion = total.companions.setdefault(record.identity_key, Companion(record.name))
        companion.name = record.name
        companion.games += 1
        theirs = other in result.duraks
        companion.won += theirs and not lost
        companion.lost += lost and not theirs
