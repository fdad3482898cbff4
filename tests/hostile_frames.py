"""Frames of 8 KiB made to cost whoever reads them: every shape CBOR has, as dense, deep or long as can be."""

from __future__ import annotations

from typing import Final

from ledger.codec import MAX_ITEMS, encode

SIZE: Final = 8192


def _array(item: bytes, *, room: int = SIZE - 3) -> bytes:
    """An array of as many of `item` as fit."""
    count = room // len(item)
    return b"\x99" + count.to_bytes(2, "big") + item * count


def _dense() -> bytes:
    """As many items as are allowed and one long byte string: refused only for what it says."""
    rows = MAX_ITEMS // 4 - 1
    row = b"\x82\x1b" + b"\xff" * 8 + b"\x81\x80"
    tail = SIZE - 3 - rows * len(row) - 3
    return b"\x98" + bytes([rows + 1]) + row * rows + b"\x59" + tail.to_bytes(2, "big") + bytes(tail)


HOSTILE: Final = {
    "zeros": bytes(SIZE),
    "small numbers": _array(b"\0"),
    "numbers of 2 bytes": _array(b"\x18\xff"),
    "numbers of 9 bytes": _array(b"\x1b" + b"\xff" * 8),
    "longer than need be": _array(b"\x18\0"),
    "booleans": _array(b"\xf5"),
    "empty byte strings": _array(b"\x40"),
    "byte strings of one byte": _array(b"\x41\0"),
    "one long byte string": b"\x59" + (SIZE - 3).to_bytes(2, "big") + bytes(SIZE - 3),
    "a byte string of 2^63": b"\x5b\x7f" + b"\xff" * (SIZE - 2),
    "empty arrays": _array(b"\x80"),
    "arrays of one": _array(b"\x81\0"),
    "arrays five deep": _array(b"\x81\x81\x81\x80"),
    "arrays in arrays": b"\x81" * SIZE,
    "an array of 2^64 - 1": b"\x9b" + b"\xff" * (SIZE - 1),
    "as many items as allowed": _dense(),
    "maps in maps": b"\xa1\0" * (SIZE // 2),
    "a map of thousands": b"\xb9\x07\xfe" + b"".join(bytes((25, *divmod(n, 256), 0)) for n in range(2046)),
    "tags in tags": b"\xc2" * SIZE,
    "tagged big numbers": _array(b"\xc2\x41\1"),
    "a big number of 8 KiB": b"\xc2\x59\x1f\xf0" + b"\xff" * (SIZE - 4),
    "tagged regular expressions": _array(b"\xd8\x23\x61("),
    "text": _array(b"\x61a"),
    "fractions": _array(b"\xf9\x3c\0"),
    "arrays without end": b"\x9f" * SIZE,
    "a long array without length": b"\x9f" + bytes(SIZE - 2) + b"\xff",
    "byte strings without length": b"\x5f" + b"\x41\0" * (SIZE // 2 - 1) + b"\xff",
    "records of one byte": encode((31, bytes(32), (b"r",) * 4000, 7)),
    "heads with a thousand ancestors": encode(
        (30, bytes(32), 5, bytes(32), 3, (), None, tuple((height, b"12") for height in range(1200)))
    ),
}  # fmt: skip
