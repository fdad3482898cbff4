"""When to send again, and how many frames may be under way.

The retransmission time follows RFC 6298 (with Karn's rule: a frame sent twice measures nothing). The window
is steered by delay, not by loss: BlueZ takes 32 kB in 0.3 s and needs 6.7 s to put them on a 5 kB/s air, so
whatever we hand down too early stands in a queue that an urgent datagram cannot pass.
"""

from __future__ import annotations

from typing import Final

from p2p.ble.frames import LARGEST_WINDOW

FIRST_TIMEOUT: Final = 1.0
SHORTEST_TIMEOUT: Final = 0.3
LONGEST_TIMEOUT: Final = 3.0
SMALLEST_WINDOW: Final = 2
FIRST_WINDOW: Final = 4
TOLERATED_QUEUE: Final = 0.25
"""Seconds that our own frames may stand in queues below us."""
FORGET_SHORTEST: Final = 30.0
"""Seconds after which the shortest round trip is measured anew."""


class RoundTrip:
    """Smoothed round trip and the time-out that follows from it; seconds."""

    def __init__(self) -> None:
        self.smoothed: float | None = None
        self._variation = 0.0
        self._backoff = 1
        self._shortest = float("inf")
        self._shortest_at = 0.0

    @property
    def timeout(self) -> float:
        if self.smoothed is None:
            base = FIRST_TIMEOUT
        else:
            base = max(SHORTEST_TIMEOUT, self.smoothed + 4 * self._variation)
        return min(LONGEST_TIMEOUT, base * self._backoff)

    @property
    def shortest(self) -> float:
        """The shortest round trip lately; infinite before the first."""
        return self._shortest

    @property
    def queueing(self) -> float:
        """How much longer than the shortest a round trip takes now."""
        return 0.0 if self.smoothed is None else self.smoothed - self._shortest

    def measured(self, seconds: float, now: float) -> None:
        if self.smoothed is None:
            self.smoothed, self._variation = seconds, seconds / 2
        else:
            self._variation += (abs(self.smoothed - seconds) - self._variation) / 4
            self.smoothed += (seconds - self.smoothed) / 8
        if seconds <= self._shortest or now >= self._shortest_at + FORGET_SHORTEST:
            self._shortest, self._shortest_at = seconds, now
        self._backoff = 1

    def timed_out(self) -> None:
        self._backoff = min(8, self._backoff * 2)

    def answered(self) -> None:
        """Something new was acknowledged: the other side is there, whatever the time it took."""
        self._backoff = 1


class Window:
    """How many frames may be under way, `SMALLEST_WINDOW` … `LARGEST_WINDOW`; slow to move."""

    def __init__(self) -> None:
        self.size = FIRST_WINDOW
        self._steer_at = 0.0

    def acknowledged(self, round_trip: RoundTrip, now: float) -> None:
        if now < self._steer_at or round_trip.smoothed is None:
            return
        self._steer_at = now + round_trip.smoothed
        if round_trip.queueing > TOLERATED_QUEUE:
            self.size = max(SMALLEST_WINDOW, self.size - 1)
        else:
            self.size = min(LARGEST_WINDOW, self.size + 1)

    def timed_out(self) -> None:
        self.size = SMALLEST_WINDOW
