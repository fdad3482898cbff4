"""A short coverage-guided run of every decoder; a longer one is
`python -m tests.fuzz.guided --seconds 3600`.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.guided import NAMES
from tests.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]


def test_every_target_is_fuzzed() -> None:
    assert set(NAMES) == set(TARGETS)


@pytest.mark.fuzz
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
def test_thirty_seconds_of_guided_fuzzing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.guided", "--seconds", "30"],
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Done ") == len(TARGETS)
