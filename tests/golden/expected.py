"""What is pinned of a golden log: its verdict, a digest of the state hashes of all heights, what happened."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from cli.judging import to_json
from game.course import Course
from game.events import Aborted, Accused, Event, GameOver, LeaderFixed, Led
from game.mental_poker import deck
from game.state import CourseState
from game.story import tell, tell_abort
from ledger.engine import Height
from ledger.level import Status
from ledger.log import Log
from ledger.verdict import LIMITS
from ledger.verify import judge_file

Pinned = dict[str, Any]


def pinned(data: bytes) -> Pinned:
    """Judge the file as anybody would, from its bytes alone. The same keys always, JSON types only."""
    verdict = judge_file(data, Course(deck))
    log = verdict.log
    assert log is not None
    said = to_json(verdict)
    assert said.pop("limits")[: len(LIMITS)] == list(LIMITS)
    del said["seats"]
    return {
        "sha256": hashlib.sha256(data).hexdigest(),
        "states": states(log),
        "events": dict(sorted(Counter(happened(log)).items())),
        **said,
    }


def states(log: Log[Any]) -> str:
    """SHA-256 over the state hashes (16 B each) of heights 0 … `log.height`, in hexadecimal."""
    hashes = (log.level(Height(height)).state for height in range(log.height + 1))
    return hashlib.sha256(b"".join(hashes)).hexdigest()


def happened(log: Log[CourseState]) -> list[str]:
    """The names of all events, one for each time; with a word more where it is told below."""
    course = Course(deck)
    names: list[str] = []
    for step in log.steps():
        met = tuple((entry.kind, entry.payload) for entry in step.met)
        still_held = step.after.position is not None and any(step.after.position.hands)
        for event in tell(course, step.before, step.dues, met, step.after):
            names += _names(event, still_held=still_held)
    if log.status is Status.ABORTED:
        for event in tell_abort(course, log.state):
            names += _names(event, still_held=True)
    return names


def _names(event: Event, *, still_held: bool) -> list[str]:
    name = type(event).__name__
    match event:
        case Accused(upheld=upheld):
            return [f"{name} {'upheld' if upheld else 'false'}"]
        case Aborted(durak=durak):
            return [f"{name} {'durak' if durak else 'void'}"]
        case LeaderFixed(why=why):
            return [f"{name} {why}"]
        case Led(cards=cards):
            return [name, "Led several"] if len(cards) > 1 else [name]
        case GameOver(result):
            draw = ["repetition" if still_held else "draw"] if result.outcome else []
            return [name, *draw, *(["pogony"] if result.pogony else [])]
        case _:
            return [name]
