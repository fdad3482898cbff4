"""`diff`, `merge`, `explain`, `audit`: what two people do when they do not agree about a game."""

from __future__ import annotations

import json

import pytest

from cli.engine import course
from cli.exits import Exit
from game import kinds
from game.options import Options
from ledger.entry import sign_entry
from ledger.evidence import case_of
from ledger.identity import game_key
from ledger.recovery import recover
from tests.logs import play_log, real_log
from tests.tables import seed_of

pytestmark = pytest.mark.usefixtures("fast")


@pytest.fixture
def whole(tmp_path):
    path = tmp_path / "whole.durak"
    path.write_bytes(real_log(2).export())
    return path


def beginning(entries):
    """The file with only the first entries of the finished game."""
    data = real_log(2).export()
    recovered = recover(data)
    return data[: recovered.start + sum(len(entry.record) for entry in recovered.entries[:entries])]


@pytest.fixture
def forked(tmp_path):
    """The same game, in which the leader signed a second lead."""
    log = play_log(Options(seats=2), course=course(), label="real", heights=0)
    for entry in real_log(2).entries():
        if entry.kind == kinds.LEAD:
            body = log.draft(entry.seat, kinds.RESIGN, ())
            log.receive(entry.record)
            log.receive(sign_entry(game_key(seed_of(f"real {entry.seat}")), body))
            break
        log.receive(entry.record)
    path = tmp_path / "forked.durak"
    path.write_bytes(log.export())
    return path, log


def test_the_same_log_does_not_differ(run, whole):
    code, out, _ = run("diff", whole, whole)
    assert code == Exit.OK
    assert out.startswith("The two logs hold the same.\n")


def test_a_log_that_lacks_something(run, whole, tmp_path):
    (tmp_path / "short.durak").write_bytes(beginning(12))
    code, out, _ = run("diff", tmp_path / "short.durak", whole)
    assert code == Exit.UNFINISHED
    assert "Entries only in the first: 0;" in out
    report = json.loads(run("diff", whole, tmp_path / "short.durak", "--json")[1])
    assert report["verdict"] == "prefix"
    assert report["only_right"] == 0


def test_a_fork_between_two_logs(run, whole, forked):
    path, log = forked
    code, out, _ = run("diff", whole, path)
    assert code == Exit.PROVEN
    assert "signed two different entries" in out
    assert log.fault is not None


def test_logs_of_two_games_have_nothing_to_do_with_each_other(run, whole, tmp_path):
    (tmp_path / "other.durak").write_bytes(play_log(Options(seats=2), course=course(), heights=4).export())
    for command in (("diff", whole, tmp_path / "other.durak"),
                    ("merge", whole, tmp_path / "other.durak", "-o", tmp_path / "out.durak")):  # fmt: skip
        code, _, err = run(*command)
        assert (code, err) == (Exit.INSUFFICIENT, "These are logs of two different games.\n")
    assert not (tmp_path / "out.durak").exists()


def test_merging_a_part_into_the_whole_gives_the_whole(run, whole, tmp_path):
    (tmp_path / "short.durak").write_bytes(beginning(12))
    out = tmp_path / "merged.durak"
    assert run("merge", tmp_path / "short.durak", whole, "-o", out)[0] == Exit.OK
    assert out.read_bytes() == whole.read_bytes()
    assert run("merge", whole, whole, "-o", out)[0] == Exit.IO, "an existing file stays"


def test_explaining_a_height_reads_like_a_referees_note(run, whole):
    code, out, _ = run("explain", whole, "--height", "0")
    assert code == Exit.OK
    assert out.startswith(f"Height 0 of {real_log(2).height}. The table before it:\n")
    assert "Asked: Player 0 and Player 1, to agree to the table.\n" in out
    assert "Player 1 signed: agree to the table. (key " in out
    assert "  Everybody has agreed to the table." in out
    for height in range(1, real_log(2).height, 9):
        assert run("explain", whole, "--height", str(height))[0] == Exit.OK
    assert "Nothing was due any more." in run("explain", whole)[1].splitlines()


@pytest.mark.parametrize("height", ["-1", "4000", "x"])
def test_explaining_what_is_not_there(run, whole, height):
    assert run("explain", whole, "--height", height)[0] == Exit.USAGE


def test_explaining_a_fork_goes_to_it_by_itself(run, forked):
    path, log = forked
    out = run("explain", path)[1]
    assert out.startswith(f"Height {log.fault.height} of ")
    assert "signed two different entries" in out
    assert "  One of them: " in out
    assert "  The other: " in out


def test_a_case_is_verified_with_nothing_else(run, forked, tmp_path):
    _, log = forked
    (tmp_path / "x.durakcase").write_bytes(case_of(log, log.fault))
    code, out, _ = run("verify", tmp_path / "x.durakcase")
    assert code == Exit.PROVEN
    assert out.startswith("Proven: ")
