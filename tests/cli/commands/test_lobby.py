"""People in terminals before, between and after games: seats, rules, bots, leaving, a changed mind."""

from __future__ import annotations

from tests.cli.commands.people import Person, host, join, play_on
from tests.cli.commands.running import durak

LISTEN = ("--listen", "127.0.0.1")


def test_seats_rules_bots_and_a_game_that_begins_when_all_have_agreed(room):
    anna, address, code = host(room, "Anna", "--seats", "3")
    anna.expect("Seats \\(1 of 3 taken\\)")
    anna.type("start")
    anna.expect("Only 1 of 3 seats are taken")
    boris = join(room, "Boris", address, code)
    boris.expect("36 cards")
    boris.expect(r"Anna  \[host")
    boris.expect(r"Boris  \[you, not ready yet")
    boris.expect("3  free")
    boris.expect("Do you agree to these rules")
    anna.expect(r"Boris  \[not ready yet")
    anna.type("bot")
    anna.expect(r"Olya \[bot\]  \[bot; its host could read its cards, ready")
    boris.expect(r"Olya \[bot\]  \[bot; its host could read its cards")
    anna.type("start")
    anna.expect("Boris has not agreed yet")
    boris.type("ready")
    anna.expect("All have agreed. Type start")
    anna.type("set deck=52")
    boris.expect("The host has changed the rules: deck=52")
    boris.expect(r"Boris  \[you, not ready yet")
    anna.type("move 3 2")
    boris.expect(r"3  Boris  \[you")
    boris.type("ready")
    anna.expect("All have agreed. Type start")
    anna.type("start")
    anna.expect("leads? first")
    boris.expect("leads? first")


def test_somebody_is_shown_out_and_somebody_else_comes(room):
    anna, address, code = host(room, "Anna")
    boris = join(room, "Boris", address, code)
    boris.expect("Do you agree")
    anna.expect(r"Boris  \[not ready yet")
    anna.type("out 2")
    boris.expect("The host gave the seat away")
    assert boris.ended() == 30
    anna.expect("2  free")
    boris = room("Boris", "join", address, code, *LISTEN)
    boris.expect("The host is asked whether you may come in")
    anna.expect("Boris asks for a seat. yes or no")
    anna.type("no")
    boris.expect("The host said no")
    assert boris.ended() == 30
    ciro = join(room, "Ciro", address, code)
    ciro.expect("Do you agree")
    anna.expect(r"Ciro  \[not ready yet")
    ciro.type("quit")
    assert ciro.ended() == 0
    anna.expect("2  free")


def test_r4_between_games_somebody_leaves_somebody_comes_and_the_table_goes_on(room):
    anna, address, code = host(room, "Anna", "--option", "series=on", "--option", "deck=24", "--ask-all")
    boris = join(room, "Boris", address, code, "--ask-all")
    boris.expect("Do you agree")
    boris.type("ready")
    anna.expect("All have agreed")
    anna.type("start")
    play_on(anna, boris)
    anna.type("yes")
    anna.expect("Waiting for Boris to say whether to play again")
    boris.expect("Anna wants another game")
    boris.type("yes")
    play_on(anna, boris)
    boris.type("no")
    assert boris.ended() == 0
    anna.type("yes")
    anna.expect("2  free")
    clara = join(room, "Clara", address, code, "--ask-all")
    clara.expect("Do you agree")
    clara.type("ready")
    anna.expect("All have agreed")
    anna.type("start")
    play_on(anna, clara)
    games = durak(anna.home, "games").stdout.splitlines()
    people = ("Clara", "Boris", "Boris")
    assert all(name in line for name, line in zip(people, games, strict=True))


def test_an_address_alone_asks_for_the_code(room):
    anna, address, code = host(room, "Anna", "--seats", "3")
    boris = room("Boris", "join", address, "--listen", "127.0.0.1")
    boris.expect("Its join code:")
    boris.type(code.lower().replace("-", " "))
    boris.expect(r"Anna  \[host")
    anna.expect(r"Boris  \[not ready yet")
    eve = room("Eve", "join", address, "--listen", "127.0.0.1")
    eve.expect("Its join code:")
    for slip, why in (
        ("0000-0000-0000", "That is not the table's join code"),
        (code[:-1], "A join code has 12 characters; this one has 11"),
        ("", "this one has 0"),
        ("?", "is not part of any join code"),
    ):
        eve.type(slip)
        eve.expect(why)
        eve.expect("Its join code:")
        assert "Anna" not in eve.talk.before
    eve.type(code)
    eve.expect(r"Anna  \[host")
    ida = room("Ida", "join", address, "--listen", "127.0.0.1")
    ida.expect("Its join code:")
    ida.type("quit")
    ida.expect("Good-bye.")
    assert ida.ended() == 0


def test_an_open_table_asks_its_host_and_shows_nobody_before(room):
    anna = room("Anna", "host", "--open", "--listen", "127.0.0.1", "--port", "0")
    anna.expect(r"durak join (127\.0\.0\.1:\d+)\r")
    address = anna.talk.match.group(1)
    boris = room("Boris", "join", address, "--listen", "127.0.0.1")
    boris.expect("The host is asked whether you may come in")
    anna.expect(r"Boris asks for a seat. yes or no")
    anna.type("perhaps")
    anna.expect(r"start · bot.*Boris asks for a seat. yes or no")
    anna.type("no")
    boris.expect("The host said no")
    assert boris.ended() == 30
    clara = room("Clara", "join", address, "--listen", "127.0.0.1")
    anna.expect(r"Clara asks for a seat. yes or no")
    anna.type("yes")
    clara.expect(r"Anna  \[host")
    clara.expect("Do you agree")


def test_an_open_table_asks_its_host_about_watchers_during_a_game_too(room):
    anna = room("Anna", "host", "--open", "--watch", "--ask-all", "--port", "0", *LISTEN)
    anna.expect(r"durak join (127\.0\.0\.1:\d+)\r")
    address = anna.talk.match.group(1)
    anna.type("bot")
    anna.expect("Type start")
    anna.type("start")
    anna.expect("leads? first")
    eve = room("Eve", "watch", address, *LISTEN)
    anna.expect("Eve asks to watch. yes or no")
    anna.type("no")
    eve.expect("The host said no")
    assert eve.ended() == 30
    fred = room("Fred", "watch", address, *LISTEN)
    anna.expect("Fred asks to watch. yes or no")
    anna.type("yes")
    anna.expect("Fred watches")
    fred.expect("leads first|Talon: ")  # told from the start, or as it stands
    anna.type("yes")
    anna.expect("no number, card or word I know")


def test_a_known_name_with_another_key_is_shouted_about(room, tmp_path):
    anna, address, code = host(room, "Anna")
    boris = join(room, "Boris", address, code)
    boris.expect("Do you agree")
    boris.type("ready")
    anna.expect("All have agreed")
    anna.type("start")
    boris.expect("leads? first")
    anna.expect("leads? first")
    anna.stop()
    boris.stop()
    anna, address, code = host(room, "Anna")
    other = Person(tmp_path / "liar", "join", address, code, "--listen", "127.0.0.1", "--name", "Boris")
    anna.expect("CAREFUL: somebody called Boris was here before, with another key")
    other.stop()
