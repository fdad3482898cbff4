"""How games end early, what a game came to, who leads the next one, and the series (R5, R28–R31)."""

from __future__ import annotations

from game.cards import bit_set, members
from game.position import DRAW, DURAK, Ending, Phase, Position, Result
from game.refill import finish
from game.seating import teams_of
from ledger.engine import Seat


def resign(position: Position, seat: int) -> Position:
    """R28: the seat, with teams its whole team, is the durak; no pogony."""
    return finish(position, Ending.RESIGNED, _teammates(position, (seat,)))


def abort(position: Position, waiting_for: tuple[int, ...]) -> Position:
    """R30: a complete ABORT against these seats. With `absent = durak` they (and their teams) are the
    durak."""
    if position.setup.options.absent == "void":
        return finish(position, Ending.VOID, ())
    return finish(position, Ending.ABORTED, _teammates(position, waiting_for))


def _teammates(position: Position, seats: tuple[int, ...]) -> tuple[int, ...]:
    team = position.setup.team
    teams = {team[seat] for seat in seats}
    return tuple(seat for seat in range(len(team)) if team[seat] in teams)


def result(position: Position) -> Result | None:
    """R29: what every seat signs; None while play goes on, and for a game that became void."""
    if position.phase is not Phase.OVER or position.ending is Ending.VOID:
        return None
    outcome = DURAK if position.duraks else DRAW
    return Result(outcome, position.duraks, position.out, position.pogony)


def the_durak(position: Position) -> Seat | None:
    """The one seat R5 calls the durak: of a team its member with most cards, the lowest seat among equals
    (R23); of several after an ABORT the lowest. None after a draw."""
    if not position.duraks:
        return None
    if position.ending is Ending.ABORTED:
        return Seat(position.duraks[0])
    return Seat(max(position.duraks, key=lambda seat: (position.hands[seat].bit_count(), -seat)))


def next_leader(position: Position) -> Seat | None:
    """R5: who leads the next game of these seats after this one; None where the lowest trump decides (R4)."""
    setup = position.setup
    rule = setup.options.next_first
    durak = the_durak(position)
    if position.phase is not Phase.OVER or durak is None or rule == "lowest-trump":
        return None
    if rule == "winner":
        return Seat(position.out[0] if position.out else (durak + 1) % setup.seats)
    return Seat((durak - 1) % setup.seats)  # never his partner: no team of R21 sits side by side


def series_points(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """R31: wins and losses this game adds, one number per seat; zeros without `series`, after a draw or a
    void game."""
    setup = position.setup
    seats = range(setup.seats)
    if not setup.options.series or result(position) is None or not position.duraks:
        return (0,) * setup.seats, (0,) * setup.seats
    winners = _winners(position)
    return tuple(int(seat in winners) for seat in seats), tuple(
        int(seat in position.duraks) for seat in seats
    )


def _winners(position: Position) -> tuple[int, ...]:
    """The first seat out, with teams the first team wholly out; after RESIGN with none, the one seat or team
    left."""
    team = position.setup.team
    gone = 0
    for seat in position.out:
        gone |= 1 << seat
        mates = _teammates(position, (seat,))
        if gone & bit_set(mates) == bit_set(mates):
            return mates
    if position.ending is Ending.RESIGNED:
        left = position.seats_in & ~bit_set(position.duraks)
        if teams_of(left, team) == 1:
            return _teammates(position, tuple(members(left)))
    return ()
