"""Deck keys: one secret scalar a seat and game, its proof, the joint key and the lot (DEALING §1, §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from game.mental_poker import sigma
from game.mental_poker.backend import Backend, L, Point
from game.mental_poker.errors import BadEncoding, Degenerate, ProofFailed
from game.mental_poker.group import backend, base, identity, read_point, read_scalar
from game.mental_poker.transcript import Context, Transcript, u8


@dataclass(frozen=True, slots=True)
class DeckSecret:
    """What only the seat itself knows: x, and the key its nonces are drawn with. Never printed."""

    x: int
    proof_key: bytes

    def __repr__(self) -> str:
        return "<DeckSecret>"


def secret_from(okm: bytes) -> int:
    """x from the 64 derived bytes of label `deck`. Raises `Degenerate` for zero."""
    if len(okm) != 64:
        raise ValueError("64 bytes wanted")
    x = int.from_bytes(okm, "little") % L
    if x == 0:
        raise Degenerate("deck secret")
    return x


def public_key(x: int) -> bytes:
    """X = xG, 32 bytes."""
    return bytes(base(x))


def prove_key(game: bytes, seat: int, x: int, X: bytes, proof_key: bytes) -> bytes:
    """64 bytes that show knowledge of x, for this game and seat only."""
    transcript = Transcript.open(Context(game, 0, seat), "key")
    return sigma.prove_key(transcript, sigma.KeyStatement(key_point(X)), x, proof_key).to_bytes()


def verify_key(game: bytes, seat: int, X: bytes, proof: bytes) -> None:
    """Raises `BadEncoding` or `ProofFailed`."""
    statement = sigma.KeyStatement(key_point(X))
    parsed = sigma.SigmaProof.from_bytes(proof)
    sigma.verify_key(Transcript.open(Context(game, 0, seat), "key"), statement, parsed)


def join_commitment(game: bytes, seat: int, X: bytes, proof: bytes, nonce: bytes) -> bytes:
    """What JOIN commits to: 32 bytes. `nonce` is the beacon nonce. Raises ValueError for wrong lengths."""
    if (len(game), len(X), len(proof), len(nonce)) != (32, 32, 64, 32):
        raise ValueError("wrong length")
    return sha256(b"durak-1-join" + game + u8(seat) + X + proof + nonce).digest()


def joint_key(keys: Sequence[bytes]) -> bytes:
    """The sum of all seats' keys. Raises `Degenerate` for repeated keys or a sum of O, `BadEncoding`."""
    if len(set(keys)) != len(keys):
        raise Degenerate("keys repeat")
    total = identity()
    for X in keys:
        total = total + key_point(X)
    if total.is_identity:
        raise Degenerate("joint key")
    return bytes(total)


def beacon_lot(game: bytes, nonces: Sequence[bytes], seats: int) -> int:
    """The seat the lot falls on: 0 … seats − 1. `nonces` in seat order, 32 bytes each."""
    if len(game) != 32 or any(len(nonce) != 32 for nonce in nonces):
        raise ValueError("wrong length")
    digest = sha256(b"durak-1-beacon" + game + b"".join(nonces)).digest()
    return int.from_bytes(digest, "big") % seats


def check_secret(X: bytes, secret: bytes) -> int:
    """x of a published deck secret. Raises `BadEncoding`, or `ProofFailed` if xG is not X."""
    x = read_scalar(secret, "secret")
    if x == 0:
        raise BadEncoding("secret")
    if public_key(x) != X:
        raise ProofFailed("xG = X")
    return x


def key_point(X: bytes) -> Point:
    """The decoded key, remembered: keys come back with every proof. Raises `BadEncoding`, for O too."""
    return _key_point(backend(), bytes(X))


@lru_cache(maxsize=64)
def _key_point(_: Backend, X: bytes) -> Point:
    return read_point(X, "X")
