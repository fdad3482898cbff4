"""Hostile records, keys and genesis: attacks 1 to 23 of the study, by number."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from ledger import edwards
from ledger.engine import Kind
from ledger.entry import MAX_BODY, read_record, signed_bytes
from ledger.errors import BadGenesis, Malformed, StoreError, Unsupported
from ledger.genesis import Genesis
from ledger.identity import certify
from ledger.level import Status
from ledger.log import Log
from ledger.outcome import Accepted, Dropped, Duplicate, Pending
from ledger.store import GameStore
from tests.ledger.table import Table, fixed, genesis_of, identity_of, seat_record, seed_of
from tests.ledger.toy import Toy

SIGNATURE = b"\x58\x40"


def wrap(table: Table, body: bytes) -> bytes:
    """A record around any bytes, signed by seat 0: what only the seat itself could send."""
    head = b"\x58" + bytes([len(body)]) if len(body) < 256 else b"\x59" + len(body).to_bytes(2, "big")
    return bytes.fromhex("8443a10127a0") + head + body + SIGNATURE + table.keys[0].sign(signed_bytes(body))


def dropped(record: bytes, *codes: str) -> None:
    """The log drops it, remembers nothing, blames nobody."""
    table = Table.of(2)
    before = table.log.export()
    outcome = table.log.receive(record)
    assert isinstance(outcome, Dropped)
    assert outcome.code in codes, outcome
    assert table.log.export() == before
    assert table.log.status is Status.OPEN
    assert table.log.fault is None


TABLE = Table.of(2)
BODY = TABLE.body(0).to_bytes()
assert BODY[:2] == b"\x88\x01"
assert BODY.endswith(b"\x00\x81\x41\x00")


@pytest.mark.parametrize(
    "body",
    [
        BODY[:1] + b"\x18\x01" + BODY[2:],
        BODY[:1] + b"\x1b" + bytes(7) + b"\x01" + BODY[2:],
        b"\x98\x08" + BODY[1:],
        BODY.replace(b"\x58\x20", b"\x59\x00\x20", 1),
        BODY[:-4] + b"\x18\x00\x81\x41\x00",
        BODY[:-3] + b"\x98\x01\x41\x00",
        BODY[:-2] + b"\x58\x01\x00",
    ],
)
def test_attack_01_non_minimal_heads(body: bytes) -> None:
    dropped(wrap(TABLE, body), "E_CBOR")


@pytest.mark.parametrize(
    "body",
    [
        b"\x9f" + BODY[1:] + b"\xff",
        BODY[:-3] + b"\x9f\x41\x00\xff",
        BODY[:-2] + b"\x5f\x41\x00\xff",
    ],
)
def test_attack_02_indefinite_lengths(body: bytes) -> None:
    dropped(wrap(TABLE, body), "E_CBOR")


def test_attack_03_trailing_bytes_after_body_or_record() -> None:
    dropped(wrap(TABLE, BODY + b"\0"), "E_CBOR")
    dropped(TABLE.record(0) + b"\0", "E_CBOR")
    dropped(TABLE.record(0) + TABLE.record(1), "E_CBOR")


@pytest.mark.parametrize("item", ["f93c00", "fb3ff0000000000000", "f97e00", "f7", "e0", "f8ff"])
def test_attack_04_floats_nan_undefined_and_simple_values(item: str) -> None:
    dropped(wrap(TABLE, BODY[:-2] + bytes.fromhex(item)), "E_CBOR")


@pytest.mark.parametrize(
    "item",
    ["d82362282b", "d81c81d81d00", "d90100 82 44 61616161 d81900", "c249010000000000000000", "d9d9f700"],
)
def test_attack_05_tags_are_never_evaluated(item: str) -> None:
    dropped(wrap(TABLE, BODY[:-2] + bytes.fromhex(item)), "E_CBOR")


@pytest.mark.parametrize("item", ["a0", "a10001", "bf0001ff", "a141004100"])
def test_attack_06_maps_anywhere(item: str) -> None:
    dropped(wrap(TABLE, BODY[:-2] + bytes.fromhex(item)), "E_CBOR")
    dropped(wrap(TABLE, bytes.fromhex(item)), "E_CBOR")


@pytest.mark.parametrize("head", [b"\x5b", b"\x9b", b"\x7b", b"\xbb"])
def test_attack_07_a_length_of_two_to_the_63(head: bytes) -> None:
    body = BODY[:-2] + head + b"\x7f" + b"\xff" * 7
    started = time.perf_counter()
    for _ in range(20):
        with pytest.raises(Malformed):
            read_record(wrap(TABLE, body))
    assert time.perf_counter() - started < 2
    dropped(wrap(TABLE, body), "E_CBOR")


def test_attack_08_nesting_of_a_hundred_thousand() -> None:
    dropped(wrap(TABLE, b"\x81" * 10_000), "E_CBOR")
    dropped(b"\x81" * 100_000, "E_CBOR", "E_SIZE")
    dropped(wrap(TABLE, BODY[:-3] + b"\x81" * 5 + b"\x00"), "E_CBOR")


def test_attack_09_an_array_of_64_kib_of_zeros() -> None:
    dropped(bytes.fromhex("8443a10127a0") + b"\x99\xff\xff" + bytes(65_535), "E_CBOR", "E_SIZE")
    dropped(wrap(TABLE, BODY[:-3] + b"\x99\x40\x00" + bytes(0x4000)), "E_SIZE")


@pytest.mark.parametrize("place", [1, 1 + 1 + 34, 1 + 1 + 34 + 1])
def test_attack_10_true_where_a_number_belongs(place: int) -> None:
    for simple in (b"\xf4", b"\xf5", b"\xf6"):
        dropped(wrap(TABLE, BODY[:place] + simple + BODY[place + 1 :]), "E_BODY")


def test_attack_11_a_body_of_16384_bytes_and_one_more() -> None:
    spare = MAX_BODY - len(TABLE.body(0, payload=(bytes(10_000),)).to_bytes())
    fits = TABLE.record(0, payload=(bytes(10_000 + spare),))
    assert isinstance(Table.of(2).log.receive(fits), Accepted)
    body = read_record(fits).body_bytes
    longer = body[:-10_000] + bytes(10_001)
    longer = longer.replace((10_000 + spare).to_bytes(2, "big"), (10_001 + spare).to_bytes(2, "big"), 1)
    assert len(longer) == MAX_BODY + 1
    dropped(wrap(TABLE, longer), "E_SIZE")


@pytest.mark.parametrize("height", ["191000", "1b8000000000000000", "c249010000000000000000", "20"])
def test_attack_12_heights_out_of_range(height: str) -> None:
    place = 1 + 1 + 34
    dropped(wrap(TABLE, BODY[:place] + bytes.fromhex(height) + BODY[place + 1 :]), "E_BODY", "E_CBOR")


def test_attack_13_signatures_of_63_and_65_bytes_and_a_malleated_one() -> None:
    record = TABLE.record(0)
    body, signature = record[:-66], record[-64:]
    dropped(body + b"\x58\x3f" + signature[:63], "E_CBOR")
    dropped(body + b"\x58\x41" + signature + b"\0", "E_CBOR")
    S = int.from_bytes(signature[32:], "little") + edwards.L
    dropped(body + SIGNATURE + signature[:32] + S.to_bytes(32, "little"), "E_SIG")


def test_attack_14_a_record_wrapped_anew_is_never_a_new_entry() -> None:
    table = Table.of(2)
    record = table.record(0)
    assert isinstance(table.log.receive(record), Accepted)
    for head in (b"\xd2" + record[:6], b"\x98\x04" + record[1:6], record[:1] + b"\x58\x03" + record[2:6]):
        assert isinstance(table.log.receive(head + record[6:]), Dropped)
    assert isinstance(table.log.receive(record), Duplicate)
    assert len(table.log.records()) == 1


def small_points() -> list[bytes]:
    torsion = next(
        small
        for y in range(2, 50)
        if (point := edwards.decompress(y.to_bytes(32, "little")))
        and not edwards.is_neutral(edwards.multiply(4, small := edwards.multiply(edwards.L, point)))
    )
    return [
        edwards.compress(edwards.NEUTRAL),
        edwards.compress(torsion),
        edwards.compress(edwards.add(edwards.BASE, torsion)),
        (edwards.P + 1).to_bytes(32, "little"),
    ]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("which", ["game_key", "identity_key"])
def test_attack_15_a_genesis_with_a_key_that_binds_nobody(number: int, which: str) -> None:
    bad = small_points()[number]
    data = genesis_of(2).to_bytes().replace(getattr(genesis_of(2).seats[0], which), bad, 1)
    with pytest.raises(BadGenesis) as caught:
        Genesis.from_bytes(data)
    assert caught.value.reason == "genesis.key"


def test_attack_16_a_signature_whose_r_is_of_small_order() -> None:
    """Its owner can make one that satisfies the equation; it must fail on every backend."""
    a, _ = edwards._expand(TABLE.keys[0].secret())
    public, message = TABLE.keys[0].public, signed_bytes(BODY)
    R = edwards.compress(edwards.NEUTRAL)
    k = edwards._scalar(R, public, message)
    signature = R + (k * a % edwards.L).to_bytes(32, "little")
    assert edwards.verify(public, signature, message)
    dropped(TABLE.record(0)[:-64] + signature, "E_SIG")


@pytest.mark.parametrize("field", ["game_key", "identity_key"])
def test_attack_17_two_seats_with_one_key(field: str) -> None:
    first = seat_record(0)
    twin = replace(seat_record(1), **{field: getattr(first, field)})
    if field == "identity_key":
        twin = replace(twin, certificate=certify(identity_of(0), twin.game_key, twin.nonce))
    else:
        twin = replace(twin, certificate=certify(identity_of(1), twin.game_key, twin.nonce))
    with pytest.raises(BadGenesis, match="same-key"):
        replace(genesis_of(2), seats=(first, twin))


def test_attack_18_an_entry_replayed_from_another_game_or_by_another_seat() -> None:
    dropped(Table.of(2, game="other").record(0), "E_GAME")
    dropped(TABLE.sign(1, TABLE.body(0)), "E_SIG")
    dropped(TABLE.sign(0, TABLE.body(0), seat=1), "E_SIG")
    table = Table.of(2)
    (first, *_) = table.play(3)
    assert isinstance(table.log.receive(first), Duplicate)


def test_attack_19_the_identity_key_signs_no_entries_and_no_other_nonce() -> None:
    record = TABLE.record(0)
    dropped(record[:-64] + identity_of(0).sign(signed_bytes(BODY)), "E_SIG")
    dropped(record[:-64] + identity_of(0).sign(BODY), "E_SIG")
    dropped(record[:-64] + TABLE.keys[0].sign(BODY), "E_SIG")
    with pytest.raises(BadGenesis, match="certificate"):
        replace(genesis_of(2), seats=(seat_record(0, nonce=fixed("an old nonce")), seat_record(1)))


def test_attack_20_a_seed_never_serves_a_second_genesis(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A host offers another genesis around the same keys, to start a lost game again."""
    first, second = genesis_of(2, turns=6, game="again"), genesis_of(2, turns=7, game="again")
    assert first.game_id != second.game_id
    GameStore.create(tmp_path / "first", first, seed_of(0, "again")).close()
    with pytest.raises(StoreError, match="another game"):
        GameStore.create(tmp_path / "second", second, seed_of(0, "again"))


def test_attack_21_different_genesis_for_different_seats_never_gets_past_join() -> None:
    mine, theirs = Table.of(2, turns=6), Table.of(2, turns=7)
    mine.act(0)
    assert mine.log.receive(theirs.record(1)) == Dropped("E_GAME", "another game")
    assert mine.log.waiting_for == (1,)
    assert mine.log.height == 0


def test_attack_22_unknown_rules_are_unsupported_before_anything_is_signed() -> None:
    genesis = genesis_of(2)
    with pytest.raises(Unsupported):
        Log(Toy(), replace(genesis, rules_id=bytes(32)))


@pytest.mark.parametrize("name", ["\u202eedispu", "\x1b[31mred\x1b[0m", "a\0b", "  ", "\u200b", "Ωλγα"])
def test_attack_23_names_are_kept_as_they_are_and_only_utf_8(name: str) -> None:
    genesis = replace(genesis_of(2), seats=(seat_record(0, name=name), seat_record(1)))
    assert Genesis.from_bytes(genesis.to_bytes()).seats[0].name == name
    data = genesis.to_bytes()
    broken = data.replace(name.encode(), b"\xff" * len(name.encode()), 1)
    with pytest.raises(Malformed):
        Genesis.from_bytes(broken)


def test_a_pending_entry_is_no_exception_to_any_of_this() -> None:
    table = Table.of(2)
    ahead = table.sign(0, table.body(0, Kind(8), (1,)), height=3)
    assert isinstance(table.log.receive(ahead), Pending)
    assert isinstance(table.log.receive(ahead[:-1] + b"x"), Dropped | Duplicate)
    assert isinstance(table.log.receive(ahead), Duplicate)
