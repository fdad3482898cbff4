"""A call at a time that may still change: what every driver keeps for the deadlines of its node."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
    """Calls `ring` on the running loop, once for each time it was set and not set otherwise before."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        return self._timer is not None

    def set(self, at: float | None) -> None:
        """Ring at this time of the loop's clock and no other, soon if it has passed; None: not at all."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at is not None:
            loop = asyncio.get_running_loop()
            wait = max(0.0, at - loop.time())  # a browser's loop refuses what is past
            self._timer = loop.call_later(wait, self._now)

    def _now(self) -> None:
        self._timer = None
        self._ring()
