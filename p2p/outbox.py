"""What waits to be sent over one link: bounded, moves before bulk, and nothing kept that can be rebuilt.

Entries can be rebuilt from the log when the other side tells its heads again, so they are dropped when the
link is too slow for them. Heads, tables and peer lists are only ever worth sending in their newest form.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from ledger.heads import Heads
from p2p.messages import Alive, Entries, Linked, Listening, Message, Peers, Table, encode_message

MOST_BYTES: Final = 256 * 1024
"""Of entries that wait for one link."""
MOST_OTHERS: Final = 64
"""Of messages that cannot be rebuilt: far more than an honest talk ever needs."""


class Outbox:
    """A queue in two lanes. `full` tells that the other side reads too slowly to be kept."""

    def __init__(self) -> None:
        self._first: deque[Message] = deque()
        self._entries: deque[bytes] = deque()
        self._entry_bytes = 0
        self.full = False

    def __bool__(self) -> bool:
        return bool(self._first or self._entries)

    @property
    def waiting_bytes(self) -> int:
        return self._entry_bytes

    def put(self, message: Message) -> None:
        if isinstance(message, Entries):
            data = encode_message(message)
            if self._entry_bytes + len(data) <= MOST_BYTES:
                self._entries.append(data)
                self._entry_bytes += len(data)
            return
        self._replace(message)
        if len(self._first) >= MOST_OTHERS:
            self.full = True
            return
        self._first.append(message)

    def take(self) -> bytes | None:
        """The next message, encoded."""
        if self._first:
            return encode_message(self._first.popleft())
        if self._entries:
            data = self._entries.popleft()
            self._entry_bytes -= len(data)
            return data
        return None

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
