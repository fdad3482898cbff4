"""`durak` commands as real processes, each with a data folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE = 60
PROGRAM = ("-m", "cli.main")


def environment(home: Path, **more: str) -> dict[str, str]:
    ours = ("DURAK_", "LC_", "LANG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT), "TERM": "dumb", **more}


def durak(home: Path, *words: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end with `typed` as its whole input."""
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *words],
        input=typed,
        env=environment(home, **more),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class Running:
    """A command that runs while the test does other things; leaving the context always ends it.

    `patience`: seconds after which it is killed, whatever it does.
    """

    def __init__(
        self,
        home: Path,
        *words: str,
        program: tuple[str, ...] = PROGRAM,
        patience: float = PATIENCE,
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *program, *words],
            env=environment(home),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._watchdog = threading.Timer(patience, self.process.kill)
        self._watchdog.start()

    def said(self, event: str) -> dict[str, object]:
        """Wait for a porcelain line of this kind. Fails with the complaint if the process ends before."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            if said["event"] == event:
                return said
        raise AssertionError(self.ended())

    def ended(self) -> tuple[int, str]:
        """Wait for its end: exit code and what it complained."""
        assert self.process.stderr is not None
        code = self.process.wait(PATIENCE)
        return code, self.process.stderr.read()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self._watchdog.cancel()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def host(home: Path, *words: str, program: tuple[str, ...] = PROGRAM) -> Running:
    """A host played by a bot, on a free port of this machine."""
    said = ("host", "--open", "--listen", "127.0.0.1", "--port", "0", "--bot", "easy", "--porcelain", *words)
    return Running(home, *said, program=program)


def guest(
    home: Path, port: object, *words: str, code: str = "", program: tuple[str, ...] = PROGRAM
) -> Running:
    """A guest played by a bot."""
    where = (f"127.0.0.1:{port}", code) if code else (f"127.0.0.1:{port}",)
    said = ("join", *where, "--listen", "127.0.0.1", "--bot", "easy", "--porcelain", *words)
    return Running(home, *said, program=program)
