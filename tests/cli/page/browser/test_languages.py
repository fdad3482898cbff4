"""Every sheet and every state in every language on the smallest screen: all words there, nothing cut off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.page.feed import Fault, Lobby, Person, Situation, WaysIn
from cli.texts import languages
from game import actions
from game.cards import parse_card
from game.options import Options
from game.position import Result
from ledger.engine import Height, Seat

pytestmark = pytest.mark.browser

CUT = (Path(__file__).parent / "cut.js").read_text(encoding="utf-8")
ALL = Options(
    seats=3, variant="transfer", show_transfer=True, cheating=True, lead="several", series=True, clock=60
)
FRIENDS = Situation("friends", ("linked", "me", "linked"), wins=(1, 0, 2), losses=(1, 2, 0))
AWAY = replace(FRIENDS, presence=("linked", "me", "lost"), go_on=True, trouble="store.failed")
FAULT = Fault(Seat(0), "forbidden", Height(129), "R10", "illegal.rank-not-on-table", {"card": 31})
FINAL = Result(0, (0,), (2, 1), (parse_card("6S"), parse_card("6D")))


def before(view_of, stage: str):
    waiting = (Seat(0), Seat(2))
    return view_of(
        stage=stage, trump=None, table=(), hand=(), legal=(), my_turn=False, waiting_for=waiting, talon=0,
        counts=(0, 0, 0), defender=None, word=None, leader=None, head=None, options=ALL,
    )  # fmt: skip


@pytest.mark.parametrize("language", languages())
async def test_every_state_and_sheet_has_its_words_and_fits(open_screen, view_of, throwing, language):
    screen = await open_screen(view_of(options=ALL), width=320, height=568, language=language)
    seen = 0

    async def look(name: str) -> None:
        nonlocal seen
        await screen.settle()
        assert await screen.page.evaluate(CUT) == [], name
        await screen.shot(f"words-{language}-{seen:02}-{name}")
        seen += 1

    for sheet in ("menu", "help"):
        await screen.page.locator(f"#{sheet}").click()
        await look(sheet)
        await screen.page.keyboard.press("Escape")
    for stage in ("join", "keys", "shuffle", "ack", "deal"):
        await screen.show(before(view_of, stage))
        await look(stage)
    waiting = throwing(options=ALL, legal=(), my_turn=False, word=Seat(2), waiting_for=(Seat(2),))
    await screen.show(waiting, situation=FRIENDS)
    await look("waiting")
    await screen.page.locator("#menu").click()
    await screen.page.locator(".danger").click()
    await look("resign")
    await screen.page.keyboard.press("Escape")
    await screen.show(situation=AWAY)
    await look("away")
    await screen.page.locator("#actions [data-slot=left]").click()
    await look("go-on")
    await screen.page.keyboard.press("Escape")
    asked = throwing(
        options=ALL, stage="challenge", word=None, height=Height(26),
        legal=(actions.NO_CHALLENGE, actions.Challenge(Height(20))),
    )  # fmt: skip
    await screen.show(asked, situation=FRIENDS)
    await look("challenge")
    await screen.show(view_of(options=ALL, height=Height(27)), situation=replace(FRIENDS, fault=FAULT))
    await screen.page.locator("#fault button").click()
    await look("fault")
    await screen.show(situation=replace(FRIENDS, fault=replace(FAULT, kind="fork", rule=None)))
    await look("fork")
    over = view_of(options=ALL, stage="over", legal=(), my_turn=False, table=(), hand=(), waiting_for=())
    await screen.show(
        replace(over, result=FINAL, counts=(4, 0, 0)),
        situation=replace(FRIENDS, can_rematch=True, rematch=(Seat(0),)),
    )
    await look("over")
    people = (
        Person("Anna", ready=True, bot=True, me=False),
        Person("W" * 32, ready=False, bot=False, me=False),
        Person("Boris", ready=False, bot=False, me=True),
    )
    lobby = Lobby(ALL, people, WaysIn(("192.168.178.114:4717",), "K7QM-2XNP-9TRA", ("101", "010")))
    await screen.show(situation=replace(FRIENDS, lobby=replace(lobby, ways=WaysIn())))
    await look("next")
    screen.feed._view = None
    screen.feed.show(situation=Situation("friends", (), lobby=lobby))
    await screen.page.reload()
    await screen.page.wait_for_selector("#dealing h2")
    await look("lobby")
    apart = replace(lobby, apart="page.lobby.playing", may_sit=True, may_watch=True)
    await screen.show(situation=Situation("friends", (), lobby=apart))
    await look("apart")
    assert seen == 18
