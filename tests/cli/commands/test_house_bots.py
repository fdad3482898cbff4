"""Bots of the host's device: those seated in the lobby come back with a game that is gone on with."""

from __future__ import annotations

import json
import signal

from tests.cli.commands.people import AGAIN, CHOICE, Person, host, play_on


def kept_bots(home):
    [file] = home.glob("games/*/table.json")
    return json.loads(file.read_text())["bots"]


def test_a_bot_seated_in_the_lobby_comes_back_when_the_game_is_gone_on_with(room):
    anna, _, _ = host(room, "Anna", "--seats", "2", "--option", "deck=24", "--ask-all")
    anna.type("bot easy")
    anna.expect(r"2  Olya \[bot\]  \[bot; its host could read its cards, ready")
    anna.type("out 2")
    anna.expect(r"Seats \(1 of 2 taken\)")
    anna.type("bot normal")
    anna.expect(r"2  Olya \[bot\]  \[bot; its host could read its cards, ready")
    anna.expect("Type start")
    anna.type("start")
    anna.expect(CHOICE)
    anna.talk.kill(signal.SIGKILL)
    assert kept_bots(anna.home) == [[1, "normal"]]
    back = Person(anna.home, "games", "resume")
    try:
        back.expect("Going on where the game stands")
        play_on(back)
    finally:
        back.stop()


def test_a_bot_shown_out_again_is_not_kept(room):
    anna, _, _ = host(room, "Anna", "--seats", "3", "--option", "deck=24", "--ask-all")
    anna.type("bot easy")
    anna.expect(r"2  Olya \[bot\]  \[bot; its host could read its cards, ready")
    anna.type("bot hard")
    anna.expect(r"3  Boris \[bot\]  \[bot; its host could read its cards, ready")
    anna.type("out 2")
    anna.expect(r"Seats \(2 of 3 taken\)")
    anna.type("set seats=2")
    anna.expect("Type start")
    anna.type("start")
    assert anna.expect(CHOICE, AGAIN) == 0
    assert kept_bots(anna.home) == [[2, "hard"]]
