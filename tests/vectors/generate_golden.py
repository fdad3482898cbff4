"""Writes tests/golden/*.durak and expected.json: `python -m tests.vectors.generate_golden`.

The games of `tests.golden.tables`, played anew with the real suite; about 30 s of one core with libsodium.
From the first tagged release on these files are frozen with the rules (DESIGN §2); before it a change that
alters one says why in its commit.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from cli.engine import choose_backend  # noqa: E402
from tests.golden.expected import Pinned, pinned  # noqa: E402
from tests.golden.playing import GoldenLog, play  # noqa: E402
from tests.golden.tables import GOLDEN  # noqa: E402

FOLDER = ROOT / "tests" / "golden"


def main() -> None:
    choose_backend(os.environ)
    played: dict[str, GoldenLog] = {}
    expected: dict[str, Pinned] = {}
    for golden in GOLDEN:
        log = played[golden.name] = play(golden, played)
        data = log.export()
        expected[golden.name] = pinned(data)
        missing = set(golden.shows) - set(expected[golden.name]["events"])
        if missing:
            sys.exit(f"{golden.name} does not show {sorted(missing)}: choose another label")
        (FOLDER / f"{golden.name}.durak").write_bytes(data)
    for path in FOLDER.glob("*.durak"):
        if path.stem not in expected:
            path.unlink()
    text = json.dumps(expected, indent=1, ensure_ascii=False)
    (FOLDER / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
