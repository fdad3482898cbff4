"""What hostile bytes may cost: time and memory of a frame, of a huge file, of spoiled files in an audit."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from p2p.errors import BadMessage
from p2p.message_codec import decode_message
from tests.hostile_frames import HOSTILE, SIZE

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_frame_is_refused_within_a_millisecond_and_a_mebibyte(name: str) -> None:
    data = HOSTILE[name]
    assert SIZE - 200 < len(data) <= SIZE + 200
    took = []
    for _ in range(21):
        began = time.process_time()
        with pytest.raises(BadMessage):
            decode_message(data)
        took.append(time.process_time() - began)
    assert statistics.median(took) < 0.001
    tracemalloc.start()
    try:
        with pytest.raises(BadMessage):
            decode_message(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20


MEASURED = """
import resource, sys
from cli.main import main
code = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", "2x24-draw"])
def test_two_gibibytes_of_garbage_stay_under_100_mebibytes(start: str, tmp_path: Path) -> None:
    """A sparse file of zeros, alone or after a whole game."""
    path = tmp_path / "huge.durak"
    path.write_bytes((GOLDEN / f"{start}.durak").read_bytes() if start else b"")
    os.truncate(path, 2 << 30)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, "verify", str(path), "--json"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 20, done.stderr
    assert json.loads(done.stdout)["verdict"] == "malformed"
    kibibytes = int(done.stderr.split()[-1])
    assert kibibytes < 100 * 1024


@pytest.mark.slow
def test_an_audit_of_golden_games_with_spoiled_ones_among_them(tmp_path: Path) -> None:
    """Every file gets the verdict it has alone; a bomb, noise and half a game spoil their own lines only."""
    expected = json.loads((GOLDEN / "expected.json").read_text("utf-8"))
    codes = {}
    for name, pinned in expected.items():
        shutil.copy(GOLDEN / f"{name}.durak", tmp_path)
        codes[f"{name}.durak"] = pinned["code"]
    whole = (GOLDEN / "2x24-draw.durak").read_bytes()
    spoiled = {
        "bomb": whole + b"\x9b" + b"\xff" * 8,
        "nested": b"\x81" * 100_000,
        "noise": b"\xa5\x5a" * 5000,
        "half": whole[: len(whole) // 2],
    }
    for name, data in spoiled.items():
        (tmp_path / f"{name}.durak").write_bytes(data)
        codes[f"{name}.durak"] = 20
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "audit", str(tmp_path), "--jobs", "2", "--json"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    said = {line["file"]: line["code"] for line in map(json.loads, done.stdout.splitlines())}
    assert said == codes
    assert done.returncode == 20
