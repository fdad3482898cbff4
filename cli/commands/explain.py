"""`durak explain FILE --height N`: one height of a log, or a case, as a referee would note it down."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cli.commands.verify import limits
from cli.engine import choose_backend, course
from cli.exits import CommandError, Exit
from cli.line.explain import explain
from cli.line.faults import fault_note
from cli.line.voice import Voice
from cli.logfile import judged, log_in
from cli.noting import note
from ledger.engine import Height
from ledger.fault import FORK
from ledger.verdict import Code

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App
    from game.state import CourseState
    from ledger.log import Log
    from ledger.verdict import Verdict


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Explain the height asked for, else where an offence lies, else the last. CommandError (64) for none."""
    choose_backend(os.environ)
    verdict = judged(arguments.file)
    if verdict.log is None and verdict.fault is not None and verdict.fault.code == FORK:
        height, log = arguments.height, None
        if height not in (None, verdict.fault.height):
            raise CommandError(Exit.INSUFFICIENT, "logfile.fork-case", path=arguments.file)
    else:
        log = log_in(verdict, arguments.file, app.texts)
        height = _height(log, verdict, arguments.height)
    if arguments.json:
        app.show([json.dumps(note(verdict, height, course()))])
    else:
        app.show(_sentences(app, verdict, log, height))
    return Exit.OK


def _height(log: Log[CourseState], verdict: Verdict, wanted: int | None) -> Height:
    height = wanted
    if height is None:
        fault = verdict.fault or log.fault
        asked = verdict.height if fault is None else fault.height
        height = log.height if asked is None else min(asked, log.height)
    if not 0 <= height <= log.height:
        raise CommandError(Exit.USAGE, "explain.no-height", last=log.height)
    return Height(height)


def _sentences(
    app: App, verdict: Verdict, log: Log[CourseState] | None, height: Height | None
) -> Iterator[str]:
    genesis = verdict.genesis
    assert genesis is not None
    voice = Voice.at_table(app.style, tuple(seat.name for seat in genesis.seats), None)
    if log is None or height is None:
        assert verdict.fault is not None
        yield app.texts.say("explain.fork-case")
        yield from fault_note(verdict.fault, voice, genesis, stands=None)
    else:
        yield from explain(log, height, course(), voice)
        if verdict.kind == "case" and verdict.code is not Code.PROVEN:
            yield app.texts.say("explain.proves-nothing")
    yield from limits(app, verdict)
