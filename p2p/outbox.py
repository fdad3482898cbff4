"""What waits to be sent over one link: bounded, moves before bulk, and nothing kept that can be rebuilt.

Entries can be rebuilt from the log when the other side tells its heads again, so they are dropped when the
link is too slow for them. Heads, tables and peer lists are only ever worth sending in their newest form. A
link loses nothing, so a record that waits here or has just left is not sent again, whatever heads say that
crossed it on the way: on a slow radio each repeat would make the next one likelier.
"""

from __future__ import annotations

import hashlib
from collections import deque
from typing import Final

from ledger.heads import Heads
from p2p.messages import Alive, Entries, Linked, Listening, Message, Peers, Table, encode_message

MOST_BYTES: Final = 256 * 1024
"""Of entries that wait for one link."""
MOST_OTHERS: Final = 64
"""Of messages that cannot be rebuilt: far more than an honest talk ever needs."""
UNDER_WAY: Final = 8.0
"""Seconds a record that has left may take to arrive and to show in the other side's heads."""


class Outbox:
    """A queue in two lanes. `full` tells that the other side reads too slowly to be kept."""

    def __init__(self) -> None:
        self._first: deque[Message] = deque()
        self._entries: deque[tuple[bytes, tuple[bytes, ...]]] = deque()
        self._entry_bytes = 0
        self._under_way: dict[bytes, float] = {}
        self.full = False

    def __bool__(self) -> bool:
        return bool(self._first or self._entries)

    @property
    def waiting_bytes(self) -> int:
        return self._entry_bytes

    def put(self, message: Message) -> None:
        if isinstance(message, Entries):
            self._put_entries(message)
            return
        self._replace(message)
        if len(self._first) >= MOST_OTHERS:
            self.full = True
            return
        self._first.append(message)

    def take(self, now: float = 0.0) -> bytes | None:
        """The next message, encoded; it leaves now."""
        if self._first:
            return encode_message(self._first.popleft())
        if self._entries:
            data, marks = self._entries.popleft()
            self._entry_bytes -= len(data)
            self._under_way.update(dict.fromkeys(marks, now))
            return data
        return None

    def tick(self, now: float) -> None:
        """Forget what has had time enough to arrive."""
        for mark in [mark for mark, left in self._under_way.items() if now >= left + UNDER_WAY]:
            del self._under_way[mark]

    def _put_entries(self, message: Entries) -> None:
        marks = tuple(hashlib.sha256(record).digest()[:16] for record in message.records)
        if any(mark in self._under_way for mark in marks):
            new = [
                pair for pair in zip(message.records, marks, strict=True) if pair[1] not in self._under_way
            ]
            if not new:
                return
            marks = tuple(mark for _, mark in new)
            message = Entries(message.game, tuple(record for record, _ in new), more=message.more)
        data = encode_message(message)
        if self._entry_bytes + len(data) <= MOST_BYTES:
            self._entries.append((data, marks))
            self._entry_bytes += len(data)
            self._under_way.update(dict.fromkeys(marks, float("inf")))

    def _replace(self, message: Message) -> None:
        """Forget what this message makes stale."""
        stale: list[Message]
        if isinstance(message, Heads):
            stale = [m for m in self._first if isinstance(m, Heads) and m.game_id == message.game_id]
        elif isinstance(message, Alive | Table | Peers | Linked | Listening):
            stale = [m for m in self._first if type(m) is type(message)]
        else:
            return
        for old in stale:
            self._first.remove(old)
