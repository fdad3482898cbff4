"""The same inputs give the same bytes whatever the process is told about hashes, checks, words or time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KINDS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "hash seed 1": ((), {"PYTHONHASHSEED": "1"}),
    "hash seed random": ((), {"PYTHONHASHSEED": "random"}),
    "without assertions": (("-O",), {"PYTHONHASHSEED": "0"}),
    "other words, other time": ((), {"LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"}),
}


def play(flags: tuple[str, ...], changed: dict[str, str]) -> str:
    command = [sys.executable, "-W", "error", *flags, "-m", "tests.recorded"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | changed, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture(scope="module")
def usual() -> str:
    return play((), {"PYTHONHASHSEED": "0"})


@pytest.mark.parametrize("kind", KINDS)
def test_recorded_inputs_give_the_same_bytes(kind: str, usual: str) -> None:
    assert len(usual.split()) == 4, "one export digest: all peers hold the same bytes"
    assert usual.split()[2] == "finished"
    assert play(*KINDS[kind]) == usual
