"""`durak verify FILE`: what a log or a case proves, in sentences or as JSON; the exit code is the verdict."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cli.engine import choose_backend, course
from cli.exits import Exit
from cli.judging import to_json
from cli.line.faults import fault_note
from cli.line.replay import how_it_stands
from cli.line.voice import Voice
from cli.logfile import judged, malformed
from ledger.level import Status
from ledger.verdict import LIMITS, Code, code_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App
    from game.state import CourseState
    from ledger.log import Log
    from ledger.verdict import Verdict

BY_PREVIOUS = (Code.REFUTED, Code.INSUFFICIENT)
"""What the game before makes of a log that holds by itself."""


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Judge the file and say so. Raises OSError."""
    choose_backend(os.environ)
    verdict = judged(arguments.file, arguments.previous or "")
    if arguments.json:
        app.show([json.dumps(to_json(verdict))])
    else:
        app.show(sentences(app, verdict))
        if arguments.previous and verdict.code < Code.PROVEN:
            app.tell("previous.fits")
    return Exit(verdict.code)


def sentences(app: App, verdict: Verdict) -> Iterator[str]:
    """The verdict for people."""
    say = app.texts.say
    yield from in_short(app, verdict)
    genesis = verdict.genesis
    if genesis is None:
        return
    voice = Voice.at_table(app.style, tuple(seat.name for seat in genesis.seats), None)
    log = verdict.log
    if verdict.fault is None and verdict.accused is not None and verdict.accused < len(genesis.seats):
        yield say("case.accuses", name=voice.name(verdict.accused))
    if verdict.fault is not None:
        stands = None if log is None else log.result_stands
        yield from fault_note(verdict.fault, voice, genesis, stands=stands)
        if stands and log is not None:
            yield from how_it_stands(log, course(), voice)
    elif log is not None and verdict.offset is None and verdict.kind == "log":
        if verdict.code in BY_PREVIOUS:
            yield say("verdict.by-itself")
            yield say(f"verdict.{code_of(log).word}")
        yield from how_it_stands(log, course(), voice)
    if log is None:
        yield say("verdict.game", game=genesis.game_id.hex())
    else:
        yield say("verdict.log", heights=log.height, entries=len(log.entries()), game=log.game_id.hex())
    yield from limits(app, verdict)


def limits(app: App, verdict: Verdict) -> Iterator[str]:
    """What this file does not show."""
    yield app.texts.say("verdict.limits")
    for limit in verdict.limits[len(LIMITS) :]:
        yield app.texts.say(f"limit.{limit}")
    if verdict.log is not None and verdict.kind == "log" and _hides_hands(verdict.log):
        yield app.texts.say("limit.hands")


def _hides_hands(log: Log[CourseState]) -> bool:
    """A game that was played out and not opened."""
    return log.status is Status.FINISHED and log.fault is None and not log.state.opened


def in_short(app: App, verdict: Verdict) -> Iterator[str]:
    """The verdict alone, and what it is for."""
    say, reason = app.texts.say, verdict.reason
    yield say(f"verdict.{verdict.code.word}")
    if verdict.code is Code.MALFORMED and verdict.offset is not None:
        why = malformed(reason, app.texts)
        yield say("malformed.at", offset=verdict.offset, why=why, code=reason)
    elif reason:
        yield say(reason) if app.texts.knows(reason) else say("verdict.reason", reason=reason)
