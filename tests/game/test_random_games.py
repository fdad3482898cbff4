"""Random games of random options: what must always hold, and the same game in a second reading of the
rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game import open_table
from game.actions import Accuse, Action, Resign
from game.cards import deck_cards
from game.errors import OptionError
from game.open_table import OpenGame, deal, legal_of
from game.options import VALUES, Options
from game.options import check as check_options
from game.position import Ending, Phase
from game.rules import check, dues, owed, play, public_items, refilling, result, settle
from tests.game.compare import assert_same, word
from tests.game.reference import ReferenceGame
from tests.game.sound import assert_sound

FIRST = 20


def legal_options(dice: random.Random) -> Options:
    """Options drawn evenly, mended where they do not go together."""
    options = Options(**{name: dice.choice(values) for name, values in VALUES.items()})  # type: ignore[arg-type]
    try:
        check_options(options)
    except OptionError as refused:
        return refused.nearest
    return options


def shuffled(dice: random.Random, size: int) -> list[int]:
    deck: list[int] = list(deck_cards(size))
    dice.shuffle(deck)
    return deck


def choose(dice: random.Random, game: OpenGame, style: float) -> tuple[tuple[int, Action], ...]:
    """One legal action per due: seldom resigning, some accusing; some tables hardly ever take or pass."""
    met = []
    for seat, _ in dues(game.position):
        actions = list(legal_of(game, seat))
        if dice.random() < 0.998:
            actions = [action for action in actions if not isinstance(action, Resign)]
        if dice.random() < 0.7:
            actions = [action for action in actions if not isinstance(action, Accuse)]
        if style < 0.3 and len(actions) > 1:
            actions = actions[1:]
        if style > 0.9:
            actions = actions[:1]
        met.append((int(seat), dice.choice(actions)))
    return tuple(met)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**64 - 1))
def test_any_game_is_sound_to_its_end(seed: int) -> None:
    dice = random.Random(seed)
    options = legal_options(dice)
    game = deal(options, shuffled(dice, options.deck))
    style = dice.random()
    height = FIRST
    entries = []
    discard = 0
    while dues(game.position):
        assert_sound(game)
        met = choose(dice, game, style)
        for seat, action in met:
            check(game.position, seat, action)
        entries.append((game.position, met))
        game = open_table.play_round(game, met, height)
        gained = (game.position.discard & ~discard).bit_count()
        assert gained % 2 == 0, "a beaten bout discards pairs"
        discard = game.position.discard
        height += 1
        assert height <= 4000
    assert_sound(game)
    ended = result(game.position)
    assert ended is not None
    assert (ended.outcome == 1) == (not ended.duraks)
    assert game.position.ending is not Ending.NONE
    again = deal(options, list(game.faces), leader=entries[0][0].word)
    for step, (position, met) in enumerate(entries):
        assert again.position == position
        assert hash(public_items(again.position)) == hash(public_items(position))
        again = open_table.play_round(again, met, FIRST + step)
    assert again == game


def run_both(seed: int) -> Ending:
    """Play one random game in the engine and in the reference game, comparing everything at every height."""
    dice = random.Random(seed)
    options = legal_options(dice)
    deck = shuffled(dice, options.deck)
    game = deal(options, deck)
    reference = ReferenceGame(options, deck, game.position.leader, FIRST)
    style = dice.random()
    height = FIRST
    assert_same(game, reference)
    while dues(game.position):
        met = choose(dice, game, style)
        game = open_table.play_round(game, met, height)
        reference = reference.after({seat: word(action) for seat, action in met})
        height += 1
        assert_same(game, reference)
    return game.position.ending


@pytest.mark.parametrize("block", range(4))
def test_two_readings_of_the_rules_agree_on_random_games(block: int) -> None:
    endings = {run_both(1000 * block + seed) for seed in range(40)}
    assert Ending.PLAYED in endings


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_two_readings_of_the_rules_agree_on_many_random_games(block: int) -> None:
    endings = {run_both(1_000_000 + 1000 * block + seed) for seed in range(500)}
    assert {Ending.PLAYED, Ending.RESIGNED, Ending.REPEATED} <= endings


def test_tokens_are_owed_for_exactly_the_hidden_places_drawn() -> None:
    dice = random.Random(11)
    for _ in range(60):
        options = legal_options(dice)
        game = deal(options, shuffled(dice, options.deck))
        position = game.position
        height = FIRST
        while dues(position):
            met = choose(dice, game._replace(position=position), 0.5)
            if position.phase is Phase.CHALLENGE:
                break
            position = play(position, met[0][1], height)
            if refilling(position):
                assert position.closed is not None
                for seat, places in owed(position):
                    assert places
                    assert list(places) == sorted(places)
                    assert position.seats_in >> seat & 1
                    assert not any(position.closed.drawn[seat] >> place & 1 for place in places)
                    assert not any(position.faces >> 6 * place & 63 for place in places)
                position = settle(position, height)
            game = open_table.of_position(position, game.faces)
            height += 1
