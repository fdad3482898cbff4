"""The items of a file one after another, from whatever reads bytes; memory holds one item at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.codec import item_end
from ledger.entry import MAX_RECORD
from ledger.errors import Malformed
from ledger.recovery import record_end

Read: TypeAlias = Callable[[int], bytes]
"""At most so many bytes more; fewer are possible, none only at the end. A binary file's `read` is one."""

_CHUNK: Final = 1 << 16


def reader(data: bytes) -> Read:
    """`Read` over bytes in memory."""
    at = 0

    def read(count: int) -> bytes:
        nonlocal at
        part = data[at : at + count]
        at += len(part)
        return part

    return read


class Items:
    """`offset` is where the next item begins, in bytes from the start of the file."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._buffer = b""
        self.offset = 0

    def item(self, *, limit: int) -> bytes | None:
        """The next item, unjudged; None at the end. Raises `Malformed`, also for a cut or too long item."""
        self._fill(limit + 9)
        if not self._buffer:
            return None
        return self._take(item_end(self._buffer, 0, limit=limit))

    def record(self) -> bytes | None:
        """The next record, by its heads; None at the end. Raises `Malformed`."""
        self._fill(MAX_RECORD + 9)
        if not self._buffer:
            return None
        return self._take(record_end(self._buffer, 0))

    def _fill(self, count: int) -> None:
        while len(self._buffer) < count:
            part = self._read(_CHUNK)
            if not part:
                return
            self._buffer += part

    def _take(self, end: int) -> bytes:
        if end > len(self._buffer):
            raise Malformed("E_CUT", "the file ends inside an item")
        item, self._buffer = self._buffer[:end], self._buffer[end:]
        self.offset += end
        return item
