"""A log told in moments: bouts readable, hands open exactly where they were published, an honest end."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cli.line.replay import moments
from cli.line.voice import Voice
from cli.texts import CardStyle, load
from tests.logs import play_log
from tests.tables import chooser, options_of


def told(log):
    voice = Voice.at_table(CardStyle(load("en"), signs=False), log.state.setup.names, None)
    return moments(log, log.engine, voice)


def test_a_finished_game_has_a_set_up_its_bouts_and_an_end():
    log = play_log(options_of(seats=3))
    story = told(log)
    titles = [moment.title for moment in story]
    assert titles == ["The set-up", *(f"Bout {number}" for number in range(1, len(story) - 1)), "How it ends"]
    heights = [(moment.first, moment.last) for moment in story]
    assert heights[0][0] == 0
    assert all(before[1] == after[0] for before, after in pairwise(heights))
    for moment in story[1:-1]:
        assert " leads " in moment.events[0]
    assert story[-1].events[0] == "The game is over."
    assert story[-2].events[-1].startswith("All deck keys are published")


def test_every_hand_is_open_where_secrets_were_published():
    log = play_log(options_of(seats=3))
    for moment in told(log)[1:-1]:
        assert len(moment.table) == 4
        assert not any("known" in line for line in moment.table)
    first = [line.split(": ")[1].split() for line in told(log)[1].table[1:]]
    assert [len(hand) for hand in first] == [6, 6, 6]
    opened = log.state.opened
    assert {card for hand in first for card in hand} == {
        CardStyle(load("en"), signs=False).card(card) for card in opened[:18]
    }


@pytest.mark.parametrize(
    "log",
    [
        play_log(options_of(seats=3, open_after=False)),
        play_log(options_of(seats=3), heights=60),
    ],
    ids=["closed table", "unfinished"],
)
def test_no_hidden_face_is_told_where_hands_stay_closed(log):
    public = {face for face in (log.state.position.faces >> 6 * place & 63 for place in range(36)) if face}
    style = CardStyle(load("en"), signs=False)
    hidden = {style.card(card) for card in range(52) if card + 1 not in public}
    words = {word.strip(".,:;") for moment in told(log) for line in moment.lines for word in line.split()}
    assert not words & hidden


def test_an_unfinished_log_says_whom_it_waits_for():
    log = play_log(options_of(seats=2), heights=1)
    assert told(log)[-1].events == (
        "Not finished: the newest log shown waits at height 1 for Player 0 and Player 1.",
    )


def test_a_log_without_any_height_is_told_too():
    assert [moment.title for moment in told(play_log(options_of(seats=2), heights=0))] == ["How it ends"]


def test_a_result_not_signed_by_all_is_said():
    log = play_log(options_of(seats=2))
    unsigned = play_log(options_of(seats=2), heights=log.height - 2)
    assert told(unsigned)[-1].events[-1] == (
        "Not everybody has signed yet: Player 0 and Player 1. That changes nothing else."
    )


def test_the_same_log_tells_the_same_story():
    assert told(play_log(options_of(seats=4), choose=chooser(7))) == told(
        play_log(options_of(seats=4), choose=chooser(7))
    )
