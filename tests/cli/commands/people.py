"""People at terminals: `durak` commands in pseudo-terminals, each with a data folder of its own."""

from __future__ import annotations

import sys

import pexpect

from tests.cli.commands.running import environment

CHOICE = "Type a number or a card:\r\n  1"
AGAIN = r"Another game\? yes or no"


class Person:
    """Somebody at a terminal. Output is compared as it is printed, line by line."""

    def __init__(self, home, *words, **more):
        self.home = home
        self.talk = pexpect.spawn(
            sys.executable,
            ["-m", "cli.main", *words],
            env=environment(home, **more),
            encoding="utf-8",
            timeout=60,
        )
        self.talk.setwinsize(50, 200)

    def expect(self, *patterns):
        return self.talk.expect([*patterns])

    def type(self, line):
        self.talk.sendline(line)

    def ended(self):
        self.talk.expect(pexpect.EOF)
        self.talk.close()
        return self.talk.exitstatus

    def stop(self):
        self.talk.close(force=True)


def host(room, name, *words):
    person = room(name, "host", "--listen", "127.0.0.1", "--port", "0", *words)
    person.expect(r"durak join ([0-9A-Z-]{14})\r")
    code = person.talk.match.group(1)
    person.expect(r"durak join (127\.0\.0\.1:\d+) ")
    return person, person.talk.match.group(1), code


def join(room, name, address, code, *words):
    return room(name, "join", address, code, "--listen", "127.0.0.1", *words)


def play_on(*people):
    """Everybody types 1 at every question until all are asked for another game."""
    waiting = list(people)
    while waiting:
        person = waiting.pop(0)
        found = person.talk.expect([CHOICE, AGAIN, pexpect.TIMEOUT], timeout=0.2)
        if found == 0:
            person.type("1")
        if found != 1:
            waiting.append(person)
