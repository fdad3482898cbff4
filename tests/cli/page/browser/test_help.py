"""The sheet of rules: what the game is for who has never seen it, and what `durak rules` says of it."""

from __future__ import annotations

import pytest

from cli.commands.rules import aim, answers, table_lines
from cli.page.feed import Lobby, Person, Situation
from cli.texts import languages, load
from game.options import Options

pytestmark = pytest.mark.browser

TABLES = {
    "plain": Options(seats=2),
    "transfer for two": Options(seats=2, variant="transfer", deck=24),
    "everything": Options(
        seats=3, variant="transfer", show_transfer=True, cheating=True, lead="several", series=True, clock=60
    ),
    "teams": Options(seats=4, teams="2v2", throwers="neighbours", first_limit=False, open_after=False),
    "no talon": Options(seats=6, throw_after_take=False, absent="durak", next_first="winner"),
}


async def lines(screen) -> list[str]:
    await screen.page.locator("#help").click()
    said = await screen.page.locator("#sheet-help li").all_inner_texts()
    await screen.page.keyboard.press("Escape")
    return said


@pytest.mark.parametrize("language", languages())
async def test_it_says_what_the_command_says(open_screen, view_of, language):
    screen = await open_screen(view_of(), width=320, height=568, language=language)
    texts = load(language)
    for name, options in TABLES.items():
        await screen.show(view_of(options=options))
        said = await lines(screen)
        command = [*aim(texts), *table_lines(options, texts), *answers(options, texts)]
        assert sorted(set(command) - set(said)) == [], name
        keys = [texts.say(f"page.help.{key}") for key in ("tap", "why", "cheating", "keys", "space")]
        assert sorted(set(said) - {*command, *keys}) == [], name


async def test_the_game_itself_comes_first_and_before_the_game_begins(open_screen, view_of):
    screen = await open_screen(view_of())
    screen.feed._view = None
    people = (
        Person("Anna", ready=True, bot=False, me=False),
        Person("Boris", ready=False, bot=False, me=True),
    )
    screen.feed.show(situation=Situation("friends", (), lobby=Lobby(Options(seats=2), people)))
    await screen.page.reload()
    await screen.until("#now", "then agree")
    said = await lines(screen)
    assert said[0].startswith("Get rid of your cards.")
    assert said[1].startswith("One attacks with a card.")
    assert said[2].startswith("What beats what?")
