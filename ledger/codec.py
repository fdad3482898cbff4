"""The one CBOR form the ledger reads and writes (RFC 8949 §4.2.1, restricted).

Items are unsigned and negative 64-bit integers, byte strings, definite arrays, booleans and null. There are
no maps, floats, text or tags, so map order, NaN and Unicode are questions nobody can ask. A value has exactly
one encoding: decoding is strict, checks every type, encodes again and compares, because cbor2 alone accepts
non-minimal integers, trailing bytes, floats and tags. A value holds at most 384 items, arrays counted too:
heads are counted before anything is built, so that bytes of hostile shape cost no more than others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

import cbor2

from ledger.engine import Value
from ledger.errors import Malformed

MAX_DEPTH: Final = 5
"""Arrays inside arrays, the outermost counted."""
MAX_ITEMS: Final = 384
"""Of one value, the outermost counted. The largest of ours, a list of 64 names of entries, holds 324."""
MAX_UINT: Final = 2**64 - 1
MIN_NINT: Final = -(2**64)


class _NoTags(Mapping[int, Any]):
    """Answers every tag with a refusal, so that cbor2 never builds what a tag asks for."""

    def __getitem__(self, tag: int) -> Any:
        return _refuse_tag

    def __contains__(self, tag: object) -> bool:
        return True

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 1


def _refuse_tag(*_arguments: object) -> NoReturn:
    raise ValueError("tag")


_NO_TAGS: Final = _NoTags()


def _check(item: Any, depth: int) -> None:
    """Raise `Malformed` unless `item` is of the subset. `type(x) is int`: True is not 1."""
    kind = type(item)
    if kind is tuple:
        if depth == 0:
            raise Malformed("E_CBOR", "nested too deep")
        for part in item:
            kind = type(part)
            if kind is bytes or part is None or (kind is int and 0 <= part <= MAX_UINT):
                continue
            _check(part, depth - 1)
    elif kind is int:
        if not MIN_NINT <= item <= MAX_UINT:
            raise Malformed("E_CBOR", "integer beyond 64 bits")
    elif kind is not bytes and kind is not bool and item is not None:
        raise Malformed("E_CBOR", f"a {kind.__name__} is not of the subset")


def encode(value: Value) -> bytes:
    """The one encoding of `value`. Raises `Malformed("E_CBOR")` for anything outside the subset."""
    _check(value, MAX_DEPTH)
    return cbor2.dumps(value)


def sequence(*items: Value) -> bytes:
    """The encodings of at most 23 items one after the other (RFC 8742). Behind `array_head`, an array.

    For a long array of which most stays the same.
    """
    return encode(items).removeprefix(array_head(len(items)))


def array_head(length: int) -> bytes:
    """What comes before the items of an array of at most 23."""
    if length > 23:
        raise ValueError("a longer array has a longer head")
    return bytes([0x80 | length])


def decode(data: bytes, *, limit: int, items: int = MAX_ITEMS) -> Value:
    """The value whose one encoding is `data`, arrays as tuples.

    Raises `Malformed`: "E_SIZE" for more than `limit` bytes, "E_CBOR" for more than `items` items and for
    what `encode` would not write.
    """
    if len(data) > limit:
        raise Malformed("E_SIZE", f"{len(data)} bytes, at most {limit}")
    if len(data) > items:
        _check_heads(data, items)
    try:
        item: Value = cbor2.loads(
            data,
            tag_hook=_refuse_tag,
            semantic_decoders=_NO_TAGS,
            max_depth=MAX_DEPTH,
            allow_indefinite=False,
            allow_duplicate_keys=False,
            strict_hashable_types=True,
            immutable=True,
        )
    except Exception as error:  # whatever the library finds wrong, the answer is one
        raise Malformed("E_CBOR", type(error).__name__) from None
    _check(item, MAX_DEPTH)
    if cbor2.dumps(item) != data:
        raise Malformed("E_CBOR", "not the shortest form, or bytes after it")
    return item


def _check_heads(data: bytes, items: int) -> None:
    """Raise `Malformed` unless `data` looks like one item of at most `items`, before anything is built."""
    try:
        end = item_end(data, 0, limit=len(data), items=items)
    except Malformed as error:
        raise Malformed("E_CBOR", error.detail) from None
    if end != len(data):
        raise Malformed("E_CBOR", "bytes after the item")


_SIMPLE: Final = frozenset((0xF4, 0xF5, 0xF6))


def item_end(data: bytes, start: int, *, limit: int, items: int = MAX_ITEMS) -> int:
    """Where the item that begins at `start` ends, by its heads alone; nothing is built.

    Raises `Malformed`: "E_CUT" when `data` ends first, "E_SIZE" when the item claims more than `limit` bytes,
    "E_CBOR" for a head outside the subset and for more than `items` items.
    """
    at = start
    waiting = 1
    stop = start + limit
    while waiting:
        if waiting > items:
            raise Malformed("E_CBOR", "too many items")
        items -= 1
        if at >= len(data):
            raise Malformed("E_CUT", "the file ends inside an item")
        head = data[at]
        major, short = head >> 5, head & 31
        at += 1
        if head in _SIMPLE:
            waiting -= 1
            continue
        if major not in (0, 1, 2, 4) or short > 27:
            raise Malformed("E_CBOR", f"head {head:#04x}")
        argument = short
        if short >= 24:
            width = 1 << (short - 24)
            if at + width > len(data):
                raise Malformed("E_CUT", "the file ends inside an item")
            argument = int.from_bytes(data[at : at + width], "big")
            at += width
        waiting -= 1
        if major == 2:
            at += argument
        elif major == 4:
            waiting += argument
        if at + waiting > stop:
            raise Malformed("E_SIZE", f"an item of more than {limit} bytes")
    if at > len(data):
        raise Malformed("E_CUT", "the file ends inside an item")
    return at
