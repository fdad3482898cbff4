"""Same bytes and same verdicts from both backends, on whatever bytes and scalars come along."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.mental_poker import sodium
from game.mental_poker.backend import Backend, L
from game.mental_poker.errors import BadEncoding
from game.mental_poker.pure import PURE

FOUND = sodium.find()
pytestmark = pytest.mark.skipif(FOUND is None, reason="no libsodium with ristretto255 on this machine")

SCALARS = st.one_of(st.integers(-3, 3), st.integers(L - 3, L + 3), st.integers(0, 2**256), st.integers(0, 60))
UNIFORM = st.binary(min_size=64, max_size=64)


def both() -> tuple[Backend, Backend]:
    assert FOUND is not None
    return PURE, FOUND


def verdict(backend: Backend, data: bytes) -> bytes | None:
    try:
        return bytes(backend.decode(data))
    except BadEncoding:
        return None


@settings(max_examples=300, deadline=None)
@given(data=st.one_of(st.binary(min_size=32, max_size=32), st.binary(max_size=40)))
def test_verdict_on_any_bytes(data: bytes) -> None:
    pure, fast = both()
    assert verdict(pure, data) == verdict(fast, data)


@settings(max_examples=200, deadline=None)
@given(uniform=UNIFORM, bit=st.integers(0, 255))
def test_verdict_near_good_encodings(uniform: bytes, bit: int) -> None:
    pure, fast = both()
    encoding = bytes(pure.from_uniform(uniform))
    assert encoding == bytes(fast.from_uniform(uniform))
    bent = (int.from_bytes(encoding, "little") ^ (1 << bit)).to_bytes(32, "little")
    for data in (encoding, bent):
        assert verdict(pure, data) == verdict(fast, data)
    assert verdict(pure, encoding) == encoding


@settings(max_examples=60, deadline=None)
@given(terms=st.lists(st.tuples(SCALARS, UNIFORM), max_size=5), k=SCALARS)
def test_same_sums(terms: list[tuple[int, bytes]], k: int) -> None:
    scalars = [scalar for scalar, _ in terms]
    made = []
    for backend in both():
        points = [backend.from_uniform(uniform) for _, uniform in terms]
        total = backend.msm(scalars, points)
        made.append(
            [bytes(p) for p in (total, k * total, -total, total + total, total - total, backend.base(k))]
        )
    assert made[0] == made[1]
