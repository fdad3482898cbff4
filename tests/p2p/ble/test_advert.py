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
    private=st.booleans(),
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


def test_all_devices_of_a_table_show_one_mark_of_two_bytes() -> None:
    """So that no number of them tells more than 16 bits of the code."""
    assert len(mark_of(bytes(32))) == 2
    assert mark_of(bytes(32)) != mark_of(bytes([1]) * 32)
