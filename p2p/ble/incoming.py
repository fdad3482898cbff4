"""The receiving half of a link: chunks in any order in, whole datagrams out, each lane in its order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from p2p.ble.frames import LARGEST_WINDOW, LONGEST_CHUNK, MODULUS, Acknowledgement, BadFrame, Chunk, Sequence

DATAGRAM_LIMIT: Final = 2_048
"""Bytes of the largest datagram we put together."""


@dataclass(slots=True)
class _Partial:
    """A chunk that comes in parts; bit i of `here` is set when its byte i came."""

    payload: bytearray
    here: int = 0


class Incoming:
    """Keeps at most `LARGEST_WINDOW` chunks that came early, and one unfinished datagram a lane."""

    def __init__(self) -> None:
        self._next = Sequence(0)
        self._early: dict[Sequence, Chunk] = {}
        self._parts: dict[Sequence, _Partial] = {}
        self._lanes: list[bytearray | None] = [None, None]

    @property
    def gap(self) -> bool:
        """Something came that stands behind something missing."""
        return bool(self._early)

    def acknowledgement(self, credit: int) -> Acknowledgement:
        held = 0
        for ahead in range(LARGEST_WINDOW - 1):
            if (self._next + 1 + ahead) % MODULUS in self._early:
                held |= 1 << ahead
        return Acknowledgement(self._next, held, credit)

    def receive(self, chunk: Chunk) -> tuple[bytes, ...] | None:
        """The datagrams this chunk completes; None if it was not needed.

        Raises `BadFrame` where the pieces of a datagram do not fit together.
        """
        if not self._needed(chunk.seq):
            return None
        if len(chunk.payload) > LONGEST_CHUNK:
            raise BadFrame("no chunk is that long")
        self._parts.pop(chunk.seq, None)
        self._early[chunk.seq] = chunk
        datagrams = []
        while (ready := self._early.pop(self._next, None)) is not None:
            self._next = Sequence((self._next + 1) % MODULUS)
            datagram = self._join(ready)
            if datagram is not None:
                datagrams.append(datagram)
        return tuple(datagrams)

    def receive_part(self, chunk: Chunk, offset: int, total: int) -> tuple[bytes, ...] | None:
        """As `receive`, for the bytes from `offset` on of a chunk of `total` bytes."""
        if not self._needed(chunk.seq):
            return None
        partial = self._parts.setdefault(chunk.seq, _Partial(bytearray(total)))
        if len(partial.payload) != total:
            raise BadFrame("a chunk keeps its length")
        end = offset + len(chunk.payload)
        partial.payload[offset:end] = chunk.payload
        partial.here |= (1 << end) - (1 << offset)
        if partial.here != (1 << total) - 1:
            return ()
        return self.receive(replace(chunk, payload=bytes(partial.payload)))

    def _needed(self, seq: Sequence) -> bool:
        return (seq - self._next) % MODULUS < LARGEST_WINDOW and seq not in self._early

    def _join(self, chunk: Chunk) -> bytes | None:
        lane = 0 if chunk.urgent else 1
        begun = self._lanes[lane]
        if chunk.first != (begun is None):
            raise BadFrame("the pieces of a datagram do not follow one another")
        whole = bytearray() if begun is None else begun
        whole += chunk.payload
        if len(whole) > DATAGRAM_LIMIT:
            raise BadFrame("no datagram is that long")
        self._lanes[lane] = None if chunk.last else whole
        return bytes(whole) if chunk.last else None
