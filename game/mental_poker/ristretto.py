"""ristretto255 on extended coordinates: decode, encode, equality, the one-way map (RFC 9496 §4.3)."""

from __future__ import annotations

from game.mental_poker.edwards import Extended, add, to_niels
from game.mental_poker.errors import BadEncoding
from game.mental_poker.field import (
    D_MINUS_ONE_SQ,
    INVSQRT_A_MINUS_D,
    LOW,
    ONE_MINUS_D_SQ,
    SQRT_AD_MINUS_ONE,
    SQRT_M1,
    D,
    P,
    sqrt_ratio_m1,
)


def decode(data: bytes) -> Extended:
    """RFC 9496 §4.3.1. Raises `BadEncoding`; the identity is a valid encoding here."""
    if len(data) != 32:
        raise BadEncoding("point")
    s = int.from_bytes(data, "little")
    if s >= P or s & 1:
        raise BadEncoding("point")
    ss = s * s % P
    u1 = 1 - ss
    u2 = 1 + ss
    u2_sqr = u2 * u2 % P
    v = (-D * u1 * u1 - u2_sqr) % P
    was_square, invsqrt = sqrt_ratio_m1(1, v * u2_sqr % P)
    den_x = invsqrt * u2 % P
    den_y = invsqrt * den_x * v % P
    x = 2 * s * den_x % P
    if x & 1:
        x = P - x
    y = u1 * den_y % P
    t = x * y % P
    if not was_square or t & 1 or y == 0:
        raise BadEncoding("point")
    return (x, y, 1, t)


def encode(point: Extended) -> bytes:
    """RFC 9496 §4.3.2: the 32 bytes every representative of the coset shares."""
    x0, y0, z0, t0 = point
    u1 = (z0 + y0) * (z0 - y0) % P
    u2 = x0 * y0 % P
    _, invsqrt = sqrt_ratio_m1(1, u1 * u2 * u2 % P)
    den1 = invsqrt * u1 % P
    den2 = invsqrt * u2 % P
    z_inv = den1 * den2 * t0 % P
    if t0 * z_inv % P & 1:
        x, y = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P
        den_inv = den1 * INVSQRT_A_MINUS_D % P
    else:
        x, y, den_inv = x0, y0, den2
    if x * z_inv % P & 1:
        y = -y
    s = den_inv * (z0 - y) % P
    return (P - s if s & 1 else s).to_bytes(32, "little")


def equal(one: Extended, two: Extended) -> bool:
    """RFC 9496 §4.3.3, without inversion."""
    return (one[0] * two[1] - one[1] * two[0]) % P == 0 or (one[1] * two[1] - one[0] * two[0]) % P == 0


def is_identity(point: Extended) -> bool:
    """`point` is in the coset of (0, 1)."""
    return point[0] == 0 or point[1] == 0


def one_way_map(data: bytes) -> Extended:
    """RFC 9496 §4.3.4: 64 bytes to a point, by `_map` of each half."""
    if len(data) != 64:
        raise ValueError("64 bytes wanted")
    low = _map(int.from_bytes(data[:32], "little") & LOW)
    return add(low, to_niels(_map(int.from_bytes(data[32:], "little") & LOW)))


def _map(t: int) -> Extended:
    """MAP of RFC 9496 §4.3.4."""
    r = SQRT_M1 * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = sqrt_ratio_m1(u, v)
    c = -1
    if not was_square:
        s = s * t % P
        if not s & 1:
            s = -s
        c = r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0 = 2 * s * v % P
    w1 = n * SQRT_AD_MINUS_ONE % P
    w2 = (1 - s * s) % P
    w3 = (1 + s * s) % P
    return (w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P)
