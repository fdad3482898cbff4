"""Nothing is cut off, covered or too small to touch: five screens, hands of 6, 12, 24 and 34, six pairs, all
languages. Sizes are compared with the fixed viewport: mobile emulation widens `innerWidth`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.texts import languages
from game import actions
from game.cards import Place, card_text, deck_cards, parse_card

pytestmark = pytest.mark.browser

SIZES = [(320, 568), (360, 640), (390, 844), (844, 390), (1280, 800)]
SIX_PAIRS = "8S/TS 8D/JD JC/KC KS/AS JS/6H KH"

AUDIT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")


def crowded(view_of, hand_of, pairs_of, cards: int):
    """Six pairs, one open, and so many cards in hand that some are playable in every row."""
    hand = hand_of(" ".join(card_text(card) for card in deck_cards(36)[:cards]), first=0)
    beats = tuple(
        actions.Beat(parse_card("KH"), Place(place), hand[place].card) for place in range(0, cards, 3)
    )
    return view_of(
        hand=hand,
        table=pairs_of(SIX_PAIRS),
        legal=(*beats, actions.TAKE, actions.RESIGN),
        counts=(3, cards, 12),
    )


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("language", languages())
async def test_everything_fits(open_screen, view_of, hand_of, pairs_of, width, height, language):
    screen = await open_screen(
        crowded(view_of, hand_of, pairs_of, 6), width=width, height=height, language=language
    )
    for cards in (6, 12, 24, 34):
        await screen.show(crowded(view_of, hand_of, pairs_of, cards))
        assert await screen.page.evaluate(AUDIT, [width, height]) == [], f"{cards} cards"
        await screen.shot(f"layout-{width}x{height}-{language}-{cards}")


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_six_people_with_long_names_fit(open_screen, view_of, pairs_of, width, height):
    from game.options import Options
    from ledger.engine import Seat

    six = view_of(
        options=Options(seats=6),
        names=("Wolfeschlegelsteinhausen", "Me", "Мария-Александра Б", "陳大文", "Zoë", "W" * 32),
        counts=(5, 6, 12, 0, 6, 6),
        known=((),) * 6,
        table=pairs_of(SIX_PAIRS),
        out=(Seat(3),),
        passed=(Seat(4),),
        marked=(Seat(5),),
    )
    screen = await open_screen(six, width=width, height=height)
    assert await screen.page.evaluate(AUDIT, [width, height]) == []
    await screen.shot(f"six-{width}x{height}")


async def test_the_index_letters_are_those_of_the_language(open_screen, view_of):
    wanted = {"en": "JQ", "de": "BD", "es": "JQ", "ru": "ВД"}
    for language in languages():
        screen = await open_screen(view_of(), language=language)
        letters = await screen.page.locator("#hand .index").all_inner_texts()
        assert {letters[4], letters[5]} == set(wanted[language])
        assert await screen.page.get_attribute("html", "lang") == language
        body = await screen.text("body")
        assert not [each for each in body if ord(each) > 0x1F000]


@pytest.mark.parametrize("language", languages())
async def test_what_is_said_without_a_connection_fits(open_screen, view_of, language):
    screen = await open_screen(view_of(), language=language)
    await screen.server.stop()
    await screen.page.wait_for_selector('body[data-connection="lost"]')
    for width, height in SIZES:
        await screen.page.set_viewport_size({"width": width, "height": height})
        await screen.settle()
        assert await screen.page.evaluate(AUDIT, [width, height]) == []
        await screen.shot(f"lost-{width}x{height}-{language}")
    await screen.page.goto("about:blank")
    screen.errors.clear()
