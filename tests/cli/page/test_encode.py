"""What goes down to the page: whole, plain JSON, and never more than a view holds."""

from __future__ import annotations

import json
from typing import get_args

from cli.page import encode
from game import actions, events
from game.cards import Card, Place, parse_card
from game.options import VALUES, Options

S6, S8, ST, HQ = Card(4), Card(6), Card(8), Card(36)

EVERY_ACTION = (
    (actions.Lead((Place(3), Place(9)), (S6, Card(17))), "lead:3,9", "lead"),
    (actions.Beat(S8, Place(7), ST), "beat:6:7", "beat"),
    (actions.Transfer(Place(7), S8), "transfer:7", "transfer"),
    (actions.Show(Place(7), HQ), "show:7", "show"),
    (actions.Throw(Place(7), S8), "throw:7", "throw"),
    (actions.TAKE, "take", "take"),
    (actions.PASS, "pass", "pass"),
    (actions.RESIGN, "resign", "resign"),
    (actions.Accuse(12), "accuse:12", "accuse"),
    (actions.Challenge(12), "challenge:12", "challenge"),
    (actions.NO_CHALLENGE, "waive", "waive"),
)


def test_every_action_has_an_id_and_a_kind():
    assert {type(action) for action, _, _ in EVERY_ACTION} == set(get_args(actions.Action))
    for action, name, kind in EVERY_ACTION:
        told = encode.action(action)
        assert (told["id"], told["kind"]) == (name, kind)
    assert len({name for _, name, _ in EVERY_ACTION}) == len(EVERY_ACTION)


def test_a_view_is_json_and_says_everything(view_of):
    told = json.loads(json.dumps(encode.view(view_of())))
    assert told["names"] == ["Anna", "Boris", "Chen"]
    assert told["table"][1] == {
        "attack": 45,
        "attacker": 0,
        "attackHeight": 22,
        "beat": 48,
        "beater": 1,
        "beatHeight": 23,
    }
    assert told["hand"][0] == {"place": 6, "card": 4, "public": False}
    assert told["trump"] == 20
    assert told["result"] is None
    assert set(told["options"]) == set(VALUES)


def test_a_result_goes_by_name():
    from game.position import Result

    told = encode.result(Result(0, (1,), (0, 2), (S6, Card(17))))
    assert told == {"outcome": "durak", "duraks": [1], "out": [0, 2], "pogony": [4, 17]}
    assert encode.result(Result(1, (), (), ()))["outcome"] == "draw"


def test_names_from_strangers_are_made_harmless(view_of):
    told = encode.view(view_of(names=("A\u202enna\x1b[31m", "Boris", "boris")))
    assert told["names"] == ["Anna31m", "Boris", "boris (2)"]


def test_every_event_is_json_with_its_own_name(every_event):
    assert {type(event) for event in every_event} == set(get_args(events.Event))
    told = [json.loads(json.dumps(encode.event(event))) for event in every_event]
    assert len({each["event"] for each in told}) == len(told)
    assert encode.event(events.BoutTaken(0, (S6,))) == {"event": "bout-taken", "defender": 0, "cards": [4]}
    assert told[22]["result"]["pogony"] == [4, 17]


def test_own_cheats_are_marked_where_cheating_is_allowed_and_nowhere_else(view_of, throwing):
    """R24: of the own plays alone, so that nobody cheats by a slip; it says nothing about what lies."""
    ten, queen, jack = (parse_card(text) for text in ("TS", "QH", "JD"))
    beats = tuple(actions.Beat(parse_card("8S"), Place(7), card) for card in (ten, queen, jack))
    for cheating in (False, True):
        told = encode.legal(
            view_of(options=Options(seats=3, cheating=cheating), legal=(*beats, actions.TAKE))
        )
        assert [each.get("bluff", False) for each in told["actions"]] == [False, False, cheating, False]
    throws = tuple(actions.Throw(Place(7), parse_card(text)) for text in ("8C", "TC", "9C"))
    told = encode.legal(throwing(options=Options(seats=3, cheating=True), legal=(*throws, actions.PASS)))
    assert [each.get("bluff", False) for each in told["actions"]] == [False, False, True, False]


def test_legal_lists_the_actions_of_one_height(view_of):
    told = encode.legal(view_of())
    assert told["height"] == 24
    assert [action["id"] for action in told["actions"]] == ["beat:6:7", "beat:6:10", "take", "resign"]
