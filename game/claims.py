"""Who has the lowest trump, asked without showing hands (R4): CLAIM turns, an OPEN turn, a NO_LOWER round.

Everything here follows from public facts; that claims are true is proven by the course. Ranks are 0 (two) …
12 (ace). `claimed` holds the answers of seats 0, 1, 2 … so far: a rank, or None for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from game.cards import LOWEST_RANK, Card, Place, card_of, members
from game.errors import IllegalMove
from game.position import face, hidden_places
from ledger.engine import Seat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game.position import Position

Claimed: TypeAlias = "tuple[int | None, ...]"

REASONS: Final = (
    "illegal.claim-elsewhere",
    "illegal.claim-not-lower",
    "illegal.claim-public-trump",
    "illegal.claim-rank",
    "illegal.elsewhere",
    "illegal.not-your-card",
    "illegal.not-your-word",
    "illegal.open-other-card",
)
"""Every `reason` of an `IllegalMove` raised here."""


def best_rank(claimed: Claimed) -> int | None:
    """The lowest rank claimed so far: claims only ever go down, so the last one."""
    return next((rank for rank in reversed(claimed) if rank is not None), None)


def best_claimant(claimed: Claimed) -> Seat | None:
    """The seat of the best claim, None if nobody claimed."""
    return next((Seat(seat) for seat in reversed(range(len(claimed))) if claimed[seat] is not None), None)


def claim_due(position: Position, claimed: Claimed) -> Seat | None:
    """The seat whose CLAIM turn it is, None when all were asked."""
    return Seat(len(claimed)) if len(claimed) < position.setup.seats else None


def check_claim(position: Position, claimed: Claimed, seat: int, rank: int | None) -> None:
    """Raise `IllegalMove` unless this seat may claim this rank now (None: nothing)."""
    setup = position.setup
    if seat != claim_due(position, claimed):
        raise IllegalMove("R4", "illegal.not-your-word")
    best = best_rank(claimed)
    shown = _public_trump_of(position, seat)
    if rank is None:
        if shown is not None and (best is None or shown < best):
            raise IllegalMove("R4", "illegal.claim-public-trump", rank=shown)
        return
    if not LOWEST_RANK[setup.deck] <= rank <= 12:
        raise IllegalMove("R4", "illegal.claim-rank", rank=rank)
    if best is not None and rank >= best:
        raise IllegalMove("R4", "illegal.claim-not-lower", rank=rank, best=best)
    if shown is not None and rank > shown:
        raise IllegalMove("R4", "illegal.claim-public-trump", rank=shown)
    if position.seen >> card_of(rank, setup.trump_suit) & 1 and rank != shown:
        raise IllegalMove("R4", "illegal.claim-elsewhere", rank=rank)


def claim_for(position: Position, claimed: Claimed, seat: int, hand: Mapping[Place, Card]) -> int | None:
    """What honest software claims for this seat: the lowest trump of its hand, whenever that is lower."""
    trump_suit = position.setup.trump_suit
    lowest = min(
        (card % 13 for card in _held(position, seat, hand) if card // 13 == trump_suit), default=None
    )
    best = best_rank(claimed)
    return None if lowest is None or (best is not None and lowest >= best) else lowest


def claimed_card(position: Position, claimed: Claimed) -> Card | None:
    """The trump the best claimant says he holds, None if nobody claimed."""
    rank = best_rank(claimed)
    return None if rank is None else card_of(rank, position.setup.trump_suit)


def opener(position: Position, claimed: Claimed) -> Seat | None:
    """Who must open the claimed trump: nobody, where that card is public or nobody claimed."""
    card = claimed_card(position, claimed)
    return None if card is None or position.seen >> card & 1 else best_claimant(claimed)


def to_open(position: Position, claimed: Claimed, hand: Mapping[Place, Card]) -> tuple[Place, Card]:
    """Where the opener holds the claimed trump. Raises `KeyError` if he does not: he claimed falsely."""
    card = claimed_card(position, claimed)
    for place, held in hand.items():
        if held == card:
            return place, held
    raise KeyError(card)


def check_open(position: Position, claimed: Claimed, seat: int, place: int, card: int) -> None:
    """Raise `IllegalMove` unless this opens exactly the claimed trump, from a hidden place of the opener's
    hand."""
    if seat != opener(position, claimed):
        raise IllegalMove("R4", "illegal.not-your-word")
    if card != claimed_card(position, claimed):
        raise IllegalMove("R4", "illegal.open-other-card", card=card)
    if place < 0 or not position.hands[seat] >> place & 1 or face(position, place) is not None:
        raise IllegalMove("R4", "illegal.not-your-card", place=place)


def no_lower(
    position: Position, claimed: Claimed, seat: int
) -> tuple[tuple[Place, ...], tuple[Card, ...]] | None:
    """What this seat's NO_LOWER speaks about, once the claimed card is open; None if it owes none.

    Its hidden places, ascending, and the trumps lower than the claim (all, if nobody claimed) that are not
    public, ascending. The best claimant owes none, nor does a seat for which either is empty.
    """
    if seat == best_claimant(claimed):
        return None
    setup = position.setup
    rank = best_rank(claimed)
    trumps = (
        card_of(lower, setup.trump_suit)
        for lower in range(LOWEST_RANK[setup.deck], 13 if rank is None else rank)
    )
    cards = tuple(card for card in trumps if not position.seen >> card & 1)
    places = hidden_places(position, position.hands[seat])
    return (places, cards) if places and cards else None


def first_leader(claimed: Claimed, lot: int) -> Seat:
    """The best claimant; nobody has a trump: the seat the beacon drew (`lot`, 0 … n−1)."""
    claimant = best_claimant(claimed)
    return Seat(lot) if claimant is None else claimant


def _held(position: Position, seat: int, hand: Mapping[Place, Card]) -> tuple[Card, ...]:
    return tuple(card for place, card in hand.items() if position.hands[seat] >> place & 1)


def _public_trump_of(position: Position, seat: int) -> int | None:
    """The rank of the lowest trump all know this seat to hold (R3)."""
    faces = (face(position, place) for place in members(position.hands[seat]))
    trumps = (card % 13 for card in faces if card is not None and card // 13 == position.setup.trump_suit)
    return min(trumps, default=None)
