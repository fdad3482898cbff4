"""The talk before a game as a pure object: whose words are whose, and what a slip is answered with."""

from __future__ import annotations

import pytest

from cli.line.lobby import LobbyTalk, Move, Say, ShowOut
from cli.texts import languages, load
from game.options import RULES_ID, encode
from p2p.messages import RosterLine, Table
from tests.tables import identity_of, options_of

ME, EVE, BOT = (identity_of(number).public for number in range(3))


def table(*lines: RosterLine, seats: int = 4) -> Table:
    options = encode(options_of(seats=seats))
    return Table(1, RULES_ID, options, 1, seats, may_watch=False, previous=None, game=None, roster=lines)


def sitting(identity: bytes, name: str, *, bot: bool = False, ready: bool = False) -> RosterLine:
    return RosterLine(identity, name, ready, bot, watching=False)  # type: ignore[arg-type]


def talk(shown: Table, *, hosting: bool = True, language: str = "en") -> tuple[LobbyTalk, list[str]]:
    talking = LobbyTalk(load(language), me=ME, hosting=hosting)
    lines = talking.shown(shown, host=ME if hosting else EVE, here=lambda _: True)
    return talking, [line for line in lines if line.startswith("  ")]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("fake", ["Alice - you, host", "Alice  [you, host]", "Alice: 6 cards [attacks"])
def test_what_is_said_of_a_seat_stands_in_brackets_which_no_name_has(language: str, fake: str) -> None:
    seats = table(sitting(ME, "Anna", ready=True), sitting(EVE, fake), sitting(BOT, "Olya [bot]", bot=True))
    _, lines = talk(seats, language=language)
    mine, theirs, bot = (line for line in lines if line.endswith("]"))
    say = load(language).say
    assert mine == f"  1  Anna  [{say('seat.you')}, {say('lobby.note.host')}]"
    name, _, notes = theirs.partition("  [")
    assert notes == f"{say('lobby.note.not-ready')}]"
    assert not set("[]") & set(name)
    assert bot.startswith("  3  Olya [bot]  [")


def test_whoever_is_not_understood_is_told_so() -> None:
    talking, _ = talk(table(sitting(ME, "Anna", ready=True), sitting(EVE, "Eve")))
    for slip in ("perhaps", "set", "out", "move 2"):
        wish = talking.typed(slip, asking=True)
        assert isinstance(wish, Say)
        assert not wish.understood, slip
    assert talking.typed("who") == Say(talking.typed("").lines)  # type: ignore[union-attr]


def test_a_move_to_the_own_place_and_people_who_are_not_there_are_answered() -> None:
    talking, _ = talk(table(sitting(ME, "Anna", ready=True), sitting(EVE, "Eve")))
    assert talking.typed("move 1 1") == Say(("Anna sits there already.",))
    assert talking.typed("move eve 2") == Say(("Eve sits there already.",))
    assert talking.typed("move eve 1") == Move(EVE, 0)
    assert talking.typed("out x") == talking.typed("move x 1")
    called = "Nobody here is called x. Type the number of a seat, or a name as it is shown."
    assert talking.typed("out x") == Say((called,))
    assert talking.typed("out 3") == talking.typed("move 3 1") == Say(("Nobody sits there.",))
    assert talking.typed("out eve") == ShowOut(EVE)
