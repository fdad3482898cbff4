"""Masked decks and their bytes."""

from __future__ import annotations

import pytest

from game.mental_poker import group
from game.mental_poker.backend import Backend
from game.mental_poker.elgamal import Ciphertext, MaskedDeck, encrypt_zero, first_deck, weighted_sum
from game.mental_poker.errors import BadEncoding
from game.mental_poker.group import base
from game.mental_poker.hash_to_group import card_point
from game.mental_poker.pure import PURE


def test_first_deck_shows_its_cards(backend: Backend) -> None:
    deck = first_deck((3, 7, 51))
    assert [bytes(c) for c in deck.ciphertexts] == [
        bytes(32) + bytes(card_point(card)) for card in (3, 7, 51)
    ]
    assert len(deck) == 3
    assert deck.encoded(1) == bytes(32) + bytes(card_point(7))


@pytest.mark.parametrize("cards", [(), (3,), (3, 3), (4, 3), (-1, 3), (3, 52), tuple(range(53))])
def test_first_deck_wants_ascending_cards(cards: tuple[int, ...]) -> None:
    with pytest.raises(BadEncoding):
        first_deck(cards)


def test_bytes_and_back(backend: Backend) -> None:
    deck = MaskedDeck([Ciphertext(base(k), base(k + 100)) for k in range(1, 5)])
    again = MaskedDeck.from_bytes(deck.to_bytes())
    assert again == deck
    assert hash(again) == hash(deck)
    assert again.to_bytes() == deck.to_bytes()
    assert again != deck.to_bytes()
    assert repr(deck) == "<MaskedDeck of 4>"


def test_wire_decks_refuse_the_identity(backend: Backend) -> None:
    with pytest.raises(BadEncoding):
        MaskedDeck.from_bytes(first_deck((0, 1)).to_bytes())


def test_a_deck_follows_the_backend_in_use(backend: Backend) -> None:
    deck = MaskedDeck([Ciphertext(base(k), base(k + 100)) for k in range(1, 4)])
    first = first_deck((0, 1))
    before = group.use_backend(PURE)
    try:
        assert PURE.base(1) == deck.ciphertexts[0].A
        assert PURE.identity == first.ciphertexts[0].A
    finally:
        group.use_backend(before)
    assert base(1) == deck.ciphertexts[0].A


def test_arithmetic(backend: Backend) -> None:
    X = base(9)
    one, two = encrypt_zero(X, 3), encrypt_zero(X, 4)
    assert one + two == encrypt_zero(X, 7)
    assert weighted_sum([2, 5], [one, two]) == encrypt_zero(X, 26)
