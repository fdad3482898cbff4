"""The stand-in for cbor2 while a picture is taken says the same bytes, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.guests.inside.few_items import dumps
from ledger.codec import MAX_DEPTH, encode

SCALARS = st.integers(-(2**64), 2**64 - 1) | st.binary(max_size=300)


def nested(depth: int) -> st.SearchStrategy[object]:
    """Values of at most so many arrays in one another."""
    return SCALARS if depth == 0 else SCALARS | st.lists(nested(depth - 1), max_size=4).map(tuple)


VALUES = nested(MAX_DEPTH)


@given(VALUES)
def test_the_same_bytes_as_the_codec(value: object) -> None:
    assert dumps(value) == encode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("edge", [0, 23, 24, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**64 - 1])
def test_every_length_of_a_head(edge: int) -> None:
    assert dumps(edge) == encode(edge)
    assert dumps(-1 - edge) == encode(-1 - edge)


@pytest.mark.parametrize("value", [True, None, 1.5, "text", [1], {}, object()])
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        dumps(value)
