"""One entry: a COSE_Sign1 object (RFC 9052 §4.2, EdDSA) over a body of deterministic CBOR (DESIGN §2).

Record: `[h'a10127', {}, body, signature 64]`, untagged, external_aad `durak-entry-1`. Both headers
are constants, so a record is read by comparing bytes and no map is ever decoded. Body:
`[1, game id 32, height, seat, prev 32, state 16, kind, payload […]]`.
The entry id hashes the body, never the signature: two signatures under one body are one entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NewType

from ledger.codec import decode, encode
from ledger.engine import ABORT, Height, Kind, Payload, Seat
from ledger.errors import Malformed
from ledger.genesis import Digest, GameId
from ledger.identity import Signature, SigningKey, tagged, verify

EntryId = NewType("EntryId", bytes)
"""32 bytes: H("durak-id-1", body)."""
StateHash = NewType("StateHash", bytes)
"""16 bytes: the first half of H("durak-state-1", public bytes of the state before the height)."""

VERSION: Final = 1
MAX_BODY: Final = 16_384
MAX_PLAY_BODY: Final = 512
PLAY_KINDS: Final = range(8, 18)
MAX_HEIGHTS: Final = 4096
MAX_KIND: Final = 31
MAX_SEATS: Final = 6

_ID_TAG: Final = b"durak-id-1"
_PREV_TAG: Final = b"durak-prev-1"
_STATE_TAG: Final = b"durak-state-1"

RECORD_HEAD: Final = bytes.fromhex("8443a10127a0")
"""Array of four, the protected header {1: −8} as a byte string, the empty unprotected header."""
_SIGNATURE_HEAD: Final = b"\x58\x40"
_SIGNED_HEAD: Final = b"\x84\x6aSignature1\x43\xa1\x01\x27\x4ddurak-entry-1"
"""Sig_structure (RFC 9052 §4.4) up to its last item, the payload."""
MAX_RECORD: Final = len(RECORD_HEAD) + 3 + MAX_BODY + 66


@dataclass(frozen=True, slots=True)
class Body:
    """What is signed. Making one checks nothing; `from_bytes` and `to_bytes` do."""

    version: int
    game_id: GameId
    height: Height
    seat: Seat
    prev: Digest
    state: StateHash
    kind: Kind
    payload: Payload

    @property
    def lane(self) -> int:
        """1 for ABORT, else 0: an ABORT beside a move is no fork."""
        return 1 if self.kind == ABORT else 0

    def to_bytes(self) -> bytes:
        """Raises `Malformed` for what no body may hold."""
        data = encode(
            (
                self.version,
                self.game_id,
                self.height,
                self.seat,
                self.prev,
                self.state,
                self.kind,
                self.payload,
            )
        )
        Body.from_bytes(data)
        return data

    @classmethod
    def from_bytes(cls, data: bytes) -> Body:
        """Raises `Malformed`: E_SIZE, E_CBOR, E_VERSION, or E_BODY for a wrong shape or range."""
        value = decode(data, limit=MAX_BODY)
        if type(value) is not tuple or not value or type(value[0]) is not int:
            raise Malformed("E_BODY", "not an array that begins with its version")
        if value[0] != VERSION:
            raise Malformed("E_VERSION", str(value[0]))
        if len(value) != 8:
            raise Malformed("E_BODY", f"{len(value)} items")
        _, game_id, height, seat, prev, state, kind, payload = value
        if (
            type(game_id) is not bytes
            or len(game_id) != 32
            or type(prev) is not bytes
            or len(prev) != 32
            or type(state) is not bytes
            or len(state) != 16
            or type(height) is not int
            or not 0 <= height < MAX_HEIGHTS
            or type(seat) is not int
            or not 0 <= seat < MAX_SEATS
            or type(kind) is not int
            or not 0 <= kind <= MAX_KIND
            or type(payload) is not tuple
        ):
            raise Malformed("E_BODY", "a field of the wrong type or range")
        if kind in PLAY_KINDS and len(data) > MAX_PLAY_BODY:
            raise Malformed("E_SIZE", f"{len(data)} bytes, at most {MAX_PLAY_BODY}")
        return cls(
            VERSION,
            GameId(game_id),
            Height(height),
            Seat(seat),
            Digest(prev),
            StateHash(state),
            Kind(kind),
            payload,
        )


@dataclass(frozen=True)
class Entry:
    """A record that could be read; its signature is checked by who knows the keys (`signed_by`)."""

    record: bytes
    body: Body
    body_bytes: bytes
    signature: Signature

    @cached_property
    def id(self) -> EntryId:
        return entry_id(self.body_bytes)

    @property
    def height(self) -> Height:
        return self.body.height

    @property
    def seat(self) -> Seat:
        return self.body.seat

    @property
    def kind(self) -> Kind:
        return self.body.kind

    @property
    def payload(self) -> Payload:
        return self.body.payload

    @property
    def lane(self) -> int:
        return self.body.lane

    def signed_by(self, public: bytes) -> bool:
        """Whether the signature stands under this body by the pinned rule."""
        return verify(public, self.signature, signed_bytes(self.body_bytes))


def entry_id(body: bytes) -> EntryId:
    """Of the body's bytes."""
    return EntryId(tagged(_ID_TAG, body))


def height_digest(game_id: GameId, height: Height, ids: tuple[EntryId, ...]) -> Digest:
    """What the next height's `prev` must be: a hash over the whole height, ids in due order."""
    return Digest(tagged(_PREV_TAG, encode((game_id, height, ids))))


def state_hash(public_bytes: bytes) -> StateHash:
    """16 bytes over everything public before a height."""
    return StateHash(tagged(_STATE_TAG, public_bytes)[:16])


def _head(length: int) -> bytes:
    """The head of a byte string, in its shortest form."""
    if length < 24:
        return bytes([0x40 | length])
    if length < 256:
        return bytes([0x58, length])
    return b"\x59" + length.to_bytes(2, "big")


def signed_bytes(body: bytes) -> bytes:
    """The Sig_structure an entry's signature covers (RFC 9052 §4.4)."""
    return _SIGNED_HEAD + _head(len(body)) + body


def sign_entry(key: SigningKey, body: Body) -> bytes:
    """The record. Law L1: never two bodies for one due; who calls this stores before he sends."""
    data = body.to_bytes()
    return RECORD_HEAD + _head(len(data)) + data + _SIGNATURE_HEAD + key.sign(signed_bytes(data))


def read_record(record: bytes) -> Entry:
    """The entry in `record`; the signature is not checked here.

    Raises `Malformed` and nothing else: E_SIZE, E_CBOR, E_VERSION, E_BODY.
    """
    if len(record) > MAX_RECORD:
        raise Malformed("E_SIZE", f"{len(record)} bytes, at most {MAX_RECORD}")
    if record[: len(RECORD_HEAD)] != RECORD_HEAD:
        raise Malformed("E_CBOR", "not an entry's head")
    end = len(record) - 66
    for width in (1, 2, 3):
        start = len(RECORD_HEAD) + width
        if start <= end and record[len(RECORD_HEAD) : start] == _head(end - start):
            break
    else:
        raise Malformed("E_CBOR", "the body is not a byte string of its length")
    if record[end : end + 2] != _SIGNATURE_HEAD:
        raise Malformed("E_CBOR", "the signature is not 64 bytes")
    body = record[start:end]
    return Entry(bytes(record), Body.from_bytes(body), body, Signature(record[end + 2 :]))
