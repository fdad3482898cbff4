"""Signed logs of whole games in one process: what tests of verify, replay and faces begin with."""

from __future__ import annotations

from functools import cache

from cli.engine import course as product_course
from game.course import Course
from game.options import Options
from game.seat import OwnSeat
from game.state import CourseState
from ledger.engine import Seat
from ledger.entry import sign_entry
from ledger.genesis import Previous
from ledger.identity import game_key
from ledger.log import Log
from ledger.outcome import Accepted
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import Chooser, chooser, genesis_of, seed_of


def play_log(
    options: Options,
    *,
    course: Course | None = None,
    label: str = "game",
    choose: Chooser | None = None,
    heights: int | None = None,
    previous: Previous | None = None,
) -> Log[CourseState]:
    """A log signed by all seats, up to `heights` complete heights or to the end; open deck by default."""
    course = course or Course(OpenDeckSuite(), number=NUMBER)
    genesis = genesis_of(options, suite=course.number, label=label, previous=previous)
    log = Log(course, genesis)
    seeds = [seed_of(f"{label} {seat}") for seat in range(options.seats)]
    own = [OwnSeat(course, genesis.game_id, Seat(seat), seed) for seat, seed in enumerate(seeds)]
    decide = choose or chooser(1)
    while log.dues and (heights is None or log.height < heights):
        for due in log.dues:
            seat = own[due.seat]
            said = seat.owed(log.state)
            if said is None:
                legal = seat.legal(log.state)
                said = seat.write(log.state, decide(log.state, seat, legal[:-1] or legal))
            record = sign_entry(game_key(seeds[due.seat]), log.draft(due.seat, *said))
            outcome = log.receive(record)
            assert isinstance(outcome, Accepted), outcome
    return log


@cache
def real_log(seats: int = 2, *, deck: int = 36) -> Log[CourseState]:
    """A finished game dealt by mental poker. The same in every test; not to be changed."""
    return play_log(Options(seats=seats, deck=deck), course=product_course(), label="real")  # type: ignore[arg-type]
