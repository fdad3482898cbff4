"""What people read out to one another, and what they make of it."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from ledger.identity import PublicKey
from p2p.codes import (
    ALPHABET,
    Invitation,
    JoinCode,
    code_key,
    fingerprint,
    invite,
    make_code,
    read_code,
    read_invitation,
    show_code,
    table_tag,
)
from p2p.errors import BadAddress, BadCode
from p2p.messages import Address

CODE = JoinCode("0123456789AB")


@given(st.binary(min_size=8, max_size=8))
def test_every_code_reads_back(dice: bytes) -> None:
    code = make_code(lambda length: dice[:length])
    assert len(code) == 12
    assert set(code) <= set(ALPHABET)
    assert read_code(code) == code
    assert read_code(show_code(code).lower()) == code


def test_sixty_bits_and_each_of_them_counts() -> None:
    assert make_code(lambda _: bytes(8)) == "0" * 12
    assert make_code(lambda _: b"\xff" * 8) == "Z" * 12
    codes = {make_code(lambda _, bit=bit: (1 << bit).to_bytes(8, "big")) for bit in range(4, 64)}  # type: ignore[misc]
    assert len(codes) == 60


@pytest.mark.parametrize(
    "typed",
    [
        "0123456789AB",
        "0123-4567-89ab",
        " o123 4567 89aB ",
        "OI23-4567-89AB",
        "ol23456789ab",
        "0123\u20134567\u201189AB",
    ],
)
def test_what_people_mistype_is_forgiven(typed: str) -> None:
    assert read_code(typed) == CODE


@pytest.mark.parametrize(
    ("typed", "reason", "params"),
    [
        ("0123-4567-89A", "code.length", {"length": 11}),
        ("", "code.length", {"length": 0}),
        ("0123-4567-89ABC", "code.length", {"length": 13}),
        ("0123-U567-89AB", "code.character", {"character": "U", "place": 5}),
        ("0123-4567-89А", "code.character", {"character": "А", "place": 11}),
        ("0123_4567", "code.character", {"character": "_", "place": 5}),
        ("٠123", "code.character", {"character": "٠", "place": 1}),
        ("ß123", "code.character", {"character": "ß", "place": 1}),
    ],
)
def test_what_is_no_code_says_why(typed: str, reason: str, params: dict[str, object]) -> None:
    with pytest.raises(BadCode) as caught:
        read_code(typed)
    assert (caught.value.reason, caught.value.params) == (reason, params)


def test_keys_and_tags() -> None:
    other = JoinCode("0123456789AC")
    assert len(code_key(CODE)) == 32
    assert code_key(CODE) != code_key(other)
    host, somebody = fingerprint(PublicKey(b"h" * 32)), fingerprint(PublicKey(b"s" * 32))
    assert len(table_tag(code_key(CODE), host)) == 2
    assert table_tag(code_key(CODE), host) != table_tag(code_key(CODE), somebody)
    assert table_tag(code_key(CODE), host) != table_tag(code_key(other), host)
    assert code_key(CODE) == HKDF(SHA512(), 32, None, b"durak-code-1").derive(b"0123456789AB")


def test_invitations_read_back() -> None:
    addresses = (Address("192.168.1.7:4717"), Address("[fe80::1]:4717"))
    invitation = invite(CODE, addresses, PublicKey(b"h" * 32))
    assert (
        invitation.text
        == f"durak:0123-4567-89AB@192.168.1.7:4717,[fe80::1]:4717#{fingerprint(PublicKey(b'h' * 32))}"
    )
    assert read_invitation(f" {invitation.text}\n") == invitation
    assert read_invitation(invitation.text.upper().replace("DURAK:", "Durak:")) == invitation.__class__(
        CODE, (addresses[0], Address("[FE80::1]:4717")), invitation.fingerprint
    )
    open_table = Invitation(None, addresses[:1], None)
    assert read_invitation(open_table.text) == open_table
    assert read_invitation("192.168.1.7") == open_table
    assert read_invitation("oi23456789ab@192.168.1.7") == Invitation(CODE, addresses[:1], None)


@pytest.mark.parametrize(
    "text", ["", "durak:", "durak:0123-4567-89AB@", "a:b:c@d", "durak:@x:99999", "1.2.3.4#zz"]
)
def test_what_is_no_invitation(text: str) -> None:
    with pytest.raises((BadCode, BadAddress)):
        read_invitation(text)
