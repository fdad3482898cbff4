"""`durak verify FILE`: what a log or a case proves, in sentences or as JSON; the exit code is the verdict."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from cli.engine import choose_backend, course
from cli.exits import Exit
from cli.judging import judge, to_json
from cli.line.replay import fault_line, how_it_stands
from cli.line.voice import Voice

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App
    from ledger.verdict import Verdict


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Judge the file and say so. Raises OSError."""
    choose_backend(os.environ)
    with ExitStack() as files:
        file = files.enter_context(Path(arguments.file).open("rb"))
        previous = files.enter_context(Path(arguments.previous).open("rb")) if arguments.previous else None
        verdict = judge(file.read, previous.read if previous is not None else None)
    if arguments.json:
        app.show([json.dumps(to_json(verdict), ensure_ascii=False)])
    else:
        app.show(sentences(app, verdict))
    return Exit(verdict.code)


def sentences(app: App, verdict: Verdict) -> Iterator[str]:
    """The verdict for people."""
    say = app.texts.say
    yield say(f"verdict.{verdict.code.word}")
    if verdict.offset is not None:
        yield say("verdict.where", offset=verdict.offset, reason=verdict.reason)
    elif verdict.reason:
        known = app.texts.knows(verdict.reason)
        yield say(verdict.reason) if known else say("verdict.reason", reason=verdict.reason)
    if verdict.genesis is None:
        return
    names = tuple(seat.name for seat in verdict.genesis.seats)
    voice = Voice.at_table(app.style, names, None)
    log = verdict.log
    if verdict.fault is not None:
        yield fault_line(verdict.fault, voice)
    elif log is not None and verdict.offset is None:
        yield from how_it_stands(log, course(), voice)
    if log is not None:
        yield say("verdict.log", heights=log.height, entries=len(log.entries()), game=log.game_id.hex())
    yield say("verdict.limits")
