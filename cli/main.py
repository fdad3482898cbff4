"""The program `durak`: reads the command line, runs one command, and turns whatever happens into a sentence
and an exit code. No traceback ever reaches a person; an internal stop leaves one in the data folder and says
where."""

from __future__ import annotations

import errno
import logging
import os
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING

from cli import mishaps
from cli.app import App
from cli.arguments import parser
from cli.contradictions import refuse_contradictions
from cli.exits import CommandError, Exit
from cli.texts import is_language, languages
from ledger.errors import BadGenesis, Malformed, NotKept, StoreError, Unsupported
from p2p.errors import NetworkError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

DISTRIBUTION = "durak-without-dealer"
JUDGES = frozenset({"verify", "diff", "merge", "explain", "audit"})
"""Commands whose exit code is a verdict: who stops them or does not listen has none, and 0 would be one."""


FROM_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG})
"""What only a disk says that takes no more."""

_SILENT = logging.NullHandler()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _open_streams()
    logging.getLogger().addHandler(_SILENT)  # what libraries log is nothing for a person's terminal
    app: App | None = None
    words = list(sys.argv[1:] if arguments is None else arguments)
    judging = any(word in JUDGES for word in words)
    try:
        language = _wanted_language(words)
        app = App.of(os.environ, language=language)
        if language and not is_language(language):
            raise CommandError(
                Exit.USAGE, "lang.unknown", language=ascii(language)[1:-1], languages=", ".join(languages())
            )
        chosen = parser(app.texts, _version()).parse_args(words)
        refuse_contradictions(chosen, words)
        return int(_run(app, chosen))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else Exit.OK
    except KeyboardInterrupt:
        return Exit.STOPPED if judging else Exit.OK
    except Exception as raised:
        error = _first(raised)
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.IO if judging else Exit.OK
        return _explain(error, app or App.plain(os.environ))


def _open_streams() -> None:
    """Whatever was closed leads nowhere; what cannot be shown is shown as a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _first(error: Exception) -> Exception:
    """What went wrong first, where several things run side by side."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _run(app: App, arguments: argparse.Namespace) -> Exit:
    """The command's own module is imported only now: `durak name` need not load the cryptography."""
    module = import_module(".".join(("cli", "commands", arguments.command or "resume")))
    run: Callable[[App, argparse.Namespace], Exit] = module.run
    return run(app, arguments)


def _explain(error: Exception, app: App) -> Exit:
    """Say on standard error what happened and what to do next; the exit code for it."""
    match error:
        case CommandError():
            code, sentence = error.code, app.texts.say(error.message, **error.parameters)
        case NetworkError():
            code, sentence = Exit(error.exit_code), app.texts.say(error.reason, **error.params)
        case Unsupported():
            code, sentence = Exit.UNSUPPORTED, app.texts.say("error.unsupported", detail=error)
        case Malformed() | BadGenesis():
            code, sentence = Exit.MALFORMED, app.texts.say("error.malformed", detail=error)
        case NotKept():
            code, sentence = Exit.IO, app.texts.say("error.not-kept", detail=error)
        case StoreError():
            code, sentence = Exit.IO, app.texts.say("error.store", detail=error)
        case OSError() if error.errno in FROM_THE_DISK or _is_of(error, app):
            named = error.filename or app.home.folder
            code, sentence = Exit.IO, app.texts.say("error.disk", name=named, why=error.strerror or error)
        case OSError():
            named = error.filename or app.texts.say("error.unnamed")
            code, sentence = Exit.IO, app.texts.say("error.io", name=named, why=error.strerror or error)
        case _:
            code, sentence = Exit.INTERNAL, app.texts.say("error.internal", where=mishaps.kept(app, error))
    print(sentence, file=sys.stderr)
    return code


def _is_of(error: OSError, app: App) -> bool:
    """Whether this happened to a file of the data folder."""
    return isinstance(error.filename, str) and Path(error.filename).is_relative_to(app.home.folder)


def _wanted_language(words: Sequence[str]) -> str:
    """`--lang` before anything is parsed, because the parser itself speaks."""
    for number, word in enumerate(words):
        if word == "--lang":
            return "".join(words[number + 1 : number + 2])
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
    return ""


def _version() -> str:
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "0"


if __name__ == "__main__":
    sys.exit(main())
