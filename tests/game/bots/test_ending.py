"""The solver of two-seat endings against brute force: every position that can come, by the real rules, valued
by going back from the ends until nothing changes."""

from __future__ import annotations

import random
from collections.abc import Hashable

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
    return game._replace(position=game.position._replace(memory=(), closed=None))


def key(game: OpenGame) -> Hashable:
    """What the future of an ending hangs on: who holds what, and what lies on the table, in any order."""
    position = game.position
    return (
        position.phase,
        position.word,
        position.defender,
        position.duraks,
        game.cards,
        frozenset(laid.card for laid in position.plays),
        position.unbeaten,
        position.passed,
        position.shown,
        position.limit,
    )


def brute_force(root: OpenGame, hero: int, most: int) -> list[tuple[OpenGame, int]] | None:
    """2, 1, 0 for the hero at every position that can come; None if there are too many.

    A least fixpoint for each side: who can force a win in some number of plays; the rest is a draw.
    """
    games: dict[Hashable, OpenGame] = {}
    follow: dict[Hashable, list[Hashable]] = {}
    todo = [forget(root)]
    while todo:
        game = todo.pop()
        if key(game) in games:
            continue
        if len(games) > most:
            return None
        games[key(game)] = game
        after: list[OpenGame] = []
        if not over(game.position):
            after = [forget(open_table.play(game, move, 20)) for move in moves_of(game)]
        follow[key(game)] = [key(other) for other in after]
        todo += after
    value = dict.fromkeys(games, 1)
    for about, game in games.items():
        outcome = result(game.position) if over(game.position) else None
        if outcome is not None and outcome.duraks:
            value[about] = 0 if hero in outcome.duraks else 2
    changed = True
    while changed:
        changed = False
        for about, nexts in reversed(follow.items()):
            if value[about] == 1 and nexts:
                found = [value[after] for after in nexts]
                better = max(found) if games[about].position.word == hero else min(found)
                if better != 1:
                    value[about] = better
                    changed = True
    return [(game, value[about]) for about, game in games.items()]


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
    for game, known in value:
        if not over(game.position):
            assert solved(game, hero, wins, draws) == known
            checked += 1
    return checked


@pytest.mark.parametrize(
    "options", [THROW_IN, NO_GIVING, TRANSFER, SHOW], ids=["throw-in", "plain", "transfer", "show"]
)
@pytest.mark.parametrize("cards", [3, 4, 5, 6])
def test_r34_equals_brute_force(options: Options, cards: int) -> None:
    assert sum(compare(options, cards, seed) for seed in range(4)) > 0
    assert sum(compare(options, cards, seed, ranks=3) for seed in range(100, 103)) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [THROW_IN, NO_GIVING, TRANSFER, SHOW], ids=["throw-in", "plain", "transfer", "show"]
)
@pytest.mark.parametrize("cards", [6, 7, 8, 9])
def test_r34_equals_brute_force_over_many_more(options: Options, cards: int) -> None:
    assert sum(compare(options, cards, seed, most=60_000) for seed in range(20)) > 0
    assert sum(compare(options, cards, seed, ranks=3, most=60_000) for seed in range(100, 120)) > 0


@pytest.mark.parametrize(("options", "seed"), [(TRANSFER, 23), (SHOW, 23), (SHOW, 134)])
def test_r19_circles_are_nobodys_win(options: Options, seed: int) -> None:
    """Endings in which attacks can be handed on for ever, and whose value depends on what that counts as."""
    assert compare(options, 7, seed, ranks=3, most=20000) > 0


def points_of(game: OpenGame, hero: int) -> int | None:
    outcome = result(game.position) if over(game.position) else None
    if outcome is None:
        return None
    return 1 if not outcome.duraks else 0 if hero in outcome.duraks else 2


def good(game: OpenGame, hero: int, goal: int, ending: Ending) -> bool:
    """Whether the solver calls this position good enough for the hero."""
    points = points_of(game, hero)
    if points is not None:
        return points >= goal
    position = game.position
    worth = worth_of(position.setup)
    hands = [worth.bits(cards) for cards in game.cards]
    attacker = 1 - position.defender
    standing = standing_of(position, worth)
    return ending.reaches(
        standing, hands[attacker], hands[position.defender], mine=attacker == hero, stop=never
    )


def follow_plan(root: OpenGame, hero: int, goal: int, ending: Ending) -> int:
    """The solver's plays for the hero against every play of the other seat, by the real rules, to every end.

    How many positions that took. Fails where an end misses the goal, or where a win goes round in a circle.
    """
    done: dict[Hashable, bool] = {}

    def follow(game: OpenGame) -> None:
        about = key(game)
        if about in done:
            assert done[about] or goal < 2
            return
        done[about] = False
        points = points_of(game, hero)
        if points is not None:
            assert points >= goal
        else:
            after = [forget(open_table.play(game, move, 20)) for move in moves_of(game)]
            if game.position.word == hero:
                after = [next(other for other in after if good(other, hero, goal, ending))]
            for other in after:
                follow(other)
        done[about] = True

    follow(forget(root))
    return len(done)


def prove(options: Options, cards: int, seed: int) -> int:
    """The value of an ending from both sides: seat 0 reaches it, and seat 1 lets it reach no more."""
    root = random_ending(options, cards, seed)
    if over(root.position):
        return 0
    table = Table(root.position, worth_of(root.position.setup))
    wins, draws = (Ending(table, win=win, repeated=frozenset()) for win in (True, False))
    value = solved(root, 0, wins, draws)
    positions = 0
    for hero, goal in ((0, value), (1, 2 - value)):
        if goal:
            ending = Ending(table, win=goal == 2, repeated=frozenset())
            positions += follow_plan(root, hero, goal, ending)
    return positions


@pytest.mark.parametrize("seed", [0, 1])
def test_r34_is_right_with_twelve_cards(seed: int) -> None:
    """Too many positions for brute force: the solver's own plays are followed to every end instead."""
    assert prove(THROW_IN, 12, seed) > 10


@pytest.mark.slow
@pytest.mark.parametrize("options", [THROW_IN, NO_GIVING, TRANSFER], ids=["throw-in", "plain", "transfer"])
@pytest.mark.parametrize("cards", [10, 11, 12])
def test_r34_is_right_with_up_to_twelve_cards(options: Options, cards: int) -> None:
    assert sum(prove(options, cards, seed) for seed in range(12)) > 100
