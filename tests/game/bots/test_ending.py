"""The solver of two-seat endings against brute force: every position that can come, by the real rules, valued
by going back from the ends until nothing changes."""

from __future__ import annotations

import random

import pytest

from game import open_table
from game.bots.bot import never
from game.bots.ending import Ending
from game.bots.swift import Table, standing_of
from game.bots.worth import worth_of
from game.cards import card_text, deck_cards
from game.open_table import OpenGame, moves_of
from game.options import Options
from game.position import Phase
from game.rules import over, result
from tests.game.table import endgame

THROW_IN = Options()
NO_GIVING = Options(throw_after_take=False, lead="several")
TRANSFER = Options(variant="transfer")
SHOW = Options(variant="transfer", show_transfer=True, lead="several")


def random_ending(options: Options, cards: int, seed: int, ranks: int = 9) -> OpenGame:
    """Two hands of together `cards` cards, of the highest `ranks` ranks, seat 0 to lead. Few ranks: many
    transfers."""
    dice = random.Random(seed)
    deck = [card for card in deck_cards(36) if card % 13 > 12 - ranks]
    dice.shuffle(deck)
    cut = dice.randrange(1, cards) if seed % 3 else cards // 2
    hands = [" ".join(card_text(card) for card in part) for part in (deck[:cut], deck[cut:cards])]
    return endgame(options, hands, trump=card_text(dice.choice(deck[:cards])))


def forget(game: OpenGame) -> OpenGame:
    """Without the memory of R19: going round for ever is a draw all the same."""
    return game._replace(position=game.position._replace(memory=(), closed=None, faces=0, seen=0))


def brute_force(root: OpenGame, hero: int, most: int) -> dict[OpenGame, int] | None:
    """2, 1, 0 for the hero at every position that can come; None if there are too many.

    A least fixpoint for each side: who can force a win in some number of plays; the rest is a draw.
    """
    root = forget(root)
    follow: dict[OpenGame, list[OpenGame]] = {}
    todo = [root]
    while todo:
        game = todo.pop()
        if game in follow:
            continue
        if len(follow) > most:
            return None
        follow[game] = []
        if not over(game.position):
            follow[game] = [forget(open_table.play(game, move, 20)) for move in moves_of(game)]
            todo += follow[game]
    value = dict.fromkeys(follow, 1)
    for game in follow:
        outcome = result(game.position) if over(game.position) else None
        if outcome is not None and outcome.duraks:
            value[game] = 0 if hero in outcome.duraks else 2
    changed = True
    while changed:
        changed = False
        for game, nexts in reversed(follow.items()):
            if value[game] == 1 and nexts:
                found = [value[after] for after in nexts]
                better = max(found) if game.position.word == hero else min(found)
                if better != 1:
                    value[game] = better
                    changed = True
    return value


def solved(game: OpenGame, hero: int, wins: Ending, draws: Ending) -> int:
    """The same by the solver."""
    position = game.position
    worth = worth_of(position.setup)
    hands = [worth.bits(cards) for cards in game.cards]
    attacker = 1 - position.defender
    standing = standing_of(position, worth)
    found = [
        ending.reaches(standing, hands[attacker], hands[position.defender], mine=attacker == hero, stop=never)
        for ending in (wins, draws)
    ]
    assert found in ([True, True], [False, True], [False, False])
    return sum(found)


def compare(options: Options, cards: int, seed: int, ranks: int = 9, most: int = 4000) -> int:
    """Every position of one ending, both ways. How many there were, 0 if too many."""
    root = random_ending(options, cards, seed, ranks)
    if root.position.phase is Phase.OVER:
        return 0
    hero = seed % 2
    value = brute_force(root, hero, most)
    if value is None:
        return 0
    table = Table(root.position, worth_of(root.position.setup))
    wins, draws = (Ending(table, win=win, repeated=frozenset()) for win in (True, False))
    checked = 0
    for game, known in value.items():
        if not over(game.position):
            assert solved(game, hero, wins, draws) == known
            checked += 1
    return checked


@pytest.mark.parametrize(
    "options", [THROW_IN, NO_GIVING, TRANSFER, SHOW], ids=["throw-in", "plain", "transfer", "show"]
)
@pytest.mark.parametrize("cards", [3, 4, 5, 6, 7, 8])
def test_r34_equals_brute_force(options: Options, cards: int) -> None:
    assert sum(compare(options, cards, seed) for seed in range(6)) > 0
    assert sum(compare(options, cards, seed, ranks=3) for seed in range(100, 106)) > 0


@pytest.mark.parametrize("options", [THROW_IN, SHOW], ids=["throw-in", "show"])
def test_r34_equals_brute_force_with_twelve_cards(options: Options) -> None:
    found = 0
    for seed in range(1000):
        found += compare(options, 12, seed, most=6000) > 0
        if found == 2:
            return
    raise AssertionError("no ending of twelve cards was small enough")


@pytest.mark.parametrize(
    ("options", "seed"), [(TRANSFER, 23), (SHOW, 0), (SHOW, 23), (SHOW, 114), (SHOW, 134)]
)
def test_r19_circles_are_nobodys_win(options: Options, seed: int) -> None:
    """Endings in which somebody can hand attacks on for ever, and whose value depends on what that counts as."""
    assert compare(options, 7, seed, ranks=3, most=20000) > 0
