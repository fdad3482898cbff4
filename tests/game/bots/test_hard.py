"""R34 for the hard bot: exact endings, answers in time, dice of its own."""

from __future__ import annotations

import random
import time

import pytest

from game import open_table
from game.bots import START, Turn, bot, never, remember
from game.bots.bot import Stop
from game.cards import Card, Place, deck_cards
from game.open_table import OpenGame, hand_of, legal_of, moves_of
from game.options import Options
from game.rules import over, result
from tests.game.bots.test_ending import SHOW, THROW_IN, brute_force, forget, key, random_ending
from tests.game.table import endgame


def turn_of(game: OpenGame) -> Turn:
    seat = game.position.word
    hand = {Place(place): Card(card) for place, card in hand_of(game, seat).items()}
    return Turn(game.position, seat, hand, legal_of(game, seat))


@pytest.mark.parametrize("options", [THROW_IN, SHOW], ids=["throw-in", "show"])
@pytest.mark.parametrize("cards", [4, 6])
def test_r34_plays_endings_exactly(options: Options, cards: int) -> None:
    """At every position of an ending the bot's play keeps the value found by brute force."""
    checked = 0
    for seed in range(6):
        root = random_ending(options, cards, seed)
        if over(root.position):
            continue
        hero = root.position.word
        value = brute_force(root, hero, 3000)
        if value is None:
            continue
        player = bot("hard", random.Random(seed).getrandbits)
        for game, known in value[:60]:
            if over(game.position) or game.position.word != hero or known == 0:
                continue
            action = player.decide(turn_of(game), never)
            after = key(forget(open_table.play(game, action, 20)))
            assert next(points for other, points in value if key(other) == after) == known
            checked += 1
    assert checked > 10


@pytest.mark.slow
def test_r34_wins_every_won_ending_of_twelve_cards() -> None:
    """Against random play and against itself, from endings the solver calls won."""
    won = 0
    for seed in range(0, 60, 3):
        game = random_ending(THROW_IN, 12, seed)
        hero = game.position.word
        players = [bot("hard", random.Random(seed + seat).getrandbits) for seat in (0, 1)]
        other = random.Random(seed)
        games = []
        for opponent in ("random", "hard"):
            now, height = game, 20
            while not over(now.position):
                if now.position.word == hero or opponent == "hard":
                    action = players[now.position.word].decide(turn_of(now), never)
                else:
                    action = other.choice(moves_of(now))
                now = open_table.play(now, action, height)
                height += 1
            outcome = result(now.position)
            assert outcome is not None
            games.append(0 if hero in outcome.duraks else 2 if outcome.duraks else 1)
        assert games[0] >= games[1]
        won += games[1] == 2
    assert won > 3


@pytest.mark.parametrize(
    ("theirs", "own"),
    [
        ("JD QD 8C 9C JS AS", "6C QC 8S TS QS KS"),
        ("8D AD 9H AH QS KS", "JD JC QC 8H TH JH QH KH"),
    ],
)
def test_a_lost_ending_is_not_given_up(theirs: str, own: str) -> None:
    """Lost by every theory and against every habit, won all the same against one who plays at random: two
    endings out of games that were lost so."""
    won = 0
    for seed in range(30):
        game, height = endgame(Options(), [theirs, own], trump="JD"), 20
        player, other = bot("hard", random.Random(seed).getrandbits), random.Random(seed)
        while not over(game.position):
            if game.position.word == 1:
                action = player.decide(turn_of(game), counting(1000)[0])
            else:
                action = other.choice(moves_of(game))
            game = open_table.play(game, action, height)
            height += 1
        outcome = result(game.position)
        assert outcome is not None
        won += outcome.duraks == (0,)
    assert won >= 25


def counting(most: int) -> tuple[Stop, list[int]]:
    asked = [0]

    def stop() -> bool:
        asked[0] += 1
        return asked[0] > most

    return stop, asked


@pytest.mark.parametrize("options", [Options(), Options(seats=4), Options(variant="transfer", seats=3)])
def test_stops_when_told(options: Options) -> None:
    """Once `stop` says True the answer comes at once: the question is hardly asked again."""
    dice = random.Random(4)
    deck = list(deck_cards(36))
    dice.shuffle(deck)
    game, memory = open_table.deal(options, deck), START
    while not over(game.position):
        turn = turn_of(game)
        stop, asked = counting(3)
        began = time.process_time()
        action = bot("hard", dice.getrandbits).decide(turn, stop)
        assert asked[0] <= 16
        assert time.process_time() - began < 0.2
        assert action in turn.legal
        memory = remember(memory, game.position, ((turn.seat, action),))
        game = open_table.play(game, action, 20)


def test_a_node_budget_makes_it_repeatable() -> None:
    deck = list(deck_cards(36))
    random.Random(9).shuffle(deck)
    game = open_table.deal(Options(), deck)
    answers = {
        bot("hard", random.Random(1).getrandbits).decide(turn_of(game), counting(200)[0]) for _ in range(3)
    }
    assert len(answers) == 1
