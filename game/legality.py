"""The one home of legality: what may be done at a position (R6–R11, R14, R15, R24, R25, R28).

Whether cards may be played is a *set of cards*, asked the same way by `check`, which looks one card up in it,
and by `game.moves`, which intersects it with a hand. Nobody else decides legality.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final, assert_never

from game.actions import (
    Accuse,
    Action,
    Beat,
    Challenge,
    Lead,
    Pass,
    Resign,
    Show,
    Take,
    Throw,
    Transfer,
)
from game.cards import ALL_CARDS, ALL_SUITS, Card, Place, members
from game.errors import IllegalMove
from game.options import Options
from game.position import Phase, Position, capacity, laid_at
from game.seating import next_seat
from ledger.engine import Seat

REASONS: Final = (
    "illegal.not-your-word",
    "illegal.not-now",
    "illegal.not-your-card",
    "illegal.other-face",
    "illegal.elsewhere",
    "illegal.no-such-card",
    "illegal.lead-one",
    "illegal.lead-one-rank",
    "illegal.lead-order",
    "illegal.hand-full",
    "illegal.rank-not-on-table",
    "illegal.not-unbeaten",
    "illegal.does-not-beat",
    "illegal.no-transfer",
    "illegal.already-beaten",
    "illegal.transfer-rank",
    "illegal.next-hand-full",
    "illegal.no-show",
    "illegal.shown-before",
    "illegal.show-trump-only",
    "illegal.lead-no-pass",
    "illegal.nothing-to-take",
    "illegal.no-cheating",
    "illegal.marked",
    "illegal.not-accusable",
)
"""Every `reason` of an `IllegalMove` raised by play; R4 adds those of `game.claims`."""


# Sets of cards that may be played --------------------------------------------------------------------


def throwable(position: Position, seat: int) -> int:
    """The cards whose rank lets this seat throw them in (R10); any card for an unmarked seat with cheating
    (R24)."""
    if position.setup.cheating and not position.marked >> seat & 1:
        return ALL_CARDS
    return position.ranks * ALL_SUITS


def beating(position: Position, attack: int) -> int:
    """The cards the defender may lay on this attack card (R9, R24)."""
    setup = position.setup
    if setup.cheating and not position.marked >> position.defender & 1:
        return ALL_CARDS
    return setup.beaters[attack]


def transferable(position: Position) -> int:
    """The cards that would transfer the attack now (R14); none if it can't be transferred."""
    return position.ranks * ALL_SUITS if _transfer_fault(position) is None else 0


def showable(position: Position) -> int:
    """The cards that may be shown now (R15): the trump of the attack's rank, or none."""
    if _show_fault(position) is not None:
        return 0
    return 1 << 13 * position.setup.trump_suit + position.ranks.bit_length() - 1


def _transfer_fault(position: Position) -> IllegalMove | None:
    """R14. There are four cards of a rank, so the limit of five or six (R7) never binds a transfer."""
    setup = position.setup
    if not setup.transfer:
        return IllegalMove("R14", "illegal.no-transfer")
    if position.unbeaten.bit_count() != len(position.plays):
        return IllegalMove("R14", "illegal.already-beaten")
    target = next_seat(position.defender, position.seats_in, setup.seats)
    if position.hands[target].bit_count() <= position.attacks:
        return IllegalMove("R14", "illegal.next-hand-full", seat=target)
    return None


def _show_fault(position: Position) -> IllegalMove | None:
    setup = position.setup
    if not setup.show:
        return IllegalMove("R15", "illegal.no-show")
    if position.shown:
        return IllegalMove("R15", "illegal.shown-before")
    if position.unbeaten.bit_count() != len(position.plays):
        return IllegalMove("R14", "illegal.already-beaten")
    target = next_seat(position.defender, position.seats_in, setup.seats)
    if position.hands[target].bit_count() < position.attacks:
        return IllegalMove("R15", "illegal.next-hand-full", seat=target)
    return None


def accusable(position: Position, seat: int) -> tuple[int, ...]:
    """The heights of plays this seat could accuse (R24, R25), as laid; none if it is marked or out."""
    if position.marked >> seat & 1 or not position.seats_in >> seat & 1:
        return ()
    return tuple(laid.height for laid in position.plays if laid.cheat and laid.seat != seat)


def challengers(position: Position) -> tuple[int, ...]:
    """R25: who is asked in a challenge round at this table, ascending: who could accuse a play of another
    seat."""
    authors = 0
    for laid in position.plays:
        if laid.cheat:
            authors |= 1 << laid.seat
    if not authors:
        return ()
    asked = position.seats_in & ~position.marked
    if not authors & authors - 1:
        asked &= ~authors
    return tuple(members(asked))


def challenged(position: Position) -> tuple[int, ...]:
    """The seats asked in the challenge round that is on; () if none is."""
    return challengers(position) if position.phase is Phase.CHALLENGE else ()


# What is asked ---------------------------------------------------------------------------------------

_KINDS: Final[dict[Phase, tuple[type[Action], ...]]] = {
    Phase.OPENING: (),
    Phase.LEAD: (Lead, Resign),
    Phase.DEFEND: (Beat, Take, Transfer, Show, Accuse, Resign),
    Phase.THROW: (Throw, Pass, Accuse, Resign),
    Phase.GIVE: (Throw, Pass, Accuse, Resign),
    Phase.CHALLENGE: (Challenge,),
    Phase.REFILL: (),
    Phase.OVER: (),
}
"""What each phase asks for; options take `Transfer`, `Show` and `Accuse` away."""


def dues(position: Position) -> tuple[tuple[Seat, tuple[type[Action], ...]], ...]:
    """Who must act now, ascending by seat, and with which kinds of action; () in OPENING, REFILL and OVER.

    Kinds follow from the phase and the options alone; whether one of them is legal says `check`.
    """
    phase = position.phase
    if phase is Phase.CHALLENGE:
        return tuple((Seat(seat), _KINDS[phase]) for seat in challenged(position))
    if position.word < 0:
        return ()
    return ((Seat(position.word), _kinds_at_table(phase, position.setup.options)),)


@lru_cache(maxsize=1024)
def _kinds_at_table(phase: Phase, options: Options) -> tuple[type[Action], ...]:
    missing: set[type[Action]] = set()
    if options.variant != "transfer":
        missing.add(Transfer)
    if not options.show_transfer:
        missing.add(Show)
    if not options.cheating:
        missing.add(Accuse)
    return tuple(kind for kind in _KINDS[phase] if kind not in missing)


def check(position: Position, seat: int, action: Action) -> None:
    """Raise `IllegalMove` unless this seat may do this now. That a place holds the card named is not looked
    at, except against what is public."""
    asked = seat == position.word if position.word >= 0 else seat in challenged(position)
    if not asked:
        raise IllegalMove("R10", "illegal.not-your-word")
    if type(action) not in _KINDS[position.phase]:
        raise _wrong_kind(position, action)
    match action:
        case Throw(place, card):
            _check_card(position, seat, place, card)
            if not throwable(position, seat) >> card & 1:
                raise IllegalMove("R10", "illegal.rank-not-on-table", card=card)
        case Beat(attack, place, card):
            if attack < 0 or not position.unbeaten >> attack & 1:
                raise IllegalMove("R9", "illegal.not-unbeaten", attack=attack)
            _check_card(position, seat, place, card)
            if not beating(position, attack) >> card & 1:
                raise IllegalMove("R9", "illegal.does-not-beat", attack=attack, card=card)
        case Take() | Pass() | Resign():
            pass
        case Lead(places, cards):
            _check_lead(position, seat, places, cards)
        case Transfer(place, card):
            if (fault := _transfer_fault(position)) is not None:
                raise fault
            _check_card(position, seat, place, card)
            if not transferable(position) >> card & 1:
                raise IllegalMove("R14", "illegal.transfer-rank", card=card)
        case Show(place, card):
            if (fault := _show_fault(position)) is not None:
                raise fault
            _check_card(position, seat, place, card)
            if not showable(position) >> card & 1:
                raise IllegalMove("R15", "illegal.show-trump-only", card=card)
        case Accuse(height):
            _check_accusation(position, seat, height)
        case Challenge(height):
            if height is not None:
                _check_accusation(position, seat, height)
        case _:
            assert_never(action)


def refusal(position: Position, seat: int, action: Action) -> IllegalMove | None:
    """Why this seat may not do this now, None if it may: for faces."""
    try:
        check(position, seat, action)
    except IllegalMove as fault:
        return fault
    return None


def _wrong_kind(position: Position, action: Action) -> IllegalMove:
    if isinstance(action, Pass) and position.phase is Phase.LEAD:
        return IllegalMove("R6", "illegal.lead-no-pass")
    if isinstance(action, Take) and position.phase is Phase.THROW:
        return IllegalMove("R11", "illegal.nothing-to-take")
    return IllegalMove("R8", "illegal.not-now")


def _check_card(position: Position, seat: int, place: int, card: int) -> None:
    """The place is the seat's own; the card is the place's public face, or in the deck and publicly
    nowhere."""
    if place < 0 or not position.hands[seat] >> place & 1:
        raise IllegalMove("R6", "illegal.not-your-card", place=place)
    face = position.faces >> 6 * place & 63
    if face:
        if face != card + 1:
            raise IllegalMove("R6", "illegal.other-face", card=card, face=face - 1)
    elif card < 0 or not position.setup.cards >> card & 1:
        raise IllegalMove("R1", "illegal.no-such-card", card=card)
    elif position.seen >> card & 1:
        raise IllegalMove("R6", "illegal.elsewhere", card=card)


def _check_lead(position: Position, seat: int, places: tuple[Place, ...], cards: tuple[Card, ...]) -> None:
    if len(cards) != len(places) or not cards or any(left >= right for left, right in pairwise(cards)):
        raise IllegalMove("R6", "illegal.lead-order")
    if len(set(places)) != len(places):
        raise IllegalMove("R6", "illegal.lead-order")
    if len(cards) > 1 and not position.setup.several:
        raise IllegalMove("R6", "illegal.lead-one")
    for place, card in zip(places, cards, strict=True):
        _check_card(position, seat, place, card)
    if len({card % 13 for card in cards}) > 1:
        raise IllegalMove("R6", "illegal.lead-one-rank")
    if len(cards) > capacity(position):
        raise IllegalMove("R7", "illegal.hand-full", seat=position.defender)


def _check_accusation(position: Position, seat: int, height: int) -> None:
    if not position.setup.cheating:
        raise IllegalMove("R25", "illegal.no-cheating")
    if position.marked >> seat & 1:
        raise IllegalMove("R26", "illegal.marked")
    laid = laid_at(position, height)
    if laid is None or not laid.cheat or laid.seat == seat:
        raise IllegalMove("R25", "illegal.not-accusable", height=height)
