"""What a stranger says to the case of an honest seat, from its bytes alone."""

from __future__ import annotations

from game.course import CourseState
from ledger.fault import Fault
from ledger.log import Log


def assert_proven(log: Log[CourseState], fault: Fault) -> None:
    """The evidence names the seat and what it signed stands under its own key."""
    assert fault.entries
    for entry in fault.entries:
        assert entry.seat == fault.seat
        assert entry.signed_by(log.genesis.seats[fault.seat].game_key)
