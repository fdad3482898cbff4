"""What ends the program from outside: Ctrl-C, a kill, a closed terminal. Whatever is signed is on disk."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

GRACE: Final = 1.0
"""Seconds after a signal in which a face may say good-bye; then everything is cut off."""
SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def when_told_to_stop(say: Callable[[], None]) -> None:
    """Have the running loop call `say` at the first signal, and end after GRACE whatever it waits for then.

    A second signal ends the program at once. Where a loop can't watch signals they do what they always did.
    """
    loop = asyncio.get_running_loop()

    def told() -> None:
        say()
        loop.call_later(GRACE, _cut_off)
        for number in SIGNALS:
            loop.remove_signal_handler(number)

    for number in SIGNALS:
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, told)


def _cut_off() -> None:
    """Ends the event loop from within; its tasks are cancelled and clean up."""
    raise KeyboardInterrupt
