"""Whatever a crooked seat signs, it can be told: no payload, kind or height makes a note or a story fail."""

from __future__ import annotations

import contextlib
import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.line.explain import explain
from cli.line.faults import fault_note
from cli.line.replay import moments
from cli.line.voice import Voice
from cli.noting import note
from cli.page.replay import film_of
from cli.texts import CardStyle, languages, load
from game.course import Course
from game.options import Options
from game.state import CourseState
from ledger.engine import Height, Kind, Seat
from ledger.entry import VERSION, Body, StateHash, sign_entry
from ledger.errors import Malformed
from ledger.evidence import case_of
from ledger.identity import game_key
from ledger.log import Log
from ledger.merge import diff, merge
from ledger.verdict import Verdict, code_of
from ledger.verify import judge_file
from tests.logs import play_log
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import seed_of

COURSE = Course(OpenDeckSuite(), number=NUMBER)
OPTIONS = (
    Options(seats=3, deck=24),
    Options(seats=3, deck=24, cheating=True),
    Options(seats=4, deck=24, variant="transfer", show_transfer=True),
)


@cache
def honest(number: int) -> Log[CourseState]:
    return play_log(OPTIONS[number], course=COURSE, label="any")


small = st.integers(-1, 60) | st.sampled_from((4000, 4096, 2**40))
items = st.recursive(
    small | st.booleans() | st.none() | st.sampled_from((b"", bytes(32), bytes(64), b"\xff" * 32)),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@st.composite
def crooked(draw: st.DrawFn) -> tuple[Log[CourseState], Log[CourseState]]:
    """An honest game, and the same up to a height at which somebody signs anything at all."""
    whole = honest(draw(st.integers(0, len(OPTIONS) - 1)))
    height = draw(st.integers(0, whole.height))
    log = Log(COURSE, whole.genesis)
    for entry in whole.entries():
        if entry.height < height:
            log.receive(entry.record)
    level = log.level(Height(draw(st.integers(max(0, height - 3), height))))
    seat = draw(st.integers(0, len(whole.genesis.seats) - 1))
    met = level.met.get(Seat(seat)) or next(iter(whole.level(level.height).met.values()), None)
    payload = draw(st.lists(items, max_size=4).map(tuple))
    kind = draw(st.integers(0, 31))
    if met is not None and draw(st.booleans()):
        kind = met.kind
        changed = list(met.payload)
        if changed:
            changed[draw(st.integers(0, len(changed) - 1))] = draw(items)
        payload = tuple(changed)
    state = draw(st.sampled_from((level.state, StateHash(bytes(16)))))
    body = Body(VERSION, log.game_id, level.height, Seat(seat), level.prev, state, Kind(kind), payload)
    with contextlib.suppress(Malformed):  # more than an entry can hold
        log.receive(sign_entry(game_key(seed_of(f"any {seat}")), body))
    return whole, log


@settings(max_examples=40)
@given(logs=crooked(), language=st.sampled_from(languages()))
def test_it_can_be_told_in_every_way_and_language(
    logs: tuple[Log[CourseState], Log[CourseState]], language: str
) -> None:
    whole, log = logs
    assert not log.stopped
    voice = Voice.at_table(CardStyle(load(language), signs=False), log.state.setup.names, None)
    verdict = Verdict(code_of(log), "log", log.genesis, log.fault, log=log)
    heights = {0, log.height} | {fault.height for fault in log.faults}
    for height in heights:
        assert list(explain(log, Height(height), COURSE, voice))
        json.dumps(note(verdict, Height(height), COURSE))
    assert moments(log, COURSE, voice)
    json.dumps(film_of(verdict, COURSE))
    difference = diff(whole, log)
    json.dumps(difference.to_json())
    assert merge(whole, log).export() == merge(log, whole).export()
    for fault in log.faults:
        told = list(fault_note(fault, voice, log.genesis, stands=log.result_stands))
        assert len(told) >= 5
        case = judge_file(case_of(log, fault), COURSE)
        assert case.fault == fault
        json.dumps(note(case, None, COURSE))


@pytest.mark.parametrize("language", languages())
def test_every_kind_and_every_rule_has_words(language: str) -> None:
    texts = load(language)
    for kind in (*range(21),):
        assert texts.knows(f"said.{kind}")
        assert kind == 19 or texts.knows(f"act.{kind}"), "nobody is ever asked for an ABORT"
    for rule in (1, 2, 4, 6, 7, 8, 9, 10, 11, 14, 15, 16, 25, 26, 29, 30):
        assert texts.knows(f"rule.R{rule}")
