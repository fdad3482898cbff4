"""Hostile files and surroundings: attacks 69, 71 and 73; 60 to 68, 70 and 72 stand with their modules."""

from __future__ import annotations

import ast
import json
import locale
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

import ledger
from ledger.codec import encode
from ledger.entry import MAX_HEIGHTS
from ledger.evidence import case_of
from ledger.verdict import Code
from ledger.verify import judge_file
from tests.ledger.table import Table
from tests.ledger.toy import TURN, Toy

ROOT = Path(__file__).parents[2]
PURE = sorted(path for path in Path(ledger.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.stem)
def test_attack_69_no_clock_can_jump_for_no_module_has_one(path: Path) -> None:
    """Nor dice, nor floats, nor the iteration order of sets."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert not {"time", "datetime", "random", "secrets", "locale"} & {
                name.name for name in node.names
            }
        if isinstance(node, ast.ImportFrom):
            assert node.module not in ("time", "datetime", "random", "secrets", "locale")
        assert not (isinstance(node, ast.Constant) and type(node.value) is float)
        assert not (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and "Path" not in path.read_text()
        )
        if isinstance(node, ast.For | ast.comprehension):
            assert not isinstance(node.iter, ast.Set | ast.SetComp)


def test_attack_71_a_case_with_a_huge_header_or_nested_bombs() -> None:
    table = Table.of(2)
    genesis = table.genesis.to_bytes()
    for header in (
        encode((b"durak-case", 1, b"F_FORK" * 5000, 0, 1)),
        encode((b"durak-case", 1, (((b"",),),), 0, 1)),
        encode((b"durak-case", 1, b"F_FORK", 2**63, 1)),
        b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x81" * 70_000,
    ):
        verdict = judge_file(header + genesis, Toy())
        assert verdict.code == Code.MALFORMED
        assert verdict.fault is None


def test_attack_71_names_like_paths_stay_names() -> None:
    """Nothing in a case is ever a path: a name goes in and out as it is."""
    from dataclasses import replace

    from ledger.log import Log
    from tests.ledger.table import seat_record

    genesis = Table.of(2).genesis
    genesis = replace(genesis, seats=(seat_record(0, name="../../../etc/passwd"), genesis.seats[1]))
    table = Table(genesis, Log(Toy(), genesis), Table.of(2).keys)
    table.play()
    table.act(1, TURN, (1,))
    assert table.log.fault is not None
    verdict = judge_file(case_of(table.log, table.log.fault), Toy())
    assert verdict.code == Code.PROVEN
    assert "passwd" not in json.dumps(verdict.to_json())


class Flood:
    """A file without end through its `read`: a beginning, then well-signed records of no known history."""

    def __init__(self, beginning: bytes, table: Table, records: int) -> None:
        self._beginning, self._table, self._left = beginning, table, records
        self.given = 0

    def read(self, count: int) -> bytes:
        if self._beginning:
            part, self._beginning = self._beginning, b""
            return part
        if not self._left:
            return b""
        self._left -= 1
        self.given += 1
        body = self._table.body(self.given % 2, TURN, (1,))
        prev = self.given.to_bytes(32, "big")
        return self._table.sign(self.given % 2, body, prev=prev, height=1)


@pytest.mark.parametrize("what", ["log", "case of a fork", "case of a turn"])
def test_attack_71_signed_records_without_end_are_not_hoarded(what: str) -> None:
    """Who has keys of a game of his own can sign as many as he likes."""
    table = Table.of(2)
    table.play()
    genesis = table.genesis.to_bytes()
    beginning = {
        "log": table.log.export(),
        "case of a fork": encode((b"durak-case", 1, b"F_FORK", 0, 1)) + genesis,
        "case of a turn": encode((b"durak-case", 1, b"I_TURN", 1, 1)) + genesis,
    }[what]
    most = 10 if what == "log" else MAX_HEIGHTS * 2 + 3
    few = Flood(beginning, table, 5)
    judge_file(few.read, Toy())
    flood = Flood(beginning, table, 2 * most)
    tracemalloc.start()
    try:
        verdict = judge_file(flood.read, Toy())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert verdict.code == Code.MALFORMED
    assert flood.given <= most + 1100, "the rest of the file is not even read"
    assert peak < 2 << 20


SCRIPT = """
import json, sys
from ledger.verify import judge_file
from tests.ledger.toy import Toy
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        print(json.dumps(judge_file(file.read, Toy()).to_json(), sort_keys=True))
"""


def test_attack_73_the_same_verdict_under_every_flag_hash_seed_and_locale(tmp_path: Path) -> None:
    table = Table.of(3)
    table.play(5)
    (tmp_path / "open").write_bytes(table.log.export())
    table.act(2, TURN, (1,))
    assert table.log.fault is not None
    (tmp_path / "halted").write_bytes(table.log.export())
    (tmp_path / "case").write_bytes(case_of(table.log, table.log.fault))
    (tmp_path / "garbage").write_bytes(table.log.export() + b"\0")
    files = [str(tmp_path / name) for name in ("open", "halted", "case", "garbage")]
    answers = set()
    for flags, changes in (
        ([], {}),
        (["-O"], {"PYTHONHASHSEED": "0"}),
        (["-OO"], {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"}),
        (["-X", "utf8=0"], {"PYTHONHASHSEED": "4242", "LC_ALL": "C", "LANG": "C"}),
    ):
        done = subprocess.run(
            [sys.executable, *flags, "-c", SCRIPT, *files],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env=os.environ | changes,
        )
        answers.add(done.stdout)
    assert len(answers) == 1
    assert [json.loads(line)["code"] for line in answers.pop().splitlines()] == [3, 10, 10, 20]
    assert locale.getlocale() is not None
