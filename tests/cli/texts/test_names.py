"""Names of strangers cannot move the cursor, turn the line round or vanish."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.texts.names import LONGEST, HarmlessName, harmless, told_apart


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \t Maria ", "Anna Maria"),
        ("\x1b[2JBoris", "[2JBoris"),
        ("\u202egnirB\u202c", "gnirB"),
        ("A\u2067B\u2069", "AB"),
        ("Cla\nra\r\n", "Cla ra"),
        ("\u200b\u200d\ufeff", "seat 3"),
        ("", "seat 3"),
        ("   ", "seat 3"),
        ("\u0301\u0302", "seat 3"),
        ("Z" + "\u0301" * 9, "Ź\u0301\u0301"),
        ("Дмитрий", "Дмитрий"),
        ("李小龍", "李小龍"),
        ("\U000e0041x", "x"),
        ("\ud800x", "x"),
        ("Olya (bot)", "Olya [bot]"),
        ("Olya （bot）", "Olya [bot]"),
        ("Anna (2)", "Anna [2]"),
    ],
)
def test_what_is_shown_for_a_name(raw, shown):
    assert harmless(raw, otherwise="seat 3") == shown


@given(st.text(max_size=60))
def test_any_name_becomes_one_short_visible_line(raw):
    name = harmless(raw, otherwise="seat 3")
    assert 0 < len(name) <= LONGEST
    assert name == name.strip()
    assert not any(
        unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for character in name
    )
    assert harmless(name, otherwise="seat 3") == name


def test_equal_names_are_told_apart():
    names = tuple(map(HarmlessName, ("Anna", "anna", "Boris", "ＡＮＮＡ")))
    assert told_apart(names) == ("Anna", "anna (2)", "Boris", "ＡＮＮＡ (3)")


def test_nobody_is_called_as_we_call_the_person_spoken_to():
    names = tuple(map(HarmlessName, ("You", "Boris", "ＹＯＵ")))
    assert told_apart(names, ours="you") == ("You (2)", "Boris", "ＹＯＵ (3)")
