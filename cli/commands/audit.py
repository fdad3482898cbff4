"""`durak audit DIR --jobs N`: every log and case in a folder, one line each; the exit code is the highest."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cli.auditing import Audited, audit
from cli.exits import CommandError, Exit

if TYPE_CHECKING:
    import argparse

    from cli.app import App

ENDINGS = (".durak", ".durakcase")
BAR = 30
MOST_JOBS = 64


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Judge all and list the verdicts, sorted by path. Raises CommandError: 30 if the folder is none, 64 for
    a number of processes that is none."""
    folder = Path(arguments.folder)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise CommandError(Exit.USAGE, "audit.jobs")
    if not folder.is_dir():
        raise CommandError(Exit.IO, "audit.no-folder", path=folder)
    paths, unreadable = found(folder)
    progress = _Progress(len(paths))
    jobs = min(arguments.jobs or _cores(), MOST_JOBS, len(paths))
    try:
        audited = audit(paths, jobs, progress.one_more)
    finally:
        progress.clear()
    audited += [Audited(path, Exit.IO, "unreadable") for path in unreadable]
    audited.sort(key=lambda one: one.path)
    if arguments.json:
        lines = [
            json.dumps({"file": _name(one.path, folder), "verdict": one.verdict, "code": one.code})
            for one in audited
        ]
    else:
        lines = [_line(app, one, folder) for one in audited]
        lines.append(app.texts.count("audit.all", len(audited)))
    app.show(lines)
    return Exit(max((one.code for one in audited), default=0))


def found(folder: Path) -> tuple[list[Path], list[Path]]:
    """Everything named like a log or a case, and the folders that could not be looked into.

    Links to folders are not followed, so that no loop is walked.
    """
    paths: list[Path] = []
    unreadable: list[Path] = []
    for inside, _, names in os.walk(folder, onerror=lambda error: unreadable.append(Path(error.filename))):
        paths += (Path(inside, name) for name in names if name.endswith(ENDINGS))
    return sorted(paths), unreadable


def _line(app: App, one: Audited, folder: Path) -> str:
    """A name that holds a line break or a control character must not make a line of its own."""
    name = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in _name(one.path, folder))
    return app.texts.say("audit.line", verdict=one.verdict, code=one.code, file=name)


class _Progress:
    """A bar on standard error, where that is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = max(total, 1)
        self._done = 0
        self._shown = sys.stderr.isatty()

    def one_more(self, audited: Audited) -> None:
        """Another file is done."""
        self._done += 1
        if self._shown:
            filled = BAR * self._done // self._total
            print(
                f"\r[{'#' * filled:<{BAR}}] {self._done}/{self._total}", end="", file=sys.stderr, flush=True
            )

    def clear(self) -> None:
        """Leave no trace of the bar."""
        if self._shown:
            print("\r" + " " * (BAR + 20) + "\r", end="", file=sys.stderr, flush=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
