"""Options that contradict each other are refused with a sentence that names both."""

from __future__ import annotations

import pytest

from cli.arguments import parser
from cli.contradictions import refuse_contradictions
from cli.exits import CommandError, Exit
from cli.texts import languages, load

CODE = "BST1-FAP6-1GG0"
TOGETHER = (
    f"join {CODE} --text --page", f"join {CODE} --page --text", "play --text --page",
    "games resume --text --page",
    f"join {CODE} --porcelain --page", "host --porcelain --page", "watch --porcelain --page",
    "host --bot easy --page", "host --bot=easy --page", "host --bot easy --ask-all",
    "join --porcelain --ask-all",
    "replay x --all --auto", "replay x --json --html y", "replay x --all --json", "replay x --auto --html y",
)  # fmt: skip
NEEDING = {
    "host --guest-port 5": "--guests", "host --guest-port 8765": "--guests",
    "host --guest-folder x": "--guests",
    "doctor --guest-folder x": "--guest-bundle", "host --max-links 3": "--ble", "join --max-links 3": "--ble",
    "tables --max-links 3": "--ble", "host --export x": "--porcelain", "host --games 2": "--bot",
    "replay x --pace 3": "--auto",
}  # fmt: skip
OTHERS = {
    "watch --bot easy": "Leave --bot out, or take a seat with: durak join",
    "host --no-lan": "Add --ble to use Bluetooth alone, or leave --no-lan out",
    "join --no-lan": "Add --ble",
    "tables --no-lan": "Add --ble",
    "host --bot easy --games 0": "--games takes a number from 1 up",
    "host --bot easy --games -3": "--games takes a number from 1 up",
    "arena --games 0": "--games takes a number from 1 up",
    "play --option seats=2 --bots 5": "--option seats=2 makes 2 seats, --bots 5 makes 6. Say it once",
    "host --option seats=4 --seats 3": "--option seats=4 makes 4 seats, --seats 3 makes 3. Say it once",
    "host --option seats=4 --option seats=3": "--option seats=4 makes 4 seats, --option seats=3 makes 3",
    "games --yes": "durak games delete",
    "games list --out x": "durak games export",
    "games export ab --yes": "durak games delete",
    "games delete ab --page": "durak games resume",
    "games list ab": "durak games resume ab",
    "rules x --option deck=24": "Leave out the file or --option",
    "rules x --preset club": "Leave out the file or --preset",
}
FINE = (
    "play --option seats=3 --bots 2", "host --option seats=3 --seats 3", "host --guests --guest-port 5",
    "host --ble --max-links 3", "host --ble-hci x --no-lan", "host --ble-adapter hci1 --no-lan --max-links 2",
    "join ble:0011223344556677 --no-lan --max-links 2", "host --bot easy --porcelain --games 3 --export x",
    "host --porcelain --games 3", "watch --porcelain --export x", "join --bot easy --games 2", "watch --page",
    "replay x --auto --pace 3", "games resume --page", "games export --out x", "games delete --yes", "games",
    "doctor --guest-bundle x --guest-folder y", "name -- --page --text", "rules x", "arena --games 3 --json",
)  # fmt: skip


def refused(said):
    texts = load("en")
    words = said.split()
    with pytest.raises(CommandError) as caught:
        refuse_contradictions(parser(texts, "0").parse_args(words), words)
    assert caught.value.code == Exit.USAGE
    for language in languages():
        assert load(language).say(caught.value.message, **caught.value.parameters)
    return texts.say(caught.value.message, **caught.value.parameters)


@pytest.mark.parametrize("said", TOGETHER)
def test_two_that_contradict_each_other_are_both_named(said):
    named = {word.partition("=")[0] for word in said.split() if word.startswith("--")}
    sentence = refused(said)
    assert sentence.endswith(" contradict each other. Leave one of them out.")
    assert {word for word in sentence.split() if word.startswith("--")} == named


@pytest.mark.parametrize(("said", "needed"), NEEDING.items())
def test_one_that_does_nothing_without_another_is_refused(said, needed):
    option = next(word for word in said.split() if word.startswith("--"))
    assert refused(said) == (f"{option} does nothing without {needed}. Add {needed}, or leave {option} out.")


@pytest.mark.parametrize(("said", "sentence"), OTHERS.items())
def test_what_else_contradicts_itself(said, sentence):
    assert sentence in refused(said)


@pytest.mark.parametrize("said", FINE)
def test_what_goes_together_is_let_through(said):
    words = said.split()
    refuse_contradictions(parser(load("en"), "0").parse_args(words), words)
