"""Log files from the disk: read whole and strictly, nothing repaired, nothing skipped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.engine import course
from cli.exits import CommandError, Exit
from ledger.errors import Unsupported
from ledger.folder import LOG, MAX_LOG
from ledger.log import Log
from ledger.recovery import recover
from ledger.verdict import Code
from ledger.verify import judge_file

if TYPE_CHECKING:
    from game.course import CourseState


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a log file. Raises OSError, or CommandError (20) for a file larger than any log."""
    with Path(path).open("rb") as file:
        data = file.read(MAX_LOG + 1)
    if len(data) > MAX_LOG:
        raise CommandError(Exit.MALFORMED, "logfile.too-large", path=path)
    return data


def read_log(path: str | Path) -> Log[CourseState]:
    """The log in a file, or as much of the game as a case shows; every entry checked.

    Raises OSError, `Unsupported`, or CommandError (20) with the offset for bytes that are no accepted entry.
    """
    with Path(path).open("rb") as file:
        verdict = judge_file(file.read, course())
    if verdict.code is Code.UNSUPPORTED:
        raise Unsupported(verdict.reason)
    if verdict.log is None or verdict.code >= Code.MALFORMED:
        raise CommandError(
            Exit.MALFORMED, "logfile.malformed", path=path, offset=verdict.offset or 0, reason=verdict.reason
        )
    return verdict.log


def read_game(folder: Path) -> Log[CourseState]:
    """The log in a game's own folder, as far as it is whole: a torn tail of a crash is no part of it."""
    recovered = recover(read_bytes(folder / LOG))
    log = Log(course(), recovered.genesis)
    for entry in recovered.entries:
        log.receive(entry.record)
    return log
