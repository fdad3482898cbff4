"""`durak merge A B -o C`: one file of what two logs of one game hold together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cli.engine import choose_backend
from cli.exits import CommandError, Exit
from cli.logfile import read_log
from ledger.merge import OtherGame, merge

if TYPE_CHECKING:
    import argparse

    from cli.app import App


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Write the merged log. Raises CommandError: 12 for logs of two games, 30 if the file exists."""
    choose_backend(os.environ)
    target = Path(arguments.out)
    if target.exists():
        raise CommandError(Exit.IO, "games.exists", path=target)
    try:
        merged = merge(read_log(arguments.left), read_log(arguments.right))
    except OtherGame as error:
        raise CommandError(Exit.INSUFFICIENT, "diff.other-game") from error
    target.write_bytes(merged.export())
    app.tell("merge.written", path=target, heights=merged.height, entries=len(merged.entries()))
    return Exit.OK
