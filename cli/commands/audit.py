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


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Judge all and list the verdicts, sorted by path. Raises CommandError (30) if the folder is none."""
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise CommandError(Exit.IO, "audit.no-folder", path=folder)
    paths = sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS and path.is_file())
    progress = _Progress(len(paths))
    audited = audit(paths, arguments.jobs or _cores(), progress.one_more)
    progress.clear()
    if arguments.json:
        found = (
            {"file": _name(one.path, folder), "verdict": one.verdict, "code": one.code} for one in audited
        )
        lines = [json.dumps(one, ensure_ascii=False) for one in found]
    else:
        lines = [
            app.texts.say("audit.line", verdict=one.verdict, code=one.code, file=_name(one.path, folder))
            for one in audited
        ]
        lines.append(app.texts.count("audit.all", len(audited)))
    app.show(lines)
    return Exit(max((one.code for one in audited), default=0))


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
