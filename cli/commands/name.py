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
        saved = _saved(app)
        app.tell("name.is" if saved else "name.none", name=saved)
        return Exit.OK
    name = _chosen(app, " ".join(arguments.name))
    app.home.save(replace(app.settings, name=name))
    app.tell("name.saved", name=name)
    return Exit.OK


def checked(name: str, *, bot: bool = False) -> str:
    """The name as it will be shown everywhere; a bot's may have a bot's mark. Raises CommandError (64) if
    nothing of it can be shown."""
    clean = harmless(name, otherwise="?", bot=bot)
    if clean == "?" or not clean:
        raise CommandError(Exit.USAGE, "name.unusable")
    while len(clean.encode()) > LONGEST:
        clean = harmless(clean[:-1], otherwise="?")
    return clean


def _saved(app: App) -> str:
    """The saved name, as far as it can be shown: an earlier version may have saved it by other rules."""
    try:
        return checked(app.settings.name)
    except CommandError:
        return ""


def _chosen(app: App, wanted: str, *, bot: bool = False) -> str:
    """`checked`, and said if the name is not as it was typed."""
    name = checked(wanted, bot=bot)
    if name != wanted.strip():
        app.tell("name.changed", name=name)
    return name


def own_name(app: App, wanted: str, *, ask: bool, bot: bool = False) -> str:
    """The name to sit down with: from the command line, as saved, or asked for once and saved.

    `bot`: one sits there. Ends the program (SystemExit) where the person asked says that he leaves.
    """
    if wanted:
        return _chosen(app, wanted, bot=bot)
    if saved := _saved(app):
        return saved
    if not ask:
        return app.texts.say("name.default")
    app.home.make()  # before anybody is asked: a folder that cannot be made ends it here
    app.tell("name.ask")
    while True:
        try:
            typed = input()
        except EOFError:
            return app.texts.say("name.default")
        if app.leaves(typed):
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
