"""A guest's database (`static/vault.js`) in Chromium: all or nothing, in order, for one tab."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

pytestmark = [pytest.mark.guest, pytest.mark.browser]
ORIGIN = "http://192.0.2.77:8765"
OPEN = """async () => {
  const { openVault } = await import("/vault.js");
  const bytes = (text) => new TextEncoder().encode(text);
  const spoken = (found) => found.map((each) => new TextDecoder().decode(each));
  const write = ([kind, game, due, text]) => [kind, game, due, bytes(text)];
  window.tab = async () => {
    const vault = await openVault("host");
    const claim = async () => {
      const kept = await vault.claim();
      return {
        identity: spoken([kept.identity])[0],
        seat: spoken([kept.seat])[0],
        games: kept.games.map(({ genesis, seed, records }) => spoken([genesis, seed, ...records])),
      };
    };
    const commit = (...writes) =>
      vault.commit(writes.map(write)).then(() => "kept", (error) => error.message || error.name);
    return { claim, commit };
  };
}"""


async def database(browser: Any) -> Any:
    """A page whose `tab()` opens the vault as one more tab: {claim, commit}, in texts."""

    async def answer(route: Any) -> None:
        script = route.request.url.endswith("/vault.js")
        body = (
            (resources.files("cli.guests") / "static" / "vault.js").read_text()
            if script
            else "<title>t</title>"
        )
        await route.fulfill(body=body, content_type="text/javascript" if script else "text/html")

    context = await browser.new_context()
    await context.route("**/*", answer)
    page = await context.new_page()
    await page.goto(ORIGIN)
    await page.evaluate(OPEN)
    return page


async def test_what_is_written_is_kept_in_its_order(browser: Any) -> None:
    page = await database(browser)
    said, kept = await page.evaluate("""async () => {
      const one = await tab();
      await one.claim();
      const said = [
        await one.commit(["identity", "", "", "me"], ["seat", "", "", "asked"]),
        await one.commit(["genesis", "g", "", "rules"], ["seed", "g", "", "secret"]),
        await one.commit(
          ["own", "g", "0", "a"], ["record", "g", "", "b"], ["own", "g", "1", "c"], ["record", "g", "", "d"]),
        await one.commit(["record", "g", "", "e"], ["own", "g", "2", "f"]),
      ];
      return [said, await one.claim()];
    }""")
    assert said == ["kept"] * 4
    assert kept == {"identity": "me", "seat": "", "games": [["rules", "secret", *"abcdef"]]}


async def test_a_second_body_for_one_due_undoes_all_that_came_with_it(browser: Any) -> None:
    page = await database(browser)
    said, kept = await page.evaluate("""async () => {
      const one = await tab();
      await one.claim();
      await one.commit(["genesis", "g", "", "rules"], ["seed", "g", "", "secret"], ["own", "g", "3", "lead"]);
      const said = [
        await one.commit(["record", "g", "", "theirs"], ["own", "g", "3", "other"], ["forget", "g", "", ""]),
        await one.commit(["identity", "", "", "me"]),
        await one.commit(["record", "g", "", "later"], ["identity", "", "", "somebody else"]),
      ];
      return [said, await one.claim()];
    }""")
    assert said[0] != "kept"
    assert said[1] == "kept"
    assert said[2] != "kept"
    assert kept == {"identity": "me", "seat": "", "games": [["rules", "secret", "lead"]]}


async def test_the_tab_before_writes_nothing_any_more(browser: Any) -> None:
    page = await database(browser)
    said, kept = await page.evaluate("""async () => {
      const one = await tab();
      await one.claim();
      await one.commit(["genesis", "g", "", "rules"], ["seed", "g", "", "secret"], ["own", "g", "0", "a"]);
      const other = await tab();
      await other.claim();
      const said = await Promise.all([
        one.commit(["record", "g", "", "x"], ["own", "g", "1", "mine"], ["forget", "g", "", ""]),
        other.commit(["own", "g", "1", "theirs"]),
        one.commit(["own", "g", "2", "mine"]),
        other.commit(["record", "g", "", "b"]),
      ]);
      return [said, await other.claim()];
    }""")
    assert said == ["other tab", "kept", "other tab", "kept"]
    assert kept["games"] == [["rules", "secret", "a", "theirs", "b"]]


async def test_the_seed_of_a_game_that_is_over_is_gone(browser: Any) -> None:
    page = await database(browser)
    said, kept = await page.evaluate("""async () => {
      const one = await tab();
      await one.claim();
      await one.commit(["genesis", "g", "", "rules"], ["seed", "g", "", "secret"]);
      const said = await one.commit(["own", "g", "9", "result"], ["forget", "g", "", ""]);
      return [said, await one.claim()];
    }""")
    assert said == "kept"
    assert kept["games"] == [["rules", "", "result"]]
