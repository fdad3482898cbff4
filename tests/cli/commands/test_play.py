"""`durak play` in a pseudo-terminal: from the name to the next game, and back after being cut off."""

from __future__ import annotations

import signal
import sys
import time

import pexpect
import pytest

from tests.cli.commands.running import durak, environment

CHOICE = "Type a number or a card:\r\n  1"
AGAIN = r"Another game\? yes or no"


class Terminal:
    """`durak` as a person has it before him."""

    def __init__(self, home, *words):
        self.talk = pexpect.spawn(
            sys.executable, ["-m", "cli.main", *words], env=environment(home), encoding="utf-8", timeout=60
        )

    def expect(self, *patterns):
        return self.talk.expect([*patterns])

    def type(self, line):
        self.talk.sendline(line)

    def play_on(self, *, moves=None):
        """Type 1 at every question, up to `moves` of them or to the end of the game."""
        played = 0
        while moves is None or played < moves:
            if self.expect(CHOICE, AGAIN) == 1:
                return
            self.type("1")
            played += 1

    def ended(self):
        """The exit code, once it has left."""
        self.talk.expect(pexpect.EOF)
        self.talk.close()
        return self.talk.exitstatus


def test_an_evening_from_the_name_to_the_second_game(tmp_path):
    began = time.monotonic()
    person = Terminal(tmp_path, "play", "--text", "--bots", "1")
    person.expect("What is your name")
    person.type("\x0b")
    person.expect("Nothing of that name can be shown")
    person.type("Anna")
    person.expect(r"Your hand \(6\): ")
    assert time.monotonic() - began < 10
    person.play_on()
    assert "durak is" in person.talk.before or "You are the durak" in person.talk.before \
        or "A draw" in person.talk.before  # fmt: skip
    person.type("yes")
    person.expect("Everybody has agreed")
    person.play_on()
    person.type("no")
    assert person.expect("Good-bye") == 0
    assert person.ended() == 0
    listed = durak(tmp_path, "games").stdout.splitlines()
    assert len(listed) == 2
    assert all("finished" in line and "Anna and" in line for line in listed)
    for line in listed:
        game = line.split()[0]
        export = tmp_path / f"{game}.durak"
        assert durak(tmp_path, "games", "export", game, "--out", str(export)).returncode == 0
        assert durak(tmp_path, "verify", str(export)).returncode == 0
        assert durak(tmp_path, "games", "export", game, "--out", str(export)).returncode == 30
    replayed = durak(tmp_path, "replay", str(export), "--all").stdout
    assert "Bout 1" in replayed
    assert "All deck keys are published" in replayed
    assert durak(tmp_path, "games", "delete", game, typed="no\n").stdout.endswith("Nothing was deleted.\n")
    assert durak(tmp_path, "games", "delete", game, "--yes").returncode == 0
    assert len(durak(tmp_path, "games").stdout.splitlines()) == 1


SLOWER = [
    pytest.param(how, marks=pytest.mark.slow) for how in ("end of input", "quit", "terminate", "hang up")
]


@pytest.mark.parametrize("how", ["interrupt", "kill", *SLOWER])
def test_a_game_cut_off_goes_on_where_it_stood(tmp_path, how):
    person = Terminal(tmp_path, "play", "--text", "--bots", "1", "--name", "Anna")
    person.play_on(moves=3)
    person.expect(CHOICE)
    match how:
        case "interrupt":
            person.talk.sendintr()
        case "end of input":
            person.talk.sendeof()
        case "quit":
            person.type("quit")
        case "kill":
            person.talk.kill(signal.SIGKILL)
        case "terminate":
            person.talk.kill(signal.SIGTERM)
        case "hang up":
            person.talk.kill(signal.SIGHUP)
    if how != "kill":
        person.expect("The game is saved. Type durak to go on with it.")
    assert person.ended() == (None if how == "kill" else 0)
    assert "unfinished" in durak(tmp_path, "games", "list").stdout
    back = Terminal(tmp_path)
    back.expect("Go on with this game")
    back.type("yes")
    back.play_on()
    back.type("no")
    assert back.ended() == 0
    assert " finished " in durak(tmp_path, "games", "list").stdout
    assert durak(tmp_path, "games", "export", "--out", str(tmp_path / "x.durak")).returncode == 0
    assert durak(tmp_path, "verify", str(tmp_path / "x.durak")).returncode == 0
