"""What one may do, listed: every action `check` accepts, for a hand whose faces are known.

Decides nothing itself: the sets of cards come from `game.legality`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final, TypeAlias

from game.actions import (
    BEATS,
    LEADS,
    NO_CHALLENGE,
    PASS,
    RESIGN,
    TAKE,
    THROWS,
    Accuse,
    Action,
    Challenge,
    Lead,
    Show,
    Transfer,
)
from game.cards import ALL_SUITS, Card, Place, members
from game.legality import accusable, beating, showable, throwable, transferable
from game.position import Phase, Position, capacity

PlaceOf: TypeAlias = "Mapping[int, int] | tuple[int, ...]"
"""The place of each card, by card."""

_DEFEND: Final = Phase.DEFEND
_THROW: Final = Phase.THROW
_GIVE: Final = Phase.GIVE


def moves(position: Position, cards: int, place_of: PlaceOf) -> list[Action]:
    """The card plays, takes and passes of the seat that has the word, in a fixed order. Shared values.

    `cards` is the set of cards in its hand, `place_of` finds the place of each. Accusing and resigning are
    left out.
    """
    phase = position.phase
    found: list[Action]
    if phase is _DEFEND:
        found = [TAKE]
        unbeaten = position.unbeaten
        while unbeaten:
            low = unbeaten & -unbeaten
            unbeaten ^= low
            attack = low.bit_length() - 1
            fitting = cards & beating(position, attack)
            while fitting:
                low = fitting & -fitting
                fitting ^= low
                card = low.bit_length() - 1
                found.append(BEATS[(attack << 6 | place_of[card]) << 6 | card])
        if position.setup.transfer:
            for card in members(cards & transferable(position)):
                found.append(Transfer(Place(place_of[card]), Card(card)))
            for card in members(cards & showable(position)):
                found.append(Show(Place(place_of[card]), Card(card)))
        return found
    if phase is _THROW or phase is _GIVE:
        found = [PASS]
        fitting = cards & throwable(position, position.word)
        while fitting:
            low = fitting & -fitting
            fitting ^= low
            card = low.bit_length() - 1
            found.append(THROWS[place_of[card] << 6 | card])
        return found
    if phase is not Phase.LEAD:
        return []
    found = []
    fitting = cards
    while fitting:
        low = fitting & -fitting
        fitting ^= low
        card = low.bit_length() - 1
        found.append(LEADS[place_of[card] << 6 | card])
    if position.setup.several:
        found += _several(cards, place_of, capacity(position))
    return found


def _several(cards: int, place_of: PlaceOf, room: int) -> list[Action]:
    """Leads of two and more cards of one rank."""
    found: list[Action] = []
    for rank in range(13 if room > 1 else 0):
        same = cards & ALL_SUITS << rank
        if not same & same - 1:
            continue
        alike = [Card(card) for card in members(same)]
        for size in range(2, min(len(alike), room) + 1):
            found += [
                Lead(tuple(Place(place_of[card]) for card in chosen), chosen)
                for chosen in combinations(alike, size)
            ]
    return found


def legal_actions(position: Position, seat: int, hand: Mapping[Place, Card]) -> tuple[Action, ...]:
    """Everything `check` accepts from this seat for its true faces: card plays first, then accusing,
    resigning last.

    `hand` gives the face of each own place; places the seat no longer holds are ignored. () if nothing is
    due.
    """
    if position.phase is Phase.CHALLENGE:
        heights = accusable(position, seat)
        return (NO_CHALLENGE, *(Challenge(height) for height in heights)) if heights else ()
    if position.word != seat:
        return ()
    held = position.hands[seat]
    place_of: dict[int, int] = {card: place for place, card in hand.items() if held >> place & 1}
    cards = 0
    for card in place_of:
        cards |= 1 << card
    accusations: tuple[Action, ...] = ()
    if position.setup.cheating and position.plays:
        accusations = tuple(Accuse(height) for height in accusable(position, seat))
    return (*moves(position, cards, place_of), *accusations, RESIGN)
