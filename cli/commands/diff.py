"""`durak diff A B`: how two logs of one game differ. 0 the same, 3 one lacks something, 10 a fork."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cli.engine import choose_backend, course
from cli.exits import CommandError, Exit
from cli.line.faults import fault_note
from cli.line.replay import how_it_stands
from cli.line.voice import Voice
from cli.logfile import only_one_stdin, read_log
from ledger.merge import FORK, PREFIX, SAME, Difference, OtherGame, diff

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App
    from game.state import CourseState
    from ledger.log import Log


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Compare and say so. Raises CommandError (12) for logs of two games."""
    choose_backend(os.environ)
    only_one_stdin(arguments.left, arguments.right)
    left, right = read_log(arguments.left, app.texts), read_log(arguments.right, app.texts)
    try:
        difference = diff(left, right)
    except OtherGame as error:
        raise CommandError(Exit.INSUFFICIENT, "diff.other-game") from error
    if arguments.json:
        app.show([json.dumps(difference.to_json())])
    else:
        app.show(_sentences(app, difference, left, right))
    return Exit(difference.code)


def _sentences(
    app: App, difference: Difference, left: Log[CourseState], right: Log[CourseState]
) -> Iterator[str]:
    say = app.texts.say
    voice = Voice.at_table(app.style, left.state.setup.names, None)
    yield say(f"diff.{difference.relation}")
    if difference.relation == PREFIX:
        yield say(f"diff.lacks.{_lacking(difference)}")
        yield from _answered(app, difference, left, right, voice)
    yield say(
        "diff.counts",
        common=difference.common,
        left=difference.heights[0],
        right=difference.heights[1],
        only_left=difference.only_left,
        only_right=difference.only_right,
    )
    if difference.relation == FORK and difference.fork is not None:
        stands = left.result_stands or right.result_stands
        yield from fault_note(difference.fork, voice, left.genesis, stands=stands)
    elif difference.relation == SAME:
        yield from how_it_stands(left, course(), voice)
    else:
        yield say("diff.end.first", how=" ".join(how_it_stands(left, course(), voice)))
        yield say("diff.end.second", how=" ".join(how_it_stands(right, course(), voice)))


def _lacking(difference: Difference) -> str:
    if difference.only_left and difference.only_right:
        return "both"
    return "first" if difference.only_right else "second"


def _answered(
    app: App, difference: Difference, left: Log[CourseState], right: Log[CourseState], voice: Voice
) -> Iterator[str]:
    """A claim that the game waits for somebody is answered by a log that holds his entry."""
    shorter, longer = (left, right) if difference.heights[0] <= difference.heights[1] else (right, left)
    held = {entry.seat for entry in longer.met(shorter.height)}
    answered = [seat for seat in shorter.waiting_for if seat in held]
    if answered:
        yield app.texts.say("diff.answered", height=shorter.height, names=voice.people(answered))
