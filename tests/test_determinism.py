"""The same inputs give the same bytes whatever the process is told about hashes, checks, words or time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.evidence import case_of
from tests.disputes import dispute

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


@pytest.fixture(scope="module")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """A finished log, one that halts, its case, one that was ended, and one that was damaged."""
    folder = tmp_path_factory.mktemp("disputes")
    halted = dispute("forbidden move").log
    assert halted.fault is not None
    files = {
        "finished.durak": dispute("finished").log.export(),
        "halted.durak": halted.export(),
        "halted.durakcase": case_of(halted, halted.fault),
        "aborted.durak": dispute("aborted durak").log.export(),
        "damaged.durak": dispute("finished").log.export()[:-5],
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return tuple(str(folder / name) for name in files)


JUDGE = """
import sys
from cli.main import main
for path in sys.argv[1:]:
    print(main(["verify", path, "--json"]))
    print(main(["explain", path, "--json"]))
"""


def judged(flags: tuple[str, ...], changed: dict[str, str], files: tuple[str, ...], home: Path) -> bytes:
    command = [sys.executable, "-W", "error", *flags, "-c", JUDGE, *files]
    environment = os.environ | {"DURAK_HOME": str(home)} | changed
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout


JUDGED = KINDS | {
    "letters of Western Europe": ((), {"PYTHONIOENCODING": "latin-1"}),
    "no letters but English ones": (("-X", "utf8=0"), {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}),
}


@pytest.fixture(scope="module")
def usually_judged(disputed: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    said = judged((), {"PYTHONHASHSEED": "0"}, disputed, tmp_path_factory.mktemp("usual"))
    codes = [int(line) for line in said.splitlines() if line.isdigit()]
    assert codes == [0, 0, 10, 0, 10, 0, 0, 0, 20, 20]
    assert b"Zo\\u00eb" in said, "a name is written so that every terminal can show it"
    return said


@pytest.mark.parametrize("kind", JUDGED)
def test_verdicts_and_notes_are_the_same_bytes(
    kind: str, disputed: tuple[str, ...], usually_judged: bytes, tmp_path: Path
) -> None:
    assert judged(*JUDGED[kind], disputed, tmp_path) == usually_judged
