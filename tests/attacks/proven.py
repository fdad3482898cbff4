"""What a stranger says to the evidence of an honest seat, from its bytes alone."""

from __future__ import annotations

from game.course import Course
from game.mental_poker import deck as real_suite
from game.state import CourseState
from ledger.evidence import case_of
from ledger.fault import Fault
from ledger.log import Log
from ledger.verdict import Code, Verdict
from ledger.verify import judge_file

_CODES_PROVEN_ANEW: set[str] = set()
_JUDGED: dict[bytes, Verdict] = {}
"""The files of two honest seats are often the same bytes."""


def assert_proven(log: Log[CourseState], fault: Fault) -> None:
    """Case and log both convict the seat of this fault, and nobody else.

    The first case of every code is judged by a fresh engine that remembers nothing.
    """
    engine = log.engine
    if fault.code not in _CODES_PROVEN_ANEW:
        _CODES_PROVEN_ANEW.add(fault.code)
        engine = Course(real_suite)
    for file in (case_of(log, fault), log.export()):
        verdict = _JUDGED.get(file) or _JUDGED.setdefault(file, judge_file(file, engine))
        assert verdict.code is Code.PROVEN, verdict
        assert verdict.accused in (None, fault.seat)
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.code) == (fault.seat, fault.code)
