"""The results kept under benchmarks/arena are what was played: sums of their parts, and repeatable."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.arena import Tally, run, wilson

ARENA = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "arena"


def matches():
    spec = importlib.util.spec_from_file_location("arena_matches", ARENA / "run.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MODULE = matches()
PLAYED = tuple(sorted(path.stem for path in ARENA.glob("*.parts")))


def test_parts_belong_to_matches():
    assert PLAYED
    assert set(PLAYED) <= set(MODULE.MATCHES)


@pytest.mark.parametrize("name", PLAYED)
def test_a_result_is_the_sum_of_its_parts(name):
    tally = MODULE.played(ARENA / f"{name}.parts")
    said = json.loads((ARENA / f"{name}.json").read_text())
    assert (said["games"], said["wins"]["count"], said["losses"]["count"], said["draws"]["count"]) == (
        tally.games,
        tally.wins,
        tally.losses,
        tally.draws,
    )
    assert sorted(tally.by_deal) == list(range(said["deals"]))
    assert said["wins"]["wilson95"] == [round(bound, 4) for bound in wilson(tally.wins, tally.games)]
    assert said["budget"] == {"nodes": MODULE.MATCHES[name].nodes}
    assert said["seed"] == MODULE.MATCHES[name].seed


@pytest.mark.parametrize("name", [name for name in PLAYED if MODULE.MATCHES[name].options.seats == 2])
def test_a_deal_played_again_ends_the_same(name):
    """With the bots as they are now: whoever changes them plays the matches again."""
    plan = MODULE.MATCHES[name]
    tally = MODULE.played(ARENA / f"{name}.parts")
    for number in (0, len(tally.by_deal) - 1):
        (deal,) = run(replace(plan, first=number, games=1))
        assert deal.by_deal[number] == tally.by_deal[number]


def test_parts_played_apart_are_the_whole():
    plan = replace(MODULE.MATCHES["hard_easy"], a="easy", b="random")
    whole, parts = Tally(), Tally()
    for deal in run(replace(plan, games=6)):
        whole.add(deal)
    for first in (0, 2, 4):
        for deal in run(replace(plan, first=first, games=2)):
            parts.add(deal)
    assert parts.by_deal == whole.by_deal
    assert (parts.wins, parts.losses, parts.draws) == (whole.wins, whole.losses, whole.draws)
