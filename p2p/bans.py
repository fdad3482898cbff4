"""Identities that brought forgeries, and until when no link of theirs is taken. Sans-IO, bounded."""

from __future__ import annotations

from typing import Final

from ledger.identity import PublicKey

FIRST_BAN: Final = 60.0
"""Seconds; every further one of the same identity lasts twice as long."""
LONGEST_BAN: Final = 3_600.0
MOST_BANS: Final = 64


class Bans:
    """Of too many the oldest is forgotten."""

    def __init__(self) -> None:
        self._bans: dict[PublicKey, tuple[float, float]] = {}

    @property
    def identities(self) -> frozenset[PublicKey]:
        """Everybody who was banned, whether or not his time is over."""
        return frozenset(self._bans)

    def holds(self, identity: PublicKey, now: float) -> bool:
        """Whether this identity is banned now."""
        until, _ = self._bans.get(identity, (0.0, 0.0))
        return until > now

    def ban(self, identity: PublicKey, now: float) -> None:
        """From now on, for longer than the last time."""
        _, seconds = self._bans.pop(identity, (0.0, FIRST_BAN / 2))
        seconds = min(2 * seconds, LONGEST_BAN)
        if len(self._bans) >= MOST_BANS:
            del self._bans[next(iter(self._bans))]
        self._bans[identity] = (now + seconds, seconds)
