"""`durak games export`: the log in canonical order, and the case where somebody has earned one."""

from __future__ import annotations

import io
import os

import pytest

from cli.exits import Exit
from ledger.evidence import case_of
from ledger.folder import CASE, LOG, SEED
from tests.disputes import dispute

pytestmark = pytest.mark.usefixtures("fast")


@pytest.fixture
def folder(tmp_path):
    """The folder of a game in which somebody told two stories."""
    log = dispute("fork").log
    folder = tmp_path / "home" / "games" / log.game_id.hex()[:16]
    folder.mkdir(parents=True)
    (folder / LOG).write_bytes(log.export())
    (folder / CASE).write_bytes(case_of(log, log.fault))
    return folder


def test_a_log_and_its_case(run, folder, tmp_path):
    listed = run("games")[1]
    assert listed.startswith(folder.name), "the folder is where the program keeps games"
    assert "halted" in listed
    code, out, _ = run("games", "export", folder.name[:4])
    assert code == Exit.OK
    assert len(out.splitlines()) == 2
    assert (tmp_path / f"{folder.name}.durak").read_bytes() == dispute("fork").log.export()
    for name in (f"{folder.name}.durak", f"{folder.name}.durakcase"):
        assert run("verify", name)[0] == Exit.PROVEN


def test_a_halted_game_is_not_offered_to_go_on_with(run, folder, monkeypatch):
    """Nothing more is ever signed in it, though its seed is there; `games resume` still opens it, to pass the
    case on."""
    (folder / SEED).write_bytes(b"not looked at")
    (folder / "table.json").write_text('{"role": "host", "code": ""}')
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n" * 2))
    code, out, _ = run()
    assert code == Exit.OK
    assert folder.name not in out
    (folder / CASE).unlink()
    assert folder.name in run()[1], "without a case it would be"


def test_nothing_is_written_over_or_through(run, folder, tmp_path):
    os.symlink("elsewhere.durak", tmp_path / "link.durak")
    code, _, err = run("games", "export", folder.name, "--out", "link.durak")
    assert (code, "exists already" in err) == (Exit.IO, True)
    assert not (tmp_path / "elsewhere.durak").exists()


def test_a_game_without_an_offence_has_no_case(run, folder, tmp_path):
    (folder / CASE).unlink()
    code, out, _ = run("games", "export", folder.name, "--out", tmp_path / "x.durak")
    assert (code, len(out.splitlines())) == (Exit.OK, 1)
    assert not (tmp_path / "x.durakcase").exists()
