"""The three small backends on libsodium in JavaScript: group, signatures, secure channel.

`Call` is the function of `static/sodium.js`. Same bytes and same verdicts as everywhere (`tests/guest`).
Multiplications take constant time; arithmetic between scalars stays in Python integers, as with `sodium.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from game.mental_poker.backend import L, Point
from game.mental_poker.errors import BadEncoding

if TYPE_CHECKING:
    from collections.abc import Sequence

ZERO = bytes(32)


class Call(Protocol):
    """One operation of libsodium on bytes: b"" says "no" or the identity, None a wrong tag."""

    def __call__(self, name: str, data: bytes) -> bytes | None: ...


class JsPoint(Point):
    """32 bytes that libsodium has made or accepted."""

    __slots__ = ("_encoding", "_group")

    def __init__(self, group: JsGroup, encoding: bytes) -> None:
        self._group = group
        self._encoding = encoding

    def __add__(self, other: Point) -> Point:
        return self._group.both("add", self._encoding, _own(other))

    def __sub__(self, other: Point) -> Point:
        return self._group.both("sub", self._encoding, _own(other))

    def __neg__(self) -> Point:
        return self._group.both("sub", ZERO, self._encoding)

    def __rmul__(self, scalar: int) -> Point:
        return self._group.msm((scalar,), (self,))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JsPoint) and self._encoding == other._encoding

    __hash__ = Point.__hash__

    def __bytes__(self) -> bytes:
        return self._encoding

    @property
    def is_identity(self) -> bool:
        return self._encoding == ZERO


class JsGroup:
    """ristretto255; satisfies `game.mental_poker.backend.Backend`."""

    name = "sodium-js"

    def __init__(self, call: Call) -> None:
        self._call = call
        self._identity = JsPoint(self, ZERO)

    @property
    def identity(self) -> Point:
        return self._identity

    def decode(self, data: bytes) -> Point:
        data = bytes(data)
        if len(data) != 32 or data[31] & 0x80:
            raise BadEncoding("point")
        if data != ZERO and not self._call("valid", data):
            raise BadEncoding("point")
        return JsPoint(self, data)

    def from_uniform(self, data: bytes) -> Point:
        if len(data) != 64:
            raise ValueError("64 bytes wanted")
        return JsPoint(self, self._call("hash", bytes(data)) or ZERO)

    def base(self, scalar: int) -> Point:
        return JsPoint(self, self._call("base", (scalar % L).to_bytes(32, "little")) or ZERO)

    def msm(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        laid = b"".join(
            (scalar % L).to_bytes(32, "little") + _own(point)
            for scalar, point in zip(scalars, points, strict=True)
        )
        return JsPoint(self, self._call("sum", laid) or ZERO)

    def both(self, operation: str, left: bytes, right: bytes) -> Point:
        """`operation` is "add" or "sub"."""
        return JsPoint(self, self._call(operation, left + right) or ZERO)


class JsSignatures:
    """Ed25519; satisfies `ledger.identity.Signatures`."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def public_of(self, seed: bytes) -> bytes:
        return self._call("ed-public", seed) or b""

    def sign(self, seed: bytes, message: bytes) -> bytes:
        return self._call("ed-sign", seed + message) or b""

    def verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
        return bool(self._call("ed-verify", public + signature + message))


class JsChannel:
    """X25519 and ChaCha20-Poly1305; satisfies `p2p.primitives.Channel`."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def public_of(self, private: bytes) -> bytes:
        return self._call("x-public", private) or b""

    def agree(self, private: bytes, public: bytes) -> bytes | None:
        if len(private) != 32 or len(public) != 32:
            return None
        return self._call("x-agree", private + public) or None

    def seal(self, key: bytes, nonce: bytes, associated: bytes, plaintext: bytes) -> bytes:
        return self._call("seal", _laid(key, nonce, associated, plaintext)) or b""

    def unseal(self, key: bytes, nonce: bytes, associated: bytes, sealed: bytes) -> bytes | None:
        return self._call("unseal", _laid(key, nonce, associated, sealed))


def _laid(key: bytes, nonce: bytes, associated: bytes, text: bytes) -> bytes:
    return key + nonce + len(associated).to_bytes(2, "little") + associated + text


def _own(point: Point) -> bytes:
    if not isinstance(point, JsPoint):
        raise TypeError("points of two backends never mix")
    return bytes(point)
