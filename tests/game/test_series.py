"""From one game to the next, as its genesis says it (R4, R5, R31, R32)."""

from __future__ import annotations

from dataclasses import replace

from game.options import Options
from game.series import previous_of
from tests.logs import play_log

LOG = play_log(Options(seats=2, series=True))
PEOPLE = tuple(seat.identity_key for seat in LOG.genesis.seats)


def test_r31_the_tally_grows_from_game_to_game() -> None:
    assert LOG.state.position is not None
    ended = LOG.ended
    assert ended is not None
    previous = previous_of(LOG.genesis, LOG.state, ended.digest, people=PEOPLE)
    assert LOG.state.result is not None
    (durak,) = LOG.state.result.duraks
    assert previous.losses == tuple(int(seat == durak) for seat in range(2))
    assert previous.wins == tuple(int(seat != durak) for seat in range(2))
    before = replace(LOG.genesis, previous=previous)
    again = previous_of(before, LOG.state, ended.digest, people=PEOPLE)
    assert again.losses == tuple(2 * count for count in previous.losses)
    assert again.wins == tuple(2 * count for count in previous.wins)


def test_r31_the_tally_ends_when_other_people_sit_down() -> None:
    ended = LOG.ended
    assert ended is not None
    for people in (PEOPLE[::-1], (*PEOPLE, PEOPLE[0])):
        previous = previous_of(LOG.genesis, LOG.state, ended.digest, people=people)
        assert previous.leader is None
        assert previous.wins == previous.losses == (0,) * len(people)


def test_r32_a_halted_game_counts_nothing_and_the_lowest_trump_decides() -> None:
    ended = LOG.ended
    assert ended is not None
    finished = previous_of(LOG.genesis, LOG.state, ended.digest, people=PEOPLE)
    assert finished.leader is not None
    halted = previous_of(LOG.genesis, LOG.state, ended.digest, people=PEOPLE, halted=True)
    assert halted.leader is None
    assert halted.wins == halted.losses == (0, 0)
