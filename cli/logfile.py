"""Log files from the disk: read whole and strictly, nothing repaired, nothing skipped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.engine import course
from cli.exits import CommandError, Exit
from ledger.folder import LOG, MAX_LOG
from ledger.log import Log
from ledger.outcome import Accepted, Forbade, Forked
from ledger.recovery import Tail, recover

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
    """The log in a file, every entry checked.

    Raises OSError, `Malformed`, `BadGenesis`, `Unsupported`, or CommandError (20) with the offset for bytes
    that are no accepted entry.
    """
    return parse_log(read_bytes(path), path)


def parse_log(data: bytes, path: str | Path) -> Log[CourseState]:
    """The log in these bytes of `path`; raises as `read_log` does, but for OSError."""
    recovered = recover(data)
    if recovered.tail is not Tail.WHOLE:
        raise CommandError(Exit.MALFORMED, "logfile.malformed", path=path, offset=recovered.end)
    log = Log(course(), recovered.genesis)
    offset = recovered.start
    for entry in recovered.entries:
        if not isinstance(log.receive(entry.record), Accepted | Forked | Forbade):
            raise CommandError(Exit.MALFORMED, "logfile.malformed", path=path, offset=offset)
        offset += len(entry.record)
    return log


def read_game(folder: Path) -> Log[CourseState]:
    """The log in a game's own folder, as far as it is whole: a torn tail of a crash is no part of it."""
    recovered = recover(read_bytes(folder / LOG))
    log = Log(course(), recovered.genesis)
    for entry in recovered.entries:
        log.receive(entry.record)
    return log
