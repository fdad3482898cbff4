"""`durak audit`: every file a line, whatever else lies in the folder, and nothing spoils another's line."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli import auditing
from cli import main as program
from cli.commands.audit import found
from cli.exits import Exit
from tests.cli.commands.running import ROOT, Running, environment
from tests.disputes import dispute

pytestmark = pytest.mark.usefixtures("fast")

JUDGE = "tests.cli.crooked_judge"


@pytest.fixture
def folder(tmp_path):
    """Three finished games, one that is not, garbage, and what is none of ours."""
    folder = tmp_path / "all"
    (folder / "deep").mkdir(parents=True)
    for number in range(3):
        (folder / f"{number}.durak").write_bytes(dispute("finished").log.export())
    (folder / "deep" / "short.durak").write_bytes(dispute("unfinished").log.export())
    (folder / "garbage.durak").write_bytes(b"\0" * 1000)
    (folder / "notes.txt").write_text("not looked at")
    return folder


LINES = (
    "  0  valid         0.durak\n  0  valid         1.durak\n  0  valid         2.durak\n"
    "  3  unfinished    deep/short.durak\n 20  malformed     garbage.durak\n"
)


@pytest.mark.parametrize("jobs", [1, 2, 1000])
def test_one_line_a_file_in_the_same_order_whatever_the_number_of_processes(run, folder, jobs):
    assert run("audit", folder, "--jobs", jobs) == (Exit.MALFORMED, LINES + "5 files.\n", "")


def test_the_report_for_programs_and_the_highest_code(run, folder, tmp_path):
    lines = [json.loads(line) for line in run("audit", folder, "--json")[1].splitlines()]
    assert [line["code"] for line in lines] == [0, 0, 0, 3, 20]
    assert [*lines[0]] == ["file", "verdict", "code"]
    (folder / "garbage.durak").unlink()
    assert run("audit", folder)[0] == Exit.UNFINISHED
    (tmp_path / "empty").mkdir()
    assert run("audit", tmp_path / "empty") == (0, "0 files.\n", "")


def test_what_is_no_folder_and_what_is_no_number(run, folder):
    assert run("audit", folder / "none") == (Exit.IO, "", f"{folder / 'none'} is no folder.\n")
    assert run("audit", folder / "0.durak")[0] == Exit.IO
    for number in ("0", "-3"):
        assert run("audit", folder, "--jobs", number) == (
            Exit.USAGE, "", "--jobs takes a number from 1 up.\n",
        )  # fmt: skip
    assert run("audit", folder, "--jobs", "many")[0] == Exit.USAGE


def test_pipes_links_and_folders_with_the_name_of_a_log(run, folder):
    """A name that leads nowhere is a line of its own, not a silence; no loop is walked."""
    os.mkfifo(folder / "pipe.durak")
    (folder / "nowhere.durak").symlink_to("none")
    (folder / "itself.durak").symlink_to("itself.durak")
    (folder / "other.durak").symlink_to("0.durak")
    (folder / "folder.durak").mkdir()
    (folder / "deep" / "up").symlink_to("..")
    code, out, _ = run("audit", folder)
    assert code == Exit.IO
    said = dict(reversed(line.split()[1:]) for line in out.splitlines()[:-1])
    assert {said[name] for name in ("pipe.durak", "nowhere.durak", "itself.durak")} == {"unreadable"}
    assert said["other.durak"] == "valid"
    assert len(said) == 9


def test_a_name_cannot_pretend_to_be_another_line(run, folder):
    (folder / "x\n  0  valid         y.durak").write_bytes(b"")
    (folder / "\x1b[2Jz.durak").write_bytes(b"")
    os.rename(os.fsencode(folder / "garbage.durak"), os.fsencode(folder) + b"/n\xff.durak")
    out = run("audit", folder)[1]
    assert "x\\u000a  0  valid         y.durak" in out
    assert "\x1b" not in out
    assert len(out.splitlines()) == 8
    names = [json.loads(line)["file"] for line in run("audit", folder, "--json")[1].splitlines()]
    assert "n\udcff.durak" in names


def test_a_folder_that_cannot_be_looked_into_is_said(run):
    """An audit that has not seen everything must not end with 0."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        closed = Path(name, "closed")
        closed.mkdir(mode=0o000)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            assert found(Path(name)) == ([], [closed])
            if not root:
                assert run("audit", name)[0] == Exit.IO
        finally:
            if root:
                os.seteuid(0)
            closed.chmod(0o700)


def test_a_file_that_kills_its_judge_spoils_only_its_own_line(folder):
    """Killed, an exception, a silent end, all memory, nonsense for an answer."""
    names = ["0", "killed", "1", "raises", "leaves", "2", "eats", "babbles", "0"]
    for name in names:
        if not (folder / f"{name}.durak").exists():
            (folder / f"{name}.durak").write_bytes(b"")
    counted = []
    said = auditing.audit([folder / f"{name}.durak" for name in names], 2, counted.append, judge=JUDGE)
    assert [one.path.stem for one in said] == names
    for one in said:
        assert one.code == (0 if one.path.stem.isdigit() else Exit.INTERNAL), one
    assert len(counted) == len(names)


def test_a_file_that_holds_up_its_judge_spoils_only_its_own_line(folder, monkeypatch):
    (folder / "hangs.durak").write_bytes(b"")
    usual = auditing.PATIENCE
    monkeypatch.setattr(auditing, "PATIENCE", 2.0)
    paths = [folder / "hangs.durak", folder / "0.durak"]
    said = auditing.audit(paths, 1, lambda _: monkeypatch.setattr(auditing, "PATIENCE", usual), judge=JUDGE)
    assert [one.code for one in said] == [Exit.INTERNAL, 0]


def test_a_bar_goes_along_on_a_terminal_and_leaves_no_trace(folder, tmp_path):
    leader, follower = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "audit", str(folder), "--jobs", "1"],
        env=environment(tmp_path / "home"), cwd=ROOT, stdout=subprocess.PIPE, stderr=follower, text=True,
    )  # fmt: skip
    os.close(follower)
    shown = b""
    try:
        while part := os.read(leader, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    out, _ = done.communicate(timeout=60)
    assert out == LINES + "5 files.\n"
    steps = shown.decode().split("\r")
    assert [re.sub("[# ]", "", step) for step in steps if step.strip()] == [f"[]{n}/5" for n in range(1, 6)]
    assert [step.count("#") for step in steps if step.strip()] == [6, 12, 18, 24, 30]
    assert steps[-2].isspace()
    assert steps[-1] == ""


def children(process):
    """The processes that this one has started and not yet buried."""
    tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [child for task in tasks for child in task.read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the workers in /proc")
def test_ctrl_c_ends_it_at_once_and_is_no_verdict(folder, tmp_path):
    """0 would say that every file is valid; nor is any worker left behind."""
    for number in range(400):
        (folder / f"more-{number}.durak").write_bytes(dispute("finished").log.export())
    with Running(tmp_path / "home", "audit", str(folder), "--jobs", "2") as running:
        while len(workers := children(running.process)) < 2:
            assert running.process.poll() is None
            time.sleep(0.05)
        running.process.send_signal(signal.SIGINT)
        assert running.ended() == (Exit.STOPPED, "")
        assert running.process.stdout is not None
        assert running.process.stdout.read() == ""
        assert not any(Path(f"/proc/{worker}/exe").exists() for worker in workers)


@pytest.mark.parametrize("words", [("verify", "-"), ("--lang", "de", "verify", "-"), ("explain", "-")])
def test_ctrl_c_while_judging_is_no_verdict(tmp_path, monkeypatch, words):
    """Wherever it comes: here when the file is read."""

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setenv("DURAK_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=lambda _: interrupted())))
    assert program.main(list(words)) == Exit.STOPPED


def test_a_verdict_nobody_hears_is_none(folder, tmp_path):
    for words in (("verify", str(folder / "garbage.durak")), ("audit", str(folder))):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *words], env=environment(tmp_path / "home"), cwd=ROOT,
            stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
        os.close(writing)
        assert (done.returncode, done.stderr) == (Exit.IO, b"")
