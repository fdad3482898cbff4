"""The group as everything above it sees it: points with operators, and six ways to make one.

The group law is total: zero scalars and the identity are ordinary values on every backend (DEALING §1).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

L = 2**252 + 27742317777372353535851937790883648493
"""The prime order of ristretto255 (RFC 9496 §4.4); `q` in DEALING."""

ENCODED = 32
"""Bytes of an encoded point or scalar."""


class Point(ABC):
    """One element of ristretto255. Immutable; points of different backends never mix.

    `P + Q`, `P - Q`, `-P`, `k * P` (any int k, taken mod L), `P == Q`, `bytes(P)`
    (32 bytes, RFC 9496 §4.3.2).
    """

    __slots__ = ()

    @abstractmethod
    def __add__(self, other: Point) -> Point: ...

    @abstractmethod
    def __sub__(self, other: Point) -> Point: ...

    @abstractmethod
    def __neg__(self) -> Point: ...

    @abstractmethod
    def __rmul__(self, scalar: int) -> Point: ...

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...

    @abstractmethod
    def __bytes__(self) -> bytes: ...

    def __hash__(self) -> int:
        return hash(bytes(self))

    @property
    @abstractmethod
    def is_identity(self) -> bool: ...

    def prepare(self) -> None:  # noqa: B027 - a hint may be ignored
        """A hint that this point will be multiplied many times; may build a table. Changes no result."""

    def keep(self) -> None:  # noqa: B027
        """A hint that this point takes part in sums for as long as the process lives."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {bytes(self).hex()[:16]}…>"


class Backend(Protocol):
    """An implementation of ristretto255. Same bytes and same verdicts whichever is used."""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> Point: ...

    def __hash__(self) -> int: ...

    def decode(self, data: bytes) -> Point:
        """The point `data` encodes, the identity included. Raises `BadEncoding` (RFC 9496 §4.3.1)."""

    def from_uniform(self, data: bytes) -> Point:
        """The one-way map of 64 uniform bytes (RFC 9496 §4.3.4)."""

    def base(self, scalar: int) -> Point:
        """`scalar` · G."""

    def msm(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        """The sum of `scalars[i]` · `points[i]`; equally many of both, the identity if none."""
