"""`durak replay FILE`: a log as a story, at once, step by step or by itself; as one page, or as JSON."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cli.commands.verify import in_short
from cli.engine import choose_backend, course
from cli.exits import CommandError, Exit
from cli.line.replay import moments
from cli.line.stepping import Stepping
from cli.line.terminal import Keyboard, Stopped, Typed
from cli.line.voice import Voice
from cli.logfile import judged, log_in, new_file
from cli.mishaps import run_loop
from ledger.verdict import Code

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from ledger.verdict import Verdict

HOLDS = (Code.VALID, Code.UNFINISHED, Code.VOID)
"""Verdicts on a file that is whole, and in which nobody does wrong."""
FASTEST, SLOWEST = 0.0, 3600.0


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Tell the whole log at once, or step by step as the person asks. Raises OSError, CommandError."""
    choose_backend(os.environ)
    if not FASTEST <= arguments.pace <= SLOWEST:
        raise CommandError(Exit.USAGE, "replay.pace")
    page = Path(arguments.html) if arguments.html else None
    if page is not None and os.path.lexists(page):
        raise CommandError(Exit.IO, "logfile.exists", path=page)
    verdict = judged(arguments.file)
    if page is not None and verdict.log is not None:
        return _write_page(app, verdict, page)
    log = log_in(verdict, arguments.file, app.texts)
    if arguments.json:
        from cli.page.replay import film_of

        app.show([json.dumps(film_of(verdict, course()))])
        return Exit.OK
    voice = Voice.at_table(app.style, log.state.setup.names, None)
    story = moments(log, course(), voice)
    if arguments.all:
        app.show(line for moment in story for line in moment.lines)
    else:
        run_loop(app, _step(app, Stepping(story, app.texts, playing=arguments.auto), arguments.pace))
    return Exit.OK


def _write_page(app: App, verdict: Verdict, page: Path) -> Exit:
    """The whole replay as one page that opens anywhere, as far as the log holds; its verdict is in it, and
    where the file is not whole and right also said here, and the exit code."""
    from cli.page.bundle import one_page
    from cli.page.replay import film_of

    text = one_page(film_of(verdict, course()), app.texts.language)
    with new_file(page) as file:
        file.write(text.encode())
    app.tell("replay.page", file=page)
    if verdict.code in HOLDS:
        return Exit.OK
    app.show(in_short(app, verdict))
    return Exit(verdict.code)


async def _step(app: App, stepping: Stepping, pace: float) -> None:
    """Show steps as the person types, or one every `pace` seconds while it plays by itself."""
    keyboard = Keyboard(sys.stdin.fileno())
    app.show(stepping.current())
    listening = True
    while not stepping.left:
        item = None
        if listening:
            try:
                async with asyncio.timeout(pace if stepping.playing else None):
                    item = await keyboard.next()
            except TimeoutError:
                pass
        else:
            await asyncio.sleep(pace)
        if isinstance(item, Typed):
            app.show(stepping.typed(item.line))
        elif isinstance(item, Stopped) and not stepping.playing:
            return
        elif isinstance(item, Stopped):
            listening = False
        elif stepping.playing:
            app.show(stepping.on())
        else:
            return
