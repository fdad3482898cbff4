"""How many ways a game can go: from fixed deals of each variant, every sequence of so many heights, counted
by the engine and by the reference game. The numbers are pinned: a change to almost any rule changes some of
them.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from game import open_table
from game.cards import deck_cards
from game.open_table import OpenGame, deal, legal_of
from game.options import Options
from game.rules import dues
from tests.game.compare import perft, reference_perft, word
from tests.game.reference import ReferenceGame


class Count(NamedTuple):
    """From the deal shuffled by `seed`, after `skip` random heights, the ways to complete 1, 2, 3 …
    heights."""

    options: Options
    seed: int
    skip: int
    ways: tuple[int, ...]


COUNTS = [
    Count(Options(), 1, 0, (7, 16, 20, 70, 205, 360, 1213, 3614, 7400)),
    Count(Options(), 2, 70, (4, 21, 51, 264, 531, 1375, 4880, 12778, 27441)),
    Count(Options(first_limit=0, throw_after_take=False), 3, 60, (5, 20, 83, 271, 1038, 2955, 11105, 28693)),
    Count(Options(deck=24, seats=3, lead="several"), 4, 0, (12, 68, 239, 640, 1734, 4879, 14153, 43566)),
    Count(Options(deck=24, seats=4, throwers="neighbours"), 5, 0, (7, 18, 32, 54, 129, 364, 962, 2375, 6403)),
    Count(Options(seats=6), 6, 0, (7, 20, 39, 60, 90, 143, 226, 435, 896)),
    Count(Options(variant="transfer"), 7, 0, (7, 24, 58, 177, 571, 1416, 4393, 12738, 34196)),
    Count(
        Options(variant="transfer", show_transfer=True, seats=3),
        8,
        30,
        (2, 2, 9, 37, 122, 336, 782, 2187, 6160),
    ),
    Count(
        Options(variant="transfer", show_transfer=True, lead="several", deck=24),
        9,
        0,
        (11, 50, 143, 456, 1863, 6943, 24558),
    ),
    Count(Options(seats=4, teams="2v2"), 10, 20, (7, 17, 25, 41, 119, 437, 1083, 2491, 8014)),
    Count(Options(seats=6, teams="3v3"), 11, 40, (2, 2, 11, 32, 89, 285, 998, 3918, 15756)),
    Count(Options(seats=6, teams="2v2v2", deck=52), 12, 60, (2, 4, 10, 35, 137, 440, 1017, 2015, 3780)),
    Count(Options(cheating=True, seats=3), 13, 0, (7, 48, 330, 2122, 12856)),
    Count(Options(cheating=True, deck=24), 14, 12, (8, 45, 280, 1452, 7312, 36271)),
    Count(
        Options(cheating=True, variant="transfer", show_transfer=True, deck=24, seats=3),
        15,
        0,
        (7, 54, 410, 2681, 17211),
    ),
    Count(
        Options(cheating=True, seats=4, teams="2v2", throwers="neighbours", deck=24),
        16,
        9,
        (840, 2668, 10588, 37562),
    ),
]


def reached(count: Count) -> tuple[OpenGame, ReferenceGame, int]:
    """Both games at the starting point, and its height."""
    dice = random.Random(count.seed)
    deck: list[int] = list(deck_cards(count.options.deck))
    dice.shuffle(deck)
    game = deal(count.options, deck)
    reference = ReferenceGame(count.options, deck, game.position.leader, 20)
    height = 20
    for _ in range(count.skip):
        met = tuple(
            (
                int(seat),
                dice.choice([a for a in legal_of(game, seat) if word(a)[0] not in ("resign", "accuse")]),
            )
            for seat, _ in dues(game.position)
        )
        game = open_table.play_round(game, met, height)
        reference = reference.after({seat: word(action) for seat, action in met})
        height += 1
    return game, reference, height


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: f"seed{count.seed}")
def test_perft(count: Count) -> None:
    game, reference, height = reached(count)
    for depth, ways in enumerate(count.ways, 1):
        assert perft(game, height, depth) == ways
    deepest = max(depth for depth, ways in enumerate(count.ways, 1) if ways < 4000)
    assert reference_perft(reference, deepest) == count.ways[deepest - 1]


@pytest.mark.slow
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: f"seed{count.seed}")
def test_perft_by_the_reference_to_full_depth(count: Count) -> None:
    _, reference, _ = reached(count)
    for depth, ways in enumerate(count.ways, 1):
        assert reference_perft(reference, depth) == ways
