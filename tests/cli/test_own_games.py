"""What a device's games come to: places, durak, pogony, and how it went with each companion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from cli.app import App
from cli.commands.stats import lines as stats_lines
from cli.home import Home, Settings
from cli.own_games import Companion, count
from cli.page import encode
from cli.texts import load
from cli.texts.cards import CardStyle
from game import kinds
from game.payloads import write_result
from game.position import Result
from ledger.engine import Seat
from tests.desk import Room
from tests.tables import genesis_of, identity_of, options_of

ME = identity_of(0).public


class Signed(NamedTuple):
    """As much of an entry as is looked at."""

    kind: int
    seat: int
    payload: tuple


def game(result: Result | None, *, seats: int = 3, label: str = "game"):
    entries = (
        [] if result is None else [Signed(kinds.RESULT, seat, write_result(result)) for seat in range(seats)]
    )
    return genesis_of(options_of(seats=seats), label=label), entries


def test_places_durak_draws_and_shoulder_boards():
    own = count(
        [
            game(Result(0, (2,), (0, 1), ())),
            game(Result(0, (2,), (1, 0), (4, 17))),
            game(Result(0, (0,), (1, 2), (4,))),
            game(Result(1, (), (2,), ())),
            game(None),
        ],
        ME,
    )
    assert (own.games, own.unfinished, own.durak, own.draws) == (4, 1, 1, 1)
    assert (own.pogony, own.pogony_given) == (1, 1)
    assert own.places == {1: 1, 2: 1}
    assert own.most_played == [
        Companion("Player 1", games=4, won=0, lost=1),
        Companion("Player 2", games=4, won=2, lost=1),
    ]


def test_partners_share_a_loss():
    own = count([game(Result(0, (0, 2), (1, 3), ()), seats=4)], ME)
    assert own.durak == 1
    assert {each.name: each.lost for each in own.most_played} == {"Player 1": 1, "Player 2": 0, "Player 3": 1}


def test_games_of_others_are_not_counted():
    own = count([game(Result(0, (2,), (0, 1), ()))], identity_of(5).public)
    assert (own.games, own.unfinished, own.companions) == (0, 0, {})


def test_a_result_only_others_have_signed_does_not_count():
    genesis, entries = game(Result(0, (2,), (0, 1), ()))
    own = count([(genesis, entries[1:])], ME)
    assert (own.games, own.unfinished) == (0, 1)


@pytest.mark.parametrize("seats", [2, 3])
async def test_real_games_agree_with_their_results(seats):
    room = Room(options_of(seats=seats))
    await room.play()
    log = room.seated[0].peer.game.log
    own = count([(log.genesis, log.entries())], ME)
    result = log.state.result
    assert own.games == 1
    assert own.durak == (Seat(0) in result.duraks)
    assert sum(own.places.values()) == (Seat(0) in result.order_out)


def test_games_that_ended_without_a_signed_result_are_none_that_may_be_played_still():
    nothing, loss, open_still = (game(None, label=label) for label in ("nothing", "loss", "open"))
    ended = {nothing[0].game_id: None, loss[0].game_id: Result(0, (0,), (), ())}
    own = count([nothing, loss, open_still], ME, ended=ended)
    assert (own.games, own.durak, own.ended, own.unfinished) == (1, 1, 1, 1)


def test_a_companion_of_our_own_name_is_told_apart_from_us():
    genesis, entries = game(Result(0, (2,), (0, 1), ()))
    names = ("Ann", "Ann", "Boris")
    seats = tuple(replace(each, name=name) for each, name in zip(genesis.seats, names, strict=True))
    own = count([(replace(genesis, seats=seats), entries)], ME)
    told = encode.own_games(own)
    assert [each["name"] for each in told["companions"]] == ["Ann (2)", "Boris"]
    texts = load("en")
    lines = stats_lines(App(Home(Path("nowhere")), Settings(), texts, CardStyle(texts, signs=False)), own)
    assert [line.split(":")[0].strip() for line in lines if "together" in line] == ["Ann (2)", "Boris"]
