"""Seats and teams: R10, R21–R23."""

from __future__ import annotations

import pytest

from game.options import Options
from game.position import Phase, Result
from game.seating import asking_order, next_opponent, next_seat
from game.setup import setup_of
from tests.game.table import Table, cards, endgame

TWO_TEAMS = Options(teams="2v2", seats=4, first_limit=0)
TALON = "TS TC TD 6H"


@pytest.mark.parametrize(
    ("options", "teams"),
    [
        (Options(seats=3), (0, 1, 2)),
        (Options(seats=4, teams="2v2"), (0, 1, 0, 1)),
        (Options(seats=6, teams="3v3"), (0, 1, 0, 1, 0, 1)),
        (Options(seats=6, teams="2v2v2"), (0, 1, 2, 0, 1, 2)),
    ],
)
def test_r21_partners(options: Options, teams: tuple[int, ...]) -> None:
    assert setup_of(options, cards("6H")[0]).team == teams


def test_r5_r21_the_seat_before_is_never_a_partner() -> None:
    tables = (Options(seats=4, teams="2v2"), Options(seats=6, teams="3v3"), Options(seats=6, teams="2v2v2"))
    for options in tables:
        team = setup_of(options, cards("6H")[0]).team
        assert all(team[seat - 1] != team[seat] for seat in range(options.seats))


def test_next_skips_seats_that_are_not_in_and_nothing_else() -> None:
    assert next_seat(0, 0b1111, 4) == 1
    assert next_seat(3, 0b1111, 4) == 0
    assert next_seat(0, 0b1001, 4) == 3
    assert next_seat(2, 0b0100, 4) == 2


def test_r22_the_next_opponent() -> None:
    assert next_opponent(0, 0b1111, (0, 1, 0, 1)) == 1
    assert next_opponent(0, 0b1101, (0, 1, 0, 1)) == 3
    assert next_opponent(1, 0b111111, (0, 1, 2, 0, 1, 2)) == 2
    assert next_opponent(1, 0b011011, (0, 1, 2, 0, 1, 2)) == 3
    with pytest.raises(ValueError, match="two seats"):
        next_opponent(0, 0b0101, (0, 1, 0, 1))


def test_r22_partners_of_the_defender_do_not_throw_in() -> None:
    assert asking_order((0, 1, 0, 1), 0b1111, 0b1111, 0, 1, neighbours=False) == (0, 2)
    assert asking_order((0, 1, 2, 0, 1, 2), 0b111111, 0b111111, 2, 3, neighbours=False) == (2, 4, 5, 1)
    assert asking_order((0, 1, 2, 0, 1, 2), 0b111111, 0b111111, 2, 3, neighbours=True) == (2, 4)
    assert asking_order((0, 1, 0, 1), 0b1111, 0b1111, 0, 1, neighbours=True) == (0, 2)


def test_r22_a_team_bout() -> None:
    table = Table(endgame(TWO_TEAMS, ["7C 9S", "8C KD", "AS AD", "KS KC"], talon=TALON))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "pass"))
    assert table.phase is Phase.LEAD
    assert (table.word, table.position.defender) == (1, 2)


def test_r13_a_take_lets_the_partner_lead_against_the_next_opponent() -> None:
    table = Table(endgame(TWO_TEAMS, ["7C 9S", "8C KD", "AS AD", "KS KC"], talon=TALON))
    table.play_all((0, "lead 7C"), (1, "take"), (0, "pass"), (2, "pass"))
    assert (table.word, table.position.defender) == (2, 3)


def test_r13_with_a_seat_out_the_takers_partner_may_lead() -> None:
    table = Table(endgame(TWO_TEAMS, ["7C 9S", "8C KD", "", "KS KC"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "take"), (0, "pass"))
    assert (table.word, table.position.defender) == (3, 0)


def test_r23_the_last_team_with_cards_is_the_durak() -> None:
    table = Table(endgame(TWO_TEAMS, ["7C", "8C KD", "", "KS KC"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.result == Result(0, (1, 3), (2, 0), ())


def test_r23_a_member_that_is_out_belongs_to_the_durak_team_too() -> None:
    table = Table(endgame(TWO_TEAMS, ["6C", "8D KD", "", ""], trump="6H"))
    table.play_all((0, "lead 6C"), (1, "take"))
    assert table.result == Result(0, (1, 3), (2, 3, 0), cards("6C"))


def test_r23_not_over_while_two_teams_hold_cards() -> None:
    table = Table(endgame(TWO_TEAMS, ["7C", "8C", "9D", "KS KC"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.result is None
    assert table.position.out == (0, 1)
    assert (table.word, table.position.defender) == (2, 3)


def test_r23_nobody_holds_cards_a_draw() -> None:
    table = Table(endgame(TWO_TEAMS, ["7C", "8C", "", ""], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.result == Result(1, (), (2, 3, 0, 1), ())
