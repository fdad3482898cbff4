"""Two hundred games in a row at one table: memory and open files stay what they were."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.commands.running import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]

GAMES = 200
MOST_GROWTH_MB = 5.0
"""From the fiftieth game to the last: what one leaked game costs, a hundred and fifty times, is far more."""


def test_two_hundred_games_leave_nothing_behind():
    done = subprocess.run(
        [sys.executable, "benchmarks/lan.py", "evening", "--games", str(GAMES), "--json"],
        cwd=ROOT, capture_output=True, text=True, check=True, timeout=1800,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found["games"] == GAMES
    assert found["files_at_the_end"] <= found["files_at_a_quarter"]
    assert found["memory_at_the_end_mb"] - found["memory_at_a_quarter_mb"] <= MOST_GROWTH_MB
