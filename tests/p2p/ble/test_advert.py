"""What can be seen before anybody connects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.ble.advert import SERVICE, Advert, NotOurs, mark_of
from tests.vectors.generate_ble import advertising_data

adverts = st.builds(
    Advert,
    st.binary(min_size=8, max_size=8),
    st.binary(min_size=2, max_size=2),
    host=st.booleans(),
    full=st.booleans(),
)


@given(adverts)
def test_an_advert_is_one_uuid_and_fits_31_bytes(advert: Advert) -> None:
    assert Advert.from_uuid(advert.to_uuid()) == advert
    assert Advert.from_uuid(advert.to_uuid().upper()) == advert
    assert len(advertising_data(advert)) <= 31


@pytest.mark.parametrize(
    "text",
    [
        SERVICE,
        "0000180f-0000-1000-8000-00805f9b34fb",
        "d5a76b1e-0201-0000-0000-000000000000",
        "",
        "180f",
        "ü",
    ],
)
def test_what_others_advertise_is_not_ours(text: str) -> None:
    with pytest.raises(NotOurs):
        Advert.from_uuid(text)


def test_the_mark_changes_with_the_process_and_needs_the_code() -> None:
    key = bytes(32)
    assert mark_of(key, b"process1") != mark_of(key, b"process2")
    assert mark_of(key, b"process1") != mark_of(bytes([1]) * 32, b"process1")
