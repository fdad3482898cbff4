"""`durak merge A B -o C`: one file of what two logs of one game hold together."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from cli.engine import choose_backend
from cli.exits import CommandError, Exit
from cli.judging import to_json
from cli.line.faults import consequence, fault_line
from cli.line.voice import Voice
from cli.logfile import new_file, only_one_stdin, read_log
from ledger.merge import OtherGame, merge
from ledger.verdict import Verdict, code_of

if TYPE_CHECKING:
    import argparse

    from cli.app import App


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Write the merged log; 10 if what it holds proves an offence, else 0.

    Raises CommandError: 12 for logs of two games, 30 if the file exists.
    """
    choose_backend(os.environ)
    only_one_stdin(arguments.left, arguments.right)
    target = Path(arguments.out)
    if os.path.lexists(target):
        raise CommandError(Exit.IO, "logfile.exists", path=target)
    left, right = read_log(arguments.left, app.texts), read_log(arguments.right, app.texts)
    try:
        merged = merge(left, right)
    except OtherGame as error:
        raise CommandError(Exit.INSUFFICIENT, "diff.other-game") from error
    with new_file(target) as file:
        file.write(merged.export())
    fault = merged.fault
    code = Exit.OK if fault is None else Exit.PROVEN
    if arguments.json:
        verdict = Verdict(code_of(merged), "log", merged.genesis, fault, log=merged)
        app.show([json.dumps(to_json(verdict))])
        return code
    app.tell("merge.written", path=target, heights=merged.height, entries=len(merged.entries()))
    if merged.records() == left.records():
        app.tell("merge.nothing-new")
    if fault is not None:
        voice = Voice.at_table(app.style, merged.state.setup.names, None)
        app.tell("merge.fault", path=target)
        app.show([fault_line(fault, voice), consequence(voice, stands=merged.result_stands)])
    return code
