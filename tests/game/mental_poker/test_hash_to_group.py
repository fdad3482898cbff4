"""RFC 9380 expansion, and the constants every proof rests on."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from game.mental_poker.backend import Backend
from game.mental_poker.group import base
from game.mental_poker.hash_to_group import (
    CARD_DST,
    GENERATOR_DST,
    card_of,
    card_point,
    expand_message_xmd,
    generators,
    hash_to_group,
)

RFC9380 = json.loads(
    (Path(__file__).parents[2] / "vectors" / "rfc9380_expand_message_xmd.json").read_text("utf-8")
)


@pytest.mark.parametrize("vector", RFC9380["vectors"])
def test_rfc9380_k3(vector: dict[str, str]) -> None:
    out = expand_message_xmd(vector["msg"].encode(), RFC9380["dst"].encode(), int(vector["length"]))
    assert out.hex() == vector["uniform_bytes"]


def test_rfc9380_bounds() -> None:
    with pytest.raises(ValueError, match="too long"):
        expand_message_xmd(b"", bytes(256), 64)
    with pytest.raises(ValueError, match="too long"):
        expand_message_xmd(b"", b"dst", 255 * 64 + 1)


def test_hash_to_ristretto255_suite(backend: Backend) -> None:
    vector = RFC9380["hash_to_ristretto255"]
    point = hash_to_group(bytes.fromhex(vector["msg_hex"]), vector["dst"].encode())
    assert bytes(point).hex() == vector["point"]


def test_attack_18_constants_are_pinned_and_distinct(backend: Backend) -> None:
    h = generators(52)
    cards = [card_point(card) for card in range(52)]
    assert (
        sha256(b"".join(map(bytes, h))).hexdigest()
        == "71a3d3bbad74158d96246180d0d9219520b523e3737475d24e572b5a08e9f867"
    )
    assert (
        sha256(b"".join(map(bytes, cards))).hexdigest()
        == "82e9dca28c1d314898d96cae3a1329a8808dcd6ffa4db3f48993b1a2708cdf82"
    )
    assert len({bytes(point) for point in (*h, *cards, base(1))}) == 105
    assert GENERATOR_DST != CARD_DST


def test_card_of(backend: Backend) -> None:
    assert [card_of(card_point(card)) for card in range(52)] == list(range(52))
    assert card_of(base(1)) is None
    assert card_of(card_point(3) + base(0)) == 3
