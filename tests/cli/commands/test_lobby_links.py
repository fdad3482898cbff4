"""What people in a lobby see of links that fail, of a table that closes, and when nobody types any more."""

from __future__ import annotations

import re

from cli.exits import Exit
from tests.cli.commands.people import Person, host, join
from tests.cli.commands.running import durak


def test_guests_hear_that_the_host_is_away_though_they_hear_each_other(room):
    anna, address, code = host(room, "Anna", "--seats", "3")
    boris = join(room, "Boris", address, code)
    boris.expect("Do you agree")
    clara = join(room, "Clara", address, code)
    clara.expect("Do you agree")
    boris.expect(r"Clara  \[not ready yet")
    anna.talk.kill(9)
    for person in (boris, clara):
        person.expect("The link to the host is lost; trying to get it back")
        person.expect(r"Waiting for the host \(link lost 1\d s ago\)")


def test_a_table_that_is_closed_sends_everybody_home_at_once(room):
    anna, address, code = host(room, "Anna", "--seats", "3")
    boris = join(room, "Boris", address, code)
    boris.expect("Do you agree")
    anna.expect(r"Boris  \[not ready yet")
    anna.type("quit")
    boris.expect("The table was closed")
    assert boris.ended() == Exit.IO


def test_who_types_nothing_hears_why_there_is_no_seat(room, tmp_path):
    anna, address, code = host(room, "Anna")
    boris = join(room, "Boris", address, code)
    boris.expect("Do you agree")
    for command, words in (("join", "The table is full"), ("watch", "Nobody may watch at this table")):
        refused = durak(tmp_path / "eve", command, address, code, "--listen", "127.0.0.1", "--name", "Eve")
        assert (refused.returncode, refused.stderr.strip()) == (Exit.IO, f"{words}.")
    anna.expect(r"Boris  \[not ready yet")


def test_a_second_program_of_one_identity_is_told_so_and_the_first_one_stays(room):
    anna, address, code = host(room, "Anna")
    boris = join(room, "Boris", address, code)
    boris.expect("Do you agree")
    again = durak(boris.home, "join", address, code, "--listen", "127.0.0.1", "--name", "Boris")
    assert (again.returncode, again.stderr.count("under the same identity")) == (Exit.IO, 1)
    boris.type("ready")
    anna.expect("All have agreed")


def test_of_equal_names_the_right_one_is_waited_for(room, tmp_path):
    anna, address, code = host(room, "Anna")
    other = Person(tmp_path / "other", "join", address, code, "--listen", "127.0.0.1", "--name", "Anna")
    other.expect(r"Anna \(2\)  \[you, not ready yet")
    anna.expect(re.escape("Waiting for Anna (2) to agree."))
    anna.type("start")
    anna.expect(re.escape("Anna (2) has not agreed yet."))
    anna.type("out anna (2)")
    other.expect("The host gave the seat away")
    other.stop()


def test_who_gets_up_and_comes_back_has_the_name_he_says_then(room):
    """After a kill the seat is the one asked for, name and all: others may have agreed to it."""
    anna, address, code = host(room, "Anna")
    boris = join(room, "Boris", address, code)
    boris.expect("You sit down at the table as Boris")
    boris.type("quit")
    boris.ended()
    words = ("join", address, code, "--listen", "127.0.0.1")
    back = Person(boris.home, *words, "--name", "Bob")
    back.expect("You sit down at the table as Bob")
    anna.expect(r"Bob  \[not ready yet")
    back.talk.kill(9)
    anna.expect(r"Bob  \[away")
    again = Person(boris.home, *words, "--name", "Robert")
    again.expect("You sit down at the table as Bob")
    again.stop()
