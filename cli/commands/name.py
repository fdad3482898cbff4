"""`durak name [NAME]`: show or choose the name the others see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cli.exits import CommandError, Exit
from cli.texts import harmless

if TYPE_CHECKING:
    import argparse

    from cli.app import App

LONGEST = 32
"""Bytes of UTF-8 in a genesis (DESIGN §2)."""


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Show the name, or save a new one."""
    if not arguments.name:
        saved = app.settings.name
        app.tell("name.is" if saved else "name.none", name=saved)
        return Exit.OK
    name = _chosen(app, " ".join(arguments.name))
    app.home.save(replace(app.settings, name=name))
    app.tell("name.saved", name=name)
    return Exit.OK


def checked(name: str) -> str:
    """The name as it will be shown everywhere. Raises CommandError (64) if nothing of it can be shown."""
    clean = harmless(name, otherwise="?")
    if clean == "?" or not clean:
        raise CommandError(Exit.USAGE, "name.unusable")
    while len(clean.encode()) > LONGEST:
        clean = harmless(clean[:-1], otherwise="?")
    return clean


def _chosen(app: App, wanted: str) -> str:
    """`checked`, and said if the name is not as it was typed."""
    name = checked(wanted)
    if name != wanted.strip():
        app.tell("name.changed", name=name)
    return name


def _leaving(app: App) -> frozenset[str]:
    """The words that leave, as at every prompt; not their single letters, which may well be a name."""
    return frozenset(word for word in ("quit", *app.texts.say("word.quit").split()) if len(word) > 1)


def own_name(app: App, wanted: str, *, ask: bool) -> str:
    """The name to sit down with: from the command line, as saved, or asked for once and saved.

    Ends the program (SystemExit) where the person asked says that he leaves."""
    if wanted:
        return _chosen(app, wanted)
    if app.settings.name:
        return app.settings.name
    if not ask:
        return app.texts.say("name.default")
    app.home.make()  # before anybody is asked: a folder that cannot be made ends it here
    app.tell("name.ask")
    while True:
        try:
            typed = input()
        except EOFError:
            return app.texts.say("name.default")
        if typed.strip().casefold() in _leaving(app):
            app.tell("leave.ended")
            raise SystemExit(Exit.OK)
        if typed.strip() == "?":
            app.tell("name.help")
            continue
        try:
            name = _chosen(app, typed)
        except CommandError as error:
            app.tell(error.message)
            continue
        app.home.save(replace(app.settings, name=name))
        return name
