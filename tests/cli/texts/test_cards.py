"""Cards in letters or signs, and when a terminal can show signs."""

from __future__ import annotations

import pytest

from cli.texts import CardStyle, load
from cli.texts.cards import can_show_signs
from game.cards import Card, deck_cards, parse_card


def test_every_card_reads_back_in_both_styles():
    for signs in (False, True):
        style = CardStyle(load("en"), signs=signs)
        for card in deck_cards(52):
            assert parse_card(style.card(card)) == card


def test_cards_are_written_as_people_write_them():
    letters = CardStyle(load("en"), signs=False)
    signs = CardStyle(load("en"), signs=True)
    assert letters.cards([Card(8), Card(25), Card(38)]) == "10S AH AC"
    assert signs.cards([Card(8), Card(25), Card(38)]) == "10♠ A♥ A♣"
    assert letters.cards([]) == "none"
    assert letters.suit_name(3) == "diamonds"


@pytest.mark.parametrize(
    ("encoding", "terminal", "can"),
    [
        ("utf-8", "xterm-256color", True),
        ("utf-8", "dumb", False),
        ("utf-8", None, False),
        ("ascii", "xterm", False),
        ("cp437", "xterm", False),
        ("koi8-r", "xterm", False),
        (None, "xterm", False),
        ("no-such-encoding", "xterm", False),
    ],
)
def test_signs_only_where_they_can_be_shown(encoding, terminal, can):
    assert can_show_signs(encoding, terminal) is can
