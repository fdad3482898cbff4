"""`durak join ADDRESS`: sit down at somebody's table, or come back to it."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.commands.host import face_for
from cli.commands.name import own_name
from cli.commands.tables import table_lines
from cli.evening import spend
from cli.exits import CommandError, Exit
from cli.faces import face_of, wants_page
from cli.finding import located, read_words, shown, tables_nearby, wants_code
from cli.house_bots import CODE
from cli.mishaps import run_loop
from cli.tables import Bluetooth, Part, joined
from p2p.codes import read_code

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from cli.page.feed import Mode
    from p2p.codes import Invitation


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Join, or watch, and stay until the end."""
    by_radio = [word for word in arguments.where if word.startswith("ble:")]
    ble = Bluetooth.of(arguments, wanted=bool(by_radio))
    role = "watch" if arguments.command == "watch" else "guest"
    part = Part(role, listen=arguments.listen, level=arguments.bot or "", ble=ble)
    others = [word for word in arguments.where if word not in by_radio]
    invited = read_words(others, arguments.command)
    if len(by_radio) > 1 or (by_radio and invited.addresses):
        word, known = by_radio[-1], others[0] if invited.addresses else by_radio[0]
        raise CommandError(
            Exit.USAGE, "usage.where", word=shown(word), known=shown(known), command=arguments.command
        )
    if ble is not None and not invited.addresses:
        part = replace(part, address=by_radio[0] if by_radio else "ble:")
    bot = arguments.bot is not None
    name = own_name(app, arguments.name, ask=not bot and not arguments.porcelain, bot=bot)
    code = invited.code or (read_code(os.environ[CODE]) if os.environ.get(CODE) else None)
    return run_loop(app, _join(app, arguments, name, part, replace(invited, code=code)))


async def _join(app: App, arguments: argparse.Namespace, name: str, part: Part, invited: Invitation) -> Exit:
    if part.address.startswith("ble:"):
        if not arguments.porcelain:
            app.tell("bluetooth.looking")
    else:
        if not invited.addresses and invited.code is None:
            invited = await _picked(app)
        elif not invited.addresses and not arguments.porcelain:
            app.tell("finding.looking")
        invited = await located(invited)
        if invited.code is None and _may_ask(arguments) and await wants_code(invited):
            app.tell("finding.code")
            invited = replace(invited, code=read_code(await _asked(app)))
        part = replace(part, address=",".join(invited.addresses), host=invited.fingerprint or "")
    part = replace(part, code=invited.code or "")
    page = arguments.bot is None and wants_page(said=arguments.page, by_itself=False)
    mode: Mode = "watching" if part.role == "watch" else "friends"
    async with (
        face_of(app, mode, page=page, line=lambda: face_for(app, arguments)) as face,
        joined(app, name=name, part=part, bot=arguments.bot is not None) as at,
    ):
        return await spend(at, face)


async def _picked(app: App) -> Invitation:
    """One of the tables nearby, as the person picks. Raises CommandError if there is none, `NoDiscovery`."""
    app.tell("finding.looking")
    tables = await tables_nearby()
    if not tables:
        raise CommandError(Exit.IO, "finding.none")
    app.show(table_lines(app, tables))
    if len(tables) > 1:
        app.tell("finding.which")
        typed = await _asked(app)
        number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else 0
        if not 1 <= number <= len(tables):
            raise CommandError(Exit.USAGE, "finding.no-such")
        tables = tables[number - 1 : number]
    code = None
    if not tables[0].is_open:
        app.tell("finding.code")
        code = read_code(await _asked(app))
    return tables[0].invitation(code)


def _may_ask(arguments: argparse.Namespace) -> bool:
    """Whether somebody sits at a terminal who can be asked."""
    return arguments.bot is None and not arguments.porcelain and sys.stdin.isatty()


async def _asked(app: App) -> str:
    """What is typed, "" at the end of input. Ends the program (SystemExit) at a word that leaves."""
    typed = await asyncio.to_thread(_line)
    if app.leaves(typed):
        app.tell("leave.ended")
        raise SystemExit(Exit.OK)
    return typed


def _line() -> str:
    try:
        return input().strip()
    except EOFError:
        return ""
