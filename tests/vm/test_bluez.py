"""Real bluetoothd 5.82, real D-Bus, emulated controllers: `pytest -m vm`. Each game in a guest of its own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.vm.image import missing
from tests.vm.machine import Outcome, run

GUESTS = (("links", "leaving", "frozen", "adapter", "restart"), ("game",), ("disturbed",))
"""A guest for each game: what adapters and bluetoothd were put through before is not what it is about."""


def script(scenarios: tuple[str, ...]) -> str:
    return "set +e\n" + "".join(
        f"echo '== {name}'; timeout 600 python3 -m tests.vm.guest {name} 2>&1; echo \"== end $?\"\n"
        for name in scenarios
    )


pytestmark = pytest.mark.vm


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """By scenario. All guests are run, one after the other, before the first test looks at any."""
    lacking = missing()
    if lacking:
        pytest.skip(lacking)
    found: dict[str, Outcome] = {}
    for scenarios in GUESTS:
        outcome = run(script(scenarios), adapters=3, seconds=1_500.0)
        found |= dict.fromkeys(scenarios, outcome)
    return found


def told(outcomes: dict[str, Outcome], scenario: str) -> dict[str, list[dict[str, Any]]]:
    """What a scenario said, by kind; fails unless it ended well."""
    outcome = outcomes[scenario]
    found = re.search(rf"^== {scenario}\n(.*?)^== end (\d+)$", outcome.output, re.DOTALL | re.MULTILINE)
    if found is None or found[2] != "0":
        said = found[1] if found is not None else outcome.output
        parts = (said[-20_000:], outcome.bluetoothd[-3_000:], outcome.console[-1_000:])
        pytest.fail("\n=====\n".join((f"{scenario} did not end well", *parts)), pytrace=False)
    lines = [json.loads(line) for line in found[1].splitlines() if line.startswith("{")]
    print(scenario, *lines, sep="\n  ")
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        by_kind.setdefault(line["what"], []).append(line)
    return by_kind


def test_three_processes_exchange_64_kilobytes_each_way_on_each_link(outcomes: dict[str, Outcome]) -> None:
    assert told(outcomes, "links")["exchanged"][0]["bytes"] == 65_536


def test_whoever_stays_keeps_the_link_when_another_leaves(outcomes: dict[str, Outcome]) -> None:
    assert told(outcomes, "leaving")["stayed"][0]["lost"] == []


def test_a_frozen_radio(outcomes: dict[str, Outcome]) -> None:
    said = told(outcomes, "frozen")
    assert said["thawed"][0]["down"] == []
    assert said["down"][0]["why"] == "link.silent"


def test_failure_26_an_adapter_off_and_on(outcomes: dict[str, Outcome]) -> None:
    said = told(outcomes, "adapter")
    assert len(said["down"]) == 2
    assert said["redialled"]


def test_failure_30_bluetoothd_killed_and_started_again(outcomes: dict[str, Outcome]) -> None:
    said = told(outcomes, "restart")
    assert len(said["down"]) == 2
    assert said["redialled"]


def test_three_durak_processes_play_a_whole_game(outcomes: dict[str, Outcome]) -> None:
    said = told(outcomes, "game")
    assert said["done"][0]["status"] == ["finished"] * 3
    assert len(set(said["done"][0]["heights"])) == 1


def test_a_game_outlives_bluetoothd(outcomes: dict[str, Outcome]) -> None:
    said = told(outcomes, "disturbed")
    assert said["restarted"]
    assert said["done"][0]["status"] == ["finished"] * 3
