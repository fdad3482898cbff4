"""`durak verify` on real logs: 0 for the whole, never 0, 1 or 70 for anything changed."""

from __future__ import annotations

import json
import random

import pytest

from cli.engine import course
from cli.exits import Exit
from cli.judging import judge
from game.options import Options
from game.series import previous_of
from ledger.log import HEADER
from ledger.recovery import recover
from tests.cli.commands.running import durak
from tests.logs import play_log, real_log
from tests.tables import options_of

pytestmark = pytest.mark.usefixtures("fast")

CHANGED = {Exit.PROVEN, Exit.MALFORMED, Exit.UNSUPPORTED}


@pytest.fixture(scope="module")
def whole():
    return real_log(2).export()


@pytest.fixture
def verify(run, tmp_path):
    def call(data, *words):
        (tmp_path / "x.durak").write_bytes(data)
        code, out, _ = run("verify", tmp_path / "x.durak", *words)
        return code, out

    return call


def test_a_finished_game_is_valid(verify, whole):
    code, out = verify(whole)
    assert code == Exit.OK
    assert out.startswith("Valid and finished: every signature, every proof and every rule holds.\n")
    assert "The durak is Player" in out or "A draw" in out


def test_the_report_has_stable_keys(verify, whole):
    code, out = verify(whole, "--json")
    report = json.loads(out)
    assert (report["verdict"], report["code"], code) == ("valid", 0, 0)
    assert list(report) == [
        "kind", "verdict", "code", "reason", "offset", "height", "game", "rules", "status", "heights",
        "entries", "head", "ended", "waiting_for", "result_stands", "accused", "offence", "limits",
        "result", "options", "seats", "previous",
    ]  # fmt: skip
    assert report["game"] == real_log(2).game_id.hex()
    assert report["waiting_for"] == []


def test_both_backends_say_the_same(tmp_path, whole):
    (tmp_path / "x.durak").write_bytes(whole)
    said = {durak(tmp_path, "verify", str(tmp_path / "x.durak"), "--json", DURAK_BACKEND=name).stdout
            for name in ("pure", "sodium")}  # fmt: skip
    assert len(said) == 1


def boundaries(data):
    recovered = recover(data)
    at = recovered.start
    for entry in recovered.entries:
        yield at
        at += len(entry.record)


def test_every_beginning_that_ends_on_a_record_is_unfinished(whole):
    ends = [*boundaries(whole)]
    for end in ends[:: max(1, len(ends) // 12)]:
        report = judge(whole[:end])
        assert report.code == Exit.UNFINISHED, end
    assert judge(whole[: ends[-1]]).code == Exit.OK, "play is over; only a secret is missing"


def test_every_other_beginning_is_malformed(whole):
    ends = {*boundaries(whole), len(whole)}
    dice = random.Random(1)
    for end in sorted(dice.sample(range(len(whole)), 30)):
        if end not in ends:
            assert judge(whole[:end]).code in {Exit.MALFORMED, Exit.UNSUPPORTED}, end


def flipped(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_no_sampled_flip_of_one_bit_passes(whole):
    dice = random.Random(2)
    begin = [*boundaries(whole)]
    places = [*range(len(HEADER)), *dice.sample(range(len(HEADER), begin[0]), 12),
              *dice.sample(range(begin[0], len(whole)), 24)]  # fmt: skip
    for place in places:
        code = judge(flipped(whole, 8 * place + dice.randrange(8))).code
        assert code in CHANGED, place


@pytest.mark.exhaustive
def test_no_flip_of_one_bit_of_any_byte_passes(whole):
    dice = random.Random(3)
    for place in range(len(whole)):
        assert judge(flipped(whole, 8 * place + dice.randrange(8))).code in CHANGED, place


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"not a log", HEADER, HEADER + b"\x80", b"\xff" * 5000])
def test_what_is_no_log_is_malformed(verify, data):
    code, out = verify(data)
    assert code == Exit.MALFORMED
    assert out.startswith("Malformed: ")
    assert json.loads(verify(data, "--json")[1])["verdict"] == "malformed"


def test_bytes_after_the_end_are_malformed(whole):
    for tail in (b"\0", b"\0" * 4096, whole[-300:], b"x"):
        assert judge(whole + tail).code == Exit.MALFORMED


def test_a_file_of_another_version_is_unsupported_not_invalid(verify, whole):
    other = HEADER[:-1] + b"\x02" + whole[len(HEADER) :]
    code, out = verify(other)
    assert code == Exit.UNSUPPORTED
    assert "It may well be valid" in out


def test_the_open_deck_of_tests_is_unsupported(verify):
    assert verify(play_log(options_of(seats=2)).export())[0] == Exit.UNSUPPORTED


def test_the_game_before_is_checked(verify, whole, tmp_path):
    first = real_log(2)
    people = tuple(seat.identity_key for seat in first.genesis.seats)
    previous = previous_of(first.genesis, first.state, first.ended.digest, people=people)
    (tmp_path / "first.durak").write_bytes(whole)
    second = play_log(Options(seats=2), course=course(), label="second", previous=previous, heights=8)
    before = ("--previous", str(tmp_path / "first.durak"))
    assert verify(second.export(), *before)[0] == Exit.UNFINISHED
    lied = previous.__class__(previous.game_id, previous.digest, None, previous.wins, previous.losses)
    if lied != previous:
        other = play_log(Options(seats=2), course=course(), label="second", previous=lied, heights=8)
        assert verify(other.export(), *before)[0] == Exit.REFUTED
    assert verify(whole, *before)[0] == Exit.INSUFFICIENT
