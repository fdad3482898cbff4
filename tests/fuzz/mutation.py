"""Wrong bytes made from right ones: the tree of CBOR items changed, or the bytes themselves.

`choose(n)` gives a number below n; Hypothesis, atheris and plain dice all are one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cbor2

from ledger.codec import decode, item_end
from ledger.engine import Value
from ledger.errors import Malformed

Choose = Callable[[int], int]

NUMBERS: Final = (0, 1, -1, 5, 23, 24, 255, 256, 4095, 4096, 2**16, 2**32, 2**63, 2**64 - 1, -(2**64))
STRANGE: Final[tuple[Any, ...]] = (
    None, True, False, 0.5, float("nan"), "text", {}, {1: 2}, cbor2.CBORTag(2, b"\1"), cbor2.undefined,
    b"", (), ((),), 2**70,
)  # fmt: skip
"""Also what is outside the subset: floats, text, maps, tags, integers beyond 64 bits."""
LARGEST: Final = 70_000


def mutate(data: bytes, choose: Choose, *, spare: bytes = b"") -> bytes:
    """Change one to three things; `spare` is other valid bytes to splice from."""
    for _ in range(1 + choose(3)):
        change = (_tree, _tree, _tree, _flip, _cut, _insert, _splice)[choose(7)]
        data = change(data, choose, spare)[:LARGEST]
    return data


def _flip(data: bytes, choose: Choose, spare: bytes) -> bytes:
    if not data:
        return b"\0"
    at = choose(len(data))
    return data[:at] + bytes([data[at] ^ 1 << choose(8)]) + data[at + 1 :]


def _cut(data: bytes, choose: Choose, spare: bytes) -> bytes:
    at = choose(len(data) + 1)
    return data[:at] if choose(2) else data[at:]


def _insert(data: bytes, choose: Choose, spare: bytes) -> bytes:
    at = choose(len(data) + 1)
    piece = bytes(choose(256) for _ in range(choose(9))) if choose(2) else bytes([choose(256)]) * choose(300)
    return data[:at] + piece + data[at:]


def _splice(data: bytes, choose: Choose, spare: bytes) -> bytes:
    if not spare:
        return data + data
    start = choose(len(spare))
    return data[: choose(len(data) + 1)] + spare[start : start + choose(400)] + data[choose(len(data) + 1) :]


def _tree(data: bytes, choose: Choose, spare: bytes) -> bytes:
    """Change one node of one item of the sequence `data` is; bytes that are none are flipped instead."""
    items = split(data)
    if not items:
        return _flip(data, choose, spare)
    number = choose(len(items))
    try:
        value = decode(items[number], limit=LARGEST)
    except Malformed:  # a record: its empty map is outside the subset
        return b"".join(_in_record(items, number, choose))
    written = cbor2.dumps(_changed(value, choose, 5))
    return b"".join((*items[:number], written, *items[number + 1 :]))


def _in_record(items: list[bytes], number: int, choose: Choose) -> tuple[bytes, ...]:
    try:
        head, unprotected, body, signature = cbor2.loads(items[number])
        body = cbor2.dumps(_changed(decode(body, limit=LARGEST), choose, 5))
        changed = cbor2.dumps([head, unprotected, body, signature])
    except Exception:  # no record either
        changed = items[number] + items[number]
    return (*items[:number], changed, *items[number + 1 :])


def split(data: bytes) -> list[bytes]:
    """The items of a CBOR sequence as far as their heads can be read; records too."""
    items: list[bytes] = []
    at = 0
    while at < len(data) and len(items) < 5000:
        try:
            end = _end(data, at)
        except Malformed:
            break
        items.append(data[at:end])
        at = end
    return items


def _end(data: bytes, at: int) -> int:
    if data[at : at + 6] == bytes.fromhex("8443a10127a0"):
        body = item_end(data, at + 6, limit=LARGEST)
        return item_end(data, body, limit=LARGEST)
    return item_end(data, at, limit=LARGEST)


def _changed(value: Value, choose: Choose, depth: int) -> Any:
    """The same tree with one node replaced, doubled, dropped or moved."""
    if type(value) is tuple and value and depth and choose(4):
        at = choose(len(value))
        match choose(6):
            case 0:
                return (*value[:at], *value[at + 1 :])
            case 1:
                return (*value[:at], value[at], *value[at:])
            case 2:
                other = choose(len(value))
                swapped = list(value)
                swapped[at], swapped[other] = swapped[other], swapped[at]
                return tuple(swapped)
        return (*value[:at], _changed(value[at], choose, depth - 1), *value[at + 1 :])
    if type(value) is int and choose(4):
        return value + choose(7) - 3 if choose(2) else NUMBERS[choose(len(NUMBERS))]
    if type(value) is bytes and choose(4):
        return _other_bytes(value, choose)
    if type(value) is tuple and choose(3) == 0:
        return value * (1 + choose(40))
    return STRANGE[choose(len(STRANGE))]


def _other_bytes(value: bytes, choose: Choose) -> bytes:
    match choose(5):
        case 0:
            return value[:-1]
        case 1:
            return value + b"\0"
        case 2:
            return bytes(len(value))
        case 3:
            return b"\xff" * len(value)
    return _flip(value, choose, b"") if value else b"\1"
