"""The one place challenges and nonces come from: a labelled, length-framed, running SHA-512 (DEALING §2).

In the manner of Merlin (merlin.cool): whatever a proof speaks about is absorbed under a label before a
challenge is squeezed. A nonce is drawn from the same state, so it depends on everything its challenge will
depend on; the code has no other source of nonces.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

from game.mental_poker.backend import L, Point
from game.mental_poker.errors import Degenerate, ProofFailed

SUITE = b"durak-ristretto255-bg1-1"


class Context(NamedTuple):
    """Where in which game a proof belongs; a proof is worth nothing anywhere else."""

    game: bytes
    """Game id, 32 bytes."""
    height: int
    """u32: 0 for key proofs."""
    seat: int
    """u8: whose proof it is."""


class Transcript:
    """One running hash; `open` one per proof."""

    def __init__(self) -> None:
        self._hash = hashlib.sha512()

    @classmethod
    def open(cls, context: Context, purpose: str) -> Transcript:
        """`open(game, height, seat, purpose)`; purposes are `key`, `shuffle`, `deal`, `open`, `no-lower`."""
        if len(context.game) != 32:
            raise ValueError("a game id has 32 bytes")
        transcript = cls()
        transcript.absorb("suite", SUITE)
        transcript.absorb("game", context.game)
        transcript.absorb("height", u32(context.height))
        transcript.absorb("seat", u8(context.seat))
        transcript.absorb("purpose", purpose.encode("ascii"))
        return transcript

    def absorb(self, label: str, data: bytes) -> None:
        """01 | u8 len(label) | label | u32 len(data) | data."""
        self._hash.update(b"\x01" + _framed(label) + u32(len(data)) + data)

    def absorb_point(self, label: str, point: Point) -> None:
        self.absorb(label, bytes(point))

    def squeeze(self, label: str) -> bytes:
        """64 bytes; what comes later depends on them."""
        self._hash.update(b"\x02" + _framed(label))
        digest = self._hash.digest()
        self._hash.update(digest)
        return digest

    def scalar(self, label: str) -> int:
        """A challenge in 1 … L − 1. Raises `ProofFailed` for zero: verifiers refuse it, provers stop."""
        challenge = int.from_bytes(self.squeeze(label), "little") % L
        if challenge == 0:
            raise ProofFailed(f"challenge {label} is zero")
        return challenge

    def weight(self) -> int:
        """128 bits for a batch."""
        return int.from_bytes(self.squeeze("w")[:16], "little")

    def secrets(self, key: bytes) -> Secrets:
        """Secret values that depend on all absorbed so far; the transcript itself is unchanged."""
        state = self._hash.copy()
        state.update(b"\x03")
        return Secrets(key, state.digest())


class Secrets:
    """Deterministic secret values of one transcript state, by label and index. `key` never leaves it."""

    __slots__ = ("_key", "_state")

    def __init__(self, key: bytes, state: bytes) -> None:
        self._key = key
        self._state = state

    def secret(self, label: str, index: int = 0) -> int:
        """A 512-bit integer: HMAC-SHA512(key, "durak-1-nonce" | state | label | u16 index)."""
        message = b"durak-1-nonce" + self._state + _framed(label) + u16(index)
        return int.from_bytes(hmac.digest(self._key, message, "sha512"), "little")

    def nonce(self, label: str, index: int = 0) -> int:
        """A scalar in 1 … L − 1. Raises `Degenerate` for zero."""
        value = self.secret(label, index) % L
        if value == 0:
            raise Degenerate(f"nonce {label}")
        return value

    def nonces(self, label: str, indices: range) -> list[int]:
        return [self.nonce(label, index) for index in indices]

    def __repr__(self) -> str:
        return "<Secrets>"


def u8(value: int) -> bytes:
    return value.to_bytes(1, "big")


def u16(value: int) -> bytes:
    return value.to_bytes(2, "big")


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _framed(label: str) -> bytes:
    text = label.encode("ascii")
    return u8(len(text)) + text
