"""SIGKILL at any moment: a peer starts again from its folder, rejoins by itself, the game ends valid."""

from __future__ import annotations

import random
import signal
import time

import pytest

from cli.main import main
from tests.cli.commands.running import PATIENCE, Running, guest, host

SMALL = ("--seats", "3", "--option", "deck=24")


@pytest.fixture
def three(tmp_path):
    """The words to start three peers with, in data folders of their own."""
    return [tmp_path / name for name in "abc"]


@pytest.fixture
def exports_are_equal_and_valid(three, tmp_path, monkeypatch):
    def check():
        exports = []
        for home in three:
            monkeypatch.setenv("DURAK_HOME", str(home))
            export = tmp_path / f"{home.name}.durak"
            assert main(["games", "export", "--out", str(export)]) == 0
            exports.append(export.read_bytes())
        assert len(set(exports)) == 1
        assert main(["verify", str(export)]) == 0

    return check


def kill_a_guest(homes, seconds):
    with host(homes[0], *SMALL) as a:
        port = a.said("listening")["port"]
        with guest(homes[1], port) as b, guest(homes[2], port) as c:
            c.said("game")
            time.sleep(seconds)
            c.process.kill()
            c.process.wait()
            with guest(homes[2], port) as again:
                for peer in (a, b, again):
                    peer.said("done")


@pytest.mark.parametrize("seconds", [0.0, 0.4])
def test_a_guest(three, exports_are_equal_and_valid, seconds):
    kill_a_guest(three, seconds)
    exports_are_equal_and_valid()


@pytest.mark.parametrize("moment", ["asks", "agrees", "begins", "began"])
def test_a_guest_before_its_first_entry(three, exports_are_equal_and_valid, moment):
    """All have agreed to a genesis with its record: the seed behind it must not be lost with the process."""
    with host(three[0], *SMALL) as a:
        port = a.said("listening")["port"]
        frail = ("-m", "tests.cli.frail", moment)
        with guest(three[1], port) as b, guest(three[2], port, program=frail) as c:
            assert c.process.wait(PATIENCE) == -signal.SIGKILL
            assert (three[2] / "request").exists() == (moment != "began")
            with guest(three[2], port) as again:
                for peer in (a, b, again):
                    peer.said("done")
    assert not (three[2] / "request").exists()
    exports_are_equal_and_valid()


def test_the_host(three, exports_are_equal_and_valid):
    with host(three[0], *SMALL) as a:
        port = a.said("listening")["port"]
        with guest(three[1], port) as b, guest(three[2], port) as c:
            b.said("game")
            time.sleep(0.2)
            a.process.kill()
            a.process.wait()
            with Running(three[0], "games", "resume"):
                for peer in (b, c):
                    peer.said("done")
    exports_are_equal_and_valid()


@pytest.mark.slow
@pytest.mark.parametrize("run", range(12))
def test_a_guest_at_random_moments(three, exports_are_equal_and_valid, run):
    kill_a_guest(three, random.Random(run).uniform(0.0, 2.5))
    exports_are_equal_and_valid()
