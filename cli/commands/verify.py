"""`durak verify FILE`: what a log proves, in sentences or as JSON; the exit code is the verdict."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cli.engine import choose_backend, course
from cli.judging import VERDICTS, judge
from cli.line.replay import how_it_stands
from cli.line.voice import Voice
from cli.logfile import read_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App
    from cli.exits import Exit
    from cli.judging import Report


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Judge the file and say so."""
    choose_backend(os.environ)
    previous = read_bytes(arguments.previous) if arguments.previous else None
    report = judge(read_bytes(arguments.file), previous)
    if arguments.json:
        app.show([json.dumps(report.to_json(), ensure_ascii=False)])
    else:
        app.show(_sentences(app, report))
    return report.code


def _sentences(app: App, report: Report) -> Iterator[str]:
    say = app.texts.say
    yield say(f"verdict.{VERDICTS[report.code]}", reason=report.reason)
    log = report.log
    if log is None:
        return
    voice = Voice.at_table(app.style, log.state.setup.names, None)
    yield from how_it_stands(log, course(), voice)
    yield say("verdict.log", heights=log.height, entries=len(log.records()), game=log.game_id.hex())
    yield say("verdict.limits")
