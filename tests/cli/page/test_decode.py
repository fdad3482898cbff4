"""Garbage gives BadMessage and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.page import decode

GOOD = (
    ({"intent": "act", "height": 24, "action": "take"}, decode.Act(24, "take")),
    ({"intent": "why", "ask": 1, "place": 7, "attack": None}, decode.Why(1, 7, None)),
    ({"intent": "why", "ask": 1, "place": 7, "attack": 6}, decode.Why(1, 7, 6)),
    ({"intent": "arm", "what": "pass-for-me", "on": True}, decode.Arm("pass-for-me", on=True)),
    ({"intent": "queue", "place": 7, "on": False}, decode.Queue(7, on=False)),
    ({"intent": "rematch", "on": True}, decode.Rematch(on=True)),
    ({"intent": "admit", "guest": "ab12", "on": False}, decode.Admit("ab12", on=False)),
    ({"intent": "show-out", "person": "cd34"}, decode.ShowOut("cd34")),
    ({"intent": "hint"}, decode.Hint()),
    ({"intent": "lobby", "wish": "start"}, decode.InLobby("start")),
    ({"intent": "lobby", "wish": "watch"}, decode.InLobby("watch")),
    ({"intent": "go-on-without", "on": True}, decode.GoOnWithout(on=True)),
)


@pytest.mark.parametrize(("value", "intent"), GOOD)
def test_every_intent_is_read(value, intent):
    assert decode.read(json.dumps(value)) == intent


@pytest.mark.parametrize("value", [value for value, _ in GOOD])
def test_a_key_too_many_or_too_few_is_refused(value):
    with pytest.raises(decode.BadMessage):
        decode.read(json.dumps(value | {"extra": 1}))
    for missing in value:
        with pytest.raises(decode.BadMessage):
            decode.read(json.dumps({key: each for key, each in value.items() if key != missing}))


@pytest.mark.parametrize(
    "value",
    [
        {"intent": "act", "height": True, "action": "take"},
        {"intent": "act", "height": -1, "action": "take"},
        {"intent": "act", "height": 1.0, "action": "take"},
        {"intent": "act", "height": 1, "action": ["take"]},
        {"intent": "act", "height": 1, "action": "x" * 65},
        {"intent": "act", "height": 1 << 40, "action": "take"},
        {"intent": "lobby", "wish": "win"},
        {"intent": "lobby", "wish": []},
        {"intent": "arm", "what": "win-for-me", "on": True},
        {"intent": "arm", "what": ["pass-for-me"], "on": True},
        {"intent": "queue", "place": 7, "on": 1},
        {"intent": ["act"]},
        {},
        [],
        None,
        "act",
        3,
    ],
)
def test_wrong_types_are_refused(value):
    with pytest.raises(decode.BadMessage):
        decode.read(json.dumps(value))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 2000,
        "\ud800",
        "NaN",
        '{"intent":"act"}' + " " * decode.LONGEST,
        '{"intent":"act","height":' + "9" * 1900 + "}",
    ],
)
def test_texts_that_are_no_message(text):
    with pytest.raises(decode.BadMessage):
        decode.read(text)


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ).map(json.dumps)
)
def test_garbage_gives_this_one_error(text):
    try:
        decode.read(text)
    except decode.BadMessage:
        return
    pytest.fail("garbage was read as an intent")
