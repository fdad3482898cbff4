"""From the public state and one seat's secrets to what that seat may know (`View`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import rules
from game.cards import Card, Place, members
from game.position import Phase, counts, known_cards, pairs
from game.state import CourseState, Stage
from game.view import HandCard, Pair, View
from ledger.engine import Height, Seat

if TYPE_CHECKING:
    from game.position import Laid, Position
    from game.seat import OwnSeat

_STAGES = {
    Stage.JOIN: "join",
    Stage.KEYS: "keys",
    Stage.SHUFFLE: "shuffle",
    Stage.ACK: "ack",
    Stage.DEAL: "deal",
    Stage.CLAIM: "claim",
    Stage.OPEN: "open",
    Stage.NO_LOWER: "no-lower",
    Stage.PLAY: "play",
    Stage.REFILL: "refill",
    Stage.RESULT: "result",
    Stage.SECRETS: "secrets",
    Stage.OVER: "over",
    Stage.VOID: "void",
    Stage.ABORTED: "aborted",
}


def look(state: CourseState, waiting_for: tuple[Seat, ...], own: OwnSeat | None) -> View:
    """What `own` (None: a spectator) may know before the height of `state`; `waiting_for` has not met it."""
    setup = state.setup
    me = None if own is None else own.seat
    my_turn = me is not None and me in waiting_for
    position = state.position
    legal = own.legal(state) if own is not None and my_turn else ()
    if position is None:
        return View(
            options=setup.options, names=setup.names, me=me, height=state.height, stage=_STAGES[state.stage],
            waiting_for=waiting_for, my_turn=my_turn, trump=None, talon=0, discard=(),
            counts=(0,) * setup.seats, hand=(), known=((),) * setup.seats, table=(), leader=None, head=None,
            defender=None, word=None, taking=False, passed=(), marked=(), capacity=0, out=(), result=None,
            legal=legal,
        )  # fmt: skip
    challenge = state.stage is Stage.PLAY and position.phase is Phase.CHALLENGE
    return View(
        options=setup.options,
        names=setup.names,
        me=me,
        height=state.height,
        stage="challenge" if challenge else _STAGES[state.stage],
        waiting_for=waiting_for,
        my_turn=my_turn,
        trump=position.setup.trump,
        talon=rules.talon(position),
        discard=tuple(Card(card) for card in members(position.discard)),
        counts=counts(position),
        hand=_hand(state, own),
        known=tuple(known_cards(position, seat) for seat in range(setup.seats)),
        table=_table(position),
        leader=_seat(position.leader),
        head=_seat(position.head),
        defender=_seat(position.defender),
        word=_seat(position.word),
        taking=position.taking,
        passed=_seats(position.passed),
        marked=_seats(position.marked),
        capacity=rules.capacity(position),
        out=tuple(Seat(seat) for seat in position.out),
        result=state.result,
        legal=legal,
    )


def _hand(state: CourseState, own: OwnSeat | None) -> tuple[HandCard, ...]:
    if own is None:
        return ()
    position = state.the_position
    return tuple(
        HandCard(Place(place), card, rules.face(position, place) is not None)
        for place, card in own.hand(state).items()
    )


def _table(position: Position) -> tuple[Pair, ...]:
    return tuple(_pair(attack, beat) for attack, beat in pairs(position))


def _pair(attack: Laid, beat: Laid | None) -> Pair:
    return Pair(
        attack=Card(attack.card),
        attacker=Seat(attack.seat),
        attack_height=Height(attack.height),
        beat=None if beat is None else Card(beat.card),
        beater=None if beat is None else Seat(beat.seat),
        beat_height=None if beat is None else Height(beat.height),
    )


def _seat(number: int) -> Seat | None:
    return None if number < 0 else Seat(number)


def _seats(bits: int) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in members(bits))
