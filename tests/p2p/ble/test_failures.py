"""All 41 failure modes have a test of their number, where the document says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FILES = {
    name: ROOT / f"tests/p2p/ble/test_failures_{name}.py" for name in ("link", "platform", "radio", "table")
} | {"vm": ROOT / "tests/vm/test_bluez.py"}
SECTION = (ROOT / "docs/bluetooth.md").read_text().partition("## 7.")[2].partition("\n## ")[0]
SHOWN, ONLY_REAL = SECTION.split("Only real devices")
ROWS = [
    ([int(number) for number in row[1].split()], [word.strip(" `") for word in re.split("[,;(]", row[2])])
    for row in re.finditer(r"^\| ([\d ]+) \|.*\| ([^|]+) \|$", SHOWN, re.MULTILINE)
]


def numbers_in(name: str) -> set[int]:
    return {int(number) for number in re.findall(r"def test_failure_(\d\d)_", FILES[name].read_text())}


@pytest.mark.parametrize("number", range(1, 42))
def test_each_failure_is_shown_in_a_file_its_row_names(number: int) -> None:
    named = {word for numbers, words in ROWS if number in numbers for word in words if word in FILES}
    assert {name for name in FILES if number in numbers_in(name)} & named


def test_each_row_names_a_file_that_has_one_of_its_numbers() -> None:
    assert len(ROWS) > 15
    for numbers, words in ROWS:
        for name in set(words) & set(FILES):
            assert numbers_in(name) & set(numbers), (numbers, name)


def test_what_only_real_devices_show_is_of_the_same_numbers_and_says_what_is_seen() -> None:
    rows = re.findall(r"^\| ([\d ]+) \| [^|]+ \| ([^|]+) \|$", ONLY_REAL, re.MULTILINE)
    assert len(rows) > 5
    for numbers, seen in rows:
        assert all(1 <= int(number) <= 41 for number in numbers.split())
        assert seen.strip()
