"""`durak rules`: every option shows, the questions people ask are answered, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli import main as program
from cli.commands.rules import answers, table_lines
from cli.exits import Exit
from cli.logfile import read_log
from cli.options import value_text
from cli.texts import languages, load
from game.options import PRESETS, VALUES, Options
from tests.cli.commands.running import ROOT

HOSTS = {
    "deck": Options(seats=4),
    "show_transfer": Options(variant="transfer"),
    "teams": Options(seats=4),
}
"""A table at which an option may take another value, where the default table will not do."""
OTHER = {"deck": 52, "seats": 3, "clock": 30}


@pytest.fixture
def run(run):
    return lambda *words: run("--lang", "en", "rules", *words)[:2]


def said(options, language="en"):
    texts = load(language)
    return [*table_lines(options, texts), *answers(options, texts)]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", VALUES)
def test_every_option_changes_what_is_said(name, language):
    before = HOSTS.get(name, Options())
    values = (
        [OTHER[name]] if name in OTHER else [value for value in VALUES[name] if value not in {"3v3", "2v2v2"}]
    )
    for value in values:
        if value != getattr(before, name):
            assert said(replace(before, **{name: value}), language) != said(before, language)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_questions_people_ask(run, preset):
    code, out = run("--preset", preset)
    assert code == Exit.OK
    for question in (
        "How many may be thrown in?",
        "Who starts?",
        "Can it be a draw?",
        "For two:",
        "Shoulder boards?",
    ):
        assert sum(line.startswith(question) for line in out.splitlines()) == 1, question


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ((), "up to five attack cards until a bout has been beaten, then six"),
        (("first_limit=off",), "up to six attack cards"),
        (("seats=2", "variant=transfer"), "handed to and fro"),
        (("seats=6",), "There is no talon"),
        (("deck=24",), "taking only 9s"),
        (("deck=52",), "taking only 2s"),
        (("seats=4", "teams=2v2"), "Who loses in teams?"),
        (("cheating=on",), "How does one accuse?"),
        (("next_first=winner",), "later games by who went out first"),
        (("absent=durak",), "then he is the durak"),
    ],
)
def test_answers_are_those_of_the_table(run, typed, answer):
    """And what another table says about it is not said."""
    words = [word for option in typed for word in ("--option", option)]
    assert answer in run(*words)[1]
    if typed:
        assert answer not in run()[1]
    else:
        assert answer not in run("--preset", "browser")[1]


def test_a_table_before_the_start_is_a_few_lines():
    busy = Options(
        seats=4,
        variant="transfer",
        show_transfer=True,
        lead="several",
        series=True,
        clock=30,
        throwers="neighbours",
    )
    for language in languages():
        assert len(list(table_lines(busy, load(language)))) <= 12


@pytest.mark.parametrize("log", ["2x36-browser", "4x36-2v2", "6x36-no-talon", "3x24-cheating"])
def test_a_log_says_the_rules_it_was_played_by(run, log):
    path = ROOT / "tests" / "golden" / f"{log}.durak"
    options = read_log(str(path), load("en")).state.setup.options
    typed = [f"{name}={value_text(name, getattr(options, name))}" for name in VALUES]
    words = [word for option in typed for word in ("--option", option)]
    assert run(str(path)) == run(*words)


def test_the_language_may_stand_after_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DURAK_HOME", str(tmp_path / "home"))
    heard = set()
    for language in languages():
        assert program.main(["rules", "--lang", language]) == Exit.OK
        after = capsys.readouterr().out
        assert program.main(["--lang", language, "rules"]) == Exit.OK
        assert capsys.readouterr().out == after
        heard.add(after)
    assert len(heard) == len(languages())
