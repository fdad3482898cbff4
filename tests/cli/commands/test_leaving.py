"""Every bot that was told how many games to play leaves after them; every process ends when it is told to."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.commands.running import Running, durak

SOON = 4.0
"""Seconds: two, and as many again for a machine with other things to do."""
LISTEN = ("--listen", "127.0.0.1", "--port", "0", "--bot", "easy")


class Told:
    """A bot whose game is told to people; its output is read as it comes."""

    def __init__(self, home: Path, *words: str) -> None:
        self.home = home
        self.running = Running(home, *words)
        self.lines: list[str] = []

    def until(self, pattern: str) -> re.Match[str]:
        assert self.running.process.stdout is not None
        for line in self.running.process.stdout:
            self.lines.append(line)
            found = re.search(pattern, line)
            if found:
                return found
        raise AssertionError((pattern, self.lines[-9:], self.running.ended()))

    def rest(self) -> tuple[int, str]:
        assert self.running.process.stdout is not None
        self.lines += self.running.process.stdout
        return self.running.ended()

    def games(self) -> int:
        return sum(folder.is_dir() for folder in (self.home / "games").iterdir())


@pytest.fixture
def table(tmp_path):
    """A told host bot and a told guest bot at one table."""
    bots = []

    def open_table(*words, seats=2):
        host = Told(tmp_path / "a", "host", "--open", *LISTEN, "--seats", str(seats), *words)
        bots.append(host)
        port = host.until(r"durak join 127\.0\.0\.1:(\d+)").group(1)
        guest = Told(
            tmp_path / "b", "join", f"127.0.0.1:{port}", "--listen", "127.0.0.1", "--bot", "easy", *words
        )
        bots.append(guest)
        return host, guest

    yield open_table
    for bot in bots:
        with bot.running:
            bot.running.process.kill()


@pytest.mark.parametrize("games", [1, 2])
def test_bots_leave_after_the_games_they_were_told_to_play(table, games):
    bots = table("--games", str(games))
    for bot in bots:
        assert bot.rest() == (0, ""), bot.lines[-8:]
        assert sum(line == "The game is over.\n" for line in bot.lines) == games
        assert bot.games() == games
        assert durak(bot.home, "games").stdout.count("finished") == games


def end(bots, number):
    """Send the signal to all, and wait until they are gone."""
    began = time.monotonic()
    for bot in bots:
        bot.running.process.send_signal(number)
    for bot in bots:
        assert bot.running.process.wait(SOON) == 0
    assert time.monotonic() - began < SOON


PHASES = ("the lobby", "All keys", "leads|You lead", "The game is over", "All deck keys")
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PAIRS = [
    pytest.param(phase, number, marks=() if place % 3 == turn else pytest.mark.slow)
    for place, phase in enumerate(PHASES)
    for turn, number in enumerate(SIGNALS)
]
"""Every phase and every signal, each with some other; every pair where there is time."""


@pytest.mark.parametrize(("phase", "number"), PAIRS)
def test_a_signal_ends_bots_in_every_phase(table, phase, number):
    bots = table("--games", "1000", seats=3 if phase == "the lobby" else 2)
    if phase == "the lobby":
        bots[1].until("sit down|1  ")
    else:
        bots[0].until(phase)
    end(bots, number)


@pytest.mark.parametrize("first", [0, 1])
def test_who_waits_for_somebody_killed_still_ends_when_told(table, first):
    bots = table("--games", "1000")
    bots[0].until("leads|You lead")
    bots[first].running.process.kill()
    time.sleep(0.5)
    end([bots[1 - first]], signal.SIGTERM)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_games_that_have_ended_are_closed(table):
    bots = table("--games", "1000")
    for _ in range(4):
        bots[0].until("The game is over")
    bots[0].until("leads|You lead")
    for bot in bots:
        folder = Path(f"/proc/{bot.running.process.pid}/fd")
        held = {os.readlink(file) for file in folder.iterdir() if file.exists()}
        for name in ("/lock", "/log.durak"):  # two: the next game may just be made
            assert len({path for path in held if path.endswith(name)}) in (1, 2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_person_with_bots_of_the_house_is_let_go(tmp_path, number):
    table = Told(tmp_path, "play", "--text", "--bots", "2", "--name", "Anna")
    with table.running:
        table.until("shuffled")
        end([table], number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_input_without_end_is_read_line_by_line_and_a_signal_still_ends_it(tmp_path, number):
    table = Told(tmp_path, "play", "--text", "--bots", "1", "--option", "deck=24", "--name", "Anna")
    with table.running as running:
        keyboard, screen = running.process.stdin, running.process.stdout
        assert keyboard is not None
        assert screen is not None
        poured = answered = 0

        def pour() -> None:
            nonlocal poured
            with suppress(OSError, ValueError):
                while True:
                    poured += os.write(keyboard.fileno(), b"nonsense\n" * 400)

        pouring = threading.Thread(target=pour, daemon=True)
        pouring.start()
        while answered < 1_000:
            answered += "no number, card or word" in screen.readline()
        ahead = poured - 9 * answered
        assert ahead < 300_000, "what the pipes hold, and a little"
        reading = threading.Thread(target=screen.read, daemon=True)
        reading.start()
        end([table], number)


def test_a_game_that_is_open_elsewhere_is_not_offered(table):
    bots = table("--games", "1000")
    bots[0].until("shuffled the deck")
    bots[0].running.process.send_signal(signal.SIGSTOP)  # or the game would be over before we can ask
    done = durak(bots[0].home, typed="yes\n")
    assert done.returncode == 30
    assert "Go on with this game?" not in done.stdout
    assert done.stderr.startswith("This game is open in another window")
    kept = {path: path.read_bytes() for path in bots[0].home.glob("games/*/*")}
    done = durak(bots[0].home, "games", "delete", "--yes")
    assert (done.returncode, done.stdout) == (30, "")
    assert done.stderr.startswith("This game is open in another window")
    assert {path: path.read_bytes() for path in bots[0].home.glob("games/*/*")} == kept


def test_only_who_has_a_seat_is_told_that_he_sits(table, tmp_path):
    bots = table("--games", "1000")
    bots[0].until("leads|You lead")
    assert "You sit down at the table as Guest.\n" in (bots[1].lines or [bots[1].until("sit down").string])
    address = next(line for line in bots[0].lines if "durak join" in line).split()[-1]
    late = durak(tmp_path / "c", "join", address, "--listen", "127.0.0.1", "--text", "--name", "Zed")
    assert "sit down" not in late.stdout
