"""Leaving, aborting, who leads next, the series: R5, R28–R31."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.options import Options
from game.position import Ending, Phase, Position, Result
from game.rules import abort, next_leader, result, series_points, the_durak
from tests.game.table import Table, endgame

HANDS = ["7C 9S", "8C KD", "AS AD JC"]


def table_of(options: Options, *hands: str, leader: int = 0) -> Table:
    return Table(endgame(options, list(hands or HANDS), talon="6H", leader=leader))


def ended(
    options: Options, duraks: tuple[int, ...], out: tuple[int, ...] = (), ending: Ending = Ending.PLAYED,
    hands: tuple[int, ...] = (), seats_in: int = -1,
) -> Position:  # fmt: skip
    """A game that is over in a given way."""
    table = Table(endgame(options, ["6S", "7S", "8S", "9S", "TS", "JS"][: options.seats], talon="6H"))
    alive = sum(1 << seat for seat in range(options.seats) if seat not in out) if seats_in < 0 else seats_in
    return table.position._replace(
        phase=Phase.OVER, word=-1, ending=ending, duraks=duraks, out=out, seats_in=alive,
        hands=hands or table.position.hands,
    )  # fmt: skip


# R28, R29 ---------------------------------------------------------------------------------------------


def test_r28_when_one_has_the_word_to_lead_beat_or_throw() -> None:
    table = table_of(Options())
    assert table.refuses(1, "resign") == ("R10", "illegal.not-your-word")
    table.do(0, "resign")
    assert table.result == Result(0, (0,), (), ())
    table = table_of(Options())
    table.play_all((0, "lead 7C"), (1, "resign"))
    assert table.result == Result(0, (1,), (), ())
    table = table_of(Options())
    table.play_all((0, "lead 7C"), (1, "take"), (0, "pass"), (2, "resign"))
    assert table.result == Result(0, (2,), (), ())
    assert table.refuses(2, "resign") == ("R10", "illegal.not-your-word")


def test_r28_the_order_of_going_out_stays_and_there_are_no_pogony() -> None:
    table = Table(endgame(Options(), ["6C 9S", "8C KD", ""], trump="TH"))
    table.play_all((0, "lead 6C"), (1, "resign"))
    assert table.result == Result(0, (1,), (2,), ())


def test_r28_the_whole_team() -> None:
    table = table_of(Options(teams="2v2"), "7C 9S", "8C KD", "AS AD", "KS KC")
    table.play_all((0, "lead 7C"), (1, "resign"))
    assert table.result == Result(0, (1, 3), (), ())


def test_r29_no_result_while_play_goes_on() -> None:
    table = table_of(Options())
    assert table.result is None


# R30 --------------------------------------------------------------------------------------------------


def test_r30_void_has_no_durak_and_no_result() -> None:
    position = abort(table_of(Options()).position, (1,))
    assert position.phase is Phase.OVER
    assert (position.ending, position.duraks, result(position)) == (Ending.VOID, (), None)


def test_r30_durak_names_every_seat_waited_for_and_its_team() -> None:
    position = abort(table_of(Options(absent="durak")).position, (0, 2))
    assert result(position) == Result(0, (0, 2), (), ())
    teams = Options(absent="durak", teams="2v2")
    position = abort(table_of(teams, "7C 9S", "8C KD", "AS AD", "KS KC").position, (2,))
    assert result(position) == Result(0, (0, 2), (), ())


# R5 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("durak", "leader"), [(0, 3), (1, 0), (2, 1), (3, 2)])
def test_r5_against_durak_the_seat_before_him_leads(durak: int, leader: int) -> None:
    assert next_leader(ended(Options(seats=4), (durak,), (1,))) == leader


def test_r5_winner_the_first_seat_out_leads() -> None:
    options = Options(seats=4, next_first="winner")
    assert next_leader(ended(options, (1,), (2, 0, 3))) == 2
    assert next_leader(ended(options, (3,), (), Ending.RESIGNED)) == 0, "nobody out: the seat after the durak"
    assert next_leader(ended(replace(options, absent="durak"), (1, 2), (), Ending.ABORTED)) == 2


def test_r5_several_duraks_after_an_abort_the_lowest_seat() -> None:
    position = ended(Options(seats=5, absent="durak"), (2, 4), (), Ending.ABORTED, hands=(1, 2, 4, 8, 48))
    assert the_durak(position) == 2
    assert next_leader(position) == 1


@pytest.mark.parametrize("rule", ["against-durak", "winner", "lowest-trump"])
def test_r5_after_a_draw_or_a_void_game_the_lowest_trump_decides(rule: str) -> None:
    options = Options(seats=3, next_first=rule)  # type: ignore[arg-type]
    assert next_leader(ended(options, (), (0, 1, 2))) is None
    assert next_leader(ended(options, (), (), Ending.VOID)) is None
    assert next_leader(ended(options, (), (1,), Ending.REPEATED)) is None


def test_r5_lowest_trump_always() -> None:
    assert next_leader(ended(Options(next_first="lowest-trump"), (0,), (1,))) is None


def test_r5_not_before_the_end() -> None:
    assert next_leader(table_of(Options()).position) is None


def test_r23_the_durak_of_a_team_is_who_holds_most_cards_the_lowest_among_equals() -> None:
    options = Options(seats=4, teams="2v2")
    assert the_durak(ended(options, (1, 3), (0, 2), hands=(0, 0b1, 0, 0b110))) == 3
    assert the_durak(ended(options, (1, 3), (0, 2), hands=(0, 0b11, 0, 0b1100))) == 1
    assert next_leader(ended(options, (1, 3), (0, 2), hands=(0, 0b1, 0, 0b110))) == 2


def test_r5_teams_the_leader_is_an_opponent() -> None:
    options = Options(seats=6, teams="2v2v2")
    for durak in range(6):
        duraks = tuple(sorted((durak, (durak + 3) % 6)))
        hands = tuple(0b11 if seat == durak else 1 for seat in range(6))
        assert next_leader(ended(options, duraks, (), hands=hands)) == (durak - 1) % 6


# R31 --------------------------------------------------------------------------------------------------

SERIES = Options(series=True)


@pytest.mark.parametrize(
    ("options", "duraks", "out", "ending", "wins", "losses"),
    [
        (replace(SERIES, seats=3), (1,), (2, 0), Ending.PLAYED, (0, 0, 1), (0, 1, 0)),
        (replace(SERIES, seats=3), (), (2, 0, 1), Ending.PLAYED, (0, 0, 0), (0, 0, 0)),
        (replace(SERIES, seats=3), (), (2,), Ending.REPEATED, (0, 0, 0), (0, 0, 0)),
        (replace(SERIES, seats=3), (1,), (2,), Ending.RESIGNED, (0, 0, 1), (0, 1, 0)),
        (replace(SERIES, seats=3), (1,), (), Ending.RESIGNED, (0, 0, 0), (0, 1, 0)),
        (replace(SERIES, seats=2), (1,), (), Ending.RESIGNED, (1, 0), (0, 1)),
        (replace(SERIES, seats=3), (), (), Ending.VOID, (0, 0, 0), (0, 0, 0)),
        (replace(SERIES, seats=4, absent="durak"), (1,), (), Ending.ABORTED, (0, 0, 0, 0), (0, 1, 0, 0)),
        (replace(SERIES, seats=4, absent="durak"), (1,), (3,), Ending.ABORTED, (0, 0, 0, 1), (0, 1, 0, 0)),
        (replace(SERIES, seats=4, teams="2v2"), (1, 3), (0, 3, 2), Ending.PLAYED, (1, 0, 1, 0), (0, 1, 0, 1)),
        (replace(SERIES, seats=4, teams="2v2"), (1, 3), (), Ending.RESIGNED, (1, 0, 1, 0), (0, 1, 0, 1)),
        (replace(SERIES, seats=4, teams="2v2"), (1, 3), (0,), Ending.RESIGNED, (1, 0, 1, 0), (0, 1, 0, 1)),
        (
            replace(SERIES, seats=6, teams="2v2v2"), (1, 4), (0, 2, 5, 3), Ending.PLAYED,
            (0, 0, 1, 0, 0, 1), (0, 1, 0, 0, 1, 0),
        ),
        (
            replace(SERIES, seats=6, teams="2v2v2"), (1, 4), (0, 2), Ending.RESIGNED,
            (0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 1, 0),
        ),
        (replace(SERIES, seats=3, series=False), (1,), (2, 0), Ending.PLAYED, (0, 0, 0), (0, 0, 0)),
    ],
)  # fmt: skip
def test_r31_series(
    options: Options,
    duraks: tuple[int, ...],
    out: tuple[int, ...],
    ending: Ending,
    wins: tuple[int, ...],
    losses: tuple[int, ...],
) -> None:
    assert series_points(ended(options, duraks, out, ending)) == (wins, losses)


def test_r31_nothing_before_the_end() -> None:
    assert series_points(table_of(SERIES).position) == ((0, 0, 0), (0, 0, 0))
