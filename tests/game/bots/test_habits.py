"""Habits play as the bots they stand for, and stay within what they are offered."""

from __future__ import annotations

import random

import pytest

from game import open_table
from game.actions import PASS, Action
from game.bots import Turn, bot, never
from game.bots.habits import chance_habit, easy_habit, thrifty_habit
from game.bots.swift import Habit, Table, habits_of, standing_of, stock_of
from game.bots.worth import worth_of
from game.cards import Card, Place, bit_set, deck_cards
from game.open_table import hand_of, legal_of, moves_of
from game.options import Options
from game.rules import over, result

TABLES = (
    Options(),
    Options(deck=24, first_limit=0),
    Options(variant="transfer"),
    Options(seats=4),
    Options(seats=3),
)


def deal(options: Options, seed: int) -> tuple[open_table.OpenGame, list[Card]]:
    deck = list(deck_cards(options.deck))
    random.Random(seed).shuffle(deck)
    return open_table.deal(options, deck), deck


def imagined(options: Options, seed: int, habits: list[Habit]) -> int:
    game, deck = deal(options, seed)
    worth = worth_of(game.position.setup)
    return Table(game.position, worth).play_on(
        standing_of(game.position, worth),
        [worth.bits(cards) for cards in game.cards],
        stock_of(worth.bit[card] for card in deck[6 * options.seats :]),
        habits_of(habits),
    )


@pytest.mark.parametrize("options", TABLES, ids=range(len(TABLES)))
def test_the_easy_habit_is_the_easy_bot(options: Options) -> None:
    """A game of easy bots by the real rules ends as the imagined one."""
    player = bot("easy", lambda bits: 0)
    for seed in range(30):
        game, _ = deal(options, seed)
        worth = worth_of(game.position.setup)
        height = 20
        while not over(game.position):
            seat = game.position.word
            moves = moves_of(game)
            action: Action = PASS
            if moves != [PASS]:
                hand = {Place(place): Card(card) for place, card in hand_of(game, seat).items()}
                action = player.decide(Turn(game.position, seat, hand, legal_of(game, seat)), never)
            game = open_table.play(game, action, height)
            height += 1
        outcome = result(game.position)
        assert outcome is not None
        assert imagined(options, seed, [easy_habit(worth)] * options.seats) == bit_set(outcome.duraks)


@pytest.mark.parametrize("options", TABLES, ids=range(len(TABLES)))
def test_the_thrifty_habit_beats_the_easy_one(options: Options) -> None:
    lost, games = 0, 0
    for seed in range(700):
        game, _ = deal(options, seed)
        worth = worth_of(game.position.setup)
        for seat in range(options.seats):
            habits = [easy_habit(worth)] * options.seats
            habits[seat] = thrifty_habit(worth, options.seats)
            lost += imagined(options, seed, habits) >> seat & 1
            games += 1
    assert lost * options.seats < games


def test_chance_chooses_everything_it_may_about_as_often() -> None:
    habit = chance_habit(random.Random(3).getrandbits)
    leads = [habit.lead(0b1011, 0, 3) for _ in range(3000)]
    assert set(leads) == {0b1, 0b10, 0b1000}
    beats = [habit.beat(0b110, 0b1, 0b111, 0, 0) for _ in range(3000)]
    taking = False
    throws = [habit.throw(0b110, 0b111, 0, 3, taking) for _ in range(3000)]
    hands_on = [habit.hand_on(0b110, 0, 0b1, 0b111, 0) for _ in range(3000)]
    for chosen in (beats, throws, hands_on):
        assert set(chosen) == {0, 0b10, 0b100}
    for chosen in (leads, beats, throws, hands_on):
        assert all(850 < chosen.count(card) < 1150 for card in set(chosen))
