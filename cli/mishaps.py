"""Mistakes of the program itself: a sentence for the person, the traceback for who mends it.

What fails outside of any command's own course (the answer to a datagram, a background task) ends that one
thing: asyncio drops the link or the task, and the game goes on. It is said once, and kept every time.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from cli.app import App

T = TypeVar("T")
FILE: Final = "internal-error.txt"
MOST_KEPT: Final = 1 << 18
"""Bytes; who can make us stumble must not be able to fill the disk."""


def kept(app: App, error: BaseException) -> str:
    """Write the traceback beside the games; where it is, or the error itself if that too fails."""
    path = app.home.folder / FILE
    try:
        app.home.make()
        path.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    except OSError:
        return repr(error)
    return str(path)


def run_loop(app: App, work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, where a mistake nobody waits for is told as a sentence and never as a traceback."""
    told = False

    def stumbled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        error = context.get("exception") or RuntimeError(context["message"])
        if told:
            _add(app, error)
            return
        told = True
        print(app.texts.say("error.internal-goes-on", where=kept(app, error)), file=sys.stderr)

    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(stumbled)
        return runner.run(work)


def _add(app: App, error: BaseException) -> None:
    path = app.home.folder / FILE
    try:
        if path.stat().st_size < MOST_KEPT:
            with path.open("a", encoding="utf-8") as file:
                file.writelines(traceback.format_exception(error))
    except OSError:
        pass
