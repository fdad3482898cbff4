"""One height as JSON, what `durak explain --json` prints: the same bytes in every language and everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.chronicle import events_at
from cli.page import encode
from game import kinds
from game.look import look
from ledger.verdict import offence

if TYPE_CHECKING:
    from cli.judging import Json
    from game.course import Course
    from ledger.engine import Height
    from ledger.entry import Entry
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
    return found | {
        "asked": [
            {"seat": due.seat, "kinds": [kinds.NAMES[kind] for kind in due.kinds]} for due in level.dues
        ],
        "signed": [_signed(entry) for entry in level.signed],
        "waiting_for": [due.seat for due in level.unmet],
        "table": encode.view(look(level.before, tuple(due.seat for due in level.unmet), None)),
        "events": [encode.event(event) for event in events_at(log, height, course)],
    }


def _signed(entry: Entry) -> Json:
    return {"seat": entry.seat, "kind": kinds.NAMES.get(entry.kind, str(entry.kind)), "entry": entry.id.hex()}
