"""`durak replay FILE`: step through a log, bout by bout."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cli.engine import choose_backend, course
from cli.exits import Exit
from cli.line.replay import Stepping, moments
from cli.line.voice import Voice
from cli.logfile import read_bytes, read_log

if TYPE_CHECKING:
    import argparse

    from cli.app import App


def _write_page(app: App, file: str, page: Path) -> Exit:
    """The whole replay as one page that opens anywhere. Raises OSError."""
    from cli.page.bundle import one_page
    from cli.page.replay import film

    page.write_text(one_page(film(read_bytes(file), course()), app.texts.language), encoding="utf-8")
    app.tell("replay.page", file=page)
    return Exit.OK


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Tell the whole log at once, or moment by moment as the person asks."""
    choose_backend(os.environ)
    if arguments.html:
        return _write_page(app, arguments.file, Path(arguments.html))
    log = read_log(arguments.file, app.texts)
    voice = Voice.at_table(app.style, log.state.setup.names, None)
    story = moments(log, course(), voice)
    if arguments.all:
        app.show(line for moment in story for line in moment.lines)
        return Exit.OK
    stepping = Stepping(story, app.texts)
    app.show(stepping.current())
    while not stepping.left:
        try:
            typed = input()
        except EOFError:
            break
        app.show(stepping.typed(typed))
    return Exit.OK
