from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import edwards
from ledger.codec import decode, encode
from ledger.engine import Seat, Value
from ledger.errors import BadGenesis, Malformed, Unsupported
from ledger.genesis import Digest, GameId, Genesis, Previous
from ledger.identity import PublicKey, certify
from tests.ledger.table import fixed, genesis_of, identity_of, seat_record


def changed(**changes: Value) -> bytes:
    """The bytes of a genesis with some items replaced."""
    names = ("version", "rules_id", "options", "suite", "seats", "previous")
    value = decode(genesis_of(3).to_bytes(), limit=4096)
    assert isinstance(value, tuple)
    return encode(tuple(changes.get(name, item) for name, item in zip(names, value, strict=True)))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_bytes_and_back(seats: int) -> None:
    previous = Previous(GameId(fixed("before")), Digest(fixed("digest")), Seat(1), (1,) * seats, (0,) * seats)
    for genesis in (genesis_of(seats), genesis_of(seats, previous=previous)):
        again = Genesis.from_bytes(genesis.to_bytes())
        assert again == genesis
        assert again.game_id == sha256(b"durak-genesis-1" + genesis.to_bytes()).digest()


def test_no_leader_is_null_and_not_zero() -> None:
    nobody = Previous(GameId(fixed("before")), Digest(fixed("digest")), None, (0, 0), (0, 0))
    somebody = replace(nobody, leader=Seat(0))
    ids = [genesis_of(2, previous=previous).game_id for previous in (None, nobody, somebody)]
    assert len(set(ids)) == 3


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game_key": PublicKey(edwards.compress(edwards.NEUTRAL))}, "genesis.key"),
        ({"identity_key": PublicKey((edwards.P + 1).to_bytes(32, "little"))}, "genesis.key"),
        ({"game_key": seat_record(1).game_key}, "genesis.same-key"),
        ({"identity_key": seat_record(1).identity_key}, "genesis.same-key"),
        ({"game_key": seat_record(1).identity_key}, "genesis.same-key"),
        ({"nonce": fixed("another nonce")}, "genesis.certificate"),
        ({"nonce": b""}, "genesis.nonce"),
        ({"certificate": bytes(64)}, "genesis.certificate"),
        ({"name": "x" * 33}, "genesis.name"),
        ({"name": "Ж" * 17}, "genesis.name"),
        ({"name": "\ud800"}, "genesis.name"),
    ],
)
def test_a_seat_no_game_may_start_with(changes: dict[str, object], reason: str) -> None:
    genesis = genesis_of(2)
    with pytest.raises(BadGenesis) as caught:
        replace(genesis, seats=(seat_record(0, **changes), genesis.seats[1]))
    assert caught.value.reason == reason


def test_two_seats_of_one_person_are_refused_even_with_honest_certificates() -> None:
    other = seat_record(1)
    twin = replace(
        other,
        identity_key=identity_of(0).public,
        certificate=certify(identity_of(0), other.game_key, other.nonce),
    )
    with pytest.raises(BadGenesis, match="same-key"):
        replace(genesis_of(2), seats=(seat_record(0), twin))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"seats": ()}, "genesis.seats"),
        ({"seats": genesis_of(2).seats[:1]}, "genesis.seats"),
        ({"rules_id": b"short"}, "genesis.rules"),
        ({"options": (-1,)}, "genesis.options"),
        ({"options": (2**32,)}, "genesis.options"),
        ({"options": (0,) * 65}, "genesis.options"),
        ({"suite": -1}, "genesis.suite"),
    ],
)
def test_a_table_no_game_may_start_with(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(BadGenesis) as caught:
        replace(genesis_of(2), **changes)  # type: ignore[arg-type]
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "previous",
    [
        Previous(GameId(b""), Digest(fixed("d")), None, (0, 0), (0, 0)),
        Previous(GameId(fixed("g")), Digest(b""), None, (0, 0), (0, 0)),
        Previous(GameId(fixed("g")), Digest(fixed("d")), Seat(2), (0, 0), (0, 0)),
        Previous(GameId(fixed("g")), Digest(fixed("d")), None, (0,), (0, 0)),
        Previous(GameId(fixed("g")), Digest(fixed("d")), None, (0, 0), (0, -1)),
    ],
)
def test_a_game_before_that_fits_no_table(previous: Previous) -> None:
    with pytest.raises(BadGenesis, match="previous"):
        genesis_of(2, previous=previous)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        encode(()),
        encode(7),
        encode((1,)),
        encode((True, *(0,) * 5)),
        changed(rules_id=b"x"),
        changed(options=7),
        changed(options=(True,)),
        changed(suite=None),
        changed(seats=((),)),
        changed(seats=(0,)),
        changed(previous=()),
        changed(previous=0),
        changed(previous=(fixed("a"), fixed("b"), False, (0, 0, 0), (0, 0, 0))),
        genesis_of(2).to_bytes() + b"\0",
        genesis_of(2).to_bytes()[:-1],
    ],
)
def test_bytes_that_are_no_genesis(data: bytes) -> None:
    with pytest.raises(Malformed):
        Genesis.from_bytes(data)


def test_another_version_is_unsupported_and_never_invalid() -> None:
    with pytest.raises(Unsupported):
        Genesis.from_bytes(changed(version=2))


def test_a_name_that_is_not_utf_8_is_no_genesis() -> None:
    data = genesis_of(2).to_bytes()
    assert data.count(b"\x44Olya") == 1
    with pytest.raises(Malformed):
        Genesis.from_bytes(data.replace(b"\x44Olya", b"\x44Oly\xff"))


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_changed_byte_never_gives_the_same_game(place: int, value: int) -> None:
    data = bytearray(genesis_of(2).to_bytes())
    place %= len(data)
    data[place] = value
    try:
        genesis = Genesis.from_bytes(bytes(data))
    except (Malformed, BadGenesis, Unsupported):
        return
    assert genesis.to_bytes() == bytes(data)
    assert (genesis.game_id == genesis_of(2).game_id) is (bytes(data) == genesis_of(2).to_bytes())
