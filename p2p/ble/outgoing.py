"""The sending half of a link: datagrams in, chunks out, each again until it is acknowledged.

Two lanes share one sequence and one window. A chunk gets its number when it first leaves, so an urgent
datagram passes everything that has not left yet, and no datagram is passed by one of its own lane.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from p2p.ble.frames import (
    DATA_HEADER,
    LARGEST_WINDOW,
    MODULUS,
    PART_HEADER,
    SHORTEST_VALUE,
    Acknowledgement,
    Chunk,
    Sequence,
)
from p2p.ble.window import RoundTrip, Window

REORDERING: Final = 0.010
"""Seconds that a frame may be late behind one that left after it, before it counts as lost."""
SUSPICIOUS_REPEATS: Final = 3
"""A chunk that has to leave this often, on a link that is heard, may be too long for it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What to send next: a whole chunk, or its bytes from `offset` on, of `total`. `ask`: answer at once."""

    chunk: Chunk
    ask: bool
    offset: int = 0
    total: int | None = None


@dataclass(slots=True)
class _Waiting:
    datagram: bytes
    sent: int = 0


@dataclass(slots=True)
class _Sent:
    chunk: Chunk
    first: float
    at: float
    times: int
    held: bool = False
    lost: bool = False


class Outgoing:
    """`limit` is the longest value the link takes now; `set_limit` may change it at any time."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.queued = 0
        """Bytes that wait to leave for the first time."""
        self.queued_urgent = 0
        """Of these, the urgent ones."""
        self.repeated = 0
        """Chunks that had to leave again."""
        self.progress_at: float | None = None
        """When something under way was last acknowledged, or became first under way; None: nothing is."""
        self._proven = SHORTEST_VALUE
        self._lanes: tuple[deque[_Waiting], deque[_Waiting]] = (deque(), deque())
        self._flight: deque[_Sent] = deque()
        self._next = Sequence(0)
        self._credit = LARGEST_WINDOW
        self._parts: deque[Piece] = deque()
        self._round_trip = RoundTrip()
        self._window = Window()

    @property
    def idle(self) -> bool:
        """Everything has left and is acknowledged."""
        return not self.queued and not self._flight

    @property
    def base(self) -> Sequence:
        """The first number not acknowledged."""
        return self._flight[0].chunk.seq if self._flight else self._next

    def push(self, datagram: bytes, *, urgent: bool) -> None:
        self._lanes[0 if urgent else 1].append(_Waiting(datagram))
        self.queued += len(datagram)
        if urgent:
            self.queued_urgent += len(datagram)

    def set_limit(self, limit: int) -> None:
        """What the platform says. If it is less, what is under way and too long leaves again, in parts."""
        self._proven = SHORTEST_VALUE
        self._lower(limit)
        self.limit = limit

    def cut_at(self, arrived: int) -> None:
        """Only `arrived` bytes of a value got through. A length that was acknowledged is not to blame."""
        if self._proven <= arrived < self.limit:
            self._lower(arrived)
            self.limit = arrived

    def _lower(self, limit: int) -> None:
        if limit < self.limit:
            for sent in self._flight:
                sent.lost |= not sent.held and DATA_HEADER + len(sent.chunk.payload) > limit

    # — what to send —

    def next_piece(self, now: float, heard_at: float) -> Piece | None:
        """The next piece to send, if any may leave now. `heard_at`: when the other side was last heard."""
        if self._parts:
            return self._parts.popleft()
        self._notice_timeout(now, heard_at)
        for sent in self._flight:
            if sent.lost:
                return self._again(sent, now)
        if len(self._flight) >= min(self._window.size, self._credit):
            return None
        chunk = self._cut()
        if chunk is None:
            return None
        if not self._flight:
            self.progress_at = now
        self._flight.append(_Sent(chunk, now, now, 1))
        return Piece(chunk, ask=not self.queued)

    def deadline(self) -> float | None:
        """When `next_piece` has to be asked again at the latest."""
        if self._parts or any(sent.lost for sent in self._flight):
            return 0.0
        if self._flight:
            return self._flight[0].at + self._round_trip.timeout
        return None

    def _cut(self) -> Chunk | None:
        for lane, urgent in zip(self._lanes, (True, False), strict=True):
            if lane:
                waiting = lane[0]
                end = min(len(waiting.datagram), waiting.sent + self.limit - DATA_HEADER)
                payload = waiting.datagram[waiting.sent : end]
                first, last = waiting.sent == 0, end == len(waiting.datagram)
                waiting.sent = end
                self.queued -= len(payload)
                if urgent:
                    self.queued_urgent -= len(payload)
                if last:
                    lane.popleft()
                chunk = Chunk(self._next, first, last, urgent, payload)
                self._next = Sequence((self._next + 1) % MODULUS)
                return chunk
        return None

    def _again(self, sent: _Sent, now: float) -> Piece:
        sent.lost = False
        sent.at = now
        sent.times += 1
        self.repeated += 1
        payload = sent.chunk.payload
        if DATA_HEADER + len(payload) <= self.limit:
            return Piece(sent.chunk, ask=True)
        room, total = self.limit - PART_HEADER, len(payload)
        for offset in range(0, total, room):
            chunk = replace(sent.chunk, payload=payload[offset : offset + room])
            self._parts.append(Piece(chunk, offset + room >= total, offset, total))
        return self._parts.popleft()

    def _notice_timeout(self, now: float, heard_at: float) -> None:
        """Only the oldest frame has a clock: a frozen radio must not be fed the window again and again."""
        if not self._flight:
            return
        oldest = self._flight[0]
        if oldest.lost or now < oldest.at + self._round_trip.timeout:
            return
        oldest.lost = True
        length = min(self.limit, DATA_HEADER + len(oldest.chunk.payload))
        if oldest.times >= SUSPICIOUS_REPEATS and heard_at > oldest.at and length > self._proven:
            self.cut_at(max(self._proven, length // 2))
        self._round_trip.timed_out()
        self._window.timed_out()

    # — what was acknowledged —

    def acknowledged(self, ack: Acknowledgement, now: float) -> None:
        """Take in an acknowledgement. A stale or an impossible one changes nothing."""
        gone = (ack.next - self.base) % MODULUS
        if gone > len(self._flight):
            return
        newest = None
        for place, sent in enumerate(self._flight):
            here = place < gone or (place > gone and bool(ack.held >> (place - gone - 1) & 1))
            if here and not sent.held:
                sent.held, sent.lost = True, False
                # an answer that comes too soon after a repeat is one to the first time (RFC 8985, §6.2)
                repeat = sent.times > 1 and now - sent.at >= self._round_trip.shortest
                left = sent.at if repeat else sent.first
                newest = left if newest is None else max(newest, left)
                if sent.times == 1:
                    self._proven = max(self._proven, DATA_HEADER + len(sent.chunk.payload))
                    self._round_trip.measured(now - sent.at, now)
        for _ in range(gone):
            self._flight.popleft()
        self._credit = ack.credit
        if newest is None:
            return
        self.progress_at = now if self._flight else None
        self._round_trip.answered()
        self._window.acknowledged(self._round_trip, now)
        for sent in self._flight:
            sent.lost |= not sent.held and sent.at + REORDERING < newest
        self._parts = deque(piece for piece in self._parts if self._wanted(piece.chunk.seq))

    def _wanted(self, seq: Sequence) -> bool:
        return any(sent.chunk.seq == seq and not sent.held for sent in self._flight)
