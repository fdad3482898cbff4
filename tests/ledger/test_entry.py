from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycose.keys import OKPKey
from pycose.keys.curves import Ed25519
from pycose.messages import Sign1Message

from ledger.codec import encode
from ledger.engine import Kind
from ledger.entry import MAX_BODY, Body, entry_id, height_digest, read_record, sign_entry, state_hash
from ledger.errors import Malformed
from tests.ledger.table import Table

TABLE = Table.of(2)
BODY = TABLE.body(0)


def refused(data: bytes) -> str:
    with pytest.raises(Malformed) as caught:
        Body.from_bytes(data)
    return caught.value.code


def with_item(index: int, value: object) -> bytes:
    items = list(cbor2.loads(BODY.to_bytes()))
    items[index] = value
    return cbor2.dumps(items)


def test_an_independent_cose_library_checks_our_entries() -> None:
    for record in Table.of(3).play(9):
        message = Sign1Message.from_cose_obj(cbor2.loads(record), allow_unknown_attributes=False)
        seat = read_record(record).seat
        message.key = OKPKey(crv=Ed25519, x=Table.of(3).genesis.seats[seat].game_key)
        message.external_aad = b"durak-entry-1"
        assert message.verify_signature()
        message.external_aad = b"durak-entry-2"
        assert not message.verify_signature()


def test_we_check_the_entries_of_an_independent_cose_library() -> None:
    from pycose.algorithms import EdDSA
    from pycose.headers import Algorithm

    key = TABLE.keys[0]
    message = Sign1Message({Algorithm: EdDSA}, {}, BODY.to_bytes(), b"durak-entry-1")
    message.key = OKPKey(crv=Ed25519, d=key.secret(), x=key.public)
    record = message.encode(tag=False)
    assert record == sign_entry(key, BODY)
    assert read_record(record).signed_by(key.public)


def test_a_record_is_read_as_it_was_signed() -> None:
    record = sign_entry(TABLE.keys[0], BODY)
    entry = read_record(record)
    assert entry.body == BODY
    assert entry.body_bytes == BODY.to_bytes()
    assert entry.id == entry_id(BODY.to_bytes()) == sha256(b"durak-id-1" + BODY.to_bytes()).digest()
    assert entry.signed_by(TABLE.keys[0].public)
    assert not entry.signed_by(TABLE.keys[1].public)
    assert (entry.height, entry.seat, entry.kind, entry.lane) == (0, 0, 0, 0)


def test_every_hash_has_its_own_tag() -> None:
    ids = (entry_id(b"a"), entry_id(b"b"))
    data = encode((TABLE.log.game_id, 3, ids))
    assert height_digest(TABLE.log.game_id, 3, ids) == sha256(b"durak-prev-1" + data).digest()
    assert state_hash(b"x") == sha256(b"durak-state-1" + b"x").digest()[:16]


@pytest.mark.parametrize("length", [0, 10, 100, 120, 200, 2000, 16_000])
def test_bodies_of_every_length_are_read_back(length: int) -> None:
    body = replace(BODY, payload=(bytes(length),))
    assert read_record(sign_entry(TABLE.keys[0], body)).body == body


def test_a_body_of_16384_bytes_and_no_more() -> None:
    spare = MAX_BODY - len(replace(BODY, payload=(bytes(10_000),)).to_bytes())
    body = replace(BODY, payload=(bytes(10_000 + spare),))
    assert len(body.to_bytes()) == MAX_BODY
    assert read_record(sign_entry(TABLE.keys[0], body)).body == body
    with pytest.raises(Malformed, match="E_SIZE"):
        replace(BODY, payload=(bytes(10_001 + spare),)).to_bytes()


@pytest.mark.parametrize("kind", range(8, 18))
def test_a_play_of_512_bytes_and_no_more(kind: int) -> None:
    body = replace(BODY, kind=Kind(kind))
    spare = 512 - len(replace(body, payload=(bytes(300),)).to_bytes())
    assert len(replace(body, payload=(bytes(300 + spare),)).to_bytes()) == 512
    with pytest.raises(Malformed, match="E_SIZE"):
        replace(body, payload=(bytes(301 + spare),)).to_bytes()
    for roomy in (7, 18):
        assert replace(body, kind=Kind(roomy), payload=(bytes(301 + spare),)).to_bytes()


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (1, bytes(31)), (1, bytes(33)), (1, None), (1, 0),
        (2, -1), (2, 4096), (2, 2**63), (2, 2**64 - 1), (2, True), (2, None),
        (3, -1), (3, 6), (3, False),
        (4, bytes(31)), (4, bytes(16)), (4, []),
        (5, bytes(15)), (5, bytes(32)),
        (6, 32), (6, -1), (6, True),
        (7, b""), (7, 0), (7, None),
    ],
)  # fmt: skip
def test_a_field_of_the_wrong_type_or_range(index: int, value: object) -> None:
    assert refused(with_item(index, value)) == "E_BODY"


def test_versions_shapes_and_big_numbers() -> None:
    assert refused(BODY.to_bytes().replace(b"\x88\x01", b"\x88\xf5", 1)) == "E_BODY"
    assert refused(with_item(0, 2)) == "E_VERSION"
    assert refused(with_item(2, 2**64)) == "E_CBOR"
    assert refused(cbor2.dumps([*cbor2.loads(BODY.to_bytes()), 0])) == "E_BODY"
    assert refused(encode(())) == "E_BODY"
    assert refused(encode(b"")) == "E_BODY"
    assert Body.from_bytes(with_item(2, 4095)).height == 4095


RECORD = sign_entry(TABLE.keys[0], BODY)


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"\xd2" + RECORD,
        b"\x85" + RECORD[1:] + b"\0",
        RECORD + b"\0",
        RECORD[:-1],
        RECORD.replace(b"\x58\x40", b"\x58\x3f"),
        RECORD.replace(b"\xa1\x01\x27\xa0", b"\xa1\x01\x27\xa1\x01\x27", 1),
        RECORD.replace(b"\x43\xa1\x01\x27", b"\x44\xa1\x01\x38\x07", 1),
        RECORD.replace(b"\x43\xa1\x01\x27", b"\x58\x03\xa1\x01\x27", 1),
        RECORD[:6] + b"\x59\x00" + RECORD[7:],
        RECORD[:6] + b"\x5f" + RECORD[6:],
        b"\x9f" + RECORD[1:] + b"\xff",
        bytes(100),
        bytes(1 << 20),
    ],
)
def test_every_other_wrapping_is_refused(record: bytes) -> None:
    with pytest.raises(Malformed):
        read_record(record)


@given(st.binary(max_size=300))
def test_garbage_gives_malformed_and_nothing_else(record: bytes) -> None:
    with pytest.raises(Malformed):
        read_record(record)


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_no_changed_byte_gives_another_valid_record(place: int, flip: int) -> None:
    changed = bytearray(RECORD)
    changed[place % len(RECORD)] ^= flip
    try:
        entry = read_record(bytes(changed))
    except Malformed:
        return
    assert not entry.signed_by(TABLE.keys[0].public)
