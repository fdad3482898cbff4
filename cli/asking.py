"""Questions a command asks before there is a table: put again, with the reason, until they are answered.

A slip of the finger costs a line, never the program. The end of input and the words that leave end it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from cli.exits import CommandError, Exit
from p2p.errors import NetworkError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cli.app import App

T = TypeVar("T")


async def asked(app: App, question: str, read: Callable[[str], Awaitable[T]]) -> T:
    """What `read` makes of the first answer it does not refuse with a CommandError or `NetworkError`.

    At the end of input nothing was answered, and what `read` says to that is raised. Ends the program
    (SystemExit) at a word that leaves.
    """
    while True:
        app.tell(question)
        typed = await asyncio.to_thread(_line)
        if typed is not None and app.leaves(typed):
            app.tell("leave.ended")
            raise SystemExit(Exit.OK)
        try:
            return await read(typed or "")
        except (CommandError, NetworkError) as error:
            if typed is None:
                raise
            if isinstance(error, CommandError):
                app.tell(error.message, **error.parameters)
            else:
                app.tell(error.reason, **error.params)


def agreed(app: App, question: str) -> bool:
    """Yes or no. The end of input and a word that leaves mean no."""
    while True:
        app.tell(question)
        typed = _line()
        word = "" if typed is None else typed.casefold()
        if typed is None or app.leaves(word):
            return False
        answer = app.texts.yes_or_no(word)
        if answer is not None:
            return answer
        app.tell("answer.neither")


def _line() -> str | None:
    """A line of standard input, None at its end."""
    try:
        return input().strip()
    except EOFError:
        return None
