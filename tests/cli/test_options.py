"""Table options as typed: every value of every option, and refusals that name the nearest legal choice."""

from __future__ import annotations

import pytest

from cli.exits import CommandError, Exit
from cli.options import difference, read_options, value_text
from cli.texts import load
from game.errors import OptionError
from game.options import PRESETS, VALUES, Options, check


def read(*assignments, preset="local", seats=None):
    return read_options(preset, assignments, seats=seats, texts=load("en"))


def refusal_of(*assignments):
    try:
        read(*assignments)
    except CommandError as error:
        return error
    return None


def test_nothing_said_is_the_preset():
    for name, options in PRESETS.items():
        assert read(preset=name) == options


@pytest.mark.parametrize("name", VALUES)
def test_every_value_can_be_typed_and_is_what_was_typed_or_refused_with_a_legal_choice(name):
    for value in VALUES[name][:200]:
        typed = f"{name}={value_text(name, value)}"
        refused = refusal_of(typed)
        if refused is None:
            assert getattr(read(typed), name) == value
            continue
        assert (refused.code, refused.message) == (Exit.USAGE, "option.refused")
        read(typed, *refused.parameters["nearest"].split(", "))


def test_dashes_capitals_and_words_for_on_and_off():
    assert read("First-Limit=OFF".lower(), "cheating=yes").cheating
    assert read("first-limit=off").first_limit == 0
    assert read("open_after=no").open_after is False


def test_illegal_mixes_name_the_reason_and_the_nearest_choice():
    with pytest.raises(CommandError) as refused:
        read("deck=24", seats=6)
    assert refused.value.parameters == {
        "reason": "a deck of 24 cards serves at most 4 seats",
        "nearest": "seats=4",
    }
    with pytest.raises(CommandError) as refused:
        read("teams=2v2", "variant=transfer", seats=4)
    assert refused.value.parameters["reason"] == "teams do not go with transferring"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("pockets=3", "option.unknown"),
        ("deck", "option.no-value"),
        ("deck=", "option.no-value"),
        ("deck=13", "option.no-such-value"),
        ("variant=durak", "option.no-such-value"),
        ("clock=-1", "option.no-such-value"),
        ("=", "option.unknown"),
    ],
)
def test_what_is_no_option_is_refused_by_name(typed, message):
    with pytest.raises(CommandError) as refused:
        read(typed)
    assert refused.value.code is Exit.USAGE
    assert refused.value.message == message
    assert load("en").say(message, **refused.value.parameters)


def test_seats_out_of_range_are_refused():
    for seats in (-1, 0, 1, 7, 100):
        with pytest.raises(CommandError):
            read(seats=seats)


def test_every_reason_the_options_give_has_words():
    faulty = [
        Options(seats=7),
        Options(deck=24, seats=6),
        Options(show_transfer=True),
        Options(lead="several", cheating=True),
        Options(teams="2v2"),
        Options(seats=4, teams="2v2", variant="transfer"),
        Options(deck=33),
    ]
    for options in faulty:
        with pytest.raises(OptionError) as refused:
            check(options)
        assert load("en").say(refused.value.reason, **refused.value.params)
        assert difference(options, refused.value.nearest)
