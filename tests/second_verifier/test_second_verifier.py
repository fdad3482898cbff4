"""A verifier in another language, written from docs/protocol.md alone, agrees with ours on any log.

It knows no rules and no `state`: signatures, the chain and every proof are its business.
"""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from game import kinds
from game.course import Course
from game.mental_poker import deck
from ledger.entry import Body, Entry, sign_entry
from ledger.identity import game_key
from ledger.log import HEADER, Log
from ledger.verdict import Code
from ledger.verify import judge_file
from tests.recorded import play
from tests.tables import options_of, seed_of

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.skipif(
        not (HERE / "node_modules").exists(), reason="run `npm ci` in tests/second_verifier first"
    ),
]

AGREES = {
    "holds": {Code.VALID, Code.UNFINISHED, Code.VOID},
    "forbidden": {Code.PROVEN},
    "fork": {Code.PROVEN},
    "malformed": {Code.MALFORMED},
}


@dataclass(frozen=True)
class Game:
    """A recorded game, and the label its seeds come from."""

    label: str
    log: Log[Any]

    def file(self, entries: list[bytes]) -> bytes:
        return b"".join((HEADER, self.log.genesis.to_bytes(), *entries))

    def signed(self, entry: Entry, **changed: object) -> bytes:
        """The entry again with other contents, well signed by its own seat."""
        body: Body = dataclasses.replace(entry.body, **changed)  # type: ignore[arg-type]
        return sign_entry(game_key(seed_of(f"{self.label} {entry.seat}")), body)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    tables = [options_of(seats=2, deck=24), options_of(seats=3, deck=24), options_of(seats=6)]
    return [
        Game(f"second {number}", play(options, f"second {number}")[0].log)
        for number, options in enumerate(tables)
    ]


def judged_by_the_other(folder: Path, files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    paths = []
    for name, data in files.items():
        path = folder / f"{name}.durak"
        path.write_bytes(data)
        paths.append(str(path))
    done = subprocess.run(
        ["node", str(HERE / "verify.mjs"), *paths], capture_output=True, text=True, check=True
    )
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    return {Path(verdict["file"]).stem: verdict for verdict in verdicts}


def agree(files: dict[str, bytes], verdicts: dict[str, dict[str, Any]]) -> None:
    course = Course(deck)
    for name, data in files.items():
        ours, theirs = judge_file(data, course), verdicts[name]
        assert ours.code in AGREES[theirs["verdict"]], (name, ours.code, theirs)
        if ours.code is Code.PROVEN:
            assert ours.fault is not None
            assert (ours.fault.seat, ours.fault.height) == (theirs["seat"], theirs["height"]), name


def test_sound_logs_whole_and_cut_between_records(tmp_path: Path, games: list[Game]) -> None:
    files = {}
    for game in games:
        records = list(game.log.records())
        files[f"{game.label} whole"] = game.file(records)
        for share in (0.1, 0.7):
            files[f"{game.label} {share}"] = game.file(records[: int(share * len(records))])
    verdicts = judged_by_the_other(tmp_path, files)
    assert {verdict["verdict"] for verdict in verdicts.values()} == {"holds"}
    agree(files, verdicts)


def test_flipped_bytes(tmp_path: Path, games: list[Game]) -> None:
    dice = random.Random(4)
    data = games[1].log.export()
    files = {}
    for number in range(40):
        at = dice.randrange(len(data))
        files[f"flip {number}"] = data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]
    verdicts = judged_by_the_other(tmp_path, files)
    assert "holds" not in {verdict["verdict"] for verdict in verdicts.values()}
    course = Course(deck)
    for name, file in files.items():
        code = judge_file(file, course).code
        if code is not Code.UNSUPPORTED:  # another version: the other verifier has one word for both
            assert code in AGREES[verdicts[name]["verdict"]], name


def test_spoiled_signatures_chain_and_forks(tmp_path: Path, games: list[Game]) -> None:
    game = games[0]
    entries = list(game.log.entries())
    records = [entry.record for entry in entries]
    middle = len(entries) // 2
    other = games[1].log.entries()[3].record
    files = {
        "signature": game.file([*records[:middle], records[middle][:-1] + b"\0", *records[middle + 1 :]]),
        "other game": game.file([*records[:middle], other, *records[middle:]]),
        "twice": game.file([*records[:middle], records[middle - 1], *records[middle:]]),
        "missing": game.file([*records[:middle], *records[middle + 1 :]]),
        "chain": game.file([*records[:middle], game.signed(entries[middle], prev=bytes(32))]),
        "fork": game.file([*records, game.signed(entries[middle], state=bytes(16))]),
    }
    verdicts = judged_by_the_other(tmp_path, files)
    found = {name: verdict["verdict"] for name, verdict in verdicts.items()}
    assert found == dict.fromkeys(files, "malformed") | {"fork": "fork"}
    agree(files, verdicts)


def spoil(value: object, at: int) -> object:
    """The same bytes with one bit of one byte changed."""
    assert isinstance(value, bytes)
    at %= len(value)
    return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]


def test_spoiled_proofs_are_proven_against_their_seat(tmp_path: Path, games: list[Game]) -> None:
    files = {}
    for game in games[:2]:
        entries = list(game.log.entries())
        seen: dict[int, int] = {}
        for index, entry in enumerate(entries):
            seen[entry.kind] = seen.get(entry.kind, 0) + 1
            if seen[entry.kind] > 1:
                continue
            payload = entry.payload
            spoiled: list[tuple[object, ...]] = []
            match entry.kind:
                case kinds.OPEN_KEYS | kinds.SHUFFLE | kinds.NO_LOWER | kinds.SECRETS:
                    spoiled = [
                        (*payload[:part], spoil(payload[part], 40 * part), *payload[part + 1 :])
                        for part in range(len(payload))
                    ]
                case kinds.TOKENS:
                    spoiled = [
                        (payload[0], spoil(payload[1], 3), payload[2]),
                        (payload[0], payload[1], spoil(payload[2], 40)),
                    ]
                case kinds.LEAD | kinds.BEAT | kinds.THROW | kinds.OPEN if payload[-1] is not None:
                    tokens, proof = payload[-1]  # type: ignore[misc]
                    spoiled = [
                        (*payload[:-1], (spoil(tokens, 5), proof)),
                        (*payload[:-1], (tokens, spoil(proof, 33))),
                    ]
            for number, changed in enumerate(spoiled):
                name = f"{game.label} {kinds.NAMES[entry.kind]} {index} {number}"
                before = [earlier.record for earlier in entries[:index] if earlier.height < entry.height]
                files[name] = game.file([*before, game.signed(entry, payload=changed)])
    assert len(files) > 25
    verdicts = judged_by_the_other(tmp_path, files)
    assert {verdict["verdict"] for verdict in verdicts.values()} == {"forbidden"}
    agree(files, verdicts)


def test_golden_logs(tmp_path: Path) -> None:
    """All small ones and the largest two: a six-seat table takes the other verifier some three seconds."""
    paths = sorted(GOLDEN.glob("*.durak"), key=lambda path: path.stat().st_size)
    chosen = [path for path in paths if path.stat().st_size < 45_000] + paths[-2:]
    files = {path.stem: path.read_bytes() for path in chosen}
    assert len(files) >= 30
    verdicts = judged_by_the_other(tmp_path, files)
    assert {verdict["verdict"] for verdict in verdicts.values()} == {"holds", "fork", "forbidden"}
    agree(files, verdicts)
