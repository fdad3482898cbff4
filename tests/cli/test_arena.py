"""The arena: paired deals, what it counts, and that a run can be repeated."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cli.arena import Plan, Tally, run, seatings, wilson
from cli.main import main
from game.options import Options


def total(plan: Plan) -> Tally:
    tally = Tally()
    for deal in run(plan):
        tally.add(deal)
    return tally


def test_wilson_against_published_values() -> None:
    """Newcombe 1998, Statistics in Medicine 17:857, table I, method 3: 81/263, 15/148, 0/20, 1/29."""
    for successes, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(successes, trials)
        assert found == pytest.approx((low, high), abs=0.00006)


def test_same_bots_on_paired_deals_are_even() -> None:
    """Easy has no dice: seats swapped, every deal is won once and lost once, or drawn twice."""
    tally = total(Plan("easy", "easy", 30))
    assert tally.games == 60
    assert tally.wins == tally.losses
    assert tally.draws % 2 == 0
    assert set(tally.by_deal.values()) == {0}


def test_unpaired_deals_go_round_the_seats() -> None:
    tally = total(Plan("easy", "random", 9, options=Options(seats=3), paired=False))
    assert tally.games == 9


def test_teams_sit_together() -> None:
    assert seatings(Options(seats=4, teams="2v2")) == ((0, 2), (1, 3))
    assert seatings(Options(seats=6, teams="2v2v2")) == ((0, 3), (1, 4), (2, 5))
    assert seatings(Options(seats=3)) == ((0,), (1,), (2,))
    tally = total(Plan("easy", "random", 10, options=Options(seats=4, teams="2v2")))
    assert tally.games == 20
    assert tally.wins > tally.losses


def test_a_run_with_nodes_is_repeatable_and_jobs_do_not_matter() -> None:
    plan = Plan("hard", "random", 3, nodes=60)
    first, again, together = total(plan), total(plan), total(replace(plan, jobs=2))
    assert first.by_deal == again.by_deal == together.by_deal
    assert first.moves == again.moves == together.moves


def test_the_command_speaks_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--a", "easy", "--b", "random", "--games", "5", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 10
    assert report["wins"]["count"] + report["losses"]["count"] + report["draws"]["count"] == 10
    assert main(["arena", "--a", "easy", "--b", "random", "--games", "5", "--option", "seats=4"]) == 0
    assert "20" in capsys.readouterr().out


def test_the_command_refuses_nonsense(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--games", "0"]) == 64
    assert "--games" in capsys.readouterr().err
    assert main(["arena", "--option", "teams=2v2"]) == 64
