"""One Bluetooth link, sans-IO: values in, values out, events to collect.

The central speaks first: its HELLO says that it listens now, for notifications sent around a subscription are
lost on several stacks (bleak#1885). The peripheral is silent until then, and believes in the link once it has
heard its number. Both then beat every two seconds, for a frozen radio looks healthy for ever: writes succeed
and the platform says "connected".
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from p2p.ble.frames import (
    DATA_HEADER,
    LARGEST_WINDOW,
    NO_ROOM,
    NONCE_BYTES,
    PROCESS_BYTES,
    UNNUMBERED,
    WIRE_VERSION,
    Ack,
    Acknowledgement,
    BadFrame,
    Bye,
    Chunk,
    Cut,
    CutFrame,
    Data,
    Frame,
    Hello,
    LinkNumber,
    Part,
    Welcome,
    decode_frame,
    encode_frame,
    value_limit,
)
from p2p.ble.incoming import Incoming
from p2p.ble.link_events import Arrived, Down, Heard, LinkEvent, Quiet, Up
from p2p.ble.outgoing import Outgoing
from p2p.link import SMALLEST_MTU
from p2p.reasons import Why

GREETING_EVERY: Final = 0.5
GREETING_TIME: Final = 10.0
HEARTBEAT: Final = 2.0
QUIET_AFTER: Final = 6.0
DEAD_AFTER: Final = 15.0
STUCK_AFTER: Final = 60.0
"""A peer that beats but acknowledges nothing."""
FAREWELL_TIME: Final = 1.0
ACK_DELAY: Final = 0.05
ACK_EVERY: Final = 2
DATAGRAM_AIM: Final = 1_000
QUEUE_LIMIT: Final = 262_144
"""Bytes that may wait; a link with more is too slow to follow and ends."""
HOLD_BACK: Final = 2_048
"""With more bytes waiting than this the link says it is not writable. What is urgent counts alone, too."""
INBOX_LIMIT: Final = 32_768
"""Bytes of datagrams nobody has collected; above this we give no credit."""

REASONS: Final = (
    Why.BYE,
    Why.GARBLED,
    Why.SLOW,
    Why.DUPLICATE,
    Why.BUSY,
    Why.SILENT,
    Why.OTHER_VERSION,
    Why.FLOOD,
)
"""The numbers of BYE. Only ever append; others are sent as 0."""


class _Stage(Enum):
    GREETING = auto()
    OPEN = auto()
    CLOSING = auto()
    OVER = auto()


def datagram_limit(largest: int) -> int:
    """Bytes of the largest datagram on a link with this `largest`: whole chunks, about a kilobyte."""
    chunk = largest - DATA_HEADER
    return max(SMALLEST_MTU, chunk * max(1, round(DATAGRAM_AIM / chunk)))


class BleLink:
    """One end. Make it by `dial` or `answer`; then feed `receive` and `tick`, and pull `take_value`.

    Nothing raises. `deadline` is when to call `tick` again; after any call, pull values as long as the
    platform takes them: what is pulled later can still be passed by something urgent.
    """

    def __init__(
        self, *, central: bool, number: LinkNumber, nonce: bytes, process: bytes, mtu: int, now: float
    ):
        if len(nonce) != NONCE_BYTES or len(process) != PROCESS_BYTES:
            raise ValueError("a nonce has 4 bytes, a process 8")
        self.central = central
        self.number = number
        self.nonce = nonce
        self.mtu = SMALLEST_MTU
        """Bytes of the largest datagram, final once the link is up."""
        self.quiet_since: float | None = None
        self.cut = 0
        """Values that came here without their end."""
        self._process = process
        self.peer_process = b""
        """Which process the other end says it is, once the link is up: a hint."""
        self._largest = self._shorter = value_limit(mtu)
        self._stage = _Stage.GREETING
        self._started = now
        self._greet_at: float | None = now if central else None
        self._incoming = Incoming()
        self._outgoing = Outgoing(self._largest)
        self._heard_at = now
        self._sent_at = now
        self._ack_at: float | None = None
        self._unacknowledged = 0
        self._cut_to_tell: int | None = None
        self._closing_at = 0.0
        self._farewell: Bye | None = None
        self._inbox = 0
        self._starved = False
        self._events: list[LinkEvent] = []

    @classmethod
    def dial(cls, *, nonce: bytes, process: bytes, mtu: int, now: float) -> BleLink:
        """The central's end, once it has subscribed. `nonce` serves one link."""
        return cls(central=True, number=UNNUMBERED, nonce=nonce, process=process, mtu=mtu, now=now)

    @classmethod
    def answer(cls, hello: Hello, *, number: LinkNumber, process: bytes, mtu: int, now: float) -> BleLink:
        """The peripheral's end. `number` is no other link's of this peripheral."""
        link = cls(central=False, number=number, nonce=hello.nonce, process=process, mtu=mtu, now=now)
        link._meet(hello.process, hello.largest)
        link.greeted_again(now)
        return link

    @property
    def up(self) -> bool:
        return self._stage in (_Stage.OPEN, _Stage.CLOSING)

    @property
    def over(self) -> bool:
        """Nothing more to send or to hear."""
        return self._stage is _Stage.OVER and self._farewell is None

    @property
    def writable(self) -> bool:
        return self._stage is _Stage.OPEN and self._outgoing.queued <= HOLD_BACK

    @property
    def urgently_writable(self) -> bool:
        return self._stage is _Stage.OPEN and self._outgoing.queued_urgent <= HOLD_BACK

    @property
    def repeated(self) -> int:
        return self._outgoing.repeated

    def take_events(self) -> tuple[LinkEvent, ...]:
        events, self._events = tuple(self._events), []
        self._inbox = 0
        if self._starved:
            self._starved, self._ack_at = False, 0.0
        return events

    # — what the owner wants —

    def send(self, datagram: bytes, *, urgent: bool = False, now: float) -> None:
        """Queue a datagram of 1 to `mtu` bytes. Ends the link as too slow beyond `QUEUE_LIMIT`."""
        if self._stage is not _Stage.OPEN:
            return
        if not 0 < len(datagram) <= self.mtu:
            raise ValueError(f"a datagram has 1 to {self.mtu} bytes")
        if self._outgoing.queued + len(datagram) > QUEUE_LIMIT:
            self._end(Why.SLOW, tell=True)
            return
        self._outgoing.push(datagram, urgent=urgent)

    def set_mtu(self, mtu: int) -> None:
        """The platform names another ATT MTU: Windows says 23 first and 247 later (bleak#1497)."""
        self._outgoing.set_limit(value_limit(mtu))

    def close(self, why: Why, now: float) -> None:
        """Send what is queued if that is quick, then say BYE. Never touches the connection below."""
        if self._stage is _Stage.OPEN:
            self._stage = _Stage.CLOSING
            self._closing_at = now + FAREWELL_TIME
            self._farewell = Bye(self.number, _reason(why))
            self._finish_closing(now)
        elif self._stage is _Stage.GREETING:
            self._end(why, tell=not self.central)

    def lost(self, why: Why = Why.GONE) -> None:
        """The connection below is gone."""
        self._farewell = None
        self._end(why)

    # — what arrives —

    def receive(self, value: bytes, now: float) -> None:
        """One value from the platform. What is no frame, or another link's, is ignored."""
        try:
            frame = decode_frame(value)
        except CutFrame as error:
            if error.link == self.number and self._stage is _Stage.OPEN:
                self.cut += 1
                self._cut_to_tell = error.arrived
            return
        except BadFrame:
            return
        self.receive_frame(frame, now)

    def receive_frame(self, frame: Frame, now: float) -> None:
        """As `receive`, for a value already decoded."""
        if self._stage is _Stage.OVER:
            return
        if isinstance(frame, Welcome):
            self._welcomed(frame, now)
            return
        if isinstance(frame, Hello) or frame.link != self.number or self.number == UNNUMBERED:
            return
        self._hear(now)
        try:
            self._take(frame, now)
        except BadFrame:
            self._end(Why.GARBLED, tell=True)

    def greeted_again(self, now: float) -> None:
        """The HELLO of this link came, perhaps again: WELCOME is due."""
        if self._stage is not _Stage.OVER:
            self._greet_at = now

    def _take(self, frame: Frame, now: float) -> None:
        match frame:
            case Data(_, chunk, ack, ask):
                self._outgoing.acknowledged(ack, now)
                self._chunk(chunk, None, ask=ask, now=now)
            case Part(_, chunk, ack, ask, offset, total):
                self._outgoing.acknowledged(ack, now)
                self._chunk(chunk, (offset, total), ask=ask, now=now)
            case Ack(_, ack, ask):
                self._outgoing.acknowledged(ack, now)
                if ask:
                    self._ack_at = now
            case Cut(_, arrived):
                self._outgoing.cut_at(arrived)
            case Bye(_, reason):
                self._farewell = None
                self._end(REASONS[reason] if reason < len(REASONS) else Why.BYE)
        self._finish_closing(now)

    def _chunk(self, chunk: Chunk, part: tuple[int, int] | None, *, ask: bool, now: float) -> None:
        if self._credit() == 0:
            self._starved, self._ack_at = True, now
            return
        if part is None:
            datagrams = self._incoming.receive(chunk)
        else:
            datagrams = self._incoming.receive_part(chunk, *part)
        self._unacknowledged += 1
        at_once = ask or datagrams is None or self._incoming.gap or self._unacknowledged >= ACK_EVERY
        due = now if at_once else now + ACK_DELAY
        self._ack_at = due if self._ack_at is None else min(self._ack_at, due)
        for datagram in datagrams or ():
            self._inbox += len(datagram)
            self._events.append(Arrived(datagram))

    def _welcomed(self, frame: Welcome, now: float) -> None:
        if not self.central or frame.nonce != self.nonce:
            return
        if self._stage is not _Stage.GREETING:
            self._hear(now)
            self._ack_at = now
            return
        if frame.version != WIRE_VERSION:
            self._end(Why.OTHER_VERSION)
            return
        if frame.flags & NO_ROOM:
            self._end(Why.BUSY)
            return
        self.number = frame.link
        self._meet(frame.process, frame.largest)
        self._greet_at = None
        self._ack_at = now
        self._hear(now)

    def _meet(self, process: bytes, largest: int) -> None:
        self._shorter = min(self._largest, largest)
        self.peer_process = process
        self.mtu = datagram_limit(self._shorter)
        self._outgoing.set_limit(self._shorter)

    def _hear(self, now: float) -> None:
        self._heard_at = now
        if self._stage is _Stage.GREETING:
            self._stage = _Stage.OPEN
            self._events.append(Up(self.peer_process, self.mtu))
        if self.quiet_since is not None:
            self.quiet_since = None
            self._events.append(Heard())

    # — time —

    def tick(self, now: float) -> None:
        """Notice what time brings. Call at `deadline`, or whenever it suits."""
        if self._stage is _Stage.OVER:
            return
        if self._stage is _Stage.GREETING:
            if now >= self._started + GREETING_TIME:
                self._end(Why.HANDSHAKE_TIME)
            return
        stuck = self._outgoing.progress_at
        if now >= self._heard_at + DEAD_AFTER:
            self._end(Why.SILENT)
        elif stuck is not None and now >= stuck + STUCK_AFTER:
            self._end(Why.SLOW, tell=True)
        elif now >= self._heard_at + QUIET_AFTER and self.quiet_since is None:
            self.quiet_since = self._heard_at
            self._events.append(Quiet())
        self._finish_closing(now)

    def deadline(self) -> float | None:
        """When something is due next, by time alone."""
        if self._stage is _Stage.OVER:
            return None
        if self._stage is _Stage.GREETING:
            end = self._started + GREETING_TIME
            return end if self._greet_at is None else min(end, self._greet_at)
        heard = self._heard_at + (QUIET_AFTER if self.quiet_since is None else DEAD_AFTER)
        times = [heard, self._sent_at + HEARTBEAT, self._ack_at, self._outgoing.deadline()]
        if self._stage is _Stage.CLOSING:
            times.append(self._closing_at)
        if self._outgoing.progress_at is not None:
            times.append(self._outgoing.progress_at + STUCK_AFTER)
        return min(time for time in times if time is not None)

    # — what leaves —

    def take_value(self, now: float) -> bytes | None:
        """The next value for the platform, if there is one; what is most urgent at this moment."""
        frame = self._next_frame(now)
        if frame is None:
            return None
        self._sent_at = now
        return encode_frame(frame)

    def _next_frame(self, now: float) -> Frame | None:
        if self._stage is _Stage.OVER:
            farewell, self._farewell = self._farewell, None
            return farewell
        if self._greet_at is not None and now >= self._greet_at:
            return self._greeting(now)
        if self._stage is _Stage.GREETING:
            return None
        if self._cut_to_tell is not None:
            arrived, self._cut_to_tell = self._cut_to_tell, None
            return Cut(self.number, arrived)
        piece = self._outgoing.next_piece(now, self._heard_at)
        if piece is not None:
            ack = self._acknowledge()
            if piece.total is None:
                return Data(self.number, piece.chunk, ack, piece.ask)
            return Part(self.number, piece.chunk, ack, piece.ask, piece.offset, piece.total)
        if self._ack_at is not None and now >= self._ack_at:
            return Ack(self.number, self._acknowledge(), ask=False)
        if now >= self._sent_at + HEARTBEAT:
            return Ack(self.number, self._acknowledge(), ask=True)
        return None

    def _greeting(self, now: float) -> Frame:
        if self.central:
            self._greet_at = now + GREETING_EVERY
            return Hello(self.nonce, self._process, WIRE_VERSION, 0, self._largest)
        self._greet_at = None
        return Welcome(self.number, self.nonce, self._process, WIRE_VERSION, 0, self._shorter)

    def _acknowledge(self) -> Acknowledgement:
        self._ack_at = None
        self._unacknowledged = 0
        return self._incoming.acknowledgement(self._credit())

    def _credit(self) -> int:
        return LARGEST_WINDOW if self._inbox < INBOX_LIMIT else 0

    # — the end —

    def _finish_closing(self, now: float) -> None:
        if self._stage is _Stage.CLOSING and (self._outgoing.idle or now >= self._closing_at):
            self._stage = _Stage.OVER

    def _end(self, why: Why, *, tell: bool = False) -> None:
        if self._stage is _Stage.OVER:
            return
        if tell:
            self._farewell = Bye(self.number, _reason(why))
        closing, self._stage = self._stage is _Stage.CLOSING, _Stage.OVER
        if not closing:
            self._events.append(Down(why))


def _reason(why: Why) -> int:
    return REASONS.index(why) if why in REASONS else 0
