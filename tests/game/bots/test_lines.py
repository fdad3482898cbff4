"""The search for a line that wins against habit."""

from __future__ import annotations

from functools import partial

from game.bots.bot import never
from game.bots.habits import easy_habit
from game.bots.lines import HASTY, THOROUGH, Choice, best_line, follow
from game.bots.swift import Habit, Table, habits_of, standing_of, stock_of
from game.bots.worth import worth_of
from game.open_table import OpenGame, moves_of, play
from game.options import Options
from game.rules import over, result
from tests.game.bots.test_ending import random_ending


def test_a_script_is_followed_and_written_down() -> None:
    worth = worth_of(random_ending(Options(), 8, 0).position.setup)
    line: list[Choice] = []
    habit = follow(easy_habit(worth), [0b100, 0], line)
    assert habit.lead(0b111, 0, 3) == 0b100
    taking = False
    assert habit.throw(0b10, 0b11, 0, 2, taking) == 0
    assert habit.beat(0b110, 1, 0b111, 0, 0) == 0b10
    assert line == [Choice(0b100, 0b111, ()), Choice(0, 0b10, (0,)), Choice(0b10, 0b110, (0,))]


def test_while_there_is_a_talon_habit_alone_decides() -> None:
    """The seat could not know yet which card to depart for."""
    worth = worth_of(random_ending(Options(), 8, 0).position.setup)
    line: list[Choice] = []
    habit = follow(easy_habit(worth), [0b100], line)
    assert habit.lead(0b111, 5, 3) == 0b1
    assert line == []
    assert habit.lead(0b111, 0, 3) == 0b100


def test_no_more_lines_are_tried_than_asked_for() -> None:
    game = random_ending(Options(), 8, 3)
    worth = worth_of(game.position.setup)
    for effort in (HASTY, THOROUGH):
        tried = []

        def lost(habit: Habit, tried: list[int] = tried) -> int:
            tried.append(points(game, game.position.word, habit))
            return 0

        assert best_line(lost, easy_habit(worth), 2, effort, never) == 0
        assert 1 < len(tried) <= effort.lines
    stopped = []
    assert best_line(lambda habit: stopped.append(0) or 0, easy_habit(worth), 2, HASTY, lambda: True) == 0
    assert len(stopped) == 1


def test_finds_what_habit_misses_and_never_more_than_there_is() -> None:
    """Against every way the thinking seat could play, by the real rules, with the other seat on habit."""
    better = 0
    for seed in range(40):
        game = random_ending(Options(), 6, seed)
        if over(game.position):
            continue
        seat = game.position.word
        worth = worth_of(game.position.setup)
        usual = points(game, seat, easy_habit(worth))
        found = best_line(partial(points, game, seat), easy_habit(worth), 2, THOROUGH, never)
        assert usual <= found <= best_possible(game, seat)
        better += found > usual
    assert better > 3


def points(game: OpenGame, seat: int, own: Habit) -> int:
    """What the seat gets when it plays so and the other one by the easy habit."""
    worth = worth_of(game.position.setup)
    habits = [easy_habit(worth), easy_habit(worth)]
    habits[seat] = own
    hands = [worth.bits(cards) for cards in game.cards]
    table = Table(game.position, worth)
    duraks = table.play_on(standing_of(game.position, worth), hands, stock_of(()), habits_of(habits))
    return 1 if not duraks else 0 if duraks >> seat & 1 else 2


def best_possible(game: OpenGame, seat: int, depth: int = 0) -> int:
    """The most the seat can get against any play at all of the other one that helps it."""
    if over(game.position) or depth > 30:
        outcome = result(game.position)
        if outcome is None or not outcome.duraks:
            return 1
        return 0 if seat in outcome.duraks else 2
    best = 0
    for move in moves_of(game):
        best = max(best, best_possible(play(game, move, 20), seat, depth + 1))
        if best == 2:
            break
    return best
