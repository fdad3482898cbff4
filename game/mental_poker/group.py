"""The backend in use, and the encodings of DEALING §2: 32-byte canonical points, 32-byte scalars below L."""

from __future__ import annotations

from collections.abc import Sequence

from game.mental_poker.backend import ENCODED, Backend, L, Point
from game.mental_poker.errors import BadEncoding
from game.mental_poker.pure import PURE

_in_use: Backend = PURE


def backend() -> Backend:
    """The backend every verb uses now."""
    return _in_use


def use_backend(chosen: Backend) -> Backend:
    """Use `chosen` from now on and return the one used before. Points made earlier stay with theirs."""
    global _in_use
    before, _in_use = _in_use, chosen
    return before


def base(scalar: int) -> Point:
    """`scalar` · G."""
    return _in_use.base(scalar)


def identity() -> Point:
    """O, whose encoding is 32 zero bytes."""
    return _in_use.identity


def msm(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Multi-scalar multiplication: the sum of `scalars[i]` · `points[i]`."""
    return _in_use.msm(scalars, points)


def read_point(data: bytes, what: str = "point") -> Point:
    """`point(b)` of DEALING §2: decode and refuse O. Raises `BadEncoding` naming `what`."""
    try:
        point = _in_use.decode(data)
    except BadEncoding as error:
        raise BadEncoding(what) from error
    if point.is_identity:
        raise BadEncoding(what)
    return point


def read_scalar(data: bytes, what: str = "scalar") -> int:
    """32 bytes little-endian below L, zero allowed. Raises `BadEncoding` naming `what`."""
    if len(data) != ENCODED:
        raise BadEncoding(what)
    scalar = int.from_bytes(data, "little")
    if scalar >= L:
        raise BadEncoding(what)
    return scalar


def scalar_bytes(scalar: int) -> bytes:
    """The encoding of `scalar` mod L."""
    return (scalar % L).to_bytes(ENCODED, "little")


def pieces(data: bytes, what: str) -> tuple[bytes, ...]:
    """`data` cut into 32-byte fields. Raises `BadEncoding` naming `what` if it does not come out even."""
    if len(data) % ENCODED:
        raise BadEncoding(what)
    return tuple(data[start : start + ENCODED] for start in range(0, len(data), ENCODED))
