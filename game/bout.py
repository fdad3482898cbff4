"""What actions do inside a bout (R6–R12, R14, R15). Nothing here asks whether an action is legal.

Every function returns the position after one action of the seat that has the word, at `height`; who has the
word next is settled here too, and when nobody has, the bout closes.
"""

from __future__ import annotations

from game.actions import Beat, Lead, Show, Throw, Transfer
from game.position import FALSE, HONEST, Laid, Phase, Position
from game.refill import close
from game.seating import able_seats, asking_order, next_seat


def lead(position: Position, action: Lead, height: int) -> Position:
    """R6."""
    seat = position.word
    places = 0
    faces = position.faces
    cards = 0
    plays: tuple[Laid, ...] = ()
    for place, card in zip(action.places, action.cards, strict=True):
        places |= 1 << place
        faces |= card + 1 << 6 * place
        cards |= 1 << card
        plays += (Laid(card, place, seat, height, -1, 0),)
    return position._replace(
        phase=Phase.DEFEND,
        word=position.defender,
        hands=_without(position.hands, seat, places),
        faces=faces,
        seen=position.seen | cards,
        plays=plays,
        attacks=len(plays),
        unbeaten=cards,
        ranks=1 << action.cards[0] % 13,
        before=position if position.setup.cheating else None,
    )


def beat(position: Position, action: Beat, height: int) -> Position:
    """R9; when nothing is left unbeaten, the asking starts anew at the head (R10)."""
    seat = position.word
    card = action.card
    unbeaten = position.unbeaten ^ 1 << action.attack
    rank = 1 << card % 13
    cheat = 0
    if position.setup.cheating and not position.marked >> seat & 1:
        cheat = HONEST if position.setup.beaters[action.attack] >> card & 1 else FALSE
    after = position._replace(
        hands=_without(position.hands, seat, 1 << action.place),
        faces=position.faces | card + 1 << 6 * action.place,
        seen=position.seen | 1 << card,
        plays=(*position.plays, Laid(card, action.place, seat, height, action.attack, cheat)),
        unbeaten=unbeaten,
        ranks=position.ranks | rank,
        passed=position.passed if position.ranks & rank else 0,
        before=position if position.setup.cheating else None,
    )
    return after if unbeaten else ask(after, height)


def throw(position: Position, action: Throw, height: int) -> Position:
    """R10 before "take": the defender has the word again. R11 after it: the thrower keeps the word while he
    may."""
    seat = position.word
    card = action.card
    rank = 1 << card % 13
    cheat = 0
    if position.setup.cheating and not position.marked >> seat & 1:
        cheat = HONEST if position.ranks & rank else FALSE
    giving = position.phase is Phase.GIVE
    after = position._replace(
        phase=position.phase if giving else Phase.DEFEND,
        word=seat if giving else position.defender,
        hands=_without(position.hands, seat, 1 << action.place),
        faces=position.faces | card + 1 << 6 * action.place,
        seen=position.seen | 1 << card,
        plays=(*position.plays, Laid(card, action.place, seat, height, -1, cheat)),
        attacks=position.attacks + 1,
        unbeaten=position.unbeaten | 1 << card,
        ranks=position.ranks | rank,
        passed=position.passed if giving or position.ranks & rank else 0,
        before=position if position.setup.cheating else None,
    )
    return ask(after, height) if giving else after


def pass_(position: Position, height: int) -> Position:
    """R10: the pass binds; R11: this seat has answered."""
    return ask(position._replace(passed=position.passed | 1 << position.word), height)


def take(position: Position, height: int) -> Position:
    """R11: every pass is freed; each thrower is asked once more, if the table throws after "take"."""
    taking = position._replace(phase=Phase.GIVE, taking=True, passed=0)
    return ask(taking, height) if position.setup.give else close(taking, height)


def transfer(position: Position, action: Transfer, height: int) -> Position:
    """R14."""
    seat = position.word
    card = action.card
    laid = position._replace(
        hands=_without(position.hands, seat, 1 << action.place),
        faces=position.faces | card + 1 << 6 * action.place,
        seen=position.seen | 1 << card,
        plays=(*position.plays, Laid(card, action.place, seat, height, -1, 0)),
        attacks=position.attacks + 1,
        unbeaten=position.unbeaten | 1 << card,
        before=position if position.setup.cheating else None,
    )
    return _hand_on(laid)


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
    seat = position.word
    defender = next_seat(seat, position.seats_in, setup.seats)
    order = asking_order(
        setup.team, position.seats_in, able_seats(position.hands), seat, defender, neighbours=setup.neighbours
    )
    return position._replace(word=defender, defender=defender, head=seat, order=order, passed=0)


def ask(position: Position, height: int) -> Position:
    """R10–R12: the first thrower that has neither passed nor run out of cards has the word; if none, or no
    card more may be laid, the bout closes."""
    hands = position.hands
    room = hands[position.defender].bit_count() - position.unbeaten.bit_count()
    if room > 0 and position.limit > position.attacks:
        passed = position.passed
        for seat in position.order:
            if hands[seat] and not passed >> seat & 1:
                return position._replace(word=seat, phase=Phase.GIVE if position.taking else Phase.THROW)
    return close(position, height)


def _without(hands: tuple[int, ...], seat: int, places: int) -> tuple[int, ...]:
    return (*hands[:seat], hands[seat] ^ places, *hands[seat + 1 :])
