"""Exit codes of every command (DESIGN §7), and the one error a command ends with on purpose."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """1 is never a verdict; whatever ends with it was not this program."""

    OK = 0
    UNFINISHED = 3
    VOID = 4
    PROVEN = 10
    REFUTED = 11
    INSUFFICIENT = 12
    MALFORMED = 20
    UNSUPPORTED = 21
    IO = 30
    USAGE = 64
    INTERNAL = 70
    STOPPED = 130
    """Ctrl-C before there was a verdict, as shells number it."""


class CommandError(Exception):
    """A command cannot go on: `message` is a message id that says what happened and what to do next."""

    def __init__(self, code: Exit, message: str, /, **parameters: object) -> None:
        super().__init__(f"{message} {parameters}" if parameters else message)
        self.code = code
        self.message = message
        self.parameters = parameters
