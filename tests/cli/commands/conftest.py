"""Commands in this process, and a room people enter with a terminal each; all of them leave with the test."""

from __future__ import annotations

import io
import sys

import pytest

from cli import main as program
from cli.engine import choose_backend
from tests.cli.commands.people import Person


@pytest.fixture(scope="module")
def fast():
    """What a test makes by itself is made by the fastest backend there is."""
    choose_backend({})


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in this process, with a home and a folder of its own and `typed` as its standard input:
    exit code, standard output, standard error."""
    monkeypatch.setenv("DURAK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def call(*words, typed=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        code = program.main([str(word) for word in words])
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return call


@pytest.fixture
def room(tmp_path):
    people = []

    def enter(name, *words, **more):
        person = Person(tmp_path / name.lower(), *words, "--name", name, **more)
        people.append(person)
        return person

    yield enter
    for person in people:
        person.stop()
