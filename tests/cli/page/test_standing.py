"""Intents before one's turn: set, seen, revoked, and done only where the view says it is legal."""

from __future__ import annotations

from dataclasses import replace

from cli.page import standing
from cli.page.standing import Standing, Wanted
from game import actions
from game.cards import Place, parse_card
from game.options import Options
from ledger.engine import Seat

QUIET = Standing(pass_for_me=False)


def test_pass_for_me_is_on_but_where_any_card_may_be_thrown():
    assert standing.at_table(Options()).pass_for_me
    assert not standing.at_table(Options(cheating=True)).pass_for_me


def test_pass_for_me_passes_slowly_and_only_when_nothing_fits(throwing):
    assert standing.wanted(Standing(pass_for_me=True), throwing()) is None
    nothing = throwing(legal=(actions.PASS, actions.RESIGN))
    assert standing.wanted(Standing(pass_for_me=True), nothing) == Wanted(actions.PASS, slow=True)
    assert standing.wanted(QUIET, nothing) is None


def test_pass_until_a_new_rank_ends_with_the_rank(throwing, pairs_of):
    armed = standing.arm(QUIET, throwing(), "pass-until-new-rank", on=True)
    assert standing.wanted(armed, throwing()) == Wanted(actions.PASS, slow=False)
    same = throwing(table=pairs_of("8S/TS 8H", defender=2))
    assert standing.after(armed, same).passing is not None
    for changed in (
        throwing(table=pairs_of("8S/TS 8H/QH", defender=2)),
        throwing(taking=True),
        throwing(defender=Seat(0)),
        throwing(table=()),
    ):
        assert standing.after(armed, changed).passing is None


def test_pass_until_a_new_rank_can_be_taken_back(throwing):
    armed = standing.arm(QUIET, throwing(), "pass-until-new-rank", on=True)
    assert standing.arm(armed, throwing(), "pass-until-new-rank", on=False) == QUIET


def test_the_defender_has_nothing_to_pass_or_throw(view_of):
    assert standing.arm(QUIET, view_of(), "pass-until-new-rank", on=True) == QUIET
    assert standing.queue(QUIET, view_of(), Place(7), on=True) == QUIET


def test_a_queued_throw_waits_for_the_word_and_for_fitting(throwing):
    waiting = throwing(legal=(), my_turn=False, word=Seat(2))
    queued = standing.queue(standing.queue(QUIET, waiting, Place(7), on=True), waiting, Place(6), on=True)
    assert queued.queue == (7, 6)
    assert standing.wanted(queued, waiting) is None
    assert standing.wanted(queued, throwing()) == Wanted(
        actions.Throw(Place(6), parse_card("8C")), slow=False
    )
    assert standing.queue(queued, waiting, Place(7), on=False).queue == (6,)


def test_a_queue_ends_with_its_card_and_with_the_bout(throwing, hand_of):
    queued = standing.queue(QUIET, throwing(), Place(6), on=True)
    assert standing.after(queued, throwing(hand=hand_of("9D", first=7))).queue == ()
    assert standing.after(queued, throwing(table=())).queue == ()
    assert standing.queue(QUIET, throwing(), Place(30), on=True).queue == ()


def test_waiving_answers_a_challenge_round_with_nothing(throwing):
    asked = throwing(stage="challenge", legal=(actions.Challenge(20), actions.NO_CHALLENGE))
    assert standing.wanted(QUIET, asked) is None
    waiving = standing.arm(QUIET, asked, "waive-for-me", on=True)
    assert standing.wanted(waiving, asked) == Wanted(actions.NO_CHALLENGE, slow=True)


def test_resigning_waits_for_the_word_and_comes_first(throwing):
    waiting = throwing(legal=(), my_turn=False)
    going = standing.arm(replace(QUIET, queue=(Place(6),)), waiting, "resign", on=True)
    assert standing.wanted(going, waiting) is None
    assert standing.wanted(going, throwing()) == Wanted(actions.RESIGN, slow=False)
    assert not standing.after(going, throwing(stage="over")).resign
