"""Every rule and every worked case of docs/rules.md has tests named after it, and no test names another."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NORM = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
RULES = tuple(int(number) for number in re.findall(r"^- \*\*R(\d+)\*\*", NORM, re.MULTILINE))
CASES = tuple(
    int(number) for number in re.findall(r"^(\d+)\. ", NORM.split("## Worked cases", 1)[1], re.MULTILINE)
)


@cache
def names() -> tuple[str, ...]:
    """The names of all test functions, read and not imported."""
    return tuple(
        name
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for name in re.findall(
            r"^ *(?:async )?def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    )


def named(word: str) -> set[int]:
    """The numbers tests name, as in `test_r9_…` or `test_r5_r21_…`."""
    found: set[int] = set()
    for name in names():
        start = re.match(rf"test((?:_{word}_?\d+)+)(?:_|$)", name)
        if start:
            found |= {int(number) for number in re.findall(r"\d+", start[1])}
    return found


def test_the_norm_is_numbered_without_gaps() -> None:
    assert tuple(range(1, 35)) == RULES
    assert tuple(range(1, 13)) == CASES


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_tests_named_after_it(rule: int) -> None:
    assert rule in named("r")


@pytest.mark.parametrize("case", CASES)
def test_a_worked_case_has_a_test_named_after_it(case: int) -> None:
    assert case in named("case")


def test_no_test_is_named_after_a_rule_that_does_not_exist() -> None:
    assert named("r") <= set(RULES)


def test_no_refusal_names_a_rule_that_does_not_exist() -> None:
    said = {
        int(number)
        for path in sorted((ROOT / "game").rglob("*.py"))
        for number in re.findall(r'"R(\d+)"', path.read_text(encoding="utf-8"))
    }
    assert said
    assert said <= set(RULES)
