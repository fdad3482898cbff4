"""Every message id the code names is in the catalogue, and nothing else is; every text takes what it is
given."""

from __future__ import annotations

import ast
import re
import string
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import cli.texts
from cli.texts import UnknownMessage, choose_language, languages, load

ROOT = Path(__file__).parents[3]
CODE = [
    path for package in ("cli", "game", "ledger", "p2p") for path in sorted((ROOT / package).rglob("*.py"))
]
FILE_ENDINGS = (".css", ".durak", ".html", ".js", ".json", ".svg")
ID = re.compile(r"[a-z][a-z-]*(\.[A-Za-z0-9-]+)+")


def entries(language):
    with (resources.files(cli.texts) / f"{language}.po").open("rb") as file:
        return {
            message.id if isinstance(message.id, str) else message.id[0]: message
            for message in read_po(file, locale=language)
            if message.id
        }


def is_an_id(value, known, families):
    """Whether a string of the code is meant as a message id, and not as the name of a file."""
    if not isinstance(value, str) or not ID.fullmatch(value):
        return False
    return value in known or (value.split(".")[0] in families and not value.endswith(FILE_ENDINGS))


@cache
def named_in_code():
    """Ids and id beginnings ("stage." of f"stage.{…}") that stand in the code as string constants."""
    known = set(entries("en"))
    families = {message.split(".")[0] for message in known}
    whole, beginnings = set(), set()
    for path in CODE:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                first = node.values[0]
                if isinstance(first, ast.Constant) and re.fullmatch(
                    r"[a-z][a-z-]*\.([a-z-]+\.)*", first.value
                ):
                    beginnings.add(first.value)
            elif isinstance(node, ast.Constant) and is_an_id(node.value, known, families):
                whole.update(() if id(node) in prose else (node.value,))
    return whole, beginnings


def test_every_id_in_the_code_has_words():
    whole, beginnings = named_in_code()
    known = set(entries("en"))
    assert {message for message in whole if message not in known} == set()
    assert {
        beginning for beginning in beginnings if not any(message.startswith(beginning) for message in known)
    } == set()


def test_every_text_is_named_in_the_code():
    whole, beginnings = named_in_code()
    unused = {
        message
        for message in entries("en")
        if message not in whole
        and message.removesuffix(".me") not in whole
        and not any(message.startswith(beginning) for beginning in beginnings)
        and not message.startswith("page.")  # named in the page's scripts: tests/cli/page/test_texts.py
    }
    assert unused == set()


def test_an_id_nobody_wrote_is_noticed():
    with pytest.raises(UnknownMessage):
        load("en").say("event.of-no-kind")
    with pytest.raises(UnknownMessage):
        load("en").count("event.of-no-kind", 2)


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", languages())
def test_a_language_has_every_text_with_the_same_parameters(language):
    english, other = entries("en"), entries(language)
    assert set(other) == set(english)
    for message, entry in other.items():
        model = english[message]
        assert entry.pluralizable == model.pluralizable, message
        forms = entry.string if entry.pluralizable else (entry.string,)
        wanted = set().union(
            *(fields(text) for text in (model.string if model.pluralizable else (model.string,)))
        )
        for text in forms:
            assert text, message
            assert fields(text) | {"n"} == wanted | {"n"}, message


@pytest.mark.parametrize("language", languages())
def test_words_that_may_be_typed_do_not_mean_two_things_at_once(language):
    """Commands are understood at any time, so no choice may share a word with one, nor with another
    choice."""
    texts = load(language)
    anytime = ["help", "table", "quit", "auto", "undo", "resign", "abort"]
    asked = ["take", "pass", "transfer", "show", "accuse"]
    words = [word for name in anytime + asked for word in texts.say(f"word.{name}").split()]
    assert len(words) == len(set(words))
    gathering = ["start", "ready", "wait", "who", "rules", "invite", "set", "bot", "out", "move"]
    before = [
        word
        for name in ["help", "quit", "yes", "no", *gathering]
        for word in texts.say(f"word.{name}").split()
    ]
    assert len(before) == len(set(before))
    assert not set(texts.say("word.yes").split()) & set(texts.say("word.no").split())


def test_plural_forms_follow_the_number():
    texts = load("en")
    assert texts.count("event.bout-taken.me", 1, cards="7S") == "You take 1 card: 7S."
    assert texts.count("event.bout-taken.me", 5, cards="…") == "You take 5 cards: …."


@pytest.mark.parametrize(
    ("wanted", "environment", "language"),
    [
        ("", {}, "en"),
        ("", {"LANG": "C.UTF-8"}, "en"),
        ("en", {"LANG": "ru_RU.UTF-8"}, "en"),
        ("", {"LC_ALL": "en_GB.UTF-8", "LANG": "ru_RU"}, "en"),
        ("xx", {"LANG": "tlh"}, "en"),
    ],
)
def test_language_from_setting_then_environment_then_english(wanted, environment, language):
    assert choose_language(wanted, environment) == language


def test_parameters_are_not_interpreted():
    assert load("en").say("seat.unnamed", number="{texts.__class__}") == "Seat {texts.__class__}"


AWAY = ("event.aborted.durak", "event.aborted.void")


@pytest.mark.parametrize(
    ("language", "messages", "broken"),
    [
        ("ru", (*AWAY, "abort.offer", "abort.agreed", "abort.sure", "said.19"), r"без \(?вы"),
        ("de", AWAY, r"ohne du\b"),
        ("es", AWAY, r"sin tú"),
    ],
)
def test_who_reads_it_may_be_the_one_who_stayed_away(language, messages, broken):
    """The reader is "you" among the names, in the form a list has: no word may ask for another case."""
    texts = load(language)
    for message in messages:
        said = texts.say(message, names=texts.say("seat.you"), name="Boris", means="")
        assert texts.say("seat.you") in said
        assert not re.search(broken, said)
