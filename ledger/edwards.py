"""Points of edwards25519 in plain integers (RFC 8032 §5.1): what key and signature checks need.

`cryptography` offers no point arithmetic, and accepts keys outside the prime-order subgroup. This module
answers one question, "is this a key that binds its owner?", and can verify and sign where no compiled library
exists (a browser). It is not constant-time: `ledger.identity` signs with it only where nothing else is found.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha512
from typing import Final, NamedTuple

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
"""Order of the base point."""
D: Final = -121665 * pow(121666, P - 2, P) % P
_ROOT: Final = pow(2, (P - 1) // 4, P)
"""A square root of −1."""


class Point(NamedTuple):
    """Extended coordinates: x = X/Z, y = Y/Z, xy = T/Z."""

    X: int
    Y: int
    Z: int
    T: int


NEUTRAL: Final = Point(0, 1, 1, 0)


def add(left: Point, right: Point) -> Point:
    """Unified addition (Hisil, Wong, Carter, Dawson 2008, §3.1 with a = −1)."""
    X1, Y1, Z1, T1 = left
    X2, Y2, Z2, T2 = right
    A = (Y1 - X1) * (Y2 - X2) % P
    B = (Y1 + X1) * (Y2 + X2) % P
    C = 2 * D * T1 * T2 % P
    E = 2 * Z1 * Z2 % P
    F, G = E - C, E + C
    H, K = B + A, B - A
    return Point(K * F % P, G * H % P, F * G % P, K * H % P)


def double(point: Point) -> Point:
    """Dedicated doubling (ibid., §3.3)."""
    X1, Y1, Z1, _ = point
    A = X1 * X1 % P
    B = Y1 * Y1 % P
    C = 2 * Z1 * Z1 % P
    H = A + B
    E = H - (X1 + Y1) ** 2 % P
    G = A - B
    F = C + G
    return Point(E * F % P, G * H % P, F * G % P, E * H % P)


def multiply(scalar: int, point: Point) -> Point:
    """scalar · point for scalar ≥ 0, four bits at a time."""
    table = [NEUTRAL, point]
    for _ in range(14):
        table.append(add(table[-1], point))
    result = NEUTRAL
    for shift in range((scalar.bit_length() + 3) // 4 * 4 - 4, -1, -4):
        result = double(double(double(double(result))))
        digit = scalar >> shift & 15
        if digit:
            result = add(result, table[digit])
    return result


def is_neutral(point: Point) -> bool:
    return point.X % P == 0 and (point.Y - point.Z) % P == 0


def decompress(encoded: bytes) -> Point | None:
    """The point of a canonical 32-byte encoding; None for every other string (RFC 8032 §5.1.3)."""
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == P - u and u:
        x = x * _ROOT % P
    if v * x * x % P != u:
        return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return Point(x, y, 1, x * y % P)


def compress(point: Point) -> bytes:
    inverse = pow(point.Z, P - 2, P)
    x, y = point.X * inverse % P, point.Y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


_BASE_Y: Final = 4 * pow(5, P - 2, P) % P
_base = decompress(_BASE_Y.to_bytes(32, "little"))
assert _base is not None
BASE: Final = _base


@lru_cache(maxsize=1024)
def binds(encoded: bytes) -> bool:
    """A canonical encoding of a point of prime order L: not the identity, no small-order part."""
    point = decompress(encoded)
    return point is not None and not is_neutral(point) and is_neutral(multiply(L, point))


def _scalar(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % L


def _expand(seed: bytes) -> tuple[int, bytes]:
    digest = sha512(seed).digest()
    clamped = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return clamped, digest[32:]


def public_of(seed: bytes) -> bytes:
    """The public key of a 32-byte private key (RFC 8032 §5.1.5)."""
    return compress(multiply(_expand(seed)[0], BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    """RFC 8032 §5.1.6."""
    a, prefix = _expand(seed)
    A = compress(multiply(a, BASE))
    r = _scalar(prefix, message)
    R = compress(multiply(r, BASE))
    S = (r + _scalar(R, A, message) * a) % L
    return R + S.to_bytes(32, "little")


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """The cofactorless equation R = S·B − k·A, compared as bytes; S < L."""
    A = decompress(public)
    S = int.from_bytes(signature[32:], "little")
    if A is None or len(signature) != 64 or S >= L:
        return False
    k = _scalar(signature[:32], public, message)
    minus_A = Point(P - A.X, A.Y, A.Z, P - A.T)
    return compress(add(multiply(S, BASE), multiply(k, minus_A))) == signature[:32]
