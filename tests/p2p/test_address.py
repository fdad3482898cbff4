"""What people type for an address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.address import DEFAULT_PORT, Endpoint, parse_address, without_scope
from p2p.errors import BadAddress


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("192.168.1.7", Endpoint("192.168.1.7", DEFAULT_PORT)),
        (" 192.168.1.7:80 ", Endpoint("192.168.1.7", 80)),
        ("anna.local:4717", Endpoint("anna.local", 4717)),
        ("[fe80::1%wlan0]:5", Endpoint("fe80::1%wlan0", 5)),
        ("[::1]", Endpoint("::1", DEFAULT_PORT)),
        ("fe80::1%3", Endpoint("fe80::1%3", DEFAULT_PORT)),
        ("münchen.local", Endpoint("münchen.local", DEFAULT_PORT)),
    ],
)
def test_addresses(text: str, endpoint: Endpoint) -> None:
    assert parse_address(text) == endpoint
    assert parse_address(endpoint.address) == endpoint


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        ":80",
        "a:",
        "a:0",
        "a:65536",
        "a:1:2",
        "[::1",
        "[::1]x",
        "[]:1",
        "a b",
        "a..b",
        "a/b",
        "a:٣",
        "x" * 81,
        "999.1.1.1",
        "192.168.1",
        "4717",
    ],
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(BadAddress):
        parse_address(text)


@given(st.text(max_size=40))
def test_one_error_for_everything_else(text: str) -> None:
    try:
        endpoint = parse_address(text)
    except BadAddress:
        return
    assert parse_address(endpoint.address) == endpoint


def test_scopes_are_for_one_device() -> None:
    assert without_scope("fe80::1%wlan0") == "fe80::1"
    assert without_scope("10.0.0.1") == "10.0.0.1"
    assert Endpoint("fe80::1", 1).is_link_local
    assert not Endpoint("10.0.0.1", 1).is_link_local
