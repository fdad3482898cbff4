"""Every golden log is judged from its bytes as it always was: verdict, state hashes, what happened."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from cli.engine import choose_backend
from game.course import Course
from game.mental_poker import deck, group, sodium
from game.mental_poker.pure import PURE
from ledger.verdict import Code
from ledger.verify import judge_file
from tests.golden.expected import Pinned, pinned
from tests.golden.playing import play
from tests.golden.tables import GOLDEN

FOLDER = Path(__file__).parent / "golden"
EXPECTED: dict[str, Pinned] = json.loads((FOLDER / "expected.json").read_text("utf-8"))
NAMES = sorted(EXPECTED)
LARGEST = 3_000_000
SHOWN = {
    "draw", "repetition", "pogony", "LeaderFixed lot", "LeaderFixed previous", "LeaderFixed lowest-trump",
    "Accused upheld", "Accused false", "RolledBack", "Resigned", "Aborted void", "Aborted durak", "DealVoid",
    "Transferred", "Shown", "Led several", "BoutBeaten", "BoutTaken", "WentOut", "TrumpOpened", "HandsOpened",
}  # fmt: skip
"""What must happen in some golden game."""


@pytest.fixture(autouse=True)
def _fastest() -> Iterator[None]:
    before = group.backend()
    choose_backend(os.environ)
    yield
    group.use_backend(before)


def read(name: str) -> bytes:
    return (FOLDER / f"{name}.durak").read_bytes()


def test_the_files_are_those_expected() -> None:
    files = {path.stem: path.read_bytes() for path in FOLDER.glob("*.durak")}
    assert len(files) >= 40
    assert sum(map(len, files.values())) <= LARGEST
    assert {name: hashlib.sha256(data).hexdigest() for name, data in files.items()} == {
        name: expected["sha256"] for name, expected in EXPECTED.items()
    }


def test_every_variant_and_ending_is_there() -> None:
    assert set().union(*(expected["events"] for expected in EXPECTED.values())) >= SHOWN
    options = [expected["options"] for expected in EXPECTED.values()]
    chosen = {(name, value) for one in options for name, value in one.items()}
    assert {value for name, value in chosen if name == "seats"} == {2, 3, 4, 5, 6}
    assert {value for name, value in chosen if name == "deck"} == {24, 36, 52}
    assert {value for name, value in chosen if name == "teams"} == {"off", "2v2", "3v3", "2v2v2"}
    for name in ("show_transfer", "cheating", "throw_after_take", "open_after", "series"):
        assert {(name, False), (name, True)} <= chosen
    assert ("throwers", "neighbours") in chosen
    assert ("lead", "several") in chosen
    assert ("first_limit", 0) in chosen
    assert {(one["deck"], one["seats"]) for one in options} >= {(24, 4), (36, 6)}, "tables without a talon"
    codes = {expected["code"] for expected in EXPECTED.values()}
    assert codes == {Code.VALID, Code.UNFINISHED, Code.VOID, Code.PROVEN}


def _by_speed(number: int, name: str) -> ParameterSet:
    """Without the C library two of three wait for the slow tests."""
    waits = number % 3 and sodium.find() is None
    return pytest.param(name, marks=[pytest.mark.slow] if waits else [])


@pytest.mark.parametrize("name", [_by_speed(number, name) for number, name in enumerate(NAMES)])
def test_judged_as_always(name: str) -> None:
    assert pinned(read(name)) == EXPECTED[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["2x24-lot", "2x24-false", "3x24-abort-durak", "proven-bad-proof"])
def test_both_backends_write_and_judge_the_same_bytes(name: str) -> None:
    (golden,) = (golden for golden in GOLDEN if golden.name == name)
    group.use_backend(PURE)
    assert play(golden, {}).export() == read(name)
    assert pinned(read(name)) == EXPECTED[name]


def test_one_changed_byte_is_never_a_valid_game() -> None:
    """The replay has teeth: any flipped byte of a finished game, and the verdict is another."""
    data = read("2x24-resign-lead")
    course = Course(deck)
    for at in range(7, len(data), len(data) // 25):
        spoilt = data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]
        assert judge_file(spoilt, course).code >= Code.PROVEN, at
