"""`durak explain LOG --height N`: one height in words."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cli.engine import choose_backend, course
from cli.exits import CommandError, Exit
from cli.line.explain import explain
from cli.line.voice import Voice
from cli.logfile import read_log
from ledger.engine import Height

if TYPE_CHECKING:
    import argparse

    from cli.app import App


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Explain the height asked for, else where a fault lies, else the last. CommandError (64) for none."""
    choose_backend(os.environ)
    log = read_log(arguments.file)
    height = arguments.height
    if height is None:
        height = log.height if log.fault is None else log.fault.height
    if not 0 <= height <= log.height:
        raise CommandError(Exit.USAGE, "explain.no-height", last=log.height)
    voice = Voice.at_table(app.style, log.state.setup.names, None)
    lines = list(explain(log, Height(height), course(), voice))
    if arguments.json:
        app.show([json.dumps({"height": height, "lines": lines}, ensure_ascii=False)])
    else:
        app.show(lines)
    return Exit.OK
