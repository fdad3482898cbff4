"""A token bucket: how much a peer may ask of us. Time is an argument."""

from __future__ import annotations


class Bucket:
    """Holds `burst` tokens at most and gains `rate` a second. Starts full."""

    def __init__(self, *, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def take(self, amount: float, now: float) -> bool:
        """Take `amount` tokens if they are there; False, and nothing is taken, if not."""
        self._tokens = min(self._burst, self._tokens + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)
        if amount > self._tokens:
            return False
        self._tokens -= amount
        return True
