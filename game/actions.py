"""What a seat may decide: a closed union of small frozen values (STYLE 5).

A play names the place it comes from and the card it claims to be; that the place holds the card is proven by
the course, never here. Two plays of different kinds are never equal, also with the same place and card (R14).
`LEADS`, `THROWS` and `BEATS` keep one shared value each: simulations ask for millions of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from game.cards import Card, Place


@dataclass(frozen=True, slots=True)
class Lead:
    """R6: one card, or several of one rank by ascending card; `places[i]` belongs to `cards[i]`."""

    places: tuple[Place, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Beat:
    """R9: beat `attack`, which lies unbeaten, with `card`."""

    attack: Card
    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class Transfer:
    """R14: add a card of the attack's rank; the next seat must defend."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class Show:
    """R15: show the trump of the attack's rank and keep it; the next seat must defend."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class Throw:
    """R10: throw a card in, before or after "take"."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class Take:
    """R11: the defender takes."""


@dataclass(frozen=True, slots=True)
class Pass:
    """R10: throw nothing in."""


@dataclass(frozen=True, slots=True)
class Resign:
    """R28."""


@dataclass(frozen=True, slots=True)
class Accuse:
    """R25: the play laid at `height` was false. Instead of an action, by who has the word."""

    height: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """R25: the answer in a challenge round: the height of a false play, or None."""

    height: int | None


Action: TypeAlias = Lead | Beat | Transfer | Show | Throw | Take | Pass | Resign | Accuse | Challenge


def cards_laid(action: Action) -> tuple[tuple[Place, Card], ...]:
    """The places an action opens, each with its face; () for one without cards."""
    match action:
        case Lead(places, cards):
            return tuple(zip(places, cards, strict=True))
        case Beat(_, place, card) | Transfer(place, card) | Show(place, card) | Throw(place, card):
            return ((place, card),)
        case Take() | Pass() | Resign() | Accuse() | Challenge():
            return ()
        case _:
            assert_never(action)


TAKE: Final = Take()
PASS: Final = Pass()
RESIGN: Final = Resign()
NO_CHALLENGE: Final = Challenge(None)


_MOST_BEATS: Final = 1 << 16
"""Above what one deck of 36 cards can have; some ten megabytes."""


class _Leads(dict[int, Lead]):
    def __missing__(self, key: int) -> Lead:
        self[key] = action = Lead((Place(key >> 6),), (Card(key & 63),))
        return action


class _Throws(dict[int, Throw]):
    def __missing__(self, key: int) -> Throw:
        self[key] = action = Throw(Place(key >> 6), Card(key & 63))
        return action


class _Beats(dict[int, Beat]):
    def __missing__(self, key: int) -> Beat:
        if len(self) >= _MOST_BEATS:
            self.clear()
        self[key] = action = Beat(Card(key >> 12), Place(key >> 6 & 63), Card(key & 63))
        return action


LEADS: Final = _Leads()
"""The one shared `Lead` of one card, by place << 6 | card. At most 52² of them ever exist."""
THROWS: Final = _Throws()
"""The one shared `Throw`, by place << 6 | card."""
BEATS: Final = _Beats()
"""A shared `Beat`, by attack << 12 | place << 6 | card. Emptied when it grows large: there are 52³ of
them."""
