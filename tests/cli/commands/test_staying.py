"""Devices that vanish in the middle of a game: what the others see, what they may do, how it goes on."""

from __future__ import annotations

import signal
from contextlib import ExitStack

import pexpect
import pytest

from tests.cli.commands.people import AGAIN, CHOICE, Person, host, join
from tests.cli.commands.running import Running, durak, guest
from tests.cli.commands.running import host as bot_host

ABSENT = r"Waiting for Boris \(link lost \d+ s ago; the game is saved on every device\)"


def until_it_is_the_turn_of(victim, *others, turns=1):
    """Play until this person is asked for so many times; then leave him there."""
    while True:
        if victim.talk.expect([CHOICE, pexpect.TIMEOUT], timeout=0.3) == 0:
            turns -= 1
            if not turns:
                return
            victim.type("1")
        for person in others:
            if person.talk.expect([CHOICE, pexpect.TIMEOUT], timeout=0.1) == 0:
                person.type("1")


@pytest.fixture
def three(room):
    """Anna hosts, Boris and Clara are her guests; they have begun a game."""
    anna, address, code = host(room, "Anna", "--seats", "3", "--option", "absent=void")
    guests = [join(room, name, address, code) for name in ("Boris", "Clara")]
    for person in guests:
        person.expect("Do you agree")
        person.type("ready")
    anna.expect("All have agreed")
    anna.type("start")
    return (anna, *guests)


def test_who_is_killed_at_his_turn_is_waited_for_and_comes_back(three):
    anna, boris, clara = three
    until_it_is_the_turn_of(boris, anna, clara)
    boris.talk.kill(signal.SIGKILL)
    for person in (anna, clara):
        person.expect("The link to Boris is lost; the game is saved on every device")
        person.type("")
        person.expect(ABSENT)
        person.type("abort")
        person.expect("Nobody the game waits for has been away long enough")
    anna.expect(ABSENT)
    back = Person(boris.home)
    back.expect("Go on with this game")
    back.type("yes")
    back.expect(CHOICE)
    anna.expect("Boris is back")
    back.type("1")
    until_it_is_the_turn_of(anna, back, clara)
    back.stop()


def test_who_comes_back_with_join_is_not_asked_for_the_name_he_has_there(room):
    anna, address, code = host(room, "Anna", "--seats", "2")
    boris = join(room, "Boris", address, code)
    boris.expect("Do you agree")
    boris.type("ready")
    anna.expect("All have agreed")
    anna.type("start")
    boris.expect("leads? first")
    boris.talk.kill(signal.SIGKILL)
    anna.expect("The link to Boris is lost")
    back = Person(boris.home, "join", address, code, "--listen", "127.0.0.1")
    try:
        assert back.expect("You are Boris there, as before", "What is your name") == 0
        anna.expect("Boris is back")
    finally:
        back.stop()


def test_r30_the_others_end_the_game_without_who_stays_away(three):
    anna, boris, clara = three
    until_it_is_the_turn_of(boris, anna, clara, turns=2)  # before the first lead a table is simply left
    boris.talk.kill(signal.SIGKILL)
    for person in (anna, clara):
        person.expect("The game can be ended without Boris, if all others want it")
    anna.type("abort")
    anna.expect("End the game without Boris\\? Nobody is the durak then")
    anna.type("yes")
    clara.expect("Anna would end the game without Boris. Type abort if you would too")
    clara.type("abort")
    clara.expect("yes or no")
    clara.type("yes")
    for person in (anna, clara):
        person.expect("without Boris")
        person.expect(AGAIN)
    for person in (anna, clara):
        person.type("no")
        assert person.ended() == 0
        listed = durak(person.home, "games").stdout
        assert "ended without who stayed away" in listed
        assert "finished" not in listed
        assert "No unfinished game here" in durak(person.home).stdout
        assert "No game has been played to the end" in durak(person.home, "stats").stdout
    back = Person(anna.home, "games", "resume")
    try:
        assert back.expect("This game is over .ended without who stayed away", "Going on where") == 0
        back.expect(AGAIN)
    finally:
        back.stop()


def test_guests_find_each_other_again_though_the_host_is_away(tmp_path):
    """Who comes back knows where the others were, and is where he was himself."""
    homes = [tmp_path / name for name in "abc"]
    with bot_host(homes[0], "--seats", "3", "--option", "absent=void", "--name", "Anna") as a:
        port = a.said("listening")["port"]
        with guest(homes[1], port, "--name", "Boris") as b, guest(homes[2], port, "--name", "Clara") as c:
            for peer in (b, c):
                peer.said("game")
            a.process.kill()
            for peer in (b, c):
                hears(peer, "The link to Anna is lost")
            c.process.kill()
            hears(b, "The link to Clara is lost")
            with Running(homes[2], "games", "resume") as again:
                hears(b, "Clara is back.")
                b.process.kill()
                assert any(line.startswith("The link to Boris is lost") for line in again.process.stdout)
                with Running(homes[1], "games", "resume"):
                    assert any(line == "Boris is back.\n" for line in again.process.stdout)


def hears(peer, beginning):
    while not peer.said("presence")["lines"][0].startswith(beginning):
        pass


def host_goes_out_first(stack, tmp_path, number):
    """A game of four bots up to where the host is out and the others play on; None if he was the last."""
    homes = [tmp_path / f"{number}-{seat}" for seat in range(4)]
    table = stack.enter_context(bot_host(homes[0], "--seats", "4", "--option", "deck=24", "--name", "Anna"))
    port = table.said("listening")["port"]
    guests = [stack.enter_context(guest(home, port)) for home in homes[1:]]
    while True:
        said = table.said("height")
        if "GameOver" in said["kinds"]:
            return None
        if "WentOut" in said["kinds"] and any(line.startswith("Anna is out") for line in said["lines"]):
            return homes, table, guests


def test_the_host_vanishes_and_the_others_finish_without_him(tmp_path):
    """He is out already, so nobody waits for him; his signature under the result comes when he is back."""
    with ExitStack() as stack:
        for number in range(8):
            found = host_goes_out_first(stack, tmp_path, number)
            if found is not None:
                break
        else:
            pytest.fail("the host was never out before the end")
        homes, table, guests = found
        table.process.kill()
        table.process.wait()
        for peer in guests:
            while "GameOver" not in peer.said("height")["kinds"]:
                pass
        with Running(homes[0], "games", "resume", "--text"):
            for peer in guests:
                assert peer.said("done")["status"] == "finished"
        exports = set()
        for home in homes:
            export = tmp_path / f"{home.name}.durak"
            assert durak(home, "games", "export", "--out", str(export)).returncode == 0
            exports.add(export.read_bytes())
    assert len(exports) == 1
    assert durak(homes[0], "verify", str(export)).returncode == 0
