"""Stepping through a story: play by play, back, to a bout, the whole table, by itself."""

from __future__ import annotations

from functools import cache

import pytest

from cli.line.replay import moments
from cli.line.stepping import Stepping
from cli.line.voice import Voice
from cli.texts import CardStyle, load
from tests.logs import play_log
from tests.tables import options_of

HINT = "Enter goes on; back; a bout's number; table; auto; all; quit."


@cache
def story(seats: int = 2, heights: int | None = None):
    log = play_log(options_of(seats=seats), heights=heights)
    voice = Voice.at_table(CardStyle(load("en"), signs=False), log.state.setup.names, None)
    return moments(log, log.engine, voice)


def stepping(**changes):
    return Stepping(story(), load("en"), **changes)


def test_from_the_set_up_through_every_play_to_the_end():
    """What is shown step by step is what is told at once: nothing twice, nothing left out."""
    steps = stepping()
    shown = [*steps.current()]
    while not steps.left:
        shown += steps.typed("")
    told = [line for line in shown if not line.startswith(("Enter ", "On the table:"))]
    assert told == [line for moment in story() for line in moment.lines]


def test_a_step_of_a_bout_is_one_height_and_the_cards_that_lie_then():
    steps = stepping()
    first = steps.typed("")
    assert first[0] == "Bout 1"
    assert first[-3].startswith("Player ")
    assert " leads " in first[-3]
    assert first[-2].startswith("On the table: ")
    assert first[-1] == HINT
    second = steps.typed("next")
    assert "Bout" not in second[0]
    assert steps.typed("back") == first
    assert steps.typed("back")[0] == "The set-up"


def test_jumping_to_bouts():
    steps = stepping()
    bouts = len(story()) - 2
    assert steps.typed("3")[0] == "Bout 3"
    assert steps.typed("0")[0] == "The set-up"
    for wrong in ("back", "999", "99999999", str(bouts + 2)):
        assert steps.typed(wrong) == (f"There are bouts 1 to {bouts}.",)
    assert steps.typed(str(bouts + 1))[0] == "How it ends"
    assert steps.typed("5")[0] == "Bout 5"
    assert steps.typed("hm")[0].startswith("Enter goes on, back")
    assert steps.typed("²")[0].startswith("Enter goes on, back")


def test_the_whole_table_with_open_hands_at_any_step():
    steps = stepping()
    assert len(steps.typed("table")) == 5, "as dealt"
    steps.typed("1")
    steps.typed("")
    table = steps.typed("table")
    assert table[0].startswith("Trump: ")
    assert table[-2].startswith("Player 0: ")
    assert table[-1].startswith("Player 1: ")
    assert steps.typed("table") == table
    steps.typed(str(len(story()) - 1))
    assert steps.typed("table") == ("There is no table to show here.",)


def test_all_tells_the_rest_from_here():
    steps = stepping()
    steps.typed("5")
    rest = steps.typed("all")
    assert "Bout 6" in rest
    assert "Bout 5" not in rest
    assert rest[-1] == story()[-1].lines[-1]
    assert steps.left


def test_it_plays_by_itself_to_the_end():
    steps = stepping(playing=True)
    shown = [*steps.current()]
    while steps.playing:
        shown += steps.on()
    assert shown[-1].startswith("Enter leaves")
    assert not any(line == HINT for line in shown)
    assert [line for line in shown[:-1] if not line.startswith("On the table:")] == [
        line for moment in story() for line in moment.lines
    ]
    assert steps.typed("auto")[-1].startswith("Enter leaves")
    assert not steps.playing
    assert steps.typed("") == ()
    assert steps.left


def test_whatever_is_typed_stops_what_plays_by_itself():
    steps = stepping()
    assert steps.typed("auto")[0] == "Bout 1"
    assert steps.playing
    here = steps.on()
    assert steps.typed("") == (HINT,)
    assert not steps.playing
    assert steps.typed("back")[0] == "Bout 1"
    assert steps.typed("") == here
    steps.typed("auto")
    assert steps.typed("2")[0] == "Bout 2"
    assert not steps.playing


@pytest.mark.parametrize("heights", [0, 1])
def test_a_story_of_one_or_two_moments(heights):
    steps = Stepping(story(heights=heights), load("en"), playing=True)
    while steps.playing:
        steps.on()
    assert steps.current()[0] == "How it ends"
    assert steps.typed("") == ()
    assert steps.left
