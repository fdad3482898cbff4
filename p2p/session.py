"""One talk over one link: handshake, identities, sealed messages. Bytes in, bytes out, events to collect.

The law of this file: nothing that arrives raises, next to nothing unproven is kept, and an identity is
believed only after its key has signed the hash of this very handshake.

Datagrams (docs/protocol-links.md): a first byte says what follows.
    1 FIRST   "durak" ‖ version ‖ pattern ‖ Noise message 1      2 SECOND  Noise message 2
    3 THIRD   Noise message 3                                    4 SEALED  one Noise transport message
    5 REFUSAL "durak" ‖ version ‖ reason — clear, a hint only
    6 BULK    as SEALED, with counters of its own: a transport may let everything else pass it
A sealed datagram opens to `last(1) ‖ piece`; the pieces of one kind up to one with last = 1 are one message.
The first message each way is HELLO. The responder's comes first: an initiator tells who it is only to a peer
that has shown it knows the join code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeAlias

from ledger.errors import BadGenesis
from ledger.identity import PublicKey, SigningKey, check_key, verify
from p2p.errors import BadMessage, BadTag, HandshakeFailed
from p2p.link import SMALLEST_MTU
from p2p.message_codec import decode_message, encode_message
from p2p.messages import MESSAGE_LIMIT, Hello
from p2p.noise import CipherState, Handshake, Pattern
from p2p.primitives import TAG_BYTES
from p2p.reasons import Why

VERSION: Final = 1
"""Protocol version: the channel, the messages and what they mean."""
MAGIC: Final = b"durak"
CHANNEL_TAG: Final = b"durak-channel-1"
"""Domain of the identity key's signature over the handshake hash."""
HELLO_LIMIT: Final = 256
"""Bytes of the largest HELLO: all that an unproven peer may make us keep."""

_FIRST, _SECOND, _THIRD, _SEALED, _REFUSAL, _BULK = range(1, 7)
_BULK_COUNTER: Final = 2**63
"""The first counter of bulk; the two lanes of a direction share its key and never a counter."""
_OVERHEAD: Final = 1 + 1 + TAG_BYTES
_CLEAR_REFUSALS: Final = (Why.OTHER_VERSION, Why.CODE_NEEDED, Why.CODE_WRONG, Why.BUSY)


@dataclass(frozen=True, slots=True)
class Door:
    """Who gets in: `code` is the 32-byte key made from the join code, `open` lets in who has none."""

    code: bytes | None = None
    open: bool = False

    def __repr__(self) -> str:
        return f"Door(code={'…' if self.code else None}, open={self.open})"


@dataclass(frozen=True, slots=True)
class Opened:
    """The channel stands; the peer has proved `identity`. `process`: its static key, new in each process."""

    identity: PublicKey
    process: bytes


@dataclass(frozen=True, slots=True)
class Received:
    """One whole message, authenticated, not yet parsed."""

    message: bytes


@dataclass(frozen=True, slots=True)
class Failed:
    """The talk is over; `version` is the other side's where it told it in clear."""

    why: Why
    version: int | None = None


SessionEvent: TypeAlias = Opened | Received | Failed


class _Lane:
    """Messages of one kind in one order: counters of its own each way, one unfinished message."""

    def __init__(self, sending: CipherState, receiving: CipherState) -> None:
        self.sending = sending
        self.receiving = receiving
        self.pieces: list[bytes] = []
        self.kept = 0


class _Stage(Enum):
    SHAKING = auto()
    GREETING = auto()
    OPEN = auto()
    OVER = auto()


class Session:
    """One side of a talk. `static` and `ephemeral` are 32 random bytes; an ephemeral serves one session.

    Feed datagrams to `receive`, which returns what happened; collect what to send from `take_datagrams`.
    """

    def __init__(
        self, *, initiator: bool, mtu: int, identity: SigningKey, static: bytes, ephemeral: bytes, door: Door
    ) -> None:
        if mtu < SMALLEST_MTU:
            raise ValueError(f"a link carries datagrams of {SMALLEST_MTU} bytes at least")
        self._initiator = initiator
        self._mtu = mtu
        self._identity = identity
        self._static = static
        self._ephemeral = ephemeral
        self._door = door
        self._stage = _Stage.SHAKING
        self._handshake: Handshake | None = None
        self._lanes: dict[int, _Lane] = {}
        self._hash = b""
        self._process = b""
        self._out: list[bytes] = []
        if initiator:
            pattern = Pattern.XX if door.code is None else Pattern.XXPSK3
            handshake = self._begin(VERSION, pattern)
            self._out.append(bytes([_FIRST]) + _preamble(VERSION, pattern) + handshake.write())

    @property
    def open(self) -> bool:
        return self._stage is _Stage.OPEN

    @property
    def over(self) -> bool:
        return self._stage is _Stage.OVER

    def take_datagrams(self) -> tuple[bytes, ...]:
        """What to send, in order."""
        if not self._out:
            return ()
        out, self._out = tuple(self._out), []
        return out

    def send(self, message: bytes, *, bulk: bool = False) -> None:
        """Seal one message of at most `MESSAGE_LIMIT` bytes. Only while open.

        Messages keep their order among bulk and among the rest; bulk may be passed by the rest.
        """
        if not self.open:
            raise ValueError("the session is not open")
        self._seal(message, _BULK if bulk else _SEALED)

    def receive(self, datagram: bytes) -> tuple[SessionEvent, ...]:
        """What this datagram made happen. Never raises; after `Failed` everything is ignored."""
        if self._stage is _Stage.OVER:
            return ()
        if not 0 < len(datagram) <= self._mtu:
            return self._fail(Why.GARBLED)
        kind, rest = datagram[0], datagram[1:]
        try:
            if kind == _REFUSAL and self._stage is not _Stage.OPEN:
                return self._refused(rest)
            if self._stage is _Stage.SHAKING:
                return self._shake(kind, rest)
            if kind != _SEALED and not (kind == _BULK and self.open):
                return self._fail(Why.GARBLED)
            return self._unseal(self._lanes[kind], rest)
        except HandshakeFailed:
            return self._fail(Why.HANDSHAKE)
        except BadTag:
            return self._fail(Why.BAD_TAG)

    def refuse(self, why: Why) -> None:
        """End a session that has not opened by a refusal in clear: a hint, anybody could have made it."""
        self._out.append(bytes([_REFUSAL]) + MAGIC + bytes([VERSION, _CLEAR_REFUSALS.index(why)]))
        self._end()

    # — the handshake —

    def _begin(self, version: int, pattern: Pattern) -> Handshake:
        self._handshake = Handshake(
            pattern,
            initiator=self._initiator,
            static=self._static,
            ephemeral=self._ephemeral,
            prologue=_preamble(version, pattern),
            psk=self._door.code if pattern is Pattern.XXPSK3 else None,
        )
        return self._handshake

    def _shake(self, kind: int, rest: bytes) -> tuple[SessionEvent, ...]:
        handshake = self._handshake
        if self._initiator:
            if kind != _SECOND or handshake is None:
                return self._fail(Why.HANDSHAKE)
            _read_empty(handshake, rest)
            self._out.append(bytes([_THIRD]) + handshake.write())
            self._finish(handshake)
            return ()
        if handshake is None:
            return self._first(rest) if kind == _FIRST else self._fail(Why.HANDSHAKE)
        if kind != _THIRD:
            return self._fail(Why.HANDSHAKE)
        try:
            _read_empty(handshake, rest)
        except HandshakeFailed:
            if self._door.code is None or handshake.remote_static is None:
                raise
            self.refuse(Why.CODE_WRONG)
            return (Failed(Why.CODE_WRONG),)
        self._finish(handshake)
        self._greet()
        return ()

    def _first(self, rest: bytes) -> tuple[SessionEvent, ...]:
        if rest[: len(MAGIC)] != MAGIC or len(rest) < len(MAGIC) + 2:
            return self._fail(Why.GARBLED)
        version, pattern_byte = rest[len(MAGIC)], rest[len(MAGIC) + 1]
        if version != VERSION:
            self.refuse(Why.OTHER_VERSION)
            return (Failed(Why.OTHER_VERSION, version),)
        if pattern_byte not in (Pattern.XX.value, Pattern.XXPSK3.value):
            return self._fail(Why.GARBLED)
        pattern = Pattern(pattern_byte)
        wrong = Why.CODE_NEEDED if pattern is Pattern.XX else Why.CODE_WRONG
        if not (self._door.open if pattern is Pattern.XX else self._door.code is not None):
            self.refuse(wrong)
            return (Failed(wrong),)
        handshake = self._begin(version, pattern)
        _read_empty(handshake, rest[len(MAGIC) + 2 :])
        self._out.append(bytes([_SECOND]) + handshake.write())
        return ()

    def _refused(self, rest: bytes) -> tuple[SessionEvent, ...]:
        if not self._initiator or len(rest) != len(MAGIC) + 2 or rest[: len(MAGIC)] != MAGIC:
            return self._fail(Why.GARBLED)
        version, reason = rest[-2:]
        if reason >= len(_CLEAR_REFUSALS):
            return self._fail(Why.GARBLED)
        self._end()
        return (Failed(_CLEAR_REFUSALS[reason], version),)

    def _finish(self, handshake: Handshake) -> None:
        sending, receiving = handshake.split()
        bulk = _Lane(sending.beginning_at(_BULK_COUNTER), receiving.beginning_at(_BULK_COUNTER))
        self._lanes = {_SEALED: _Lane(sending, receiving), _BULK: bulk}
        self._hash = handshake.handshake_hash
        self._process = handshake.remote_static or b""
        self._handshake = None
        self._stage = _Stage.GREETING

    # — identities —

    def _greet(self) -> None:
        signature = self._identity.sign(_channel_claim(self._hash, initiator=self._initiator))
        self._seal(encode_message(Hello(VERSION, self._identity.public, signature)), _SEALED)

    def _greeted(self, message: bytes) -> tuple[SessionEvent, ...]:
        try:
            hello = decode_message(message)
        except BadMessage:
            return self._fail(Why.GARBLED)
        if not isinstance(hello, Hello):
            return self._fail(Why.GARBLED)
        if hello.version != VERSION:
            return self._fail(Why.OTHER_VERSION, hello.version)
        if hello.identity == self._identity.public:
            return self._fail(Why.MYSELF)
        try:
            check_key(hello.identity)
        except BadGenesis:
            return self._fail(Why.HANDSHAKE)
        claim = _channel_claim(self._hash, initiator=not self._initiator)
        if not verify(hello.identity, hello.signature, claim):
            return self._fail(Why.HANDSHAKE)
        if self._initiator:
            self._greet()
        self._stage = _Stage.OPEN
        return (Opened(hello.identity, self._process),)

    # — sealed messages —

    def _seal(self, message: bytes, kind: int) -> None:
        if not 0 < len(message) <= MESSAGE_LIMIT:
            raise ValueError(f"a message has 1 to {MESSAGE_LIMIT} bytes")
        room = self._mtu - _OVERHEAD
        for start in range(0, len(message), room):
            last = start + room >= len(message)
            piece = bytes([last]) + message[start : start + room]
            self._out.append(bytes([kind]) + self._lanes[kind].sending.seal(piece))

    def _unseal(self, lane: _Lane, sealed: bytes) -> tuple[SessionEvent, ...]:
        piece = lane.receiving.open(sealed)
        if len(piece) < 2 or piece[0] > 1:
            return self._fail(Why.GARBLED)
        lane.pieces.append(piece[1:])
        lane.kept += len(piece) - 1
        if lane.kept > (MESSAGE_LIMIT if self.open else HELLO_LIMIT):
            return self._fail(Why.GARBLED)
        if not piece[0]:
            return ()
        message = b"".join(lane.pieces)
        lane.pieces, lane.kept = [], 0
        return (Received(message),) if self.open else self._greeted(message)

    def _fail(self, why: Why, version: int | None = None) -> tuple[SessionEvent, ...]:
        self._end()
        return (Failed(why, version),)

    def _end(self) -> None:
        self._stage = _Stage.OVER
        self._handshake = None
        self._lanes = {}


def is_bulk(datagram: bytes) -> bool:
    """Whether everything else may pass this datagram."""
    return datagram[0] == _BULK


def _preamble(version: int, pattern: Pattern) -> bytes:
    return MAGIC + bytes([version, pattern.value])


def _channel_claim(handshake_hash: bytes, *, initiator: bool) -> bytes:
    """What an identity key signs: the role keeps a signature from being shown back to its maker."""
    return CHANNEL_TAG + bytes([0 if initiator else 1]) + handshake_hash


def _read_empty(handshake: Handshake, message: bytes) -> None:
    if handshake.read(message):
        raise HandshakeFailed("handshake messages carry no payload here")
