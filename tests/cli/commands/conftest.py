"""A room people enter with a terminal each; all of them leave with the test."""

from __future__ import annotations

import pytest

from tests.cli.commands.people import Person


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
