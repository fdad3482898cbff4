"""How strong the levels are on paired deals, by the lower 95 % Wilson bound. Hours on a slow machine.

A searching bot's budget is counted in looks, not in time: the same on every machine, however busy. What was
seen is kept under benchmarks/arena (`tests/cli/test_arena_results.py`)."""

from __future__ import annotations

import os

import pytest

from cli.arena import Plan, Tally, run, wilson
from game.bots import Level
from game.options import Options

JOBS = min(2, os.cpu_count() or 1)
LOOKS = 1500
"""Less than 50 ms on the machine of the benchmarks."""


def played(a: Level, b: Level, deals: int, options: Options | None = None) -> Tally:
    tally = Tally()
    for deal in run(Plan(a, b, deals, options or Options(), nodes=LOOKS, jobs=JOBS)):
        tally.add(deal)
    return tally


@pytest.mark.strength
@pytest.mark.parametrize(
    ("a", "b", "least"),
    [
        ("easy", "random", 0.88),
        ("normal", "random", 0.95),
        ("normal", "easy", 0.57),
        ("hard", "random", 0.97),
        ("hard", "easy", 0.75),
    ],
)
def test_r34_strength_with_two_seats(a: Level, b: Level, least: float) -> None:
    """Wins of all games, draws counted against it, 500 deals, 36 cards, at most 50 ms a move."""
    tally = played(a, b, 500)
    assert wilson(tally.wins, tally.games)[0] >= least


@pytest.mark.strength
def test_answers_come_in_time() -> None:
    """50 ms of processor time a move: one in 200 may be a tenth and a millisecond late."""
    tally = Tally()
    for deal in run(Plan("hard", "easy", 10, milliseconds=50)):
        tally.add(deal)
    assert tally.moves > 400
    assert tally.late <= tally.moves // 200


@pytest.mark.strength
def test_r34_hard_among_three_normal_bots() -> None:
    """An even bot is the durak in 25 % of the games."""
    tally = played("hard", "normal", 100, Options(seats=4))
    assert tally.losses / tally.games <= 0.15


def test_easy_is_far_above_chance() -> None:
    tally = played("easy", "random", 40)
    assert wilson(tally.wins, tally.games)[0] > 0.8


def test_hard_is_above_easy_with_few_nodes() -> None:
    tally = Tally()
    for deal in run(Plan("hard", "easy", 12, nodes=150)):
        tally.add(deal)
    assert tally.wins > tally.losses
