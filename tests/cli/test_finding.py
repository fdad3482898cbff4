"""What is typed behind `durak join`: an address, a code in one word or several, or both; none is lost."""

from __future__ import annotations

import pytest

from cli.exits import CommandError, Exit
from cli.finding import read_words
from p2p.codes import Invitation
from p2p.errors import BadCode

CODE = "BST1FAP61GG0"


@pytest.mark.parametrize(
    ("said", "code", "addresses"),
    [
        ("", None, ()),
        ("bst1-fap6-1gg0", CODE, ()),
        ("bst1 fap6 1gg0", CODE, ()),
        ("BST1 FAP61GG0", CODE, ()),
        ("bst1-fap6 Igg0", CODE, ()),
        ("1234 5678 9012", "123456789012", ()),
        ("192.0.2.2", None, ("192.0.2.2:4717",)),
        ("192.0.2.2:5001 bst1 fap6 1gg0", CODE, ("192.0.2.2:5001",)),
        ("bst1 fap6 1gg0 192.0.2.2:5001", CODE, ("192.0.2.2:5001",)),
        ("laptop bst1 fap6 1gg0", CODE, ("laptop:4717",)),
        ("desk bst1 fap6 1gg0", CODE, ("desk:4717",)),
        ("laptop", None, ("laptop:4717",)),
        (f"durak:{CODE}@192.0.2.2:1,192.0.2.3:2#0011223344556677", CODE, ("192.0.2.2:1", "192.0.2.3:2")),
        (f"{CODE}@192.0.2.2:1 {CODE}", CODE, ("192.0.2.2:1",)),
    ],
)
def test_what_is_understood(said, code, addresses):
    found = read_words(said.split())
    assert (found.code, found.addresses) == (code, addresses)


@pytest.mark.parametrize(
    ("said", "word", "known"),
    [
        (f"blah 192.0.2.2:5001 {CODE}", "blah", "192.0.2.2:5001"),
        (f"192.0.2.2:5001 {CODE} blah quux", "blah", "192.0.2.2:5001"),
        (f"192.0.2.2 192.0.2.3 {CODE}", "192.0.2.3", "192.0.2.2"),
        (f"{CODE}@192.0.2.2 laptop {CODE}", "laptop", f"{CODE}@192.0.2.2"),
        (f"{CODE}@192.0.2.2 BST1-FAP6-1GG1", "BST1-FAP6-1GG1", f"{CODE}@192.0.2.2"),
        (f"laptop {CODE} desk", "desk", "laptop"),
    ],
)
def test_a_word_too_many_is_said(said, word, known):
    with pytest.raises(CommandError) as refused:
        read_words(said.split(), "watch")
    assert (refused.value.code, refused.value.message) == (Exit.USAGE, "usage.where")
    assert refused.value.parameters == {"word": word, "known": known, "command": "watch"}


@pytest.mark.parametrize(
    "said", ["bst1 fap6", "192.0.2.2 bst1 fap6", "192.0.2.2 bst1-fap6", "bst1-fap6", "192.0.2.2 blah"]
)
def test_a_code_that_is_too_short_is_not_taken_for_a_device(said):
    with pytest.raises(BadCode, match=r"code\.length"):
        read_words(said.split())


def test_nothing_typed_is_nothing_found():
    assert read_words(()) == Invitation(None, (), None)
