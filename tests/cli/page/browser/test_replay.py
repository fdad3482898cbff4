"""The replay in a real browser: at our own peer with a file dropped in, and as one page from the disk."""

from __future__ import annotations

import pytest

from cli.page import server as page_server
from cli.page.bundle import one_page
from cli.page.replay import film
from game.course import Course
from tests.cli.page.test_replay import ENGINE, played
from tests.tables import options_of

pytestmark = pytest.mark.browser

DROP = """(bytes) => {
  const file = new File([new Uint8Array(bytes)], "game.durak");
  const data = new DataTransfer();
  data.items.add(file);
  window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


CUT = """() => [...document.querySelectorAll("#say p, #badge")]
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.getBoundingClientRect().top < 48)
  .map((each) => each.textContent)"""


@pytest.fixture(scope="module", name="log")
def _log():
    return played(options_of(seats=3))


@pytest.fixture(name="screen")
async def _screen(open_screen, view_of, log, monkeypatch):
    monkeypatch.setattr(page_server, "course", lambda: ENGINE)
    assert isinstance(ENGINE, Course)
    screen = await open_screen(view_of())
    screen.feed.log_file = log.export
    await screen.page.goto(screen.address.split("#")[0] + "replay")
    await screen.page.wait_for_selector("#badge")
    return screen


async def drop(screen, data: bytes) -> None:
    await screen.page.evaluate(DROP, list(data))
    await screen.page.wait_for_selector('#badge[data-good]:not([data-good="none"])')
    await screen.settle()


async def test_a_dropped_log_is_judged_and_steps_to_every_entry(screen, log):
    await drop(screen, log.export())
    assert "Verified" in await screen.text("#badge")
    assert await screen.page.get_attribute("#badge", "data-good") == "yes"
    place = screen.page.locator("#player input[type=range]")
    seen = []
    for _ in range(log.height + 1):
        seen.append(await place.get_attribute("aria-valuetext"))
        await screen.page.keyboard.press("ArrowRight")
    assert seen == [f"entry {height} of {log.height}" for height in range(log.height + 1)]
    await screen.settle()
    end = await screen.text("#table")
    await screen.shot("replay-end")
    await screen.page.keyboard.press("Home")
    await screen.settle()
    assert await screen.page.locator("#dealing").is_visible()
    await screen.page.keyboard.press("End")
    await screen.settle()
    assert await screen.text("#table") == end


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
async def test_all_that_happened_can_be_read_without_scrolling(screen, log, width, height):
    await screen.page.set_viewport_size({"width": width, "height": height})
    await drop(screen, log.export())
    for _ in range(log.height + 1):
        cut = await screen.page.evaluate(CUT)
        assert cut == []
        await screen.page.keyboard.press("ArrowRight")
    await screen.shot(f"replay-{width}")


async def test_a_flipped_byte_turns_the_badge_red(screen, log):
    data = bytearray(log.export())
    data[len(data) // 2] ^= 1
    await drop(screen, bytes(data))
    assert await screen.page.get_attribute("#badge", "data-good") == "no"
    assert "byte" in await screen.text("#badge")
    await screen.shot("replay-red")


async def test_published_hands_are_shown_seat_by_seat(screen, log):
    await drop(screen, log.export())
    await screen.page.locator("#player input[type=range]").fill(str(log.height // 2))
    await screen.settle()
    counts = await screen.page.locator("#seats .count").all_inner_texts()
    for seat, count in enumerate(counts):
        await screen.page.get_by_label("Whose hand is shown").select_option(str(seat))
        assert await screen.page.locator("#hand .card").count() == int(count)
    assert await screen.page.locator("#hands li").count() == 3


async def test_it_plays_by_itself_and_stops_at_the_end(screen, log):
    await drop(screen, log.export())
    place = screen.page.locator("#player input[type=range]")
    await place.fill(str(log.height - 1))
    await screen.page.get_by_role("button", name="Play").click()
    assert await screen.page.get_by_role("button", name="Pause").is_visible()
    await screen.page.wait_for_timeout(1500)
    assert await place.input_value() == str(log.height)
    assert await screen.page.get_by_role("button", name="Play").is_visible()


async def test_the_own_game_is_one_tap_away(screen, log):
    await screen.page.goto(screen.address.split("#")[0] + "replay#log")
    await screen.page.reload()
    await screen.page.wait_for_selector('#badge[data-good="yes"]')
    await screen.page.get_by_role("link", name="To the table").click()
    await screen.page.wait_for_selector("#hand .card")


async def test_one_page_from_the_disk_needs_no_peer(browser, log, tmp_path):
    file = tmp_path / "game.html"
    file.write_text(one_page(film(log.export(), ENGINE), "en"), encoding="utf-8")
    context = await browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = await context.new_page()
    errors: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    await page.goto(file.as_uri())
    await page.wait_for_selector('#badge[data-good="yes"]')
    await page.keyboard.press("End")
    assert "durak" in await page.inner_text("#now"), "who lost, after the last entry too"
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_label("Order of the hand").select_option("rank")
    await page.keyboard.press("Escape")
    assert errors == []
    assert requests == [file.as_uri()]
    await context.close()


@pytest.mark.parametrize(("locale", "language"), [("de-AT", "de"), ("en-GB", "en"), ("fr-FR", "ru")])
async def test_one_page_speaks_the_language_of_who_reads_it(browser, log, tmp_path, locale, language):
    """Where it has none of the reader's languages, that of who made it."""
    file = tmp_path / "game.html"
    file.write_text(one_page(film(log.export(), ENGINE), "ru"), encoding="utf-8")
    context = await browser.new_context(locale=locale)
    page = await context.new_page()
    await page.goto(file.as_uri())
    await page.wait_for_selector('#badge[data-good="yes"]')
    assert await page.evaluate("navigator.languages[0]") == locale
    assert await page.get_attribute("html", "lang") == language
    await context.close()


async def test_without_a_log_it_says_so_and_what_to_do(screen):
    assert await screen.text("#now") == "No log is open"
    assert await screen.text("#badge") == "Open a .durak file, or drop one here."


@pytest.mark.parametrize("junk", [b"", b"hello", bytes(200)])
async def test_what_never_was_a_log_is_not_called_damaged(screen, log, junk):
    await drop(screen, junk)
    assert await screen.text("#badge") == "✗ This is no log of a game: it does not begin like one."
    assert await screen.text("#now") == "No log is open"
    await drop(screen, log.export()[:-9])
    assert "Damaged: this file was changed or cut at byte" in await screen.text("#badge")


async def test_what_is_no_log_takes_the_table_before_it_away(screen, log):
    await drop(screen, b"hello")
    empty = await screen.text("main")
    await drop(screen, log.export())
    await screen.page.keyboard.press("End")
    await screen.settle()
    assert await screen.page.locator("#seats li").count() == 3
    await drop(screen, b"hello")
    assert await screen.text("main") == empty
    assert await screen.page.locator("#hand .card, #seats li, #pairs .card").count() == 0
    await screen.shot("replay-nothing")
    await drop(screen, log.export())
    assert await screen.page.locator("#seats li").count() == 3
    assert await screen.page.get_attribute("#badge", "data-good") == "yes"
