"""What may be done now, numbered; and what a typed line means among it. Nothing here decides what is
legal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, assert_never

from game import actions
from game.cards import parse_card
from game.errors import BadCard

if TYPE_CHECKING:
    from cli.line.voice import Voice
    from game.actions import Action
    from game.cards import Card
    from game.view import View


@dataclass(frozen=True, slots=True)
class Choice:
    """One numbered line. `cards`: the own cards it lays; `words`: what else may be typed for it."""

    action: Action
    text: str
    cards: tuple[Card, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The line names one action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Several:
    """The line fits several choices: ask which."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class NotPossible:
    """The line names cards, but nothing legal lays them now."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """The line is neither a number, a card nor a word of any choice."""


Reading: TypeAlias = Chosen | Several | NotPossible | NotUnderstood


def choices(view: View, voice: Voice) -> tuple[Choice, ...]:
    """The legal actions as a person would look for them: cards low to high, trumps last, then words.

    Leads of several cards are not listed one by one (typing the cards does it); resigning is a word, no
    number.
    """
    listed = [action for action in view.legal if not _unlisted(action)]
    ordered = sorted(listed, key=lambda action: _order(action, view))
    return tuple(_choice(action, view, voice) for action in ordered)


def read(line: str, view: View, voice: Voice) -> Reading:
    """What `line` means: the number of a choice, its word, or the card or cards to lay."""
    listed = choices(view, voice)
    words = line.replace(",", " ").split()
    if len(words) == 1 and words[0].isascii() and words[0].isdigit():
        number = int(words[0]) if len(words[0]) < 4 else 0
        return Chosen(listed[number - 1].action) if 1 <= number <= len(listed) else NotUnderstood()
    spoken = " ".join(words).casefold()
    by_word = tuple(choice for choice in listed if spoken in choice.words)
    if by_word:
        return Chosen(by_word[0].action) if len(by_word) == 1 else Several(by_word)
    cards = read_cards(words, view, voice)
    if cards is None:
        return NotUnderstood()
    return _with_cards(cards, view, voice)


def read_cards(words: list[str], view: View, voice: Voice) -> tuple[Card, ...] | None:
    """The cards the words name, None if one of them is no card. What is on the screen is understood first."""
    shown = {voice.cards.card(held.card).casefold(): held.card for held in view.hand}
    shown |= {voice.cards.card(pair.attack).casefold(): pair.attack for pair in view.table}
    cards: list[Card] = []
    for word in words:
        card = shown.get(word.casefold())
        if card is None:
            try:
                card = parse_card(word)
            except BadCard:
                return None
        cards.append(card)
    return tuple(cards) or None


def _with_cards(cards: tuple[Card, ...], view: View, voice: Voice) -> Reading:
    """The choices that lay exactly these cards; "7S 9S" also means: beat 7S with 9S."""
    fitting = [action for action in view.legal if sorted(laid(action)) == sorted(cards)]
    if not fitting and len(cards) == 2:
        fitting = [
            action
            for action in view.legal
            if isinstance(action, actions.Beat) and {action.attack, action.card} == set(cards)
        ]
    if not fitting:
        return NotPossible(cards)
    if len(fitting) == 1:
        return Chosen(fitting[0])
    return Several(
        tuple(_choice(action, view, voice) for action in sorted(fitting, key=lambda a: _order(a, view)))
    )


def laid(action: Action) -> tuple[Card, ...]:
    """The own cards an action lays or shows."""
    match action:
        case actions.Lead():
            return tuple(action.cards)
        case actions.Beat() | actions.Transfer() | actions.Show() | actions.Throw():
            return (action.card,)
        case actions.Take() | actions.Pass() | actions.Resign() | actions.Accuse() | actions.Challenge():
            return ()
        case _:
            assert_never(action)


def _unlisted(action: Action) -> bool:
    return isinstance(action, actions.Resign) or (isinstance(action, actions.Lead) and len(action.cards) > 1)


def _order(action: Action, view: View) -> tuple[int, bool, tuple[int, ...], int]:
    """Kind of action, trumps after plain cards, ranks rising; then which attack card."""
    kinds = (
        actions.Lead,
        actions.Beat,
        actions.Throw,
        actions.Transfer,
        actions.Show,
        actions.Take,
        actions.Pass,
        actions.Accuse,
        actions.Challenge,
        actions.Resign,
    )
    cards = laid(action)
    trump = view.trump is not None and any(card // 13 == view.trump // 13 for card in cards)
    ranks = tuple(card % 13 * 4 + card // 13 for card in cards)
    attack = action.attack if isinstance(action, actions.Beat) else 0
    return kinds.index(type(action)), trump, ranks, attack


def _choice(action: Action, view: View, voice: Voice) -> Choice:
    texts, cards = voice.texts, voice.cards
    mine = laid(action)

    def words(message: str) -> tuple[str, ...]:
        return tuple(texts.say(message).split())

    match action:
        case actions.Lead():
            return Choice(action, texts.say("choice.lead", cards=cards.cards(mine)), mine, ())
        case actions.Beat():
            text = texts.say("choice.beat", attack=cards.card(action.attack), card=cards.card(action.card))
            return Choice(action, text, mine, ())
        case actions.Transfer():
            return Choice(
                action,
                texts.say("choice.transfer", card=cards.card(action.card)),
                mine,
                words("word.transfer"),
            )
        case actions.Show():
            return Choice(
                action, texts.say("choice.show", card=cards.card(action.card)), mine, words("word.show")
            )
        case actions.Throw():
            return Choice(action, texts.say("choice.throw", card=cards.card(action.card)), mine, ())
        case actions.Take():
            return Choice(action, texts.say("choice.take"), (), words("word.take"))
        case actions.Pass():
            return Choice(action, texts.say("choice.pass"), (), words("word.pass"))
        case actions.Accuse():
            text = texts.say("choice.accuse", play=_play_at(action.height, view, voice))
            return Choice(action, text, (), words("word.accuse"))
        case actions.Challenge(height):
            if height is None:
                return Choice(action, texts.say("choice.no-challenge"), (), words("word.pass"))
            text = texts.say("choice.challenge", play=_play_at(height, view, voice))
            return Choice(action, text, (), words("word.accuse"))
        case actions.Resign():
            return Choice(action, texts.say("choice.resign"), (), words("word.resign"))
        case _:
            assert_never(action)


def _play_at(height: int, view: View, voice: Voice) -> str:
    """The play on the table that was laid at `height`, in words."""
    for pair in view.table:
        if pair.attack_height == height:
            return voice.texts.say(
                "play.attack", name=voice.name(pair.attacker), card=voice.cards.card(pair.attack)
            )
        if pair.beat_height == height and pair.beat is not None and pair.beater is not None:
            return voice.texts.say(
                "play.beat",
                name=voice.name(pair.beater),
                card=voice.cards.card(pair.beat),
                attack=voice.cards.card(pair.attack),
            )
    return voice.texts.say("play.other", height=height)
