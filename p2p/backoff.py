"""How long to wait before dialling again: twice as long each time, a little at random, never too long."""

from __future__ import annotations

from typing import Final

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0


class Backoff:
    """`dice` is a number from 0 to 1: two peers that failed together do not try together again. `longest` in
    seconds."""

    def __init__(self, longest: float = LONGEST_PAUSE) -> None:
        self._pause = FIRST_PAUSE
        self._longest = longest

    def failed(self, dice: float) -> float:
        """Seconds to wait after one more failure."""
        pause = self._pause * (0.5 + dice / 2)
        self._pause = min(2 * self._pause, self._longest)
        return pause

    def worked(self) -> None:
        self._pause = FIRST_PAUSE
