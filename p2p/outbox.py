"""What waits to be sent over one link: bounded, moves before bulk, and nothing kept that can be rebuilt.

A shuffle takes seconds on a radio, so entries that are small go before it, and pass what of it has been
handed to the link already. They never pass their own game's bulk: they could not be judged without it.

Entries can be rebuilt from the log when the other side tells its heads again, so they are dropped when the
link is too slow for them. Heads, tables and peer lists are only ever worth sending in their newest form. A
link loses nothing, so a record that waits here or has just left is not sent again, whatever heads say that
crossed it on the way: on a slow radio each repeat would make the next one likelier.
"""

from __future__ import annotations

import hashlib
from collections import deque
from typing import Final, NamedTuple

from ledger.genesis import GameId
from ledger.heads import Heads
from p2p.message_codec import encode_message
from p2p.messages import Alive, Entries, Linked, Listening, Message, Peers, Table

MOST_BYTES: Final = 256 * 1024
"""Of entries that wait for one link."""
MOST_OTHERS: Final = 64
"""Of messages that cannot be rebuilt: far more than an honest talk ever needs."""
SMALL: Final = 1_024
"""Bytes of the largest ENTRIES that is not bulk: every move of a game, and no shuffle."""
IN_ORDER: Final = 1.0
"""Seconds that bulk may take to arrive after the link took it; until then its game's moves stay behind it."""
UNDER_WAY: Final = 8.0
"""Seconds a record that has left may take to arrive and to show in the other side's heads."""


class _Waiting(NamedTuple):
    """An encoded ENTRIES and the marks of its records."""

    game: GameId
    data: bytes
    marks: tuple[bytes, ...]

    @property
    def is_small(self) -> bool:
        return len(self.data) <= SMALL


class Outbox:
    """A queue in lanes: other messages, moves, bulk. `full`: the other side reads too slowly to be kept."""

    def __init__(self) -> None:
        self._first: deque[Message] = deque()
        self._moves: deque[_Waiting] = deque()
        self._bulk: deque[_Waiting] = deque()
        self._entry_bytes = 0
        self._leaving: _Waiting | None = None
        self._in_order: dict[GameId, float] = {}
        self._under_way: dict[bytes, float] = {}
        self._next_arrival = float("inf")
        """Before this moment no mark is to be forgotten."""
        self.full = False

    def __bool__(self) -> bool:
        return bool(self._first or self._moves or self._bulk)

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
        """The next message that is not bulk, encoded; it leaves now."""
        if self._first:
            return encode_message(self._first.popleft())
        return self._leave(self._moves, now)

    def take_bulk(self, now: float = 0.0) -> bytes | None:
        """The next message of bulk, encoded; it leaves now, or in pieces from now on."""
        self._leaving = self._bulk[0] if self._bulk else None
        return self._leave(self._bulk, now)

    def tick(self, now: float, *, leaving: bool = False) -> None:
        """Forget what has had time enough to arrive. `leaving`: pieces of the last bulk have yet to leave."""
        if leaving and self._leaving is not None:
            self._left(self._leaving, now)
        if now >= self._next_arrival:
            for mark in [mark for mark, left in self._under_way.items() if now >= left + UNDER_WAY]:
                del self._under_way[mark]
            self._next_arrival = min(self._under_way.values(), default=float("inf")) + UNDER_WAY
        if self._in_order:
            for waiting in self._bulk:
                if not waiting.is_small:
                    self._in_order[waiting.game] = now
            for game in [game for game, left in self._in_order.items() if now >= left + IN_ORDER]:
                del self._in_order[game]

    def _leave(self, lane: deque[_Waiting], now: float) -> bytes | None:
        if not lane:
            return None
        waiting = lane.popleft()
        self._entry_bytes -= len(waiting.data)
        self._left(waiting, now)
        return waiting.data

    def _left(self, waiting: _Waiting, now: float) -> None:
        self._under_way.update(dict.fromkeys(waiting.marks, now))
        self._next_arrival = min(self._next_arrival, now + UNDER_WAY)
        if not waiting.is_small:
            self._in_order[waiting.game] = now

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
            waiting = _Waiting(message.game, data, marks)
            if not waiting.is_small:
                self._in_order[message.game] = float("inf")
            (self._bulk if message.game in self._in_order else self._moves).append(waiting)
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
