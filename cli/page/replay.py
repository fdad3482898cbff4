"""A log as a film for the page: a verdict, and the view before every height. Pure: bytes in, JSON out.

A frame holds only what changed since the one before, so that a whole game stays small enough to sit inside
one page. Hands are there where every seat has published its deck secret (RULES `open_after`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.chronicle import step_events
from cli.page import encode
from game import story
from game.cards import members
from game.look import look
from ledger.level import Status
from ledger.verdict import Code
from ledger.verify import judge_file

if TYPE_CHECKING:
    from cli.page.encode import Json
    from game.cards import Card
    from game.course import Course
    from game.events import Event
    from game.state import CourseState
    from ledger.engine import Seat
    from ledger.log import Log
    from ledger.verdict import Verdict

FORMAT = 1


def film(data: bytes, engine: Course) -> dict[str, Json]:
    """The verdict on a log file and its frames; no frames where nothing could be replayed. Never raises on
    what the bytes say."""
    return film_of(judge_file(data, engine), engine)


def film_of(verdict: Verdict, engine: Course) -> dict[str, Json]:
    """The frames of what a file shows of a game, be it a log or a case, and the verdict on it."""
    log: Log[CourseState] | None = verdict.log
    frames: list[Json] = [] if log is None else _frames(log, engine)
    return {"format": FORMAT, "verdict": _verdict(verdict), "frames": frames}


def _verdict(verdict: Verdict) -> dict[str, Json]:
    log = verdict.log
    fault = verdict.fault
    return {
        "code": verdict.code.word,
        "good": verdict.code in (Code.VALID, Code.UNFINISHED, Code.VOID),
        "reason": verdict.reason or None,
        "offset": verdict.offset,
        "height": verdict.height if fault is None else fault.height,
        "entries": None if log is None else len(log.entries()),
        "seat": None if fault is None else fault.seat,
        "rule": None if fault is None else fault.rule or None,
        "game": None if verdict.genesis is None else verdict.genesis.game_id.hex(),
    }


def _frames(log: Log[CourseState], engine: Course) -> list[Json]:
    opened: tuple[Card, ...] = log.state.opened
    frames: list[Json] = []
    shown: dict[str, Json] = {}

    def add(state: CourseState, waiting: tuple[Seat, ...], happened: tuple[Event, ...]) -> None:
        nonlocal shown
        now = encode.view(look(state, waiting, None)) | {"hands": _hands(state, opened)}
        changed: dict[str, Json] = {
            name: value for name, value in now.items() if shown.get(name, ...) != value
        }
        told: list[Json] = [{"at": max(0, state.height - 1), **encode.event(event)} for event in happened]
        frames.append({"view": changed, "events": told})
        shown = now

    happened: tuple[Event, ...] = ()
    for step in log.steps():
        add(step.before, tuple(due.seat for due in step.dues), happened)
        happened = step_events(step, engine)
    if log.status is Status.ABORTED:
        happened += story.tell_abort(engine, log.state)
    add(log.state, log.waiting_for, happened)
    return frames


def _hands(state: CourseState, opened: tuple[Card, ...]) -> Json:
    """Every seat's cards at this height, ascending by place; null where they are not all published."""
    if state.position is None or not opened:
        return None
    return [[opened[place] for place in members(places)] for places in state.position.hands]
