"""What actions do inside a bout (R6–R12, R14, R15). Nothing here asks whether an action is legal.

Every function returns the position after one action of the seat that has the word, at `height`; who has the
word next is settled here too, and when nobody has, the bout closes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from game.actions import Beat, Lead, Show, Throw, Transfer
from game.cards import bit_set
from game.position import FALSE, HONEST, TABLE, Laid, Phase, Position
from game.refill import clear_table, close
from game.seating import able_seats, asking_order, next_seat

if TYPE_CHECKING:
    from game.setup import Setup

_DEFEND: Final = Phase.DEFEND
_THROW: Final = Phase.THROW
_GIVE: Final = Phase.GIVE
_new = tuple.__new__


def is_true_beat(setup: Setup, attack: int, card: int) -> bool:
    """Whether this card beats that one, so that nobody can accuse it with success (R9, R24)."""
    return bool(setup.beaters[attack] >> card & 1)


def is_true_throw(ranks: int, card: int) -> bool:
    """The same of a card thrown in where these ranks (bits 0 … 12) lie on the table (R10, R24)."""
    return bool(ranks >> card % 13 & 1)


def lead(position: Position, action: Lead, height: int) -> Position:
    """R6."""
    seat = position.word
    faces = position.faces
    cards = action.cards
    if len(cards) == 1:
        card = cards[0]
        place = action.places[0]
        places = 1 << place
        laid = 1 << card
        faces |= card + 1 << 6 * place
        plays: tuple[Laid, ...] = (_new(Laid, (card, place, seat, height, -1, 0)),)
    else:
        places = bit_set(action.places)
        laid = bit_set(cards)
        plays = ()
        for place, card in zip(action.places, cards, strict=True):
            faces |= card + 1 << 6 * place
            plays += (Laid(card, place, seat, height, -1, 0),)
    before = position if position.setup.cheating else None
    hands = without(position.hands, seat, places)
    seen = position.seen | laid
    ranks = 1 << cards[0] % 13
    table = (_DEFEND, position.defender, hands, faces, seen, plays, len(plays), laid, ranks, 0, before, False)
    return _new(Position, table + position[TABLE:])


def beat(position: Position, action: Beat, height: int) -> Position:
    """R9; when nothing is left unbeaten, the asking starts anew at the head (R10)."""
    seat = position.word
    card = action.card
    place = action.place
    setup = position.setup
    attacks = position.attacks
    ranks = position.ranks | 1 << card % 13
    passed = position.passed if ranks == position.ranks else 0
    hands = without(position.hands, seat, 1 << place)
    unbeaten = position.unbeaten ^ 1 << action.attack
    faces = position.faces | card + 1 << 6 * place
    seen = position.seen | 1 << card
    cheat = 0
    before = None
    if setup.cheating:
        before = position
        if not position.marked >> seat & 1:
            cheat = HONEST if is_true_beat(setup, action.attack, card) else FALSE
    laid = (_new(Laid, (card, place, seat, height, action.attack, cheat)),)
    plays = position.plays + laid
    phase = _DEFEND
    word = seat
    if not unbeaten:
        phase = _THROW
        word = next_thrower(position, hands, attacks, 0, passed)
    table = (phase, word, hands, faces, seen, plays, attacks, unbeaten, ranks, passed, before, False)
    after = _new(Position, table + position[TABLE:])
    return after if word >= 0 else close(after, height)


def throw(position: Position, action: Throw, height: int) -> Position:
    """R10 before "take": the defender has the word again. R11 after it: the thrower keeps the word while he
    may."""
    seat = position.word
    card = action.card
    place = action.place
    setup = position.setup
    taking = position.taking
    attacks = position.attacks + 1
    ranks = position.ranks | 1 << card % 13
    passed = position.passed if taking or ranks == position.ranks else 0
    hands = without(position.hands, seat, 1 << place)
    unbeaten = position.unbeaten | 1 << card
    faces = position.faces | card + 1 << 6 * place
    seen = position.seen | 1 << card
    cheat = 0
    before = None
    if setup.cheating:
        before = position
        if not position.marked >> seat & 1:
            cheat = HONEST if is_true_throw(position.ranks, card) else FALSE
    laid = (_new(Laid, (card, place, seat, height, -1, cheat)),)
    plays = position.plays + laid
    phase = _DEFEND
    word = position.defender
    if taking:
        phase = _GIVE
        word = next_thrower(position, hands, attacks, unbeaten, passed)
    table = (phase, word, hands, faces, seen, plays, attacks, unbeaten, ranks, passed, before, taking)
    after = _new(Position, table + position[TABLE:])
    return after if word >= 0 else close(after, height)


def pass_(position: Position, height: int) -> Position:
    """R10: the pass binds; R11: this seat has answered."""
    passed = position.passed | 1 << position.word
    word = next_thrower(position, position.hands, position.attacks, position.unbeaten, passed)
    if word < 0 and not position.setup.cheating:
        return clear_table(position, height)
    asked = (position.phase, word)
    after = _new(Position, asked + position[2:9] + (passed,) + position[10:])
    return after if word >= 0 else close(after, height)


def take(position: Position, height: int) -> Position:
    """R11: every pass is freed; each thrower is asked once more, if the table throws after "take"."""
    word = -1
    if position.setup.give:
        word = next_thrower(position, position.hands, position.attacks, position.unbeaten, 0)
    asked = (_GIVE, word)
    said = (0, position.before, True)
    taking = _new(Position, asked + position[2:9] + said + position[TABLE:])
    return taking if word >= 0 else close(taking, height)


def transfer(position: Position, action: Transfer, height: int) -> Position:
    """R14."""
    seat = position.word
    card = action.card
    place = action.place
    return _hand_on(
        position._replace(
            hands=without(position.hands, seat, 1 << place),
            faces=position.faces | card + 1 << 6 * place,
            seen=position.seen | 1 << card,
            plays=(*position.plays, Laid(card, place, seat, height, -1, 0)),
            attacks=position.attacks + 1,
            unbeaten=position.unbeaten | 1 << card,
            before=position if position.setup.cheating else None,
        )
    )


def show(position: Position, action: Show) -> Position:
    """R15: the table stays, the card is public."""
    return _hand_on(
        position._replace(
            faces=position.faces | action.card + 1 << 6 * action.place,
            seen=position.seen | 1 << action.card,
            shown=True,
        )
    )


def _hand_on(position: Position) -> Position:
    """The next seat becomes the defender, this one the head; every pass is freed (R10)."""
    setup = position.setup
    head = position.word
    defender = next_seat(head, position.seats_in, setup.seats)
    able = able_seats(position.hands)
    order = asking_order(setup.team, position.seats_in, able, head, defender, neighbours=setup.neighbours)
    return position._replace(word=defender, defender=defender, head=head, order=order, passed=0)


def next_thrower(position: Position, hands: tuple[int, ...], attacks: int, unbeaten: int, passed: int) -> int:
    """R10–R12: the first thrower that has neither passed nor run out of cards; −1 if there is none, or no
    card more may be laid (R7)."""
    if attacks < position.limit and hands[position.defender].bit_count() > unbeaten.bit_count():
        for seat in position.order:
            if hands[seat] and not passed >> seat & 1:
                return seat
    return -1


def without(hands: tuple[int, ...], seat: int, places: int) -> tuple[int, ...]:
    """The hands after this seat laid these places, which it holds."""
    if len(hands) == 2:
        return (hands[0], hands[1] ^ places) if seat else (hands[0] ^ places, hands[1])
    return (*hands[:seat], hands[seat] ^ places, *hands[seat + 1 :])
