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


def kept(app: App, error: BaseException, *, more: bool = False) -> str:
    """Write the traceback beside the games; where it is, or the error itself if that too fails.

    It takes the place of what an earlier run left there. `more`: of this run is something there already, and
    stays, up to a bound.
    """
    path = app.home.folder / FILE
    try:
        app.home.make()
        if not more or path.stat().st_size < MOST_KEPT:
            with path.open("a" if more else "w", encoding="utf-8") as file:
                file.writelines(traceback.format_exception(error))
    except OSError:
        return repr(error)
    return str(path)


def run_loop(app: App, work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, where a mistake nobody waits for is told as a sentence and never as a traceback."""
    told = False

    def stumbled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        error = context.get("exception") or RuntimeError(context["message"])
        where = kept(app, error, more=told)
        if not told:
            told = True
            print(app.texts.say("error.internal-goes-on", where=where), file=sys.stderr)

    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(stumbled)
        return runner.run(work)
