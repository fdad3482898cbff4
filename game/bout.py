"""What actions do inside a bout (R6–R12, R14, R15). Nothing here asks whether an action is legal.

Every function returns the position after one action of the seat that has the word, at `height`; who has the
word next is settled here too, and when nobody has, the bout closes.
"""

from __future__ import annotations

from typing import Final

from game.actions import Beat, Lead, Show, Throw, Transfer
from game.position import FALSE, HONEST, Laid, Phase, Position, with_table
from game.refill import close
from game.seating import able_seats, asking_order, next_seat

_DEFEND: Final = Phase.DEFEND
_THROW: Final = Phase.THROW
_GIVE: Final = Phase.GIVE


def lead(position: Position, action: Lead, height: int) -> Position:
    """R6."""
    seat = position.word
    faces = position.faces
    places = 0
    cards = 0
    plays: tuple[Laid, ...] = ()
    for place, card in zip(action.places, action.cards, strict=True):
        places |= 1 << place
        faces |= card + 1 << 6 * place
        cards |= 1 << card
        plays += (Laid(card, place, seat, height, -1, 0),)
    return with_table(
        position,
        _DEFEND,
        position.defender,
        without(position.hands, seat, places),
        faces,
        position.seen | cards,
        plays,
        len(plays),
        cards,
        1 << action.cards[0] % 13,
        0,
        position if position.setup.cheating else None,
        taking=False,
    )


def beat(position: Position, action: Beat, height: int) -> Position:
    """R9; when nothing is left unbeaten, the asking starts anew at the head (R10)."""
    seat = position.word
    card = action.card
    place = action.place
    setup = position.setup
    ranks = position.ranks | 1 << card % 13
    passed = position.passed if ranks == position.ranks else 0
    hands = without(position.hands, seat, 1 << place)
    unbeaten = position.unbeaten ^ 1 << action.attack
    cheat = 0
    if setup.cheating and not position.marked >> seat & 1:
        cheat = HONEST if setup.beaters[action.attack] >> card & 1 else FALSE
    word = seat if unbeaten else next_thrower(position, hands, position.attacks, 0, passed)
    after = with_table(
        position,
        _DEFEND if unbeaten else _THROW,
        word,
        hands,
        position.faces | card + 1 << 6 * place,
        position.seen | 1 << card,
        (*position.plays, Laid(card, place, seat, height, action.attack, cheat)),
        position.attacks,
        unbeaten,
        ranks,
        passed,
        position if setup.cheating else None,
        taking=False,
    )
    return after if word >= 0 else close(after, height)


def throw(position: Position, action: Throw, height: int) -> Position:
    """R10 before "take": the defender has the word again. R11 after it: the thrower keeps the word while he
    may."""
    seat = position.word
    card = action.card
    place = action.place
    setup = position.setup
    taking = position.taking
    ranks = position.ranks | 1 << card % 13
    passed = position.passed if taking or ranks == position.ranks else 0
    hands = without(position.hands, seat, 1 << place)
    attacks = position.attacks + 1
    unbeaten = position.unbeaten | 1 << card
    cheat = 0
    if setup.cheating and not position.marked >> seat & 1:
        cheat = HONEST if ranks == position.ranks else FALSE
    word = next_thrower(position, hands, attacks, unbeaten, passed) if taking else position.defender
    after = with_table(
        position,
        _GIVE if taking else _DEFEND,
        word,
        hands,
        position.faces | card + 1 << 6 * place,
        position.seen | 1 << card,
        (*position.plays, Laid(card, place, seat, height, -1, cheat)),
        attacks,
        unbeaten,
        ranks,
        passed,
        position if setup.cheating else None,
        taking=taking,
    )
    return after if word >= 0 else close(after, height)


def pass_(position: Position, height: int) -> Position:
    """R10: the pass binds; R11: this seat has answered."""
    return _ask(position, position.passed | 1 << position.word, height, taking=position.taking)


def take(position: Position, height: int) -> Position:
    """R11: every pass is freed; each thrower is asked once more, if the table throws after "take"."""
    return _ask(position, 0, height, taking=True)


def transfer(position: Position, action: Transfer, height: int) -> Position:
    """R14."""
    seat = position.word
    card = action.card
    place = action.place
    return _hand_on(
        with_table(
            position,
            _DEFEND,
            seat,
            without(position.hands, seat, 1 << place),
            position.faces | card + 1 << 6 * place,
            position.seen | 1 << card,
            (*position.plays, Laid(card, place, seat, height, -1, 0)),
            position.attacks + 1,
            position.unbeaten | 1 << card,
            position.ranks,
            0,
            position if position.setup.cheating else None,
            taking=False,
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


def _ask(position: Position, passed: int, height: int, *, taking: bool) -> Position:
    """The next thrower has the word, with these passes and perhaps a "take" just said; or the bout closes."""
    word = -1
    if not taking or position.setup.give:
        word = next_thrower(position, position.hands, position.attacks, position.unbeaten, passed)
    after = with_table(
        position,
        _GIVE if taking else _THROW,
        word,
        position.hands,
        position.faces,
        position.seen,
        position.plays,
        position.attacks,
        position.unbeaten,
        position.ranks,
        passed,
        position.before,
        taking=taking,
    )
    return after if word >= 0 else close(after, height)


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
