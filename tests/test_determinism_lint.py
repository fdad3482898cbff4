"""The core holds nothing that could make two devices disagree; every exception is named, with its reason."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.determinism_lint import Finding, findings

ROOT = Path(__file__).parents[1]
TOUCHES_THE_DISK = {"ledger/disk.py", "ledger/folder.py", "ledger/store.py"}
"""The store is no part of the pure core (DESIGN §1)."""
CORE = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("game", "ledger")
    for path in (ROOT / package).rglob("*.py")
    if path.relative_to(ROOT).as_posix() not in TOUCHES_THE_DISK
)
EXCEPTIONS: dict[tuple[str, str, str], str] = {
    ("game/cards.py", "method", "upper"): "people type cards in lower case too (R1); no replay reads text",
    ("game/mental_poker/backend.py", "call", "hash"): "points are dictionary keys; the value is never shown",
    ("game/mental_poker/elgamal.py", "call", "hash"): "decks are dictionary keys; the value is never shown",
    ("game/mental_poker/pure.py", "method", "__hash__"): "inherits the hash of Point beside its own __eq__",
    ("game/mental_poker/sodium.py", "method", "__hash__"): "inherits the hash of Point beside its own __eq__",
    ("game/mental_poker/sodium.py", "import", "ctypes"): "the C library of the fast backend",
    ("game/mental_poker/sodium.py", "import", "ctypes.util"): "where that library is",
    ("ledger/verdict.py", "method", "lower"): "of names in this source, ASCII",
}

BITES = [
    ("import random", "import"),
    ("from os import environ", "import"),
    ("import time as t", "import"),
    ("def f():\n    import locale", "import"),
    ("x = 0.5", "float"),
    ("x = 1e3", "float"),
    ("x = a / b", "division"),
    ("a /= b", "division"),
    ("x = float(y)", "call"),
    ("x = hash(y)", "call"),
    ("x = sorted(y, key=lambda z: id(z))", "call"),
    ("x = y.lower()", "method"),
    ("x = list(map(str.casefold, y))", "method"),
    ("for x in {1, 2}: pass", "set order"),
    ("x = list(set(y))", "set order"),
    ("s = set(y)\nx = tuple(s)", "set order"),
    ("def f(s: frozenset[int]):\n    return [x for x in s]", "set order"),
    ("class A:\n    s: set[int]\n    def f(self):\n        return ','.join(self.s)", "set order"),
    ("a = {1}\nb = a | c\nfor x in b: pass", "set order"),
    ("x = min(set(y), key=len)", "set order"),
    ("x = max((len(z) for z in set(y)), key=abs)", "set order"),
    ("x = {z: 1 for z in set(y)}", "set order"),
    ("f(*{1, 2})", "set order"),
    ("(x, y) = {1, 2}", "set order"),
    ("x = next(iter(set(y)))", "set order"),
    ("s = {1}\nx = s.pop()", "pop"),
]
SPARES = [
    "x = a // b",
    "x = sorted(set(y))",
    "x = len({z for z in y}) and 3 in {1, 2, 3}",
    "x = any(z for z in set(y))",
    "x = {z + 1 for z in set(y)}",
    "s = {1}\nx = s | {2}\ny = 1 if x == s else 2",
    "d = {1: 2}\nx = list(d)",
    "x = [1].pop()",
    "def f():\n    s = {1}\n    return len(s)\ndef g(s):\n    return list(s)",
    "def f(a):\n    s = {1}\n    return s, list(a.s)",
]


@pytest.mark.parametrize(("source", "rule"), BITES)
def test_it_bites(source: str, rule: str) -> None:
    assert rule in {finding.rule for finding in findings(source)}


@pytest.mark.parametrize("source", SPARES)
def test_it_spares_what_is_harmless(source: str) -> None:
    assert findings(source) == ()


def test_there_is_a_core_to_read() -> None:
    assert len(CORE) > 60
    assert {"game/course.py", "game/mental_poker/deck.py", "ledger/verify.py"} <= set(CORE)


@cache
def findings_in(name: str) -> tuple[Finding, ...]:
    return findings((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("name", CORE)
def test_nothing_in_the_core_depends_on_the_device(name: str) -> None:
    found = findings_in(name)
    left = [one for one in found if (name, one.rule, one.what) not in EXCEPTIONS]
    assert left == []


def test_every_exception_is_still_one() -> None:
    used = {(name, one.rule, one.what) for name in CORE for one in findings((ROOT / name).read_text("utf-8"))}
    assert set(EXCEPTIONS) <= used
