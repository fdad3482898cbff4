"""What a play seems to tell about the rest of a hand (R33: public facts alone)."""

from __future__ import annotations

import pytest

from game.actions import Action
from game.bots import START, remember
from game.cards import Place, card_text, members, parse_card
from game.open_table import OpenGame, hand_of
from game.options import Options
from tests.game.table import Table, endgame

HANDS = ["9S 9C KD 7S", "TS JS 8D AH"]
TALON = "QS 6H 7H 8H 6D"


def betrayed(table: Table, action: Action) -> str:
    """Of the suits spades and trumps (diamonds), what a seat's places seem not to hide after an action."""
    position = table.position
    memory = remember(START, position, ((position.word, action),))
    if memory == START:
        return ""
    places = set(hand_of(table.game, position.word))
    found = {memory.unlikely[place] for place in places}
    assert len(found) == 1
    assert all(not cards for place, cards in enumerate(memory.unlikely) if place not in places)
    (cards,) = found
    texts = [card_text(card) for card in members(cards)]
    return " ".join(text for text in texts if text[1] in "SD" and text[0] not in "2345")


@pytest.fixture
def table() -> Table:
    return Table(endgame(Options(), HANDS, talon=TALON))


def test_a_lead_says_nothing_much_lower(table: Table) -> None:
    assert betrayed(table, table.read("lead 9S")) == "6S 7S"
    assert betrayed(table, table.read("lead 7S")) == ""


def test_a_led_trump_says_no_plain_card(table: Table) -> None:
    assert betrayed(table, table.read("lead KD")) == "6S 7S 8S 9S TS JS QS KS AS 6D 7D 8D 9D TD JD"


def test_beating_says_nothing_cheaper_would_have_done(table: Table) -> None:
    table.do(0, "lead 9S")
    assert betrayed(table, table.read("beat 9S TS")) == ""
    assert betrayed(table, table.read("beat 9S JS")) == "TS"
    assert betrayed(table, table.read("beat 9S 8D")) == "TS JS QS KS AS 6D 7D"


def test_taking_says_no_plain_card_beats(table: Table) -> None:
    table.do(0, "lead 9S")
    assert betrayed(table, table.read("take")) == "TS JS QS KS AS"


def test_passing_says_no_plain_card_fits(table: Table) -> None:
    table.play_all((0, "lead 9S"), (1, "beat 9S TS"))
    assert betrayed(table, table.read("pass")) == "9S TS"


def test_a_false_beat_says_nothing() -> None:
    game: OpenGame = endgame(Options(cheating=True), HANDS, talon=TALON)
    table = Table(game)
    table.do(0, "lead 9S")
    assert betrayed(table, table.read("beat 9S AH")) == ""


def test_what_is_drawn_later_is_not_doubted(table: Table) -> None:
    before = table.position
    memory = remember(START, before, ((0, table.read("lead 9S")),))
    table.do(0, "lead 9S")
    memory = remember(memory, table.position, ((1, table.read("beat 9S TS")),))
    table.play_all((1, "beat 9S TS"), (0, "throw 9C"), (1, "take"), (0, "pass"))
    drawn = set(hand_of(table.game, 0)) - set(members(before.hands[0]))
    assert drawn
    assert all(not memory.unlikely[Place(place)] for place in drawn)
    kept = set(hand_of(table.game, 0)) & set(members(before.hands[0]))
    assert all(memory.unlikely[place] >> parse_card("6S") & 1 for place in kept)
