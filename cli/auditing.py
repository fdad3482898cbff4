"""Many files judged by many processes. One that crashes or eats memory spoils only its own line.

A worker is this module run as a program: it reads one path per line and answers one verdict per line. It
holds one game at a time; where the system can, its memory is bounded.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from cli.children import SOURCES
from cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MEMORY = 1 << 30
"""Bytes of address space one worker may use."""
PATIENCE = 120.0
"""Seconds one file may take."""


@dataclass(frozen=True, slots=True)
class Audited:
    """The verdict on one file: the exit code `verify` would have, and its word."""

    path: Path
    code: int
    verdict: str


def audit(
    paths: Iterable[Path], jobs: int, done: Callable[[Audited], None], *, judge: str = "cli.auditing"
) -> list[Audited]:
    """Judge all files with `jobs` processes; `done` is called after each. In the order of `paths`.

    `judge` is the module a worker runs.
    """
    waiting: SimpleQueue[tuple[int, Path]] = SimpleQueue()
    results: dict[int, Audited] = {}
    lock = threading.Lock()
    for number, path in enumerate(paths):
        waiting.put((number, path))

    def work(worker: _Worker) -> None:
        try:
            while True:
                try:
                    number, path = waiting.get_nowait()
                except Empty:
                    return
                audited = worker.judge(path)
                with lock:
                    results[number] = audited
                    done(audited)
        finally:
            worker.close()

    workers = [_Worker(judge) for _ in range(max(1, jobs))]
    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:  # Ctrl-C: what is being judged is not waited for, and nothing more is begun
        with contextlib.suppress(Empty):
            while True:
                waiting.get_nowait()
        for worker in workers:
            worker.stop()
        raise
    return [results[number] for number in sorted(results)]


class _Worker:
    """One process, started when needed and again after it died."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[str] | None = None

    def stop(self) -> None:
        """End the process from another thread; whoever waits for its answer gets none."""
        process = self._process
        if process is not None:
            process.kill()

    def judge(self, path: Path) -> Audited:
        """What the process says; 70 if it died over this file or took too long."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        watchdog = threading.Timer(PATIENCE, process.kill)
        watchdog.start()
        answer = ""
        try:
            with contextlib.suppress(OSError):
                process.stdin.write(json.dumps(str(path)) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
        finally:
            watchdog.cancel()
        try:
            said = json.loads(answer)
            return Audited(path, int(said["code"]), str(said["verdict"]))
        except (ValueError, KeyError, TypeError):
            self.close()
            return Audited(path, Exit.INTERNAL, "internal")

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            path = os.pathsep.join(part for part in (SOURCES, os.environ.get("PYTHONPATH", "")) if part)
            self._process = subprocess.Popen(
                [sys.executable, "-m", self._module], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
        return self._process


def serve(judged: Callable[[str], dict[str, object]]) -> None:
    """The worker: paths in, verdicts out, until the input ends."""
    from cli.engine import choose_backend

    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    choose_backend(os.environ)
    for line in sys.stdin:
        print(json.dumps(judged(json.loads(line))), flush=True)


def judged(path: str) -> dict[str, object]:
    """The verdict on one file; 30 for one that cannot be read."""
    from cli.judging import judge

    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return {"code": int(Exit.IO), "verdict": "unreadable"}
            verdict = judge(file.read)
    except OSError:
        return {"code": int(Exit.IO), "verdict": "unreadable"}
    return {"code": int(verdict.code), "verdict": verdict.code.word}


def _without_waiting(path: str, flags: int) -> int:
    """A pipe that nobody writes to must not hold up the rest."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


if __name__ == "__main__":
    serve(judged)
