"""Every byte of a frame, and one promise: what is no frame raises `BadFrame` and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.ble.frames import (
    Ack,
    Acknowledgement,
    BadFrame,
    Bye,
    Chunk,
    Cut,
    CutFrame,
    Data,
    Frame,
    Hello,
    LinkNumber,
    Part,
    Sequence,
    Welcome,
    decode_frame,
    encode_frame,
    value_limit,
)
from tests.vectors.generate_ble import VECTORS, frames, not_frames, vectors

byte = st.integers(0, 255)
links = st.integers(1, 65_535).map(LinkNumber)
acks = st.builds(Acknowledgement, byte.map(Sequence), byte, st.integers(0, 8))
chunks = st.builds(
    Chunk,
    byte.map(Sequence),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.binary(min_size=1, max_size=504),
)
largest = st.integers(20, 512)
greeting = (st.binary(min_size=4, max_size=4), st.binary(min_size=8, max_size=8), byte, byte, largest)
any_frame: st.SearchStrategy[Frame] = st.one_of(
    st.builds(Hello, *greeting),
    st.builds(Welcome, links, *greeting),
    st.builds(Data, links, chunks, acks, st.booleans()),
    st.builds(Ack, links, acks, st.booleans()),
    st.builds(Bye, links, byte),
    st.builds(Cut, links, st.integers(0, 65_535)),
)


@given(any_frame)
def test_what_is_encoded_decodes_to_the_same_and_fits_a_value(frame: Frame) -> None:
    value = encode_frame(frame)
    assert decode_frame(value) == frame
    assert len(value) <= 512


@given(any_frame, st.integers(1, 3))
def test_a_value_that_lost_its_last_bytes_is_noticed_and_its_link_is_known(frame: Frame, lost: int) -> None:
    value = encode_frame(frame)[:-lost]
    if len(value) > 4:
        with pytest.raises(CutFrame) as caught:
            decode_frame(value)
        assert caught.value.arrived == len(value)
        assert caught.value.link == getattr(frame, "link", 0)
    else:
        with pytest.raises(BadFrame):
            decode_frame(value)


@given(st.binary(max_size=600))
def test_garbage_is_a_bad_frame_or_encodes_back_to_itself(value: bytes) -> None:
    try:
        frame = decode_frame(value)
    except BadFrame:
        return
    assert encode_frame(frame) == value


@pytest.mark.parametrize("name", not_frames())
def test_not_a_frame(name: str) -> None:
    with pytest.raises(BadFrame):
        decode_frame(not_frames()[name])


def test_a_part_says_where_its_bytes_belong() -> None:
    part = frames()["part"]
    assert isinstance(part, Part)
    assert decode_frame(encode_frame(part)) == part


def test_a_value_never_exceeds_mtu_minus_3_nor_512() -> None:
    for mtu in range(23, 528):
        assert value_limit(mtu) <= min(mtu - 3, 512)
    assert value_limit(0) == 20


def test_the_published_vectors_are_what_the_code_makes() -> None:
    assert json.loads(VECTORS.read_text()) == vectors()
