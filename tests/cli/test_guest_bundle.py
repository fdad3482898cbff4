"""What guests are given: one command makes it and says in a sentence what it lacks; never an old program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.app import App
from cli.exits import CommandError, Exit
from cli.guests.bundle import MODULE, PINNED, PYODIDE, command, load, write
from cli.guests.hosting import guest_bundle

ROOT = Path(__file__).parents[2]


def make(home: Path, path: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The documented command where PATH is `path`."""
    environment = {**os.environ, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT), "PATH": path, "LANG": "C"}
    words = (sys.executable, "-m", MODULE, *words)
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def test_without_npm_it_says_what_it_takes_and_how_to_try_again(tmp_path: Path) -> None:
    done = make(tmp_path, str(tmp_path), "--from", str(tmp_path / "fetched"))
    assert done.returncode == Exit.IO
    assert "It takes npm, pip and the internet" in done.stderr
    assert f"-m {MODULE} --from" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell script in the place of npm")
def test_what_an_interrupted_download_left_is_fetched_again(tmp_path: Path) -> None:
    fetched, programs = tmp_path / "fetched", tmp_path / "programs"
    for folder in (fetched, programs):
        folder.mkdir()
    for name in PINNED:
        (fetched / name).write_bytes(b"half")
    npm = programs / "npm"
    npm.write_text("#!/bin/sh\necho no route to the registry >&2\nexit 1\n")
    npm.chmod(0o755)
    done = make(tmp_path, f"{programs}:/bin:/usr/bin", "--from", str(fetched))
    assert done.returncode == Exit.IO
    assert "no route to the registry" in done.stderr
    assert not (fetched / PYODIDE).exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    done = make(tmp_path, os.environ["PATH"], "--from", str(tmp_path / "file" / "inside"))
    assert done.returncode == Exit.IO
    assert "Name another folder" in done.stderr
    assert "Traceback" not in done.stderr


def refusal(app: App, folder: Path) -> str:
    with pytest.raises(CommandError) as caught:
        guest_bundle(app, str(folder))
    assert caught.value.parameters == {"command": command(str(folder))}
    return caught.value.message


def test_a_host_gives_only_what_is_whole_and_of_this_very_program(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    app = App.plain({"DURAK_HOME": str(tmp_path)})
    folder = tmp_path / "bundle"
    assert refusal(app, folder) == "guests.no-bundle"
    write(folder, {"guest.js": b"1", "index.html": b"2"})
    assert guest_bundle(app, str(folder)) == load(folder)
    manifest = folder / "manifest.json"
    now = manifest.read_bytes()
    manifest.write_text(json.dumps(json.loads(now) | {"sources": 64 * "0"}))
    assert refusal(app, folder) == "guests.bundle-old"
    manifest.write_bytes(now)
    (folder / "guest.js").write_bytes(b"3")
    assert refusal(app, folder) == "guests.bundle-damaged"


def test_the_command_named_is_the_interpreter_that_runs_this_program() -> None:
    assert command("a b").endswith(f" -m {MODULE} 'a b'")
    assert command().split(" -m ")[0] in {"python", "python3", sys.executable}
