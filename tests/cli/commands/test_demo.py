"""`durak demo`: one command, as many processes as seats, a whole game, a verdict, equal exports."""

from __future__ import annotations

import re

import pytest

from tests.cli.commands.running import durak


def whole(tmp_path, *words):
    out = tmp_path / "out"
    done = durak(tmp_path / "home", "demo", *words, "--out", str(out))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert not (tmp_path / "home").exists()
    return done.stdout, sorted(out.iterdir())


def check_story(said, seats):
    assert "Next: everybody shuffles." in said
    assert len(re.findall(r"Peer \d shuffled the deck and proved it", said)) == seats
    assert "The game is over." in said
    assert "byte for byte the same" in said
    assert re.search(r"verified by a process without secrets in \d+\.\d\d s: valid\n", said)


def test_two_seats(tmp_path):
    said, files = whole(tmp_path, "--seats", "2")
    check_story(said, 2)
    assert [file.name for file in files] == ["seat-0.durak", "seat-1.durak"]
    assert files[0].read_bytes() == files[1].read_bytes()
    for file in files:
        assert durak(tmp_path, "verify", str(file)).returncode == 0
        sheet = durak(tmp_path, "rules", str(file)).stdout.splitlines()
        assert any(line.startswith("36 cards, 2 seats") for line in sheet)


def test_every_run_is_another_game(tmp_path):
    first, second = (whole(tmp_path / run, "--deck", "24", "--seats", "2")[1][0] for run in ("1", "2"))
    assert first.read_bytes() != second.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    ("--seats", "6"), ("--seats", "4", "--deck", "24"), ("--seats", "3", "--deck", "52"),
    ("--level", "normal"),
], ids=" ".join)  # fmt: skip
def test_other_tables(tmp_path, words):
    said, files = whole(tmp_path, *words)
    check_story(said, len(files))
    assert len({file.read_bytes() for file in files}) == 1
