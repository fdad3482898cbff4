"""The command, real peers, real links, real browsers: a game from the command line to the shoulder boards."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.cli.commands.running import durak as command

PlaywrightError = pytest.importorskip("playwright.async_api").Error
pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[4]
GAME = 120.0


class Program:
    """One running `durak`, and the address of its page."""

    def __init__(self, process: asyncio.subprocess.Process, address: str, started: float, said: str) -> None:
        self.process = process
        self.address = address
        self.started = started
        self.said = said

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def durak(home: Path, *words: str):
    """`durak WORDS… --page` with a data folder of its own."""
    environment = {**os.environ, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT)}
    environment.pop("DISPLAY", None)
    started = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli.main", *words, "--page",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, stdin=asyncio.subprocess.DEVNULL,
        env=environment, limit=1 << 20,
    )  # fmt: skip
    assert process.stdout is not None
    said = ""
    try:
        async with asyncio.timeout(20):
            while not (found := re.search(r"http://127\S+", said)):
                line = (await process.stdout.readline()).decode()
                assert line, said
                said += line
        rest = asyncio.create_task(_drain(process.stdout))
        yield Program(process, found[0], started, said)
        rest.cancel()
        await asyncio.gather(rest, return_exceptions=True)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(process.wait(), 15)


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.read(4096):
        pass


async def open_page(browser, address: str, frames: list[str] | None = None):
    context = await browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = await context.new_page()
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.errors.append(request.url) if foreign(request.url) else None)
    if frames is not None:
        page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))))
    await page.goto(address)
    return page


def foreign(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:"))


async def press_something(page) -> bool:
    """One decision by keyboard alone; False if nothing is asked."""
    target = page.locator("#pairs button.target").first
    playable = page.locator("#hand .card[data-playable]").first
    main = page.locator("#actions button.main").first
    for choice in (target, playable, main):
        if await choice.count():
            await choice.focus(timeout=500)
            await page.keyboard.press("Enter")
            return True
    return False


async def play_on(pages, *, until, press=press_something) -> None:
    """Everybody decides whenever asked, until `until(page)` is true for all."""
    async with asyncio.timeout(GAME):
        while True:
            if all([await until(page) for page in pages]):
                return
            for page in pages:
                with contextlib.suppress(
                    PlaywrightError
                ):  # what was under the finger has just gone: look again
                    await press(page)
            await asyncio.sleep(0.08)


async def is_over(page) -> bool:
    return await page.locator("#sheet-over").count() > 0


async def way_in(page) -> tuple[str, ...]:
    """What the host's page tells the others to type, at the address of this device."""
    await page.wait_for_selector("#dealing > .addresses li:nth-child(2)")
    ways = await page.locator("#dealing > .addresses code").all_inner_texts()
    port, code = next(re.findall(r":(\d+) (\S+)$", way)[0] for way in ways if re.search(r":\d+ ", way))
    return "join", f"127.0.0.1:{port}", code


async def begin(host_page, guest_page) -> None:
    """The guest looks at the rules and agrees, the host starts."""
    await guest_page.get_by_role("button", name="I agree").wait_for()
    await guest_page.get_by_role("button", name="Rules").click()
    assert "36 cards" in await guest_page.inner_text("#sheet-help")
    await guest_page.get_by_role("button", name="Close").click()
    await guest_page.get_by_role("button", name="I agree").click()
    await host_page.get_by_role("button", name="Start the game").click()


async def test_practice_from_the_command_to_the_end_and_again_by_keyboard_alone(browser, tmp_path):
    async with durak(tmp_path, "play", "--name", "Anna") as program:
        page = await open_page(browser, program.address)
        await page.wait_for_selector("#hand .card")
        first = time.monotonic() - program.started
        print(f"from the command to the own cards: {first:.1f} s")
        assert first < 10
        await play_on([page], until=is_over)
        assert "durak" in (await page.inner_text("#sheet-over h2")).lower()
        await page.get_by_role("button", name="Look at the table").click()
        await page.get_by_role("button", name="Menu").click()
        await page.get_by_role("button", name="My games").click()
        assert "1 game played to the end" in await page.inner_text("#sheet-stats")
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Result").click()
        await page.get_by_role("button", name="Play again").focus()
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#sheet-over", state="detached")
        await page.wait_for_selector("#hand .card")
        assert page.errors == []


async def test_a_series_goes_on_through_reloads_a_second_tab_and_double_clicks(browser, tmp_path):
    words = ("play", "--bots", "1", "--option", "deck=24", "--option", "series=on", "--name", "Anna")
    async with durak(tmp_path, *words) as program:
        page = await open_page(browser, program.address)
        counted = 0
        for game in (1, 2):
            await page.wait_for_selector("#hand .card")
            await play_on([page], until=bout_begun)
            hand = await hand_of(page)
            second = await page.context.new_page()
            await second.goto(program.address.split("#")[0])
            await page.reload()
            for tab in (page, second):
                await tab.wait_for_selector("#hand .card")
                assert await hand_of(tab) == hand
            await second.close()
            await page.goto("about:blank")
            await page.go_back()
            await page.wait_for_selector("#hand .card")
            await play_on([page], until=is_over, press=double_click_something)
            won, lost = await tally(page)
            counted += "nobody" not in await page.inner_text("#sheet-over h2")
            assert (won, lost) == (counted, counted)
            if game == 1:
                await page.get_by_role("button", name="Play again").dblclick()
                await page.wait_for_selector("#sheet-over", state="detached")
        assert page.errors == []
    logs = list((tmp_path / "games").glob("*/log.durak"))
    assert len(logs) == 2
    for log in logs:
        assert (await asyncio.to_thread(command, tmp_path / "judge", "verify", str(log))).returncode == 0


async def bout_begun(page) -> bool:
    """Something lies and our word is asked: nobody moves now."""
    return await page.evaluate(
        "document.querySelector('.pair') !== null && document.body.dataset.turn !== undefined"
        " && document.querySelector('#hand [data-playable], #actions .main[data-slot=left]') !== null"
    )


async def hand_of(page) -> list[str]:
    return await page.locator("#hand .card").evaluate_all("all => all.map((each) => each.dataset.card)")


async def tally(page) -> tuple[int, int]:
    """Games won and lost, all seats together, as the sheet counts them."""
    rows = await page.locator("#sheet-over tbody td").all_inner_texts()
    return sum(map(int, rows[::2])), sum(map(int, rows[1::2]))


async def double_click_something(page) -> None:
    """A decision by an impatient finger."""
    for selector in ("#pairs button.target", "#hand .card[data-playable]", "#actions button.main"):
        choice = page.locator(selector).first
        if await choice.count():
            await choice.dblclick(timeout=500, position={"x": 10, "y": 14})
            return


async def test_two_people_two_browsers_one_game(browser, tmp_path):
    frames: dict[str, list[str]] = {"host": [], "guest": []}
    async with durak(tmp_path / "host", "host", "--seats", "2", "--port", "0", "--name", "Anna") as host:
        host_page = await open_page(browser, host.address, frames["host"])
        await host_page.wait_for_selector("#dealing code")
        async with durak(tmp_path / "guest", *await way_in(host_page), "--name", "Boris") as guest:
            guest_page = await open_page(browser, guest.address, frames["guest"])
            await begin(host_page, guest_page)
            for page in (host_page, guest_page):
                await page.wait_for_selector("#hand .card", timeout=30_000)
            await play_on([host_page, guest_page], until=is_over)
            ends = [await page.inner_text("#sheet-over h2") for page in (host_page, guest_page)]
            assert len(set(ends)) == 2 or "nobody" in ends[0]
            assert host_page.errors == []
            assert guest_page.errors == []
    for name in frames:
        check_privacy(frames[name])


def check_privacy(frames: list[str]) -> None:
    """Until the hands are opened, a page hears of no card but its own and those all know."""
    own: set[int] = set()
    public: set[int] = set()
    views = 0
    for frame in frames:
        for message in json.loads(frame):
            if message["type"] == "view" and message["trump"] is not None:
                views += 1
                own |= {held["card"] for held in message["hand"]}
                public |= {message["trump"], *message["discard"]}
                public |= {card for known in message["known"] for card in known}
                public |= {pair["attack"] for pair in message["table"]}
                public |= {pair["beat"] for pair in message["table"] if pair["beat"] is not None}
    assert views > 10
    for frame in frames:
        for message in json.loads(frame):
            if message["type"] == "events":
                for event in message["events"]:
                    if event["event"] == "hands-opened":
                        continue
                    named = {value for key, value in event.items() if key in ("card", "attack", "trump")}
                    assert named <= own | public
                    assert set(event.get("cards", [])) <= own | public


async def test_a_peer_killed_in_mid_attack_is_missed_and_comes_back(browser, tmp_path):
    async with durak(tmp_path / "host", "host", "--seats", "2", "--port", "0", "--name", "Anna") as host:
        host_page = await open_page(browser, host.address)
        await host_page.wait_for_selector("#dealing code")
        home = tmp_path / "guest"
        async with durak(home, *await way_in(host_page), "--name", "Boris") as guest:
            guest_page = await open_page(browser, guest.address)
            await begin(host_page, guest_page)
            for page in (host_page, guest_page):
                await page.wait_for_selector("#hand .card", timeout=30_000)
            while await host_page.locator("#pairs .pair").count() == 0:
                for page in (host_page, guest_page):
                    await press_something(page)
                await asyncio.sleep(0.1)
            counts, before = await host_page.locator("#seats .count").all_inner_texts(), None
            while counts != before:  # until what was decided last has arrived everywhere
                await asyncio.sleep(1)
                counts, before = await host_page.locator("#seats .count").all_inner_texts(), counts
            await guest.kill()
            gone = time.monotonic()
            await host_page.wait_for_selector("#seats [data-lost]", timeout=3000)
            print(f"missed after {time.monotonic() - gone:.1f} s")
            assert await host_page.inner_text("#links") == "1 of 2 here"
        async with durak(home, "games", "resume") as guest:
            back = time.monotonic()
            await host_page.wait_for_selector("#seats li:not([data-lost])", timeout=20_000)
            seconds = time.monotonic() - back
            print(f"back after {seconds:.1f} s from its page")
            assert seconds < 2
            assert await host_page.locator("#seats .count").all_inner_texts() == counts
            guest_page = await open_page(browser, guest.address)
            await guest_page.wait_for_selector("#hand .card")
            await play_on([host_page, guest_page], until=is_over)


async def test_an_open_table_asks_its_host_on_the_page(browser, tmp_path):
    async with durak(
        tmp_path / "host", "host", "--open", "--seats", "2", "--port", "0", "--name", "Anna"
    ) as host:
        host_page = await open_page(browser, host.address)
        await host_page.wait_for_selector("#dealing code")
        port = re.findall(r":(\d+)", await host_page.inner_text("#dealing > .addresses"))[0]
        async with durak(tmp_path / "guest", "join", f"127.0.0.1:{port}", "--name", "Boris") as guest:
            guest_page = await open_page(browser, guest.address)
            await host_page.wait_for_selector("#dealing .guest")
            assert "Boris asks for a seat." in await host_page.inner_text("#dealing .guest")
            await host_page.get_by_role("button", name="Let in").click()
            await begin(host_page, guest_page)
            for page in (host_page, guest_page):
                await page.wait_for_selector("#hand .card", timeout=30_000)
