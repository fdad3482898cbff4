"""Legality has one home: what `legal_actions` offers is exactly what `check` accepts, of all actions there
are."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from game import claims, legality, open_table
from game.actions import (
    NO_CHALLENGE,
    PASS,
    RESIGN,
    TAKE,
    Accuse,
    Action,
    Beat,
    Challenge,
    Lead,
    Show,
    Throw,
    Transfer,
    cards_laid,
)
from game.cards import Card, Place, deck_cards
from game.errors import IllegalMove
from game.open_table import OpenGame, deal, hand_of, legal_of
from game.options import Options
from game.position import Phase, Position
from game.rules import abort, check, dues, legal_actions, open_first_bout, refusal, start

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIANTS = [
    Options(deck=24, seats=2),
    Options(deck=24, seats=3, lead="several", throwers="neighbours"),
    Options(deck=24, seats=4, variant="transfer", show_transfer=True, first_limit=0),
    Options(deck=24, seats=2, variant="transfer", show_transfer=True, lead="several", throw_after_take=False),
    Options(deck=24, seats=3, cheating=True),
    Options(deck=24, seats=3, cheating=True, variant="transfer", show_transfer=True),
    Options(deck=24, seats=4, teams="2v2", cheating=True, throwers="neighbours"),
]


def all_actions(game: OpenGame) -> Iterator[Action]:
    """Every well-formed action whose places hold the cards it names: no person's software could say
    another."""
    held = [(Place(place), Card(card)) for place, card in enumerate(game.faces)]
    yield from (TAKE, PASS, RESIGN, NO_CHALLENGE)
    for height in range(75):
        yield Accuse(height)
        yield Challenge(height)
    for place, card in held:
        yield Throw(place, card)
        yield Transfer(place, card)
        yield Show(place, card)
        yield Lead((place,), (card,))
        for attack in deck_cards(24):
            yield Beat(attack, place, card)
    for size in (2, 3, 4):
        for rank in range(13):
            alike = sorted((card, place) for place, card in held if card % 13 == rank)
            for chosen in itertools.permutations(alike, size):
                yield Lead(tuple(place for _, place in chosen), tuple(card for card, _ in chosen))
    for (first, one), (second, other) in itertools.combinations(held, 2):
        if one < other:
            yield Lead((first, second), (one, other))


def accepted(position: Position, seat: int, actions: list[Action]) -> set[Action]:
    return {action for action in actions if refusal(position, seat, action) is None}


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_offered_is_accepted_over_all_actions(options: Options) -> None:
    dice = random.Random(7)
    phases = set()
    for _ in range(2):
        deck = list(deck_cards(24))
        dice.shuffle(deck)
        game = deal(options, deck)
        actions = list(all_actions(game))
        for height in range(20, 70):
            position = game.position
            phases.add(position.phase)
            for seat in range(options.seats):
                offered = legal_of(game, seat)
                assert len(set(offered)) == len(offered)
                assert set(offered) == accepted(position, seat, actions)
                assert bool(offered) == any(seat == due for due, _ in dues(position))
            if position.phase is Phase.OVER:
                break
            met = []
            for seat, kinds in dues(position):
                choice = [action for action in legal_of(game, seat) if action != RESIGN]
                assert all(type(action) in kinds for action in choice)
                met.append((int(seat), dice.choice(choice)))
            game = open_table.play_round(game, tuple(met), height)
    assert {Phase.LEAD, Phase.DEFEND, Phase.THROW} <= phases


def test_actions_that_are_no_actions_are_refused_and_never_crash() -> None:
    dice = random.Random(3)
    for options in VARIANTS:
        deck = list(deck_cards(24))
        dice.shuffle(deck)
        game = deal(options, deck)
        for height in range(20, 50):
            numbers = (-1, 0, 5, 23, 24, 51, 52, 63, 64, 1 << 40, -(1 << 40))
            for place, card in itertools.product(numbers, numbers):
                for wild in (
                    Throw(Place(place), Card(card)), Transfer(Place(place), Card(card)),
                    Show(Place(place), Card(card)), Lead((Place(place),), (Card(card),)),
                    Beat(Card(card), Place(place), Card(card)), Beat(Card(place), Place(5), Card(card)),
                    Lead((), ()), Lead((Place(place),) * 2, (Card(card),) * 2), Lead((Place(place),), ()),
                    Accuse(place), Challenge(card),
                ):  # fmt: skip
                    fault = refusal(game.position, 0, wild)
                    if fault is None:
                        assert all(game.position.hands[0] >> at & 1 for at, _ in cards_laid(wild))
            moves = [
                action
                for seat, _ in dues(game.position)
                for action in legal_of(game, seat)
                if action != RESIGN
            ]
            if len(dues(game.position)) != 1:
                break
            game = open_table.play_round(game, ((game.position.word, dice.choice(moves)),), height)


def test_nothing_is_legal_when_nothing_is_due() -> None:
    position = start(Options(), deck_cards(36)[-1])
    for waiting in (position, abort(open_first_bout(position, 0), (1,))):
        assert dues(waiting) == ()
        assert legal_actions(waiting, 0, {Place(0): Card(4)}) == ()
        for action in (PASS, TAKE, RESIGN, NO_CHALLENGE, Lead((Place(0),), (Card(4),))):
            for seat in (-1, 0, 1, 2):
                with pytest.raises(IllegalMove):
                    check(waiting, seat, action)


def test_places_no_longer_held_are_ignored() -> None:
    game = deal(Options(), deck_cards(36))
    seat = game.position.word
    everything = {Place(place): Card(card) for place, card in enumerate(game.faces)}
    own = {Place(place): Card(card) for place, card in hand_of(game, seat).items()}
    assert legal_actions(game.position, seat, everything) == legal_actions(game.position, seat, own)


def test_kinds_follow_the_options() -> None:
    def kinds(options: Options) -> set[str]:
        game = deal(replace(options, seats=3), deck_cards(36))
        (due,) = dues(open_table.play(game, open_table.moves_of(game)[0], 20).position)
        return {kind.__name__ for kind in due[1]}

    assert kinds(Options()) == {"Beat", "Take", "Resign"}
    assert kinds(Options(variant="transfer")) == {"Beat", "Take", "Resign", "Transfer"}
    assert kinds(Options(variant="transfer", show_transfer=True)) == {
        "Beat",
        "Take",
        "Resign",
        "Transfer",
        "Show",
    }
    assert kinds(Options(cheating=True)) == {"Beat", "Take", "Resign", "Accuse"}


def test_every_reason_has_its_own_id() -> None:
    assert len(set(legality.REASONS)) == len(legality.REASONS)
    assert all(reason.startswith("illegal.") for reason in (*legality.REASONS, *claims.REASONS))
