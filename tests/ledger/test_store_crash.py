"""Death at every system call: however often a peer dies and starts again, it emits one body per due."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger import store as store_module
from ledger.engine import Seat
from ledger.entry import read_record, sign_entry
from ledger.errors import StoreError
from ledger.fault import Key, key_of
from ledger.outcome import Forked
from ledger.store import GameStore
from tests.ledger.faulty_disk import FaultyDisk, Killed, PowerDisk
from tests.ledger.table import Table, seed_of
from tests.ledger.toy import JOIN, TURN

GOAL = 4
"""Heights of the story: JOIN, a turn of ours, a turn of theirs, a turn of ours."""


class Story:
    """Seat 0 plays from its folder against an honest network; every try decides something else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.network = Table.of(2, turns=50)
        self.emitted: dict[Key, set[bytes]] = {}
        self.tries = 0

    def run(self, disk: FaultyDisk) -> bool:
        """One life of the process; whether it reached the goal."""
        self.tries += 1
        store_module._failed_folders.clear()
        try:
            return self._live(disk)
        except (Killed, StoreError):
            return False
        finally:
            disk.die()

    def _live(self, disk: FaultyDisk) -> bool:
        if self.folder.exists():
            store = GameStore.open(self.folder, disk=disk)
        else:
            store = GameStore.create(self.folder, self.network.genesis, seed_of(0), disk=disk)
        log = self.network.fresh()
        for entry in store.entries:
            log.receive(entry.record)
            if entry.seat == 0:
                self.emit(entry.record)
        for _ in range(50):
            if self.network.log.height >= GOAL and log.height >= GOAL:
                return True
            for record in self.network.log.missing_for(log.heads()):
                store.append_received(*(entry.record for entry in log.receive(record).kept))
            if 0 in log.waiting_for:
                turn = (self.tries % 4,)  # seat 1 says 7
                body = log.draft(
                    Seat(0), *((JOIN, (bytes([0, self.tries]),)) if log.height == 0 else (TURN, turn))
                )
                if store.key is None:  # not a safe place to sign from, and it says so
                    return False
                record = store.append(sign_entry(store.key, body))
                assert log.receive(record).kept
                self.emit(record)
            for due in self.network.log.level(self.network.log.height).unmet:
                if due.seat != 0:
                    self.others_act(due.seat)
        raise AssertionError("the story stands still")

    def others_act(self, seat: int) -> None:
        self.network.act(seat)

    def emit(self, record: bytes) -> None:
        entry = read_record(record)
        self.emitted.setdefault(key_of(entry), set()).add(entry.id)
        assert not isinstance(self.network.log.receive(record), Forked)

    def check(self) -> None:
        assert all(len(bodies) == 1 for bodies in self.emitted.values())


def calls_of_a_whole_life(folder: Path) -> int:
    disk = FaultyDisk()
    assert Story(folder).run(disk)
    return len(disk.calls)


@pytest.mark.parametrize("fault", ["kill", "half", errno.EIO, errno.ENOSPC, "short"])
def test_attack_60_a_fault_at_every_call_never_forks_and_never_locks_out(
    tmp_path: Path, fault: str | int
) -> None:
    store_module._seeds_used.clear()
    for at in range(1, calls_of_a_whole_life(tmp_path / "whole") + 1):
        story = Story(tmp_path / f"{at}")
        story.run(FaultyDisk(at, fault))
        assert story.run(FaultyDisk()), at
        story.check()
        assert len(story.emitted) == 3


def test_dying_again_and_again_gets_there_in_the_end(tmp_path: Path) -> None:
    """Every life ends one call later than the one before."""
    story = Story(tmp_path / "game")
    at = 1
    while not story.run(FaultyDisk(at, "half")):
        at += 1
    story.check()
    assert len(story.emitted) == 3


def test_power_loss_at_every_call_forgets_only_what_was_not_synced(tmp_path: Path) -> None:
    store_module._seeds_used.clear()
    dice = random.Random(7)
    for at in range(1, calls_of_a_whole_life(tmp_path / "whole") + 1):
        story = Story(tmp_path / f"{at}")
        story.run(PowerDisk(at, dice))
        assert story.run(FaultyDisk()), at
        story.check()


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is a POSIX word")
@pytest.mark.parametrize("fault", ["kill", "half"])
def test_attack_60_sigkill_at_every_call(tmp_path: Path, fault: str) -> None:
    """A real process, really killed at the n-th system call of its life, for every n; then another life."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.ledger.killed_lives", str(tmp_path), fault],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lives, killed = map(int, done.stdout.split())
    assert killed == lives >= 40


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is a POSIX word")
def test_attack_60_sigkill_in_the_middle_of_signing(tmp_path: Path) -> None:
    """A real process, really killed: what it printed was durable before, and never contradicts itself."""
    dice = random.Random(11)
    sent: dict[str, str] = {}
    for _ in range(8):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.sign_loop", str(tmp_path / "game")],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        assert lines[0].startswith("SENT"), lines
        time.sleep(dice.uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines()
        process.stdout.close()
        process.wait()
        for line in lines:
            if line.count(" ") == 2 and len(line.split()[2]) == 64:
                _, height, body = line.split()
                assert sent.setdefault(height, body) == body
    with GameStore.open(tmp_path / "game") as store:
        stored = {str(entry.height): entry.id.hex() for entry in store.entries if entry.seat == 0}
    assert sent.items() <= stored.items()
    assert len(sent) >= 8
