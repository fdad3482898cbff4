"""A name with the mark of a bot is shown with it for those alone that are known to be bots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.app import App
from cli.commands.games import Kept, line_of
from cli.home import Home, Settings
from cli.known_bots import bot_seats, house_bot_keys
from cli.line.lobby import newcomer_name, roster_names
from cli.line.voice import Voice
from cli.own_games import count
from cli.texts import CardStyle, load
from game.position import Result
from ledger.engine import Seat
from ledger.folder import SEED
from ledger.recovery import Recovered, Tail
from p2p.messages import RosterLine, Table
from tests.cli.test_own_games import ME, game
from tests.tables import genesis_of, identity_of, options_of, seed_of


@pytest.fixture
def texts():
    return load("en")


def table(*lines):
    roster = tuple(
        RosterLine(identity_of(seat).public, name, ready=True, bot=bot, watching=False)
        for seat, (name, bot) in enumerate(lines)
    )
    return Table(1, bytes(32), (), 0, 3, may_watch=False, previous=None, game=None, roster=roster)


def test_a_person_in_the_lobby_has_no_mark_and_the_bot_keeps_its_name(texts):
    there = table(("Olya [bot]", False), ("Olya [bot]", True), ("Bo\u3164ris [b\u200bot]", False))
    assert list(roster_names(there, texts).values()) == ["Olya bot", "Olya [bot]", "Boris bot"]
    assert newcomer_name("Olya [bot]", there, texts) == "Olya bot (2)"


def test_at_a_game_too(texts):
    names = ("Olya [bot]", "Olya [bot]", "[\u2800bot]")
    voice = Voice.at_table(CardStyle(texts, signs=False), names, None, frozenset({Seat(1)}))
    assert voice.names == ("Olya bot", "Olya [bot]", "bot")


def test_the_bots_of_this_device_are_known_by_their_keys(tmp_path):
    genesis = genesis_of(options_of(seats=3))
    home = Home(tmp_path)
    assert house_bot_keys(home) == frozenset()
    for number, seat in ((1, 2), (2, 5)):
        folder = tmp_path / "bots" / str(number)
        folder.mkdir(parents=True)
        (folder / "identity").write_bytes(seed_of(f"identity {seat}"))
    (tmp_path / "bots" / "3").mkdir()
    (tmp_path / "bots" / "3" / "identity").write_bytes(b"damaged")
    assert house_bot_keys(home) == {identity_of(2).public, identity_of(5).public}
    assert bot_seats(genesis, house_bot_keys(home)) == {Seat(2)}


def test_a_bot_among_the_companions_is_said_to_be_one():
    own = count([game(Result(0, (2,), (0, 1), ()))], ME, {identity_of(1).public})
    assert {each.name: each.bot for each in own.companions.values()} == {"Player 1": True, "Player 2": False}


def test_equal_names_are_told_apart_in_the_list_of_games(tmp_path, texts):
    app = App(Home(tmp_path), Settings(), texts, CardStyle(texts, signs=False))
    genesis = genesis_of(options_of(seats=3))
    records = (
        replace(each, name=name) for each, name in zip(genesis.seats, ("Anna", "Boris", "anna"), strict=True)
    )
    (tmp_path / SEED).touch()
    recovered = Recovered(replace(genesis, seats=tuple(records)), (), 0, 0, Tail.WHOLE)
    kept = Kept(tmp_path, recovered, changed=0.0)
    assert "Anna, Boris and anna (2)" in line_of(app, kept)
