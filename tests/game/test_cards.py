"""R1: cards, their text, and sets of them."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.cards import (
    ALL_SUITS,
    LOWEST_RANK,
    bit_set,
    card_of,
    card_text,
    deck_cards,
    members,
    parse_card,
    rank,
    suit,
)
from game.errors import BadCard


def test_r1_ids_are_thirteen_times_suit_plus_rank() -> None:
    assert parse_card("2S") == 0
    assert parse_card("AS") == 12
    assert parse_card("2H") == 13
    assert parse_card("6C") == 30
    assert parse_card("AD") == 51


@pytest.mark.parametrize("card", range(52))
def test_r1_text_reads_back(card: int) -> None:
    assert parse_card(card_text(card)) == card
    assert card_of(rank(card), suit(card)) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("6S", "6S"), ("6s", "6S"), ("s6", "6S"), ("6♠", "6S"), ("♠6", "6S"), ("6♠️", "6S"), ("♤6", "6S"),
        ("10D", "TD"), ("10d", "TD"), ("D10", "TD"), ("td", "TD"), ("♦10", "TD"), (" TD ", "TD"),
        ("ВS", "JS"), ("вs", "JS"), ("ДH", "QH"), ("КC", "KC"), ("ТD", "AD"), ("♥Т", "AH"), ("ac", "AC"),
    ],
)  # fmt: skip
def test_r1_people_type_cards_in_many_ways(text: str, card: str) -> None:
    assert card_text(parse_card(text)) == card


@pytest.mark.parametrize("text", ["", "6", "S", "1S", "11S", "6SS", "0D", "SS", "66", "6 S", "XS", "6X", "🂡"])
def test_r1_other_text_names_no_card(text: str) -> None:
    with pytest.raises(BadCard) as refused:
        parse_card(text)
    assert refused.value.reason == "card.unreadable"
    assert refused.value.params == {"text": text}


@given(st.text(max_size=6))
def test_r1_any_text_is_a_card_or_bad_card(text: str) -> None:
    with contextlib.suppress(BadCard):
        assert 0 <= parse_card(text) < 52


@pytest.mark.parametrize(("size", "lowest"), [(24, "9S"), (36, "6S"), (52, "2S")])
def test_r1_decks(size: int, lowest: str) -> None:
    deck = deck_cards(size)
    assert len(deck) == size == len(set(deck))
    assert list(deck) == sorted(deck)
    assert card_text(deck[0]) == lowest
    assert min(map(rank, deck)) == LOWEST_RANK[size]
    assert {suit(card) for card in deck} == {0, 1, 2, 3}


@given(st.sets(st.integers(0, 51)))
def test_sets_of_cards_are_ints(chosen: set[int]) -> None:
    bits = bit_set(tuple(chosen))
    assert list(members(bits)) == sorted(chosen)
    ranks = bit_set(tuple(card % 13 for card in chosen))
    assert set(members(ranks * ALL_SUITS)) == {card for card in range(52) if ranks >> card % 13 & 1}
