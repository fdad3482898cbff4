"""Intents in, messages out: one play per height whatever the tabs do, and nothing lost by opening another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.page import decode
from cli.page.feed import Fault, Guest, Lobby, Person, Situation, WaysIn
from cli.page.table import PRACTICE_WAIT, AskGoOn, AskHint, AskRematch, Do, InLobby, LetIn, PageTable
from game import actions, events
from game.cards import Place, parse_card
from game.options import Options
from ledger.engine import Height, Seat

BEAT = actions.Beat(parse_card("8S"), Place(7), parse_card("TS"))


@pytest.fixture(name="feed")
def _feed(feed_of, view_of):
    return feed_of(view_of())


@pytest.fixture(name="table")
def _table(feed):
    return PageTable(feed, lambda: 2.0)


def kinds(messages):
    return [message["type"] for message in messages]


def test_a_new_tab_gets_everything(table):
    assert kinds(table.welcome()) == ["hello", "table", "view", "legal", "standing", "events"]


def test_an_intent_becomes_the_legal_action_of_its_height(table):
    assert table.receive(decode.Act(24, "beat:6:7"), 0) == ([], [])
    assert table.take_orders() == [Do(Height(24), BEAT)]
    assert table.take_orders() == []


def test_a_double_click_plays_once(table):
    table.receive(decode.Act(24, "beat:6:7"), 0)
    table.receive(decode.Act(24, "beat:6:7"), 0)
    table.receive(decode.Act(24, "take"), 0)
    assert len(table.take_orders()) == 1


def test_an_intent_for_an_earlier_height_is_dropped(table, feed, view_of):
    feed.show(view_of(height=Height(25)))
    table.changed(0)
    assert table.receive(decode.Act(24, "take"), 0) == ([], [])
    assert table.take_orders() == []


def test_what_is_not_legal_is_refused_to_the_tab_that_asked(table):
    mine, everybody = table.receive(decode.Act(24, "beat:6:8"), 0)
    assert mine == [{"type": "refused", "height": 24, "reason": "page.refused.not-legal", "params": {}}]
    assert everybody == []
    assert table.take_orders() == []


def test_after_a_failure_the_person_can_try_again(table):
    table.receive(decode.Act(24, "take"), 0)
    table.take_orders()
    assert kinds(table.failed(Height(24))) == ["refused", "view", "legal"]
    table.receive(decode.Act(24, "take"), 0)
    assert table.take_orders() == [Do(Height(24), actions.TAKE)]


def test_why_names_the_rule(table):
    mine, _ = table.receive(decode.Why(5, 8, None), 0)
    assert mine == [
        {
            "type": "why",
            "ask": 5,
            "place": 8,
            "rule": "R9",
            "reason": "illegal.does-not-beat",
            "params": {"attack": 6, "card": 48},
        }
    ]
    mine, _ = table.receive(decode.Why(6, 30, None), 0)
    assert mine[0]["reason"] == "page.why.nothing"


def test_a_change_tells_only_what_is_new(table, feed, view_of):
    assert table.changed(0) == []
    feed.show(view_of(height=Height(25), my_turn=False, legal=()), events.TakeDeclared(Seat(1)))
    messages = table.changed(0)
    assert kinds(messages) == ["view", "legal", "events"]
    assert messages[2]["first"] == 0
    feed.show(None, events.Passed(Seat(0)))
    [message] = table.changed(0)
    assert (message["first"], len(message["events"])) == (1, 1)


def test_another_game_starts_from_nothing(table, feed, view_of):
    feed.show(None, events.TakeDeclared(Seat(1)))
    table.changed(0)
    table.receive(decode.Arm("resign", on=True), 0)
    table.take_orders()
    feed._told = ()
    feed.show(view_of(height=Height(0), stage="join", legal=()), situation=replace(feed.situation(), game=2))
    assert kinds(table.changed(0)) == ["table", "view", "legal", "events", "standing"]
    feed.show(view_of(height=Height(24)))
    table.changed(0)
    table.receive(decode.Act(24, "take"), 0)
    assert table.take_orders() == [Do(Height(24), actions.TAKE)]


def test_pass_for_me_waits_and_is_revocable(feed_of, throwing):
    feed = feed_of(throwing(legal=(actions.PASS, actions.RESIGN)))
    feed.show(situation=Situation("friends", ("linked", "me", "linked")))
    table = PageTable(feed, lambda: 2.0)
    table.changed(10.0)
    assert table.deadline() == 12.0
    table.tick(11.9)
    assert table.take_orders() == []
    _, everybody = table.receive(decode.Arm("pass-for-me", on=False), 11.9)
    assert everybody[0]["passForMe"] is False
    assert table.deadline() is None
    table.receive(decode.Arm("pass-for-me", on=True), 12.0)
    table.tick(14.0)
    assert table.take_orders() == [Do(Height(24), actions.PASS)]


def test_a_slow_pass_does_not_fire_at_a_later_height(feed_of, throwing):
    feed = feed_of(throwing(legal=(actions.PASS, actions.RESIGN)))
    feed.show(situation=Situation("friends", ("linked", "me", "linked")))
    table = PageTable(feed, lambda: 2.0)
    table.changed(10.0)
    feed.show(throwing(height=Height(26)))
    table.changed(11.0)
    assert table.deadline() is None
    table.tick(12.0)
    assert table.take_orders() == []


def test_against_bots_alone_a_pass_need_not_hide(feed_of, throwing):
    table = PageTable(feed_of(throwing(legal=(actions.PASS, actions.RESIGN))), lambda: 2.0)
    table.changed(10.0)
    assert table.deadline() == 10.0 + PRACTICE_WAIT


def test_a_queued_throw_is_laid_when_the_word_comes(feed_of, throwing):
    feed = feed_of(throwing(legal=(), my_turn=False))
    table = PageTable(feed, lambda: 2.0)
    _, everybody = table.receive(decode.Queue(6, on=True), 0)
    assert everybody[0]["queue"] == [6]
    assert table.take_orders() == []
    feed.show(throwing(height=Height(25)))
    table.changed(1)
    assert table.take_orders() == [Do(Height(25), actions.Throw(Place(6), parse_card("8C")))]
    table.changed(2)
    assert table.take_orders() == []


def test_wishes_go_to_the_feed(table):
    table.receive(decode.Rematch(on=True), 0)
    table.receive(decode.GoOnWithout(on=True), 0)
    table.receive(decode.Admit("ab12", on=True), 0)
    table.receive(decode.InLobby("ready"), 0)
    assert table.take_orders() == [
        AskRematch(on=True),
        AskGoOn(on=True),
        LetIn("ab12", on=True),
        InLobby("ready"),
    ]


def test_hints_are_for_practice_and_for_what_is_legal(table, feed):
    table.receive(decode.Hint(), 0)
    assert table.take_orders() == [AskHint()]
    assert table.hinted(BEAT) == [{"type": "hint", "height": 24, "action": "beat:6:7"}]
    assert table.hinted(actions.PASS) == []
    feed.show(situation=Situation("friends", ("linked", "me", "linked")))
    table.changed(0)
    table.receive(decode.Hint(), 0)
    assert table.take_orders() == []


def test_a_fault_is_told_with_its_rule(table, feed):
    fault = Fault(
        Seat(0),
        "forbidden",
        Height(129),
        "R10",
        "illegal.rank-not-on-table",
        {"card": 18},
        (("page.proof.entry", "ab12"),),
    )
    feed.show(situation=Situation("friends", ("linked", "me", "lost"), fault=fault))
    [message] = table.changed(0)
    assert message["fault"] == {
        "seat": 0,
        "kind": "forbidden",
        "height": 129,
        "rule": "R10",
        "reason": "illegal.rank-not-on-table",
        "params": {"card": 18},
        "details": [["page.proof.entry", "ab12"]],
    }


def test_before_the_first_game_there_is_a_lobby_and_nothing_to_do(feed_of, view_of):
    feed = feed_of(view_of())
    people = (
        Person("Anna", ready=True, bot=False, me=True),
        Person("A\u202enna", ready=False, bot=True, me=False, program="guest-page", id="cd34", away=True),
    )
    lobby = Lobby(
        Options(seats=3),
        people,
        WaysIn(("192.168.1.4:4717",), "K7QM-2XNP-9TRA"),
    )
    feed._view = None
    guest = Guest("ab12", "Eve\u200b", watching=True)
    feed.show(situation=Situation("friends", (), lobby=lobby, asking=(guest,)))
    table = PageTable(feed, lambda: 2.0)
    welcome = table.welcome()
    assert kinds(welcome) == ["hello", "table", "standing", "events"]
    assert welcome[1]["lobby"]["people"] == [
        {"name": "Anna", "ready": True, "bot": False, "me": True, "program": "own-app"}
        | {"id": "", "away": False, "mayShowOut": False},
        {"name": "Anna (2)", "ready": False, "bot": True, "me": False, "program": "guest-page"}
        | {"id": "cd34", "away": True, "mayShowOut": False},
    ]
    assert welcome[1]["lobby"]["addresses"] == ["192.168.1.4:4717"]
    assert welcome[1]["lobby"]["code"] == "K7QM-2XNP-9TRA"
    assert (welcome[1]["lobby"]["apart"], welcome[1]["lobby"]["maySit"]) == (None, False)
    assert welcome[1]["asking"] == [{"id": "ab12", "name": "Eve", "watching": True}]
    for intent in (
        decode.Act(0, "take"),
        decode.Why(1, 1, None),
        decode.Queue(1, on=True),
        decode.Arm("resign", on=True),
    ):
        assert table.receive(intent, 0) == ([], [])
    assert table.take_orders() == []
    feed.show(view_of(), situation=Situation("friends", ("linked", "me", "linked")))
    assert kinds(table.changed(0)) == ["table", "view", "legal", "events", "standing"]


def test_the_mark_of_a_bot_stays_with_who_is_known_to_be_one(feed, view_of):
    names = ("Olya [bot]", "Anna", "Olya [bot]")
    feed.show(view_of(names=names))
    table = PageTable(feed, lambda: 2.0)

    def shown(messages):
        return next(message["names"] for message in messages if message["type"] == "view")

    assert shown(table.welcome()) == ["Olya bot", "Anna", "Olya bot (2)"]
    feed.show(situation=replace(feed.situation(), bots=(Seat(2),)))
    assert shown(table.changed(0)) == ["Olya bot", "Anna", "Olya [bot]"]
    assert shown(table.welcome()) == ["Olya bot", "Anna", "Olya [bot]"]
