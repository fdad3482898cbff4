"""For every system call of a life a child process that is killed there, and its next life in this process:
`python -m tests.ledger.killed_lives FOLDER kill|half`.

Prints how many lives were begun and how many were really killed. Ends non-zero where a promise is broken.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from ledger import store as store_module
from ledger.entry import read_record
from tests.ledger.faulty_disk import FaultyDisk
from tests.ledger.test_store_crash import Story, calls_of_a_whole_life

LENGTH = 4
"""Bytes in front of each record a child tells of."""


class Deadly(FaultyDisk):
    """Dies by SIGKILL in the middle of call `at`, instead of by an exception."""

    def die(self) -> NoReturn:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("alive")


class Told(Story):
    """Tells its parent of every record before anybody else sees it."""

    def __init__(self, folder: Path, tell: int) -> None:
        super().__init__(folder)
        self._tell = tell

    def emit(self, record: bytes) -> None:
        self._say(record)
        super().emit(record)

    def others_act(self, seat: int) -> None:
        before = len(self.network.log.records())
        super().others_act(seat)
        assert len(self.network.log.records()) == before + 1
        self._say(next(entry.record for entry in self.network.log.entries()[::-1] if entry.seat == seat))

    def _say(self, record: bytes) -> None:
        os.write(self._tell, len(record).to_bytes(LENGTH, "big") + record)


def killed(folder: Path, at: int, fault: str) -> tuple[bool, list[bytes]]:
    """One life in a child; whether it was killed, and the records the world saw of it, in order."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        story = Told(folder, writing)
        try:
            story._live(Deadly(at, fault))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    records = []
    while said:
        length = int.from_bytes(said[:LENGTH], "big")
        records.append(said[LENGTH : LENGTH + length])
        said = said[LENGTH + length :]
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, records


def main(folder: Path, fault: str) -> None:
    calls = calls_of_a_whole_life(folder / "whole")
    deaths = 0
    for at in range(1, calls + 1):
        died, records = killed(folder / f"{at}", at, fault)
        deaths += died
        story = Story(folder / f"{at}")
        story.tries = 1
        for record in records:
            if read_record(record).seat == 0:
                story.emit(record)
            else:
                story.network.log.receive(record)
        store_module._seeds_used.clear()
        assert story.run(FaultyDisk()), at
        story.check()
        assert len(story.emitted) == 3
    print(calls, deaths)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
