"""The story of a game: what people would say happened at one height, from the states on both sides of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import claims, payloads, rules
from game import events as told
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
from game.cards import Card
from game.course import Course
from game.position import FALSE, Position, laid_at
from game.state import CourseState, Stage
from ledger.engine import Due, Height, Kind, Payload, Seat

if TYPE_CHECKING:
    from game.events import Event


def tell(
    course: Course,
    before: CourseState,
    dues: tuple[Due, ...],
    met: tuple[tuple[Kind, Payload], ...],
    after: CourseState,
) -> tuple[Event, ...]:
    """The events of the height between two states; `met` holds one entry per due, in due order."""
    events: list[Event] = []
    said = [(due.seat, kind, payload) for due, (kind, payload) in zip(dues, met, strict=True)]
    seat, _, payload = said[0]
    match before.stage:
        case Stage.JOIN:
            events.append(told.Joined())
        case Stage.KEYS:
            events.append(told.DealVoid() if after.stage is Stage.VOID else told.KeysOpened())
        case Stage.SHUFFLE:
            events.append(told.Shuffled(seat, after.shuffled, after.setup.seats))
        case Stage.DEAL:
            position = after.the_position
            events.append(told.Dealt(position.setup.trump, rules.talon(position)))
        case Stage.CLAIM:
            events.append(told.Claimed(seat, payloads.read_claim(payload)))
        case Stage.OPEN:
            events.append(told.TrumpOpened(seat, payloads.read_open(payload).card))
        case Stage.PLAY:
            events.extend(_play(before.the_position, said, after.the_position, before.height))
        case Stage.RESULT:
            events.append(told.ResultSigned())
        case Stage.SECRETS:
            events.append(told.HandsOpened(after.opened))
        case _:
            pass
    if before.position is None or before.stage < Stage.PLAY:
        events.extend(_leader(course, before, after))
    if before.position is not None:
        events.extend(_ending(before, after))
    return tuple(events)


def tell_abort(course: Course, after: CourseState) -> tuple[Event, ...]:
    """What a complete ABORT means at this table (R30)."""
    return (told.Aborted(after.waited_for, course.over(after)),)


def _leader(course: Course, before: CourseState, after: CourseState) -> list[Event]:
    if after.stage is not Stage.PLAY or before.stage is Stage.PLAY:
        return []
    leader = Seat(after.the_position.leader)
    if after.setup.leader is not None:
        return [told.LeaderFixed(leader, "previous")]
    lot = claims.best_claimant(after.claimed) is None
    return [told.LeaderFixed(leader, "lot" if lot else "lowest-trump")]


def _play(
    before: Position, said: list[tuple[Seat, Kind, Payload]], after: Position, height: Height
) -> list[Event]:
    events: list[Event] = []
    upheld: list[int] = []
    for seat, kind, payload in said:
        action = payloads.read_action(kind, payload)[0]
        target = _accused(action)
        if target is None:
            events.extend(_decision(before, seat, action, after))
            continue
        laid = laid_at(before, target)
        assert laid is not None
        if laid.cheat == FALSE:
            upheld.append(target)
        events.append(
            told.Accused(seat, Seat(laid.seat), Height(target), Card(laid.card), laid.cheat == FALSE)
        )
    if upheld:
        events.append(told.RolledBack(Height(min(upheld))))
    closed = after.closed
    if closed is not None and closed.height == height:
        cards = tuple(Card(laid.card) for laid in closed.plays)
        defender = Seat(closed.defender)
        events.append(told.BoutTaken(defender, cards) if closed.taken else told.BoutBeaten(defender, cards))
        for seat in _draw_order(before, defender):
            count = closed.drawn[seat].bit_count()
            if count:
                events.append(told.Drew(seat, count, rules.talon(after)))
    return events


def _accused(action: Action) -> int | None:
    match action:
        case Accuse(height) | Challenge(height):
            return height
        case _:
            return None


def _decision(before: Position, seat: Seat, action: Action, after: Position) -> list[Event]:
    defender = Seat(after.defender)
    match action:
        case Lead(_, cards):
            return [told.Led(seat, defender, cards)]
        case Beat(attack, _, card):
            return [told.Beaten(seat, attack, card)]
        case Transfer(_, card):
            return [told.Transferred(seat, card, defender)]
        case Show(_, card):
            return [told.Shown(seat, card, defender)]
        case Throw(_, card):
            return [told.Thrown(seat, card, before.taking)]
        case Take():
            return [told.TakeDeclared(seat)]
        case Pass():
            return [told.Passed(seat)]
        case Resign():
            return [told.Resigned(seat)]
        case _:
            return []


def _draw_order(before: Position, defender: Seat) -> list[Seat]:
    """R16: the leader of the bout first, then clockwise, the final defender last."""
    seats = before.setup.seats
    order = [Seat((before.leader + step) % seats) for step in range(seats)]
    return [seat for seat in order if seat != defender] + [defender]


def _ending(before: CourseState, after: CourseState) -> list[Event]:
    was, now = before.the_position, after.the_position
    events: list[Event] = [
        told.WentOut(Seat(seat), index + 1) for index, seat in enumerate(now.out) if index >= len(was.out)
    ]
    if after.stage is Stage.RESULT and before.stage in (Stage.PLAY, Stage.REFILL):
        result = after.result
        assert result is not None
        events.append(told.GameOver(result))
    return events
