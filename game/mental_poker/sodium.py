"""The fast backend: ristretto255 of a system libsodium (1.0.18 or later), by ctypes.

Its multiplications and additions take constant time; arithmetic between scalars stays in Python integers.
Nothing here runs on import and nothing is searched for until `find` is called, which is for the command line
to do: what the core computes must not depend on where it runs, and with the same bytes from both backends it
does not. Points are their encodings. libsodium answers −1 where a product is the identity; the group law here
is total, so the wrapper answers with the identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from game.mental_poker.backend import Backend, L, Point
from game.mental_poker.errors import BadEncoding

if TYPE_CHECKING:
    import ctypes

_NAMES = (
    "libsodium.so.26",
    "libsodium.so.23",
    "libsodium.so",
    "libsodium.dylib",
    "libsodium.dll",
    "sodium.dll",
)
_ZERO = bytes(32)


class SodiumPoint(Point):
    """32 bytes that libsodium has made or accepted."""

    __slots__ = ("_encoding", "_sodium")

    def __init__(self, sodium: SodiumBackend, encoding: bytes) -> None:
        self._sodium = sodium
        self._encoding = encoding

    def __add__(self, other: Point) -> Point:
        return self._sodium.combine(self._sodium.add, self._encoding, _own(other))

    def __sub__(self, other: Point) -> Point:
        return self._sodium.combine(self._sodium.sub, self._encoding, _own(other))

    def __neg__(self) -> Point:
        return self._sodium.combine(self._sodium.sub, _ZERO, self._encoding)

    def __rmul__(self, scalar: int) -> Point:
        return self._sodium.msm((scalar,), (self,))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SodiumPoint) and self._encoding == other._encoding

    __hash__ = Point.__hash__

    def __bytes__(self) -> bytes:
        return self._encoding

    @property
    def is_identity(self) -> bool:
        return self._encoding == _ZERO


class SodiumBackend:
    """ristretto255 by libsodium. Raises AttributeError if `library` lacks a function."""

    name = "sodium"

    def __init__(self, library: ctypes.CDLL) -> None:
        import ctypes

        self._buffer: Callable[[], Any] = ctypes.c_char * 32
        if library.sodium_init() < 0:
            raise AttributeError("sodium_init")
        core, mult = "crypto_core_ristretto255_", "crypto_scalarmult_ristretto255"
        self.add = _function(library, core + "add", 3)
        self.sub = _function(library, core + "sub", 3)
        self._valid = _function(library, core + "is_valid_point", 1)
        self._from_hash = _function(library, core + "from_hash", 2)
        self._mult = _function(library, mult, 3)
        self._base = _function(library, mult + "_base", 2)
        self._identity = SodiumPoint(self, _ZERO)

    @property
    def identity(self) -> Point:
        return self._identity

    def decode(self, data: bytes) -> Point:
        data = bytes(data)
        if len(data) != 32 or data[31] & 0x80:  # libsodium 1.0.18 ignores the highest bit
            raise BadEncoding("point")
        if data != _ZERO and not self._valid(data):
            raise BadEncoding("point")
        return SodiumPoint(self, data)

    def from_uniform(self, data: bytes) -> Point:
        if len(data) != 64:
            raise ValueError("64 bytes wanted")
        out = self._buffer()
        self._from_hash(out, bytes(data))
        return SodiumPoint(self, out.raw)

    def base(self, scalar: int) -> Point:
        out = self._buffer()
        if self._base(out, (scalar % L).to_bytes(32, "little")):
            return self._identity
        return SodiumPoint(self, out.raw)

    def msm(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        total, product = self._buffer(), self._buffer()
        mult, add = self._mult, self.add
        empty = True
        for scalar, point in zip(scalars, points, strict=True):
            if mult(product, (scalar % L).to_bytes(32, "little"), _own(point)):
                continue
            if empty:
                total.raw = product.raw
                empty = False
            else:
                add(total, total, product)
        return SodiumPoint(self, total.raw)

    def combine(self, operation: Callable[..., int], left: bytes, right: bytes) -> Point:
        """`operation` is `add` or `sub`."""
        out = self._buffer()
        operation(out, left, right)
        return SodiumPoint(self, out.raw)


def find(*more: str) -> Backend | None:
    """The backend on this machine's libsodium, or None if there is none with ristretto255.

    `more`: paths of further libraries, looked at where the machine has none of its own. Looks libraries up
    and loads them: to be called once, by a program and not by the core.
    """
    for library in _libraries(more):
        try:
            return SodiumBackend(library)
        except AttributeError:
            continue
    return None


def _libraries(more: Sequence[str]) -> Iterator[ctypes.CDLL]:
    try:
        import ctypes
        from ctypes.util import find_library
    except ImportError:  # a Python built without it
        return
    for name in (*_NAMES, *more):
        with suppress(OSError):
            yield ctypes.CDLL(name)
    found = find_library("sodium") or find_library("libsodium")  # may start ldconfig or a compiler: last
    if found:
        with suppress(OSError):
            yield ctypes.CDLL(found)


def _function(library: ctypes.CDLL, name: str, pointers: int) -> Callable[..., int]:
    import ctypes

    function = getattr(library, name)
    function.restype = ctypes.c_int
    function.argtypes = [ctypes.c_char_p] * pointers
    return function  # type: ignore[no-any-return]


def _own(point: Point) -> bytes:
    if not isinstance(point, SodiumPoint):
        raise TypeError("points of two backends never mix")
    return bytes(point)
