"""A verifier in another language, written from docs/protocol.md alone, agrees with ours on any log.

It knows no rules and no `state`: signatures, the chain and every proof are its business.
"""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from game import kinds
from game.course import Course
from game.mental_poker import deck
from game.mental_poker.backend import L
from game.mental_poker.transcript import Secrets
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

OPENING = (kinds.OPEN, kinds.LEAD, kinds.BEAT, kinds.TRANSFER, kinds.SHOW, kinds.THROW)
"""Kinds that may carry tokens and a proof as their last item."""
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


@pytest.fixture(scope="module")
def passing() -> Game:
    """A game with every kind of entry that carries a proof, transfers and shown trumps among them."""
    options = options_of(seats=2, deck=24, variant="transfer", show_transfer=True)
    return Game("passing 2", play(options, "passing 2")[0].log)


def judged_by_the_other(folder: Path, files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    paths = []
    for name, data in files.items():
        path = folder / f"{name}.durak"
        path.write_bytes(data)
        paths.append(str(path))
    halves = [
        subprocess.Popen(["node", str(HERE / "verify.mjs"), *half], stdout=subprocess.PIPE, text=True)
        for half in (paths[::2], paths[1::2])
    ]
    said = "".join(half.communicate()[0] for half in halves)
    assert [half.returncode for half in halves] == [0, 0]
    verdicts = [json.loads(line) for line in said.splitlines()]
    assert len(verdicts) == len(files)
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


def other_scalar(value: object, at: int, change: Callable[[int], int]) -> object:
    """The same bytes with the 32 of them at `at` read as a scalar and changed."""
    assert isinstance(value, bytes)
    changed = change(int.from_bytes(value[at : at + 32], "little"))
    return value[:at] + changed.to_bytes(32, "little") + value[at + 32 :]


def zero(value: object, at: int) -> object:
    """O where a point stands, 0 where a scalar does."""
    return other_scalar(value, at, lambda _: 0)


def not_reduced(value: object, at: int) -> object:
    """The same scalar once more, L too large."""
    return other_scalar(value, at, lambda scalar: scalar + L)


def bent_payloads(kind: int, payload: tuple[object, ...]) -> list[tuple[object, ...]]:
    """What an entry with proofs could say instead, one bit of every part changed."""
    match kind:
        case kinds.OPEN_KEYS | kinds.SHUFFLE | kinds.NO_LOWER | kinds.SECRETS:
            return [
                (*payload[:part], spoil(payload[part], 40 * part), *payload[part + 1 :])
                for part in range(len(payload))
            ]
        case kinds.TOKENS:
            places, tokens, proof = payload
            return [(places, spoil(tokens, 3), proof), (places, tokens, spoil(proof, 40))]
        case _ if kind in OPENING and payload[-1] is not None:
            tokens, proof = payload[-1]  # type: ignore[misc]
            openings = [(spoil(tokens, 5), proof), (tokens, spoil(proof, 33))]
            return [(*payload[:-1], opening) for opening in openings]
    return []


def spoiled_payloads(kind: int, payload: tuple[object, ...]) -> list[tuple[object, ...]]:
    """The same with zeros, the identity and scalars beyond L in every place of its kind."""

    def put(part: int, value: object) -> tuple[object, ...]:
        part %= len(payload)
        return (*payload[:part], value, *payload[part + 1 :])

    made = bent_payloads(kind, payload)
    match kind:
        case kinds.SHUFFLE:
            made += [put(0, zero(payload[0], at)) for at in (0, 32)]
            made += [put(1, zero(payload[1], at)) for at in (0, 32, 64, 96, 128, 32 * 40)]
            made += [put(1, not_reduced(payload[1], at)) for at in (96, 32 * 50)]
        case kinds.NO_LOWER:
            made += [put(0, zero(payload[0], at)) for at in (0, 32, 64, 96)]
            made += [put(0, not_reduced(payload[0], at)) for at in (0, 64, 96)]
        case kinds.SECRETS:
            made += [put(0, zero(payload[0], 0)), put(0, not_reduced(payload[0], 0))]
        case kinds.TOKENS:
            made += [put(1, zero(payload[1], 32)), *(put(2, zero(payload[2], at)) for at in (0, 32))]
            made += [put(2, not_reduced(payload[2], at)) for at in (0, 32)]
        case _ if made and kind in OPENING:
            tokens, proof = payload[-1]  # type: ignore[misc]
            made += [
                put(-1, opening)
                for opening in (
                    (zero(tokens, 0), proof),
                    (tokens, zero(proof, 32)),
                    (tokens, not_reduced(proof, 0)),
                )
            ]
    return made


def test_spoiled_proofs_are_proven_against_their_seat(
    tmp_path: Path, games: list[Game], passing: Game
) -> None:
    files = {}
    spoilt_kinds = set()
    for game in (*games[:2], passing):
        spoiling = spoiled_payloads if game is passing else bent_payloads
        entries = list(game.log.entries())
        seen = set()
        for index, entry in enumerate(entries):
            if entry.kind in seen:
                continue
            spoiled = spoiling(entry.kind, entry.payload)
            if spoiled:
                seen.add(entry.kind)
            for number, changed in enumerate(spoiled):
                assert changed != entry.payload
                name = f"{game.label} {kinds.NAMES[entry.kind]} {index} {number}"
                before = [earlier.record for earlier in entries[:index] if earlier.height < entry.height]
                files[name] = game.file([*before, game.signed(entry, payload=changed)])
        spoilt_kinds |= seen
    proving = {kinds.OPEN_KEYS, kinds.SHUFFLE, kinds.TOKENS, kinds.NO_LOWER, kinds.SECRETS, *OPENING}
    assert seen == spoilt_kinds == proving
    assert len(files) > 80
    verdicts = judged_by_the_other(tmp_path, files)
    assert {verdict["verdict"] for verdict in verdicts.values()} == {"forbidden"}
    agree(files, verdicts)


def test_true_proofs_whose_sums_are_the_identity_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Masks of zero give their maker away and nobody else: such a log is valid, to both verifiers."""
    kept = ("mask", "r", "sD")  # of the cards themselves, and what keeps V and Delta from being O
    monkeypatch.setattr(
        Secrets,
        "nonce",
        lambda self, label, index=0: self.secret(label, index) % L if label in kept else 0,
    )
    peers = play(options_of(seats=2, deck=24), "second 0")
    files = {"without masks": peers[0].log.export()}
    verdicts = judged_by_the_other(tmp_path, files)
    assert verdicts["without masks"]["verdict"] == "holds"
    agree(files, verdicts)
    assert judge_file(files["without masks"], Course(deck)).code is Code.VALID


def test_golden_logs(tmp_path: Path) -> None:
    """All of them: a six-seat table takes the other verifier some three seconds."""
    files = {path.stem: path.read_bytes() for path in sorted(GOLDEN.glob("*.durak"))}
    assert len(files) >= 40
    verdicts = judged_by_the_other(tmp_path, files)
    assert {verdict["verdict"] for verdict in verdicts.values()} == {"holds", "fork", "forbidden"}
    agree(files, verdicts)
