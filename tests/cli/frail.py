"""`durak`, killed by its own hand at a moment of the talk before the game; run as a module.

    python -m tests.cli.frail MOMENT WORDS…

`asks`: what it asks for a seat with is written, nothing sent; `agrees`: it is about to send its agreement;
`begins`: all have agreed, and there is no file of the game yet; `began`: its files are there, and nothing is
signed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from cli import main
from cli.game_folder import GameFolders
from p2p import guest


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dies(*, before: Callable[..., Any] | None = None, after: Callable[..., Any] | None = None) -> Any:
    def call(*arguments: Any, **named: Any) -> Any:
        if before is not None:
            die()
        assert after is not None
        after(*arguments, **named)
        die()

    return call


match sys.argv.pop(1):
    case "asks":
        GameFolders.asked = dies(after=GameFolders.asked)  # type: ignore[method-assign]
    case "agrees":
        guest.Agree = dies(before=guest.Agree)  # type: ignore[misc]
    case "begins":
        GameFolders.create = dies(before=GameFolders.create)  # type: ignore[method-assign]
    case "began":
        GameFolders.create = dies(after=GameFolders.create)  # type: ignore[method-assign]
    case moment:
        raise SystemExit(f"no such moment: {moment}")

sys.exit(main.main(sys.argv[1:]))
