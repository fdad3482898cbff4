"""Well-signed entries ahead of the log, within bounds, fairly shared: no seat can fill another's room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.engine import Height, Seat
from ledger.entry import Entry, EntryId
from ledger.fault import key_of

MAX_ENTRIES: Final = 64
MAX_BYTES: Final = 256 * 1024
WINDOW: Final = 8
"""How far ahead of the log an entry may be."""


class WaitingRoom:
    """At most 64 entries and 256 KiB, an equal part of both for every seat, two bodies per key."""

    def __init__(self, seats: int) -> None:
        self._entries_per_seat = MAX_ENTRIES // seats
        self._bytes_per_seat = MAX_BYTES // seats
        self._waiting: dict[EntryId, Entry] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def get(self, entry: EntryId) -> Entry | None:
        return self._waiting.get(entry)

    def add(self, entry: Entry) -> bool:
        """Take the entry in, at the cost of the seat's farther ones; False when there is no room for it."""
        key = key_of(entry)
        own = [other for other in self._waiting.values() if other.seat == entry.seat]
        if sum(key_of(other) == key for other in own) >= 2:
            return False
        own.sort(key=lambda other: (other.height, other.lane))
        size = sum(len(other.record) for other in own) + len(entry.record)
        leaving: list[Entry] = []
        while len(own) >= self._entries_per_seat or size > self._bytes_per_seat:
            if not own or own[-1].height <= entry.height:
                return False
            size -= len(own[-1].record)
            leaving.append(own.pop())
        for other in leaving:
            del self._waiting[other.id]
        self._waiting[entry.id] = entry
        return True

    def take(self, up_to: Height) -> list[Entry]:
        """Remove and return all entries of heights not above `up_to`, in canonical order."""
        if not self._waiting:
            return []
        ready = [entry for entry in self._waiting.values() if entry.height <= up_to]
        for entry in ready:
            del self._waiting[entry.id]
        return sorted(ready, key=lambda entry: (entry.height, entry.seat, entry.lane, entry.id))

    def any_of(self, seat: Seat, when: Callable[[Entry], bool]) -> bool:
        """Whether an entry of this seat waits for which `when` holds."""
        return any(entry.seat == seat and when(entry) for entry in self._waiting.values())
