"""Points nobody knows a relation between: hash_to_ristretto255 (RFC 9380, appendix B)."""

from __future__ import annotations

from functools import cache
from hashlib import sha512

from game.mental_poker.backend import Backend, Point
from game.mental_poker.group import backend

MOST = 52
"""Cards of the largest pack, so generators and card points."""

GENERATOR_DST = b"durak-1-generator_XMD:SHA-512_R255MAP_RO_"
CARD_DST = b"durak-1-card_XMD:SHA-512_R255MAP_RO_"

_BLOCK = 128
_DIGEST = 64


def expand_message_xmd(message: bytes, dst: bytes, length: int) -> bytes:
    """RFC 9380 §5.3.1 with SHA-512: `length` uniform bytes. Raises ValueError outside its bounds."""
    blocks = -(-length // _DIGEST)
    if blocks > 255 or length > 65535 or len(dst) > 255:
        raise ValueError("expand_message_xmd: too long")
    dst_prime = dst + bytes([len(dst)])
    b_0 = sha512(bytes(_BLOCK) + message + length.to_bytes(2, "big") + b"\0" + dst_prime).digest()
    previous = bytes(_DIGEST)
    output = b""
    for index in range(1, blocks + 1):
        mixed = bytes(left ^ right for left, right in zip(b_0, previous, strict=True))
        previous = sha512(mixed + bytes([index]) + dst_prime).digest()
        output += previous
    return output[:length]


def hash_to_group(message: bytes, dst: bytes) -> Point:
    """`h2g` of DEALING §2."""
    return backend().from_uniform(expand_message_xmd(message, dst, 64))


def generators(count: int) -> tuple[Point, ...]:
    """h_1 … h_count, count ≤ 52."""
    return _generators(backend())[:count]


def card_point(card: int) -> Point:
    """M_c of card id c."""
    return _card_points(backend())[card]


def card_of(point: Point) -> int | None:
    """The card id whose point this is, or None."""
    return _card_ids().get(bytes(point))


@cache
def _generators(_: Backend) -> tuple[Point, ...]:
    made = tuple(hash_to_group(i.to_bytes(2, "big"), GENERATOR_DST) for i in range(1, MOST + 1))
    for point in made:
        point.keep()
    return made


@cache
def _card_points(_: Backend) -> tuple[Point, ...]:
    return tuple(hash_to_group(bytes([card]), CARD_DST) for card in range(MOST))


@cache
def _card_ids() -> dict[bytes, int]:
    return {bytes(card_point(card)): card for card in range(MOST)}
