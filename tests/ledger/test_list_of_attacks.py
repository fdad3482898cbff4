"""Each of the 73 hostile cases of ledger, store and sync has its test, found by number."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LISTED = (
    "ledger/test_attacks_records.py",
    "ledger/test_attacks_order.py",
    "ledger/test_attacks_files.py",
    "ledger/test_attacks_play.py",
    "ledger/test_store.py",
    "ledger/test_store_crash.py",
    "ledger/test_verify.py",
    "p2p/test_hostile_sync.py",
    "p2p/test_simulator.py",
)
"""Files whose attacks are numbered by this list; `attacks/` counts those of the dealing."""
NUMBER = re.compile(r"attack_((?:\d+_(?:and_)?)+)")


@cache
def bearers() -> dict[int, list[str]]:
    """Number to the tests that bear it."""
    found: dict[int, list[str]] = {}
    for name in LISTED:
        for node in ast.walk(ast.parse((TESTS / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for number in _numbers(node.name):
                    found.setdefault(number, []).append(f"{name}::{node.name}")
    return found


def _numbers(name: str) -> list[int]:
    """`test_attack_46_and_47_a_token…` bears 46 and 47; a number further on is part of the sentence."""
    bears = NUMBER.search(name)
    return [] if bears is None else [int(number) for number in re.findall(r"\d+", bears[1])]


@pytest.mark.parametrize("number", range(1, 74))
def test_every_number_has_a_test(number: int) -> None:
    assert bearers().get(number), number


def test_no_test_bears_a_number_that_is_none() -> None:
    assert set(bearers()) <= set(range(1, 74))


def test_numbers_are_read_as_they_are_meant() -> None:
    assert _numbers("test_attack_07_a_length_of_two_to_the_63") == [7]
    assert _numbers("test_attack_46_and_47_a_token") == [46, 47]
    assert _numbers("test_attack_30_38_39_there_is_no_epoch") == [30, 38, 39]
    assert _numbers("test_r30_half") == []
