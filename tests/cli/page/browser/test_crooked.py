"""A crooked device at a real table: what the pages of the honest ones say; the case they save holds."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("playwright.async_api")

from cli.app import App
from cli.exits import Exit
from cli.game_peer import GamePeer
from cli.peer import Peer
from cli.tables import Part, joined
from game import actions
from game.actions import RESIGN, Action
from game.payloads import kind_of
from game.state import Stage
from ledger.entry import sign_entry
from tests.cli.commands.running import durak as command
from tests.cli.page.browser.test_real import durak, open_page, press_something, way_in

pytestmark = pytest.mark.browser

Crime = Callable[[Peer], tuple[bytes, ...]]


def signed(game: GamePeer, action: Action) -> bytes:
    """An entry of our seat for this height with a true opening, signed without asking whether it may be."""
    lawful = next(action for action in game.view().legal)
    body = game.log.draft(game.seat, *game._own.write(game.state, lawful))
    kind, payload = game._own.write(game.state, action)
    return sign_entry(game._key, replace(body, kind=kind, payload=payload))


def forbidden_move(peer: Peer) -> tuple[bytes, ...]:
    """A card of the own hand, truly opened, that the rules do not let lie there."""
    game = peer.game
    due = next(due for due in game.log.dues if due.seat == game.seat)
    view = game.view()
    held = [(card.place, card.card) for card in view.hand]
    open_attacks = [pair.attack for pair in view.table if pair.beat is None]
    wanted: list[Action] = [actions.Throw(place, card) for place, card in held]
    wanted += [actions.Beat(attack, place, card) for attack in open_attacks for place, card in held]
    wanted += [
        actions.Lead((one[0], two[0]), (one[1], two[1]))
        for one in held
        for two in held
        if one[0] < two[0] and one[1] % 13 != two[1] % 13
    ]
    for action in wanted:
        if kind_of(type(action)) in due.kinds and game.refusal(action) is not None:
            return (signed(game, action),)
    return ()


def two_decisions(peer: Peer) -> tuple[bytes, ...]:
    """Two moves for one turn, each of them allowed."""
    game = peer.game
    legal = [action for action in game.view().legal if action != RESIGN]
    return tuple(signed(game, action) for action in legal[:2]) if len(legal) > 1 else ()


@asynccontextmanager
async def crooked(home: Path, address: str, code: str, crime: Crime):
    """A guest that plays along until its turn lets it commit the crime; gives the event that it has."""
    app = App.of({**os.environ, "DURAK_HOME": str(home)}, language="en")
    part = Part("guest", address=address, code=code, listen="127.0.0.1")
    done = asyncio.Event()

    async def scheme(peer: Peer) -> None:
        while True:
            game = peer.game
            if game is not None and game.state.stage is Stage.PLAY and game.seat in game.log.waiting_for:
                records = crime(peer)
                if records:
                    peer.node.push(game.genesis.game_id, records)
                    peer.flush()
                    done.set()
                    return
                await peer.act(next(action for action in game.view().legal if action != RESIGN))
            await peer.changed()

    async with joined(app, name="Mallory", part=part) as at, asyncio.TaskGroup() as tasks:
        scheming = tasks.create_task(scheme(at.peer))
        yield done
        scheming.cancel()


@pytest.mark.parametrize(("crime", "words"), [
    (forbidden_move, "Mallory: this device sent a move that breaks the rules"),
    (two_decisions, "Mallory: this device signed two different moves for one turn"),
], ids=["forbidden", "fork"])  # fmt: skip
async def test_every_honest_page_names_the_device_and_saves_a_case_that_holds(
    browser, tmp_path, crime, words
):
    """Device, entry, rule and proof are shown, and `durak verify` says "proven" of the file that is saved."""
    async with durak(tmp_path / "host", "host", "--seats", "3", "--port", "0", "--name", "Anna") as host:
        host_page = await open_page(browser, host.address)
        await host_page.wait_for_selector("#dealing code")
        _, address, code = await way_in(host_page)
        async with (
            durak(tmp_path / "guest", "join", address, code, "--name", "Boris") as guest,
            crooked(tmp_path / "crook", address, code, crime) as done,
        ):
            guest_page = await open_page(browser, guest.address)
            await guest_page.get_by_role("button", name="I agree").click()
            await host_page.get_by_role("button", name="Start the game").click()
            pages = {"host": host_page, "guest": guest_page}
            await play_until(done, pages.values())
            for name, page in pages.items():
                await page.get_by_role("alert").wait_for(timeout=5000)
                said = await page.get_by_role("alert").inner_text()
                assert words in said
                assert ("(R" in said) == (crime is forbidden_move), "a rule was broken, or none need be"
                assert "numbered" in said or "Entry" in said
                assert await page.inner_text("#now") == "The game has stopped"
                assert await page.locator("#actions button").count() == 0, "nothing can be played any more"
                await page.get_by_role("button", name="Show proof").click()
                proof = await page.inner_text("#proof")
                case = await saved_case(page, tmp_path / f"{name}.durakcase")
                kept = list((tmp_path / name / "games").glob("*/*.durakcase"))
                assert [file.read_bytes() for file in kept] == [case.read_bytes()]
                verdict = await judged(tmp_path, case)
                assert verdict["verdict"] == "proven"
                assert verdict["game"] in proof
                await page.reload()
                await page.get_by_role("alert").wait_for()
                assert page.errors == []


async def play_until(done: asyncio.Event, pages) -> None:
    """The honest play on until the crook has had its turn."""
    for page in pages:
        await page.wait_for_selector("#hand .card", timeout=30_000)
    async with asyncio.timeout(60):
        while not done.is_set():
            for page in pages:
                await press_something(page)
            await asyncio.sleep(0.1)


async def saved_case(page, to: Path) -> Path:
    """The case as the page's own link saves it."""
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Save the case").click()
    await (await download.value).save_as(to)
    return to


async def judged(home: Path, case: Path) -> dict[str, object]:
    """What a third person's `durak verify` says, who has nothing but the file."""
    said = await asyncio.to_thread(command, home / "judge", "verify", "--json", str(case))
    assert said.returncode == Exit.PROVEN, said.stdout + said.stderr
    return json.loads(said.stdout)
