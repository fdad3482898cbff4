"""Log and case files from the disk or standard input: judged whole and strictly, nothing skipped."""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from cli.engine import course
from cli.exits import CommandError, Exit
from cli.judging import judge
from ledger.errors import Unsupported
from ledger.folder import LOG, MAX_LOG
from ledger.log import Log
from ledger.recovery import recover
from ledger.verdict import Code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import BinaryIO

    from cli.texts import Texts
    from game.state import CourseState
    from ledger.verdict import Verdict

STDIN = "-"


def opened(path: str) -> AbstractContextManager[BinaryIO]:
    """The file to read; `-` is standard input. Raises OSError."""
    return nullcontext(sys.stdin.buffer) if path == STDIN else Path(path).open("rb")


def judged(path: str, previous: str = "") -> Verdict:
    """The verdict on a file, and on what it says of the game before. Raises OSError, CommandError (64)."""
    only_one_stdin(path, previous)
    with opened(path) as file:
        if not previous:
            return judge(file.read)
        with opened(previous) as before:
            return judge(file.read, before.read)


def only_one_stdin(*paths: str) -> None:
    """Raise CommandError (64) where two files are both standard input."""
    if paths.count(STDIN) > 1:
        raise CommandError(Exit.USAGE, "logfile.one-stdin")


def read_log(path: str, texts: Texts) -> Log[CourseState]:
    """The log in a file, or as much of the game as a case shows; every entry checked.

    Raises OSError, or what `log_in` raises.
    """
    return log_in(judged(path), path, texts)


def log_in(verdict: Verdict, path: str, texts: Texts) -> Log[CourseState]:
    """The log behind a verdict. Raises `Unsupported`, or CommandError: 20 with the offset for bytes that are
    no accepted entry, 12 for a case that holds no game, 70 if the check itself failed."""
    if verdict.code is Code.UNSUPPORTED:
        raise Unsupported(verdict.reason)
    if verdict.code is Code.INTERNAL:
        raise CommandError(Exit.INTERNAL, "verdict.internal")
    if verdict.code is Code.MALFORMED:
        raise CommandError(
            Exit.MALFORMED, "logfile.malformed", path=path, offset=verdict.offset or 0,
            why=malformed(verdict.reason, texts), code=verdict.reason,
        )  # fmt: skip
    if verdict.log is None:
        message = "logfile.fork-case" if verdict.code is Code.PROVEN else "logfile.proves-nothing"
        raise CommandError(Exit.INSUFFICIENT, message, path=path)
    return verdict.log


def malformed(code: str, texts: Texts) -> str:
    """Why bytes are no log of a game, in words, for the `reason` of a verdict."""
    if code.startswith("genesis."):
        return texts.say("malformed.genesis")
    message = f"malformed.{code.removeprefix('E_').lower()}"
    return texts.say(message if texts.knows(message) else "malformed.other")


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file that was not there before, not even as a link; gone again if writing it fails.

    Raises OSError, or CommandError (30) if something is there already.
    """
    try:
        file = path.open("xb")
    except FileExistsError as error:
        raise CommandError(Exit.IO, "logfile.exists", path=path) from error
    try:
        with file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a log file. Raises OSError, or CommandError (20) for a file larger than any log."""
    with Path(path).open("rb") as file:
        data = file.read(MAX_LOG + 1)
    if len(data) > MAX_LOG:
        raise CommandError(Exit.MALFORMED, "logfile.too-large", path=path)
    return data


def read_game(folder: Path) -> Log[CourseState]:
    """The log in a game's own folder, as far as it is whole: a torn tail of a crash is no part of it."""
    recovered = recover(read_bytes(folder / LOG))
    log = Log(course(), recovered.genesis)
    for entry in recovered.entries:
        log.receive(entry.record)
    return log
