"""A whole game by keys and ears alone: what a screen reader is told, and where the keyboard is.

Nothing here looks at the page: only the browser's accessibility tree, the one status region, and Tab.
"""

from __future__ import annotations

import asyncio
import re

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("playwright.async_api")

from tests.cli.page.browser.test_real import GAME, durak, is_over, open_page

pytestmark = pytest.mark.browser

HEAR = """() => {
  window.heard = [];
  const status = document.querySelector("#status");
  const listen = () => window.heard.push(...[...status.children].map((each) => each.textContent));
  new MutationObserver(listen).observe(status, { childList: true, characterData: true, subtree: true });
  listen();
}"""
MOST_TABS = 40
CARD = re.compile(r"^\w+ of (spades|hearts|clubs|diamonds)")
WORDS = {"Take", "Done", "Pass", "Enough given"}


class Ears:
    """What a person hears: the control that has the focus, by its role, name and state."""

    def __init__(self, page, tools) -> None:
        self.page = page
        self._tools = tools

    @classmethod
    async def at(cls, page) -> Ears:
        tools = await page.context.new_cdp_session(page)
        await tools.send("Accessibility.enable")
        return cls(page, tools)

    async def focused(self) -> tuple[str, str]:
        element = await self._tools.send("Runtime.evaluate", {"expression": "document.activeElement"})
        found = await self._tools.send(
            "Accessibility.getPartialAXTree",
            {"objectId": element["result"]["objectId"], "fetchRelatives": False},
        )
        node = found["nodes"][0]
        return node["role"]["value"], node.get("name", {}).get("value", "")

    async def tree(self) -> list[tuple[str, str]]:
        """Every node that is told, with its name."""
        nodes = (await self._tools.send("Accessibility.getFullAXTree"))["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"]
        ]


async def tab_to(ears: Ears, wanted) -> bool:
    """Tab until the name that is read out is wanted."""
    for _ in range(MOST_TABS):
        _, name = await ears.focused()
        if wanted(name):
            return True
        await ears.page.keyboard.press("Tab")
    return False


async def card_to_play(ears: Ears) -> bool:
    """Along the own cards by arrow until one says that it can be played."""
    if not await tab_to(ears, CARD.match):
        return False
    await ears.page.keyboard.press("Home")
    before = ""
    while (name := (await ears.focused())[1]) != before:
        if name.endswith("can be played"):
            return True
        before = name
        await ears.page.keyboard.press("ArrowRight")
    return False


async def decide(ears: Ears) -> None:
    """A card where one can be played, else the word that is asked for."""
    if await card_to_play(ears):
        await ears.page.keyboard.press("Enter")
        if (await ears.focused())[1].startswith("Beat the"):
            await ears.page.keyboard.press("Enter")
    elif await tab_to(ears, lambda name: name in WORDS or name.endswith("Tap again")):
        await ears.page.keyboard.press("Enter")


async def test_a_whole_game_unseen(browser, tmp_path):
    async with durak(tmp_path, "play", "--bots", "1", "--option", "deck=24", "--name", "Anna") as program:
        page = await open_page(browser, program.address)
        await page.wait_for_selector("#hand .card")
        ears = await Ears.at(page)
        lines = page.locator("#log li")
        await page.evaluate(HEAR)
        before = await lines.count()
        decided = 0
        async with asyncio.timeout(GAME):
            while not await is_over(page):
                if (await page.title()).startswith("●"):
                    tree = await ears.tree()
                    assert [role for role, _ in tree].count("status") == 1, "one polite region"
                    assert all(name for role, name in tree if role in {"button", "link", "combobox"})
                    await decide(ears)
                    decided += 1
                await asyncio.sleep(0.1)
        assert decided > 5
        ends = [name for role, name in await ears.tree() if role == "dialog"]
        assert len(ends) == 1
        assert "durak" in ends[0].lower(), "who lost is the name of what opens"
        heard = " ".join(await page.evaluate("window.heard"))
        told = (await lines.all_text_contents())[before:]
        assert len(told) > 15
        assert [line for line in told if line not in heard] == [], "all that happened was said"
        await page.get_by_role("button", name="Play again").wait_for()
        assert await tab_to(ears, lambda name: name == "Play again")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#sheet-over", state="detached")
        await page.wait_for_selector("#hand .card")
        assert page.errors == []
