"""Questions are put again until they are answered, and every way out of them is one."""

from __future__ import annotations

import io
import sys

import pytest

from cli.app import App
from cli.asking import agreed, asked
from cli.exits import CommandError, Exit
from p2p.codes import read_code
from p2p.errors import BadCode


@pytest.fixture
def app(tmp_path):
    return App.plain({"DURAK_HOME": str(tmp_path), "LC_ALL": "C"})


@pytest.fixture
def typed(monkeypatch):
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


async def code(text):
    return read_code(text)


async def small_number(text):
    if text not in {"1", "2"}:
        raise CommandError(Exit.USAGE, "finding.no-such")
    return int(text)


async def test_a_slip_is_explained_and_the_question_put_again(app, typed, capsys):
    typed("7\n\ntwo\n2\n")
    assert await asked(app, "finding.which", small_number) == 2
    question, slip = "Which one? Type its number:", "There is no such number in the list."
    assert capsys.readouterr().out.splitlines() == [*(question, slip) * 3, question]


async def test_what_a_network_error_says_is_a_reason_too(app, typed, capsys):
    typed("7K2M\n7k2m 9qxw 4tbc\n")
    assert await asked(app, "finding.code", code) == "7K2M9QXW4TBC"
    assert "A join code has 12 characters; this one has 4." in capsys.readouterr().out


async def test_at_the_end_of_input_nothing_was_answered(app, typed, capsys):
    typed("7K2M\n")
    with pytest.raises(BadCode):
        await asked(app, "finding.code", code)
    assert capsys.readouterr().out.count("Its join code:") == 2


@pytest.mark.parametrize("word", ["quit", "EXIT"])
async def test_a_word_that_leaves_ends_the_program_well(app, typed, capsys, word):
    typed(f"oops\n{word}\n")
    with pytest.raises(SystemExit) as end:
        await asked(app, "finding.which", small_number)
    assert end.value.code == Exit.OK
    assert capsys.readouterr().out.endswith("Good-bye.\n")


@pytest.mark.parametrize(
    ("text", "answer", "questions"),
    [
        ("yes\n", True, 1),
        ("perhaps\n\nY\n", True, 3),
        ("vielleicht\nNo\n", False, 2),
        ("quit\n", False, 1),
        ("", False, 1),
        ("what\n", False, 2),
    ],
)
def test_yes_and_no_and_nothing_else(app, typed, capsys, text, answer, questions):
    typed(text)
    assert agreed(app, "resume.sure") is answer
    said = capsys.readouterr().out
    assert said.count("Go on with this game? yes or no") == questions
    assert said.count("That is neither yes nor no.") == questions - 1
