"""The frames of a Bluetooth link and their bytes.

One GATT value is one frame, and a GATT value has at most min(mtu − 3, 512) bytes: Bluetooth Core 5.4, vol. 3
part F §3.2.9 (attribute values) and §3.4.5.3 (write command). Integers are big-endian.

    0    kind (high four bits) ‖ flags (low four bits)
    1    the canary: length of the whole frame mod 256. Some stacks cut the last one to three bytes of a value
         (notes of iroh-ble), others join or split values; all of that shows here.
    2–3  link number, 0 before it is known. On BlueZ before 5.76 every central hears what is meant for one.

    1 HELLO, 2 WELCOME   nonce(4) ‖ process(8) ‖ version(1) ‖ flags of the sender(1) ‖ largest value(2)
    3 DATA               seq(1) ‖ next(1) ‖ held(1) ‖ credit(1) ‖ payload
    4 ACK                next(1) ‖ held(1) ‖ credit(1)
    5 BYE                reason(1)
    6 PART               seq(1) ‖ next(1) ‖ held(1) ‖ credit(1) ‖ offset(2) ‖ total(2) ‖ payload
    7 CUT                arrived(2)

The flags of a WELCOME: bit 0, no room for another link; the others are 0, and ignored. `process` is
random, made anew by every process: it tells two links to one process from links to two, and proves
nothing. `decode_frame` raises `BadFrame` and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

from p2p.errors import PeerError

LinkNumber = NewType("LinkNumber", int)
"""1 … 65535, given by the peripheral; the same for both directions."""
Sequence = NewType("Sequence", int)
"""0 … 255, counts DATA frames mod 256."""

WIRE_VERSION: Final = 1
NO_ROOM: Final = 1
"""Flag of WELCOME."""
ATT_OVERHEAD: Final = 3
LONGEST_VALUE: Final = 512
SHORTEST_VALUE: Final = 20
"""What the smallest MTU, 23, leaves."""
UNNUMBERED: Final = LinkNumber(0)
MODULUS: Final = 256
LARGEST_WINDOW: Final = 8
HEADER_BYTES: Final = 4
DATA_HEADER: Final = HEADER_BYTES + 4
PART_HEADER: Final = DATA_HEADER + 4
LONGEST_CHUNK: Final = LONGEST_VALUE - DATA_HEADER
NONCE_BYTES: Final = 4
PROCESS_BYTES: Final = 8

_HELLO, _WELCOME, _DATA, _ACK, _BYE, _PART, _CUT = range(1, 8)
_FIRST, _LAST, _URGENT, _ASK = 1, 2, 4, 8
_GREETING_BYTES: Final = HEADER_BYTES + NONCE_BYTES + PROCESS_BYTES + 4


class BadFrame(PeerError):
    """Bytes that are not exactly one frame. Neutral: on a shared radio they need not be meant for us."""


class CutFrame(BadFrame):
    """The canary is wrong: the end of the value is missing. `link` is legible, `arrived` its length."""

    def __init__(self, link: LinkNumber, arrived: int) -> None:
        self.link = link
        self.arrived = arrived
        super().__init__(f"only {arrived} bytes of a longer frame")


@dataclass(frozen=True, slots=True)
class Hello:
    """The central listens now, and opens a link. `largest` is the longest value it can take."""

    nonce: bytes
    process: bytes
    version: int
    flags: int
    largest: int


@dataclass(frozen=True, slots=True)
class Welcome:
    """The peripheral's answer to the HELLO with this nonce: from now on the link has this number.

    `largest` is what the link goes by: the shorter of what both can take.
    """

    link: LinkNumber
    nonce: bytes
    process: bytes
    version: int
    flags: int
    largest: int


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """`next` is the first sequence number not received; bit i of `held` is set when `next` + 1 + i is here.

    `credit` frames from `next` on will be kept, 0 … 8.
    """

    next: Sequence
    held: int
    credit: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one datagram; the pieces of a lane stand in order of `seq`."""

    seq: Sequence
    first: bool
    last: bool
    urgent: bool
    payload: bytes


@dataclass(frozen=True, slots=True)
class Data:
    link: LinkNumber
    chunk: Chunk
    ack: Acknowledgement
    ask: bool


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes from `offset` on of a chunk of `total` bytes that turned out too long to be sent whole.

    Divisions may differ from one time to the next; bytes count, not parts.
    """

    link: LinkNumber
    chunk: Chunk
    ack: Acknowledgement
    ask: bool
    offset: int
    total: int


@dataclass(frozen=True, slots=True)
class Ack:
    """`ask`: the other side should answer at once with an ACK of its own."""

    link: LinkNumber
    ack: Acknowledgement
    ask: bool


@dataclass(frozen=True, slots=True)
class Bye:
    """The link ends; the connection below may go on serving another."""

    link: LinkNumber
    reason: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Of a value of yours only the first `arrived` bytes came here."""

    link: LinkNumber
    arrived: int


Frame: TypeAlias = Hello | Welcome | Data | Part | Ack | Bye | Cut


def value_limit(mtu: int) -> int:
    """Bytes of the longest value for an ATT MTU of `mtu` (23 … 527; less is taken as 23)."""
    return max(SHORTEST_VALUE, min(mtu - ATT_OVERHEAD, LONGEST_VALUE))


def encode_frame(frame: Frame) -> bytes:
    """The bytes of a frame whose fields are in range."""
    match frame:
        case Hello(nonce, process, version, flags, largest):
            return _framed(_HELLO, 0, UNNUMBERED, _greeting(nonce, process, version, flags, largest))
        case Welcome(link, nonce, process, version, flags, largest):
            return _framed(_WELCOME, 0, link, _greeting(nonce, process, version, flags, largest))
        case Data(link, chunk, ack, ask):
            body = bytes([chunk.seq]) + _acknowledgement(ack) + chunk.payload
            return _framed(_DATA, _chunk_flags(chunk, ask=ask), link, body)
        case Part(link, chunk, ack, ask, offset, total):
            place = offset.to_bytes(2, "big") + total.to_bytes(2, "big")
            body = bytes([chunk.seq]) + _acknowledgement(ack) + place + chunk.payload
            return _framed(_PART, _chunk_flags(chunk, ask=ask), link, body)
        case Ack(link, ack, ask):
            return _framed(_ACK, _ASK if ask else 0, link, _acknowledgement(ack))
        case Bye(link, reason):
            return _framed(_BYE, 0, link, bytes([reason]))
        case Cut(link, arrived):
            return _framed(_CUT, 0, link, arrived.to_bytes(2, "big"))


def decode_frame(value: bytes) -> Frame:
    """The frame whose bytes are `value`. Raises `CutFrame` where only the end is missing, else `BadFrame`."""
    if not HEADER_BYTES < len(value) <= LONGEST_VALUE:
        raise BadFrame("no frame has this length")
    kind, flags = value[0] >> 4, value[0] & 15
    link = LinkNumber(int.from_bytes(value[2:4], "big"))
    if not _HELLO <= kind <= _CUT:
        raise BadFrame("no frame has this kind")
    if (kind == _HELLO) != (link == UNNUMBERED):
        raise BadFrame("only HELLO has no link number")
    if value[1] != len(value) % MODULUS:
        raise CutFrame(link, len(value))
    body = value[HEADER_BYTES:]
    if kind in (_HELLO, _WELCOME):
        return _read_greeting(kind, flags, link, value)
    if kind in (_DATA, _PART):
        return _read_chunk(kind, flags, link, body)
    if kind == _ACK:
        if flags & ~_ASK or len(body) != 3:
            raise BadFrame("not an ACK")
        return Ack(link, _read_acknowledgement(body), bool(flags))
    if flags or len(body) != (1 if kind == _BYE else 2):
        raise BadFrame("not a BYE or CUT")
    return Bye(link, body[0]) if kind == _BYE else Cut(link, int.from_bytes(body, "big"))


def _framed(kind: int, flags: int, link: LinkNumber, body: bytes) -> bytes:
    length = HEADER_BYTES + len(body)
    return bytes([kind << 4 | flags, length % MODULUS]) + link.to_bytes(2, "big") + body


def _greeting(nonce: bytes, process: bytes, version: int, flags: int, largest: int) -> bytes:
    return nonce + process + bytes([version, flags]) + largest.to_bytes(2, "big")


def _read_greeting(kind: int, flags: int, link: LinkNumber, value: bytes) -> Frame:
    if flags or len(value) != _GREETING_BYTES:
        raise BadFrame("not a HELLO or WELCOME")
    nonce, process = value[4:8], value[8:16]
    version, ours, largest = value[16], value[17], int.from_bytes(value[18:20], "big")
    if not SHORTEST_VALUE <= largest <= LONGEST_VALUE:
        raise BadFrame("no value has this length")
    if kind == _HELLO:
        return Hello(nonce, process, version, ours, largest)
    return Welcome(link, nonce, process, version, ours, largest)


def _chunk_flags(chunk: Chunk, *, ask: bool) -> int:
    return (
        (_FIRST if chunk.first else 0)
        | (_LAST if chunk.last else 0)
        | (_URGENT if chunk.urgent else 0)
        | (_ASK if ask else 0)
    )


def _read_chunk(kind: int, flags: int, link: LinkNumber, body: bytes) -> Frame:
    header = DATA_HEADER if kind == _DATA else PART_HEADER
    payload = body[header - HEADER_BYTES :]
    if not payload:
        raise BadFrame("a chunk carries a byte at least")
    chunk = Chunk(
        Sequence(body[0]), bool(flags & _FIRST), bool(flags & _LAST), bool(flags & _URGENT), payload
    )
    ack, ask = _read_acknowledgement(body[1:4]), bool(flags & _ASK)
    if kind == _DATA:
        return Data(link, chunk, ack, ask)
    offset, total = int.from_bytes(body[4:6], "big"), int.from_bytes(body[6:8], "big")
    if not offset + len(payload) <= total <= LONGEST_CHUNK:
        raise BadFrame("no such part")
    return Part(link, chunk, ack, ask, offset, total)


def _acknowledgement(ack: Acknowledgement) -> bytes:
    return bytes([ack.next, ack.held, ack.credit])


def _read_acknowledgement(body: bytes) -> Acknowledgement:
    if len(body) != 3 or body[2] > LARGEST_WINDOW:
        raise BadFrame("not an acknowledgement")
    return Acknowledgement(Sequence(body[0]), body[1], body[2])
