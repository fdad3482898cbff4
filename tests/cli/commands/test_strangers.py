"""A running `durak host` and whom nobody invited: bounded memory, links undisturbed, nobody blamed."""

from __future__ import annotations

import os
import random
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.commands.running import Running, durak, guest
from tests.cli.commands.strangers import Insider, babble, drip, forgeries, idle, scan

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

MOST_FILES = 120
"""64 connections, 48 of them unproven, 24 about to be closed, and what the program has open itself."""
MOST_GROWTH = 40 << 20
"""Bytes a table may grow by in the middle of all this: a game of its own is most of it."""


def memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS"))


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def private_host(home, *words):
    return Running(
        home, "host", "--listen", "127.0.0.1", "--port", "0", "--bot", "easy", "--porcelain", *words
    )


class Crowd:
    """All kinds of strangers at once, each in a thread, until they have done what they came for."""

    def __init__(self, port: int) -> None:
        dice = random.Random(7)
        self.idlers: list = []
        work = (
            lambda: scan(port, 400),
            lambda: babble(port, 300, dice),
            lambda: self.idlers.extend(idle(port, 600)),
            lambda: drip(port, 40, 5),
        )
        self._threads = [threading.Thread(target=each) for each in work]
        for thread in self._threads:
            thread.start()

    def gone(self) -> None:
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()


def test_a_game_in_the_middle_of_a_crowd(tmp_path):
    with private_host(tmp_path / "a", "--games", "2") as a:
        said = a.said("listening")
        port, code, pid = int(said["port"]), said["code"], a.process.pid
        before = memory(pid)
        crowd = Crowd(port)
        with guest(tmp_path / "b", port, "--games", "2", code=code) as b:
            for _ in range(2):
                assert a.said("done")["status"] == b.said("done")["status"] == "finished"
                assert files(pid) <= MOST_FILES
            crowd.gone()
            assert files(pid) <= MOST_FILES
            assert memory(pid) - before <= MOST_GROWTH
        for idler in crowd.idlers:
            idler.close()


def test_who_has_the_code_and_floods_is_shown_out_and_nobody_else_is_blamed(tmp_path):
    """Entries that name an honest seat, by the thousand: charged to the link that brought them."""
    with private_host(tmp_path / "a", "--watch", "--games", "2") as a:
        said = a.said("listening")
        port, code, pid = int(said["port"]), said["code"], a.process.pid
        with guest(tmp_path / "b", port, "--games", "2", code=code) as b:
            b.said("game")
            before = memory(pid)
            mallory = Insider(port, code)
            genesis = mallory.watch()
            with suppress(ConnectionError):
                mallory.say(*forgeries(genesis, 100))
            assert mallory.is_shown_out()
            mallory.close()
            for peer in (a, b):
                for _ in range(2):
                    assert peer.said("done")["status"] == "finished"
            assert memory(pid) - before <= MOST_GROWTH
    export = str(tmp_path / "a.durak")
    game = genesis.game_id.hex()[:8]
    assert durak(tmp_path / "a", "games", "export", game, "--out", export).returncode == 0
    assert durak(tmp_path / "a", "verify", export).returncode == 0


def test_without_the_code_nothing_is_told(tmp_path):
    with private_host(tmp_path / "a", "--name", "Anna") as a:
        port = a.said("listening")["port"]
        for words in (("join",), ("watch",), ("join", "0000-0000-0000")):
            done = durak(
                tmp_path / "eve", words[0], f"127.0.0.1:{port}", *words[1:], "--name", "Eve", "--text"
            )
            assert done.returncode == 30
            assert "Anna" not in done.stdout + done.stderr
            assert "code" in done.stderr
