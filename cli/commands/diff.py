"""`durak diff A B`: how two logs of one game differ. 0 the same, 3 one lacks something, 10 a fork."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cli.engine import choose_backend
from cli.exits import CommandError, Exit
from cli.line.replay import fault_line
from cli.line.voice import Voice
from cli.logfile import read_log
from ledger.merge import Difference, OtherGame, diff

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Compare and say so. Raises CommandError (12) for logs of two games."""
    choose_backend(os.environ)
    left, right = read_log(arguments.left), read_log(arguments.right)
    try:
        difference = diff(left, right)
    except OtherGame as error:
        raise CommandError(Exit.INSUFFICIENT, "diff.other-game") from error
    if arguments.json:
        app.show([json.dumps(difference.to_json(), ensure_ascii=False)])
    else:
        voice = Voice.at_table(app.style, left.state.setup.names, None)
        app.show(_sentences(app, difference, voice))
    return Exit(difference.code)


def _sentences(app: App, difference: Difference, voice: Voice) -> Iterator[str]:
    yield app.texts.say(f"diff.{difference.relation}")
    yield app.texts.say(
        "diff.counts",
        common=difference.common,
        left=difference.heights[0],
        right=difference.heights[1],
        only_left=difference.only_left,
        only_right=difference.only_right,
    )
    if difference.fork is not None:
        yield fault_line(difference.fork, voice)
