"""Names of strangers cannot move the cursor, turn the line round or vanish."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.texts.names import LONGEST, HarmlessName, harmless, told_apart

QUOTES = set("‚„⹂〝〞〟")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \t Maria ", "Anna Maria"),
        ("\x1b[2JBoris", "2JBoris"),
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
        ("\u3164", "seat 3"),
        ("\u2800\u2800", "seat 3"),
        ("\u115f\u1160\uffa0", "seat 3"),
        ("\U0001d159\U00013441\ufffc", "seat 3"),
        ("An\u3164na\u034f", "Anna"),
        ("\u2764\ufe0f Anna", "\u2764 Anna"),
        ("„Anna“", "„Anna“"),
        ("Olya (bot)", "Olya bot"),
        ("Olya （bot）", "Olya bot"),
        ("Olya [bot]", "Olya bot"),
        ("Olya [b\u200bo\u3164t\u2800]", "Olya bot"),
        ("Olya ⟦bot⟧", "Olya bot"),
        ("Olya ⎡bot⎦", "Olya bot"),
        ("[bot]", "bot"),
        ("[\u3164]", "seat 3"),
        ("Anna (2)", "Anna 2"),
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
    assert not any(unicodedata.category(character) in {"Ps", "Pe"} for character in set(name) - QUOTES)
    assert harmless(name, otherwise="seat 3") == name


UNSEEN = (
    "HANGUL FILLER", "CHOSEONG FILLER", "JUNGSEONG FILLER", "SCRIPT FILLER", "INVISIBLE", "ZERO WIDTH",
    "VARIATION SELECTOR", "GRAPHEME JOINER", "VOWEL INHERENT",
)  # fmt: skip
"""Words in the Unicode names of what is drawn as nothing, whatever its category."""


def test_what_unicode_calls_unseen_is_dropped_all_over_unicode():
    found = [
        character
        for character in map(chr, range(0x110000))
        if any(word in unicodedata.name(character, "") for word in UNSEEN)
    ]
    assert len(found) > 270, "the variation selectors alone are 260"
    for character in found:
        assert harmless(character, otherwise="?") == "?", unicodedata.name(character)
        assert harmless(f"a{character}b", otherwise="?") == "ab", unicodedata.name(character)


@pytest.mark.parametrize(
    ("raw", "person", "bot"),
    [
        ("Olya [bot]", "Olya bot", "Olya [bot]"),
        ("Оля [бот]", "Оля бот", "Оля [бот]"),
        (" Olya\u3164 [\u200bbot] ", "Olya bot", "Olya [bot]"),
        ("Olya", "Olya", "Olya"),
        ("[bot]", "bot", "bot"),
        ("Olya [\u3164]", "Olya", "Olya"),
        ("Olya [bot] [bot]", "Olya bot bot", "Olya bot bot"),
    ],
)
def test_the_mark_of_a_bot_is_shown_of_bots_alone(raw, person, bot):
    assert harmless(raw, otherwise="seat 3") == person
    assert harmless(raw, otherwise="seat 3", bot=True) == bot
    assert harmless(bot, otherwise="seat 3", bot=True) == bot


def test_a_person_with_the_name_of_a_bot_does_not_take_it_from_the_bot():
    names = (harmless("Olya [bot]", otherwise="?"), harmless("Olya [bot]", otherwise="?", bot=True))
    assert told_apart(names) == ("Olya bot", "Olya [bot]")


def test_equal_names_are_told_apart():
    names = tuple(map(HarmlessName, ("Anna", "anna", "Boris", "ＡＮＮＡ")))
    assert told_apart(names) == ("Anna", "anna (2)", "Boris", "ＡＮＮＡ (3)")


def test_nobody_is_called_as_we_call_the_person_spoken_to():
    names = tuple(map(HarmlessName, ("You", "Boris", "ＹＯＵ")))
    assert told_apart(names, ours="you") == ("You (2)", "Boris", "ＹＯＵ (3)")
