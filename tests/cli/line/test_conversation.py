"""Line mode as a talk: what the person types and everything he is told, over real games on an open deck."""

from __future__ import annotations

import random

import pytest

from cli.line.choices import choices
from cli.line.conversation import Conversation
from game import actions
from game.errors import IllegalMove
from tests.cli.line.talk import Talk, first_legal, voice_at
from tests.tables import Table, options_of


def three(**chosen):
    talk = Talk(Table(options_of(seats=3)), first_legal, **chosen)
    talk.until_asked()
    return talk


def test_from_the_first_signature_to_the_first_question():
    assert three().said == [
        "Agreeing to the table; waiting for you, Player 1 and Player 2.",
        "Everybody has agreed to the table. Next: keys for the deck.",
        "All keys for the deck are on the table. Next: everybody shuffles.",
        "You shuffled the deck and proved it (1 of 3).",
        "Player 1 shuffled the deck and proved it (2 of 3).",
        "Player 2 shuffled the deck and proved it (3 of 3).",
        "Dealt: six cards each, 18 in the talon. Trump is diamonds; 8D lies open at the bottom.",
        "You have no lower trump to claim.",
        "Player 1 claims no lower trump.",
        "Player 2 claims the 7 of trumps.",
        "Player 2 shows 7D.",
        "Player 2 leads first (lowest trump).",
        "Player 2 leads 7S; you defend.",
        "Trump: diamonds. Talon: 18 cards, 8D at the bottom. Discard: 0.",
        "  Player 0 (you): 6 cards  [defends, has the word]",
        "  Player 1: 6 cards",
        "  Player 2: 5 cards  [attacks, known: 7D]",
        "On the table: 7S/-",
        "Your hand (6): 6S 9S 7H QH AH AC",
        "You defend. Type a number or a card:",
        "  1  beat 7S with 9S",
        "  2  take",
    ]


@pytest.mark.parametrize("line", ["1", " 1 ", "9s", "9S", "s9", "9♠", "7S 9S", "9s, 7s"])
def test_one_action_by_number_or_by_card(line):
    talk = three()
    assert talk.type(line)[0] == "You beat 7S with 9S."
    assert talk.acted == [actions.Beat(5, talk.acted[0].place, 7)]


@pytest.mark.parametrize("line", ["2", "take", "t", "TAKE"])
def test_taking_by_number_or_word(line):
    talk = three()
    assert talk.type(line)[0] == "You take."


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("7", "That is no number, card or word I know. Type ? for help."),
        ("0", "That is no number, card or word I know. Type ? for help."),
        ("-1", "That is no number, card or word I know. Type ? for help."),
        ("9" * 400, "That is no number, card or word I know. Type ? for help."),
        ("beat it", "That is no number, card or word I know. Type ? for help."),
        ("\x1b[A", "That is no number, card or word I know. Type ? for help."),
        ("²", "That is no number, card or word I know. Type ? for help."),
        ("pass", "That is no number, card or word I know. Type ? for help."),
        ("6s", "6S cannot be laid now."),
        ("6s 9s", "6S 9S cannot be laid now."),
        ("KD", "KD: not in your hand."),
    ],
)
def test_wrong_input_says_what_is_possible_and_signs_nothing(line, answer):
    talk = three()
    said = talk.type(line)
    assert said[0] == answer
    assert said[-1] == "Possible now: numbers 1 to 2; ? explains, table shows everything."
    assert talk.acted == []


def test_why_a_card_does_not_fit_comes_from_the_rules():
    table = Table(options_of(seats=3))
    talk = Talk(table, first_legal)
    talk.until_asked()
    told = Conversation(
        voice_at(table, 0),
        why_not=lambda cards: IllegalMove("R9", "illegal.does-not-beat", attack=5, card=cards[0]),
    )
    told.entered(talk.view)
    assert told.typed("6S").lines[:2] == ("6S cannot be laid now.", "Why: 6S does not beat 7S (R9)")
    assert told.typed("? 6S").lines == ("6S cannot be laid now.", "Why: 6S does not beat 7S (R9)")
    assert told.typed("? 9S").lines == ("Yes, that can be laid now.",)


def test_help_explains_the_situation_and_the_rules_in_reach():
    talk = three()
    assert talk.type("?") == [
        "Beat every card: a higher card of its suit, or a trump; a trump only by a higher trump."
        " Or take them all.",
        "You may take even if you could beat; it cannot be taken back. Others may then add cards.",
        "At any time: ? explains, ? 7S says why a card does not fit, table shows everything,"
        " auto switches passing for you, resign gives up, quit leaves (the game is saved).",
    ]
    assert talk.type("help") == talk.type("?")
    assert talk.acted == []


def test_an_empty_line_asks_again_without_the_whole_table():
    assert three().type("") == [
        "Your hand (6): 6S 9S 7H QH AH AC",
        "You defend. Type a number or a card:",
        "  1  beat 7S with 9S",
        "  2  take",
    ]


def test_the_table_at_any_time():
    said = three().type("table")
    assert said[0].startswith("Trump: diamonds.")
    assert said[-1] == "Your hand (6): 6S 9S 7H QH AH AC"


def test_nobody_types_a_pass_when_nothing_fits():
    talk = three()
    for _ in range(4):
        talk.type("1")
        talk.until_asked()
    passes = [action for action in talk.acted if isinstance(action, actions.Pass)]
    assert "You pass." in talk.said
    assert len(passes) == 1
    assert len(talk.acted) == 5


def test_auto_off_asks_even_then():
    talk = three()
    assert talk.type("auto") == ["You are asked even when nothing fits. Type auto to change that."]
    asked_for_a_pass = False
    for _ in range(6):
        if talk.said[-1] == "  1  pass":
            asked_for_a_pass = True
        talk.type("1")
        talk.until_asked()
    assert asked_for_a_pass


def test_no_automatic_pass_at_a_cheating_table_unless_asked_for():
    assert Talk(Table(options_of(seats=3)), first_legal).conversation._passes_alone()
    cheating = Talk(Table(options_of(seats=3, cheating=True)), first_legal)
    assert not cheating.conversation._passes_alone()
    asked = Talk(Table(options_of(seats=3, cheating=True)), first_legal, auto_pass=True)
    assert asked.conversation._passes_alone()


def test_resigning_asks_first():
    talk = three()
    assert talk.type("resign") == ["Resign, and be the durak of this game? yes or no"]
    assert talk.type("no")[0] == "You play on."
    assert talk.acted == []
    talk.type("resign")
    said = talk.type("yes")
    assert said[0] == "You resign."
    assert "You are the durak." in said


def test_what_is_said_early_is_noted_shown_and_revocable():
    table = Table(options_of(seats=3))
    talk = Talk(table, first_legal, me=1)
    while table.state.stage.name != "PLAY":
        talk._step(None)
    talk._step(None)
    view = talk.view
    assert view.defender == 0
    assert not talk.asked
    card = talk.conversation._voice.cards.card(view.hand[0].card)
    assert talk.type(card) == [f"Noted: throw in {card} when your word comes. Type undo to take it back."]
    assert talk.type("undo") == ["Taken back."]
    assert talk.type("undo") == ["Nothing was noted."]
    assert talk.type("pass") == ["Noted: pass until a new rank lies on the table. Type undo to take it back."]
    assert talk.type("2H 3D")[0].endswith("not in your hand.")
    assert talk.type("what")[1] == "In play; waiting for Player 0."
    assert talk.acted == []


def test_a_planned_pass_is_signed_when_the_word_comes():
    passed = 0
    for number in range(30):
        table = Table(options_of(seats=3), label=f"pass {number}")
        talk = Talk(table, lambda state, own, legal: legal[1 if len(legal) > 2 else 0], me=1, auto_pass=False)
        while table.state.stage.name != "PLAY":
            talk._step(None)
        if talk.asked:
            continue
        talk._step(None)
        if talk.asked or talk.view.defender == 1:
            continue
        talk.type("pass")
        while not talk.acted and not talk.asked and table.course.expect(table.state):
            talk._step(None)
        if talk.acted:
            passed += 1
            assert talk.acted == [actions.Pass()]
            assert talk.said[talk.said.index("As you said before:") + 1] == "You pass."
    assert passed > 0


def test_a_planned_throw_is_signed_only_if_it_is_legal_then():
    thrown = 0
    for number in range(30):
        table = Table(options_of(seats=3), label=f"throw {number}")
        talk = Talk(table, first_legal, me=1, auto_pass=True)
        while table.state.stage.name != "PLAY":
            talk._step(None)
        if talk.asked:
            continue
        talk._step(None)
        if talk.asked or talk.view.defender == 1:
            continue
        for held in talk.view.hand:
            talk.type(talk.conversation._voice.cards.card(held.card))
        while not talk.acted and not talk.asked and table.course.expect(table.state):
            talk._step(None)
        thrown += sum(isinstance(action, actions.Throw) for action in talk.acted)
    assert thrown > 0


def test_the_end_and_another_game():
    talk = three(again=True)
    while not talk.conversation.asking:
        talk.type("1")
        talk.until_asked()
    assert talk.said[-7:] == [
        "Player 2 is out (number 2).",
        "The game is over.",
        "The durak is Player 1.",
        "Out, in this order: 1. you, 2. Player 2.",
        "Everybody has signed the result.",
        "All deck keys are published: the whole deal can be replayed with open hands.",
        "Another game? yes or no",
    ]
    assert talk.type("perhaps") == ["Another game? yes or no"]
    talk.type("yes")
    assert talk.again
    assert not talk.left


def test_no_other_game_leaves_politely():
    talk = three(again=True)
    while not talk.conversation.asking:
        talk.type("1")
        talk.until_asked()
    assert talk.type("no") == ["Good-bye."]
    assert talk.left


def test_leaving_in_the_middle_says_that_the_game_is_saved():
    talk = three()
    reaction = talk.conversation.interrupted()
    assert reaction.lines == ("The game is saved. Type durak to go on with it.",)
    assert reaction.leave
    assert talk.type("quit") == ["The game is saved. Type durak to go on with it."]


def test_a_line_typed_twice_acts_once():
    talk = three()
    first = talk.conversation.typed("1")
    second = talk.conversation.typed("1")
    assert first.action is not None
    assert second.action is None


def test_a_refused_action_is_asked_again():
    talk = three()
    assert talk.conversation.typed("1").action is not None
    refused = talk.conversation.refused(IllegalMove("R9", "illegal.not-unbeaten", attack=5))
    assert refused.lines[0] == "Why: 7S does not lie unbeaten (R9)"
    assert refused.lines[-1] == "  2  take"
    assert talk.conversation.typed("1").action is not None


def test_several_choices_for_one_card_are_asked_apart():
    """R14, worked case 10: a trump of the attack's rank beats or transfers, never confused."""
    found = 0
    for number in range(200):
        talk = Talk(Table(options_of(seats=2, variant="transfer"), label=f"both {number}"), first_legal)
        talk.until_asked()
        view = talk.view
        both = {action.card for action in view.legal if isinstance(action, actions.Transfer)} & {
            action.card for action in view.legal if isinstance(action, actions.Beat)
        }
        for card in both:
            found += 1
            text = talk.conversation._voice.cards.card(card)
            said = talk.type(text)
            assert said[0] == "That fits several choices; type its number:"
            assert len(said) == 3
            number_typed = said[2].split()[0]
            talk.type(number_typed)
            assert isinstance(talk.acted[-1], actions.Transfer)
            break
        if found:
            return
    raise AssertionError("no deal offered both")


def test_several_cards_are_led_by_typing_them():
    for number in range(200):
        talk = Talk(Table(options_of(seats=2, lead="several"), label=f"several {number}"), first_legal)
        talk.until_asked()
        leads = [
            action
            for action in talk.view.legal
            if isinstance(action, actions.Lead) and len(action.cards) == 2
        ]
        if not leads:
            continue
        listed = choices(talk.view, talk.conversation._voice)
        assert all(len(choice.cards) <= 1 for choice in listed)
        talk.type(talk.conversation._voice.cards.cards(reversed(leads[0].cards)))
        assert talk.acted == [leads[0]]
        return
    raise AssertionError("no deal had a pair")


@pytest.mark.parametrize(
    "chosen",
    [
        {"seats": 2},
        {"seats": 6},
        {"seats": 4, "teams": "2v2"},
        {"seats": 3, "variant": "transfer"},
        {"seats": 3, "cheating": True},
        {"seats": 2, "deck": 52, "lead": "several"},
        {"seats": 4, "deck": 24},
        {"seats": 3, "variant": "transfer", "show_transfer": True},
        {"seats": 5, "throwers": "neighbours"},
    ],
    ids=str,
)
def test_whole_games_of_every_kind_by_typing_numbers(chosen):
    """Whoever types any of the numbers shown gets on to the end, at every table."""
    dice = random.Random(str(chosen))
    for game in range(3):
        talk = Talk(
            Table(options_of(**chosen), label=f"numbers {game}"),
            lambda state, own, legal: dice.choice(legal[:-1] or legal),
            again=True,
        )
        for _ in range(600):
            talk.until_asked()
            if talk.conversation.asking:
                break
            count = len(choices(talk.view, talk.conversation._voice))
            assert count > 0
            talk.type(str(dice.randint(1, count)))
        assert talk.conversation.asking, talk.said[-5:]
        assert "The game is over." in talk.said
