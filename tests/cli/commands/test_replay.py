"""`durak replay` as a process: typed into, by itself, as a page and as JSON; what it does not overwrite."""

from __future__ import annotations

import json
import time

import pytest

from cli.exits import Exit
from ledger.evidence import case_of
from tests.cli.commands.running import Running, durak
from tests.disputes import dispute


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "whole.durak"
    path.write_bytes(dispute("resigned").log.export())
    return path


def test_typed_into(tmp_path, whole):
    done = durak(tmp_path, "replay", str(whole), typed="\n\nback\ntable\n1\nquit\n")
    assert done.returncode == 0
    assert done.stdout.count("Bout 1\n") == 3
    assert done.stderr == ""


def test_by_itself_without_anybody_at_the_keyboard(tmp_path, whole):
    began = time.monotonic()
    done = durak(tmp_path, "replay", str(whole), "--auto", "--pace", "0.2")
    assert done.returncode == 0
    assert "How it ends" in done.stdout
    assert time.monotonic() - began > 0.8, "it waits between steps"
    assert durak(tmp_path, "replay", str(whole), "--auto", "--pace", "0").stdout == done.stdout


def test_by_itself_until_somebody_types(tmp_path, whole):
    with Running(tmp_path, "replay", str(whole), "--auto", "--pace", "3600") as running:
        stdin, stdout = running.process.stdin, running.process.stdout
        assert stdin is not None
        assert stdout is not None
        for _ in range(3):
            stdout.readline()
        for typed in ("\n", "1\n", "auto\n", "quit\n"):
            stdin.write(typed)
            stdin.flush()
        assert "Bout 1\n" in stdout.read()
        assert running.ended() == (0, "")


@pytest.mark.parametrize("pace", ["-1", "3601", "nan", "inf", "fast"])
def test_a_pace_that_is_none(tmp_path, whole, pace):
    assert durak(tmp_path, "replay", str(whole), "--pace", pace).returncode == Exit.USAGE


def test_a_page_is_written_and_nothing_is_overwritten(tmp_path, whole):
    page = tmp_path / "page.html"
    assert durak(tmp_path, "replay", str(whole), "--html", str(page)).returncode == 0
    written = page.read_bytes()
    assert written.startswith(b"<!")
    for there in (page, whole, tmp_path):
        done = durak(tmp_path, "replay", str(whole), "--html", str(there))
        assert (done.returncode, "exists already" in done.stderr) == (Exit.IO, True)
    assert page.read_bytes() == written
    assert whole.read_bytes() == dispute("resigned").log.export()


def test_a_page_of_a_damaged_log_says_so_and_ends_with_the_verdict(tmp_path, whole):
    data = whole.read_bytes()
    for name, file, code in (
        ("torn", data[:-5], Exit.MALFORMED),
        ("changed", data[:-60] + bytes([data[-60] ^ 1]) + data[-59:], Exit.MALFORMED),
        ("offence", dispute("forbidden move").log.export(), Exit.PROVEN),
        ("open", dispute("unfinished").log.export(), Exit.OK),
    ):
        (tmp_path / f"{name}.durak").write_bytes(file)
        done = durak(
            tmp_path, "replay", str(tmp_path / f"{name}.durak"), "--html", str(tmp_path / f"{name}.html")
        )
        judged = durak(tmp_path, "verify", str(tmp_path / f"{name}.durak"))
        assert done.returncode == code, name
        assert (tmp_path / f"{name}.html").exists()
        if code is not Exit.OK:
            assert judged.returncode == code
            assert judged.stdout.splitlines()[0] in done.stdout, name


def test_what_is_no_log_makes_no_page(tmp_path):
    (tmp_path / "x.durak").write_bytes(b"hello")
    log = dispute("fork").log
    (tmp_path / "x.durakcase").write_bytes(case_of(log, log.fault))
    for name, code in (("x.durak", Exit.MALFORMED), ("x.durakcase", Exit.INSUFFICIENT), ("none", Exit.IO)):
        for words in (("--html", str(tmp_path / "page.html")), ("--json",), ("--all",)):
            done = durak(tmp_path, "replay", str(tmp_path / name), *words)
            assert done.returncode == code, (name, words)
            assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "page.html").exists()


def test_as_json_it_is_the_film_of_the_page(tmp_path, whole):
    done = durak(tmp_path, "replay", str(whole), "--json")
    film = json.loads(done.stdout)
    assert film["verdict"]["code"] == "valid"
    assert len(film["frames"]) == dispute("resigned").log.height + 1
    assert durak(tmp_path, "--lang", "de", "replay", str(whole), "--json").stdout == done.stdout


def test_a_case_is_a_story_up_to_its_offence(tmp_path):
    log = dispute("forbidden move").log
    (tmp_path / "x.durakcase").write_bytes(case_of(log, log.fault))
    done = durak(tmp_path, "replay", str(tmp_path / "x.durakcase"), "--all")
    assert done.returncode == 0
    assert "does not beat" in done.stdout.splitlines()[-2]
    film = json.loads(durak(tmp_path, "replay", str(tmp_path / "x.durakcase"), "--json").stdout)
    assert film["verdict"]["code"] == "proven"
    assert len(film["frames"]) == log.height + 1
