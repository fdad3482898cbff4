"""Stands in for cbor2 while modules load for a picture (`picture`): constants of theirs are encoded then.

A picture holds no compiled library, and cbor2 is one. Same bytes for what is here; anything else raises.
"""

from __future__ import annotations


def dumps(value: object) -> bytes:
    """Integers, byte strings and arrays in deterministic CBOR. Raises TypeError for anything else."""
    if type(value) is int:
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if type(value) is bytes:
        return _head(2, len(value)) + value
    if type(value) is tuple:
        return _head(4, len(value)) + b"".join(map(dumps, value))
    raise TypeError(value)


def _head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    size = next(size for size in (1, 2, 4, 8) if number < 1 << 8 * size)
    return bytes([major << 5 | 23 + size.bit_length()]) + number.to_bytes(size, "big")
