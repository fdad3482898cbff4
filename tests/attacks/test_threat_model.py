"""`docs/threat-model.md` may promise nothing that no test shows."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
HERE = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
TESTED = {int(number) for number in re.findall(r"def test_attack_(\d\d)_", HERE)}


def test_every_one_of_the_48_attacks_has_a_test_and_a_line() -> None:
    lines = [int(number) for number in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)]
    assert lines == list(range(1, 49))
    assert set(range(1, 49)) == TESTED


def test_every_file_and_number_named_exists() -> None:
    for path in re.findall(r"`((?:tests|docs|cli|game|ledger|p2p)/[\w/.]+)`", TEXT):
        assert (ROOT / path).exists(), path
    for named in re.findall(r"\*([\d, –]+)\*", TEXT):
        for number in re.findall(r"\d+", named):
            assert int(number) in TESTED, named


def test_every_promise_of_a_section_names_what_shows_it() -> None:
    """Bullets and sentences of the sections that promise; what follows "Not promised" are limits."""
    promises = TEXT[TEXT.index("## The same for everybody") : TEXT.index("## Not promised")]
    for section in promises.split("## ")[1:]:
        title = section.splitlines()[0]
        assert re.search(r"\*\d|tests/", section), title
