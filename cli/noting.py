"""One height as JSON, what `durak explain --json` prints: the same bytes in every language and everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.page import encode
from game import kinds, story
from game.look import look
from ledger.verdict import offence

if TYPE_CHECKING:
    from cli.judging import Json
    from game.course import Course, CourseState
    from ledger.engine import Height
    from ledger.entry import Entry
    from ledger.log import Log
    from ledger.verdict import Verdict


def note(verdict: Verdict, height: Height | None, course: Course) -> dict[str, Json]:
    """Always the same keys. `height` None: a case that holds no game, of which the offence is all."""
    log, genesis = verdict.log, verdict.genesis
    found: dict[str, Json] = {
        "game": None if genesis is None else genesis.game_id.hex(),
        "height": height,
        "asked": [],
        "signed": [],
        "waiting_for": [],
        "table": None,
        "events": [],
        "offences": [],
        "exhibits": [],
        "limits": list(verdict.limits),
    }
    if genesis is None:
        return found
    known = (verdict.fault,) if log is None or height is None else log.faults
    faults = [fault for fault in known if fault is not None and height in (None, fault.height)]
    found["offences"] = [offence(fault, genesis) for fault in faults]
    found["exhibits"] = [_signed(entry) for fault in faults for entry in fault.entries]
    if log is None or height is None:
        return found
    level = log.level(height)
    aborts = sorted(level.aborts.values(), key=lambda entry: (entry.seat, entry.id))
    return found | {
        "asked": [
            {"seat": due.seat, "kinds": [kinds.NAMES[kind] for kind in due.kinds]} for due in level.dues
        ],
        "signed": [_signed(entry) for entry in (*level.in_due_order, *aborts)],
        "waiting_for": [due.seat for due in level.unmet],
        "table": encode.view(look(level.before, tuple(due.seat for due in level.unmet), None)),
        "events": _events(log, height, course),
    }


def _signed(entry: Entry) -> Json:
    return {"seat": entry.seat, "kind": kinds.NAMES.get(entry.kind, str(entry.kind)), "entry": entry.id.hex()}


def _events(log: Log[CourseState], height: Height, course: Course) -> Json:
    level = log.level(height)
    if level.unmet or not level.dues:
        return []
    met = tuple((entry.kind, entry.payload) for entry in level.in_due_order)
    after = log.level(type(height)(height + 1)).before
    return [encode.event(event) for event in story.tell(course, level.before, level.dues, met, after)]
