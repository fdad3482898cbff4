"""The backend that is always there: ristretto255 in plain Python. Fast for sums, not constant-time."""

from __future__ import annotations

from collections.abc import Sequence

from game.mental_poker import ristretto
from game.mental_poker.backend import Backend, L, Point
from game.mental_poker.edwards import BASE, IDENTITY, Extended, Niels, accumulate, add, negated, to_niels
from game.mental_poker.tables import BITS, Comb, Table, Window

_NARROW = 5
"""Window of a point nobody prepared."""
_WIDE = 5
"""Comb of a prepared point: pays from about five multiplications on."""
_KEPT = 8
"""Window of a generator: pays from about ten sums on."""
_BASE = 8
"""Comb of G."""


class PurePoint(Point):
    """Extended coordinates, with its encoding and its table of multiples once somebody needed them."""

    __slots__ = ("_encoding", "_table", "coordinates")

    def __init__(self, coordinates: Extended, encoding: bytes | None = None) -> None:
        self.coordinates = coordinates
        self._encoding = encoding
        self._table: Table | None = None

    def __add__(self, other: Point) -> Point:
        return PurePoint(add(self.coordinates, to_niels(_own(other).coordinates)))

    def __sub__(self, other: Point) -> Point:
        return PurePoint(add(self.coordinates, negated(to_niels(_own(other).coordinates))))

    def __neg__(self) -> Point:
        x, y, z, t = self.coordinates
        return PurePoint((-x, y, z, -t))

    def __rmul__(self, scalar: int) -> Point:
        return PurePoint(_sum((scalar,), (self,)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PurePoint) and ristretto.equal(self.coordinates, other.coordinates)

    __hash__ = Point.__hash__

    def __bytes__(self) -> bytes:
        if self._encoding is None:
            self._encoding = ristretto.encode(self.coordinates)
        return self._encoding

    @property
    def is_identity(self) -> bool:
        return ristretto.is_identity(self.coordinates)

    def prepare(self) -> None:
        if not isinstance(self._table, Comb):
            self._table = Comb(self.coordinates, _WIDE)

    def keep(self) -> None:
        self._table = Window(self.coordinates, _KEPT, affine=True)

    def use(self, table: Table) -> None:
        """Take part in sums by `table`, which must be one of this point's."""
        self._table = table

    def table(self) -> Table:
        if self._table is None:
            self._table = Window(self.coordinates, _NARROW)
        return self._table


def _own(point: Point) -> PurePoint:
    if not isinstance(point, PurePoint):
        raise TypeError("points of two backends never mix")
    return point


def _sum(scalars: Sequence[int], points: Sequence[Point]) -> Extended:
    columns: list[list[Niels]] = [[] for _ in range(BITS + 1)]
    for scalar, point in zip(scalars, points, strict=True):
        reduced = scalar % L
        if reduced and not point.is_identity:
            _own(point).table().place(reduced, columns)
    while len(columns) > 1 and not columns[-1]:
        columns.pop()
    return accumulate(columns)


class PureBackend:
    """ristretto255 in Python integers."""

    name = "pure"

    def __init__(self) -> None:
        self._identity = PurePoint(IDENTITY, bytes(32))
        self._base = PurePoint(BASE)
        self._base_ready = False

    @property
    def identity(self) -> Point:
        return self._identity

    def decode(self, data: bytes) -> Point:
        return PurePoint(ristretto.decode(data), bytes(data))

    def from_uniform(self, data: bytes) -> Point:
        return PurePoint(ristretto.one_way_map(data))

    def base(self, scalar: int) -> Point:
        if not self._base_ready:
            self._base.use(Comb(BASE, _BASE, affine=True))
            self._base_ready = True
        return scalar * self._base

    def msm(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        return PurePoint(_sum(scalars, points))


PURE: Backend = PureBackend()
