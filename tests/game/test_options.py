"""The options of a table, their numbers in the genesis, and the nearest legal choice."""

from __future__ import annotations

import itertools
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.errors import OptionError
from game.options import PRESETS, RULES_ID, VALUES, Options, check, decode, encode

any_options = st.builds(Options, **{name: st.sampled_from(values) for name, values in VALUES.items()})


def test_fields_stand_in_the_order_of_the_rules() -> None:
    assert [field.name for field in fields(Options)] == list(VALUES)
    assert list(VALUES) == [
        "deck", "seats", "variant", "show_transfer", "throwers", "lead", "first_limit", "throw_after_take",
        "next_first", "teams", "cheating", "absent", "open_after", "series", "clock",
    ]  # fmt: skip


def test_the_first_value_is_the_default() -> None:
    for field in fields(Options):
        assert getattr(Options(), field.name) == VALUES[field.name][0] or field.name == "clock"


def test_genesis_numbers_are_fixed() -> None:
    assert encode(Options()) == (36, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    unlike = Options(
        deck=52, seats=3, variant="transfer", show_transfer=True, throwers="neighbours", lead="several",
        first_limit=0, throw_after_take=False, next_first="lowest-trump", absent="durak", open_after=False,
        series=True, clock=45,
    )  # fmt: skip
    assert encode(unlike) == (52, 3, 1, 1, 1, 1, 1, 1, 2, 0, 0, 1, 1, 1, 45)
    teams = Options(seats=6, teams="2v2v2", cheating=True, next_first="winner")
    assert encode(teams) == (36, 6, 0, 0, 0, 0, 0, 0, 1, 3, 1, 0, 0, 0, 0)
    assert RULES_ID.hex() == "3606397b297d5d539e400972936d8174a8be86b67f3d8e63ad62307729d884df"


@given(any_options)
def test_legal_options_read_back_and_others_name_a_legal_neighbour(options: Options) -> None:
    refused = None
    try:
        check(options)
    except OptionError as fault:
        refused = fault
    if refused is None:
        assert decode(encode(options)) == options
        return
    check(refused.nearest)
    assert refused.reason.startswith("option.")
    with pytest.raises(OptionError):
        decode(encode(options))


@pytest.mark.parametrize(
    ("options", "reason", "nearest"),
    [
        (Options(deck=24, seats=5), "option.too-many-seats", Options(deck=24, seats=4)),
        (Options(deck=32), "option.unknown-value", Options(deck=36)),
        (Options(deck=48), "option.unknown-value", Options(deck=52)),
        (Options(seats=1), "option.unknown-value", Options(seats=2)),
        (Options(seats=9), "option.unknown-value", Options(seats=6)),
        (Options(clock=-5), "option.unknown-value", Options()),
        (Options(clock=100000), "option.unknown-value", Options(clock=3600)),
        (Options(seats=True), "option.unknown-value", Options()),
        (Options(show_transfer=True), "option.show-needs-transfer", Options()),
        (Options(lead="several", cheating=True), "option.several-not-with-cheating", Options(cheating=True)),
        (Options(seats=3, teams="2v2"), "option.teams-need-seats", Options(seats=3)),
        (Options(seats=4, teams="3v3"), "option.teams-need-seats", Options(seats=4)),
        (
            Options(seats=4, teams="2v2", variant="transfer"),
            "option.teams-not-with-transfer",
            Options(seats=4, variant="transfer"),
        ),
        (Options(deck=24, seats=6, teams="3v3"), "option.too-many-seats", Options(deck=24, seats=4)),
    ],
)
def test_illegal_options_name_the_reason_and_the_nearest_choice(
    options: Options, reason: str, nearest: Options
) -> None:
    with pytest.raises(OptionError) as refused:
        check(options)
    assert refused.value.reason == reason
    assert refused.value.nearest == nearest


@pytest.mark.parametrize(
    "numbers",
    [
        (), (36,) * 14, (36,) * 16, (True, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (36, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (36, 2, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (36, 2, False, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (36, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3601),
        (36, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (36, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0),
    ],
)  # fmt: skip
def test_other_numbers_are_no_options(numbers: tuple[int, ...]) -> None:
    with pytest.raises(OptionError):
        decode(numbers)


def test_presets_are_legal() -> None:
    assert list(PRESETS) == ["local", "browser", "club"]
    assert PRESETS["local"] == Options()
    assert PRESETS["browser"] == Options(first_limit=0, next_first="winner")
    assert PRESETS["club"] == Options(first_limit=0, next_first="lowest-trump", series=True)
    for options in PRESETS.values():
        check(options)


def test_every_deck_takes_six_cards_a_seat() -> None:
    for deck, seats in itertools.product((24, 36, 52), range(2, 7)):
        options = replace(Options(), deck=deck, seats=seats)
        if 6 * seats <= deck:
            check(options)
        else:
            with pytest.raises(OptionError):
                check(options)
