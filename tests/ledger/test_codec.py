from __future__ import annotations

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec import array_head, decode, encode, item_end, sequence
from ledger.engine import Value
from ledger.errors import Malformed

scalars = st.one_of(st.integers(-(2**64), 2**64 - 1), st.binary(max_size=40), st.booleans(), st.none())
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=5).map(tuple), max_leaves=12).filter(
    lambda value: depth(value) <= 5
)


def depth(value: object) -> int:
    return 1 + max((depth(part) for part in value), default=0) if isinstance(value, tuple) else 0


def refuses(data: bytes, code: str = "E_CBOR") -> None:
    with pytest.raises(Malformed) as caught:
        decode(data, limit=1 << 20)
    assert caught.value.code == code


@given(values)
def test_what_is_encoded_comes_back_with_its_types(value: object) -> None:
    data = encode(value)  # type: ignore[arg-type]
    back = decode(data, limit=len(data))
    assert repr(back) == repr(value)
    assert item_end(data, 0, limit=len(data)) == len(data)


@given(st.binary(max_size=60))
def test_garbage_gives_malformed_and_nothing_else_and_what_passes_is_canonical(data: bytes) -> None:
    try:
        value = decode(data, limit=60)
    except Malformed:
        return
    assert encode(value) == data


@given(st.binary(max_size=60))
def test_item_end_agrees_with_decode(data: bytes) -> None:
    try:
        decode(data, limit=60)
    except Malformed:
        return
    assert item_end(data + b"\x00\xff", 0, limit=60) == len(data)


@pytest.mark.parametrize(
    "text",
    [
        "1817", "190018", "1a00000100", "1b0000000000000001", "3800", "580101", "9800", "990001 00",
        "5f4100ff", "9f00ff", "ff", "7f6161ff", "bfff",
        "0000", "818000 00",
        "f93c00", "fa3f800000", "fb3ff0000000000000", "f97e00", "f7", "e0", "f820", "f814", "fc",
        "c001", "c11a514b67b0", "c249010000000000000000", "d8236161", "d81c81d81d00", "d9010081 4161",
        "d9d9f701", "d82a00", "d90102 8101",
        "a0", "a10127", "bf00ff", "60", "6161", "62c328",
        "5b7fffffffffffffff", "9b7fffffffffffffff", "42ff", "82 00", "",
    ],
)  # fmt: skip
def test_everything_outside_the_subset_is_refused(text: str) -> None:
    refuses(bytes.fromhex(text.replace(" ", "")))


@pytest.mark.parametrize("value", [1.0, "text", [1], {}, 2**64, -(2**64) - 1, b"x".hex(), object()])
def test_the_encoder_refuses_what_it_could_not_read(value: object) -> None:
    with pytest.raises(Malformed):
        encode((value,))  # type: ignore[arg-type]


@given(st.lists(values, max_size=23))
def test_sequences_behind_a_head_are_the_encoded_array(items: list[Value]) -> None:
    middle = len(items) // 2
    parts = sequence(*items[:middle]) + sequence(*items[middle:])
    assert array_head(len(items)) + parts == cbor2.dumps(tuple(items))


def test_no_sequence_is_longer_than_the_head_of_one_byte() -> None:
    with pytest.raises(ValueError, match="head"):
        sequence(*[0] * 24)


def test_true_is_not_one() -> None:
    assert encode((True,)) != encode((1,))
    assert decode(b"\x81\xf5", limit=9) == (True,)
    assert type(decode(b"\xf5", limit=9)) is bool


def test_depth_five_and_no_more() -> None:
    assert decode(b"\x81" * 4 + b"\x80", limit=9) == (((((),),),),)
    refuses(b"\x81" * 5 + b"\x80")
    refuses(b"\x81" * 100_000)


def test_the_limit_counts_bytes() -> None:
    data = encode(bytes(100))
    assert decode(data, limit=len(data)) == bytes(100)
    with pytest.raises(Malformed, match="E_SIZE"):
        decode(data, limit=len(data) - 1)


@given(values)
def test_an_independent_encoder_agrees(value: object) -> None:
    assert cbor2.dumps(value, canonical=True) == encode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x5b\x7f" + b"\xff" * 7, "E_SIZE"),
        (b"\x9b\x7f" + b"\xff" * 7, "E_SIZE"),
        (b"\x58", "E_CUT"),
        (b"\x42\x00", "E_CUT"),
        (b"", "E_CUT"),
        (b"\xa0", "E_CBOR"),
        (b"\xfb", "E_CBOR"),
        (b"\x1c", "E_CBOR"),
    ],
)
def test_item_end_says_why(data: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        item_end(data, 0, limit=1000)
    assert caught.value.code == code


def test_384_items_and_no_more() -> None:
    row = (1, b"", None)
    fits = (row,) * 95 + ((),) * 3
    assert decode(encode(fits), limit=9999) == fits
    refuses(encode((*fits, True)))
    assert decode(encode((*fits, bytes(400))), limit=9999, items=385) == (*fits, bytes(400))
    with pytest.raises(Malformed, match="E_CBOR"):
        item_end(encode((*fits, True)), 0, limit=9999)
