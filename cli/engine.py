"""The game engine as the product uses it: suite 1, on the fastest backend this machine has."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING

from game.course import Course
from game.mental_poker import deck, sodium
from game.mental_poker.group import backend, use_backend

if TYPE_CHECKING:
    from collections.abc import Mapping


def choose_backend(environment: Mapping[str, str]) -> str:
    """Use libsodium if there is one, unless `DURAK_BACKEND` is "pure"; the name of what is used.

    Both give the same bytes and verdicts; only speed and constant time differ.
    """
    if environment.get("DURAK_BACKEND") != "pure":
        found = sodium.find(*brought_along())
        if found is not None:
            use_backend(found)
    return backend().name


@cache
def course() -> Course:
    """The one engine of this process."""
    return Course(deck)


def brought_along() -> tuple[str, ...]:
    """The libsodium of the extra `fast`: wheels of pyzmq for Linux and macOS carry the whole library."""
    try:
        files = metadata.files("pyzmq") or []
    except metadata.PackageNotFoundError:
        return ()
    return tuple(str(file.locate()) for file in files if file.name.startswith("libsodium"))
