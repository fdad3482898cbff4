"""ABORT, lane 1 (RULES R30): who may sign it, and when the signatures of a height are complete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple, cast

from ledger.engine import ABORT, Due, Height, Payload, Seat
from ledger.errors import Forbidden


class Abort(NamedTuple):
    """A complete one: the height that stays incomplete, and the seats it waited for."""

    height: Height
    waiting_for: tuple[Seat, ...]


def seats_named(payload: Payload) -> tuple[Seat, ...]:
    """The seats W of `[[…]]`, ascending and not empty. Raises `Forbidden("I_SHAPE")`."""
    named = payload[0] if len(payload) == 1 else None
    if type(named) is not tuple or not named or any(type(seat) is not int for seat in named):
        raise Forbidden("I_SHAPE", reason="abort.shape")
    seats = cast("tuple[Seat, ...]", named)
    if seats[0] < 0 or any(lower >= higher for lower, higher in pairwise(seats)):
        raise Forbidden("I_SHAPE", reason="abort.shape")
    return seats


def check_abort(
    seat: Seat, payload: Payload, *, playing: bool, dues: tuple[Due, ...], still_in: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    """The seats W of an ABORT that `seat` may sign; raises `Forbidden`.

    Whether the signer has met its own due is the log's to know: that depends on what arrived.
    """
    waiting_for = seats_named(payload)
    due_seats = tuple(due.seat for due in dues)
    if not playing:
        raise Forbidden("I_RULE", rule="R30", reason="abort.not-in-play")
    if seat in waiting_for:
        raise Forbidden("I_RULE", rule="R30", reason="abort.own-seat")
    if any(named not in due_seats for named in waiting_for):
        raise Forbidden("I_RULE", rule="R30", reason="abort.nothing-due")
    outside = outsiders(still_in, waiting_for)
    if len(outside) < 2 or len(outside) <= len(waiting_for):
        raise Forbidden("I_RULE", rule="R30", reason="abort.too-few")
    return waiting_for


def outsiders(still_in: tuple[Seat, ...], waiting_for: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats in that are not waited for: all of them must sign."""
    return tuple(seat for seat in still_in if seat not in waiting_for)


def complete_abort(
    height: Height,
    signed: Iterable[tuple[Seat, tuple[Seat, ...]]],
    still_in: tuple[Seat, ...],
    newest: Mapping[Seat, Height],
) -> Abort | None:
    """Of the complete ABORTs of one height the one that counts: the fewest seats, then the lowest.

    `signed` are pairs (signer, W); `newest` is the greatest height at which each seat has an entry on the
    line: who signs on has withdrawn his ABORT. What he signed on a history that nobody here knows withdraws
    nothing, for it cannot be passed on, and peers would not agree.
    """
    signers: dict[tuple[Seat, ...], list[Seat]] = {}
    for seat, waiting_for in signed:
        signers.setdefault(waiting_for, []).append(seat)
    complete = [
        waiting_for
        for waiting_for, seats in signers.items()
        if all(seat in seats and newest[seat] <= height for seat in outsiders(still_in, waiting_for))
    ]
    best = min(complete, key=lambda waiting_for: (len(waiting_for), waiting_for), default=None)
    return None if best is None else Abort(height, best)


def abort_payload(waiting_for: tuple[Seat, ...]) -> tuple[int, Payload]:
    """Kind and payload of the ABORT that waits for these seats."""
    return ABORT, (waiting_for,)
