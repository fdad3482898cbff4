"""Datagrams over a byte stream, however it is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.errors import BadMessage
from p2p.stream import STREAM_MTU, UNPROVEN_LIMIT, StreamReader, frame


@given(st.lists(st.binary(min_size=1, max_size=400), max_size=6), st.integers(1, 700))
def test_any_cut_gives_the_same_datagrams(datagrams: list[bytes], step: int) -> None:
    stream = b"".join(map(frame, datagrams))
    reader, seen = StreamReader(), []
    for start in range(0, len(stream), step):
        reader.feed(stream[start : start + step])
        while (datagram := reader.next(limit=STREAM_MTU)) is not None:
            seen.append(datagram)
    assert seen == datagrams


@pytest.mark.parametrize(
    ("length", "limit"), [(0, STREAM_MTU), (STREAM_MTU + 1, STREAM_MTU), (257, UNPROVEN_LIMIT)]
)
def test_wrong_lengths_are_refused_before_anything_is_kept(length: int, limit: int) -> None:
    reader = StreamReader()
    reader.feed(length.to_bytes(2, "big"))
    with pytest.raises(BadMessage):
        reader.next(limit=limit)


def test_the_limits_themselves_pass() -> None:
    for length in (1, UNPROVEN_LIMIT, STREAM_MTU):
        reader = StreamReader()
        reader.feed(frame(bytes(length)))
        assert reader.next(limit=length) == bytes(length)
