"""`durak join ADDRESS`: sit down at somebody's table, or come back to it."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.commands.games import kept_games
from cli.commands.host import face_for
from cli.commands.name import own_name
from cli.evening import spend
from cli.exits import CommandError, Exit
from cli.faces import face_of, wants_page
from cli.finding import at_the_door, located, read_words, shown
from cli.house_bots import CODE
from cli.mishaps import run_loop
from cli.picking import ANY_BLE, around_at, picked, to_ble, with_code
from cli.tables import Bluetooth, Part, joined
from p2p.codes import read_code
from p2p.reasons import Why

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from cli.page.feed import Mode
    from p2p.codes import Invitation, JoinCode


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
        part = replace(part, address=by_radio[0] if by_radio else ANY_BLE)
    bot = arguments.bot is not None
    code = invited.code or (read_code(os.environ[CODE]) if os.environ.get(CODE) else None)
    asks = not bot and not arguments.porcelain
    name = arguments.name or (_name_there(app, replace(invited, code=code)) if asks else "")
    name = own_name(app, name, ask=asks, bot=bot)
    return run_loop(app, _join(app, arguments, name, part, replace(invited, code=code)))


def _name_there(app: App, invited: Invitation) -> str:
    """The name of our seat in a game of this table that is not over, and says so; "" if there is none."""
    if app.settings.name:
        return ""
    me = app.home.identity().public
    for kept in kept_games(app.home):
        part = Part.of(kept.folder)
        if part is None or part.role != "guest":
            continue
        here = part.code == (invited.code or "") and set(part.addresses) & set(invited.addresses)
        if here and kept.unfinished:
            names = (seat.name for seat in kept.genesis.seats if seat.identity_key == me)
            name = next(names, "")
            if name:
                app.tell("name.as-before", name=app.named(name))
            return name
    return ""


async def _join(app: App, arguments: argparse.Namespace, name: str, part: Part, invited: Invitation) -> Exit:
    part = await _where(app, arguments, part, invited)
    page = arguments.bot is None and wants_page(said=arguments.page, by_itself=False)
    mode: Mode = "watching" if part.role == "watch" else "friends"
    async with (
        face_of(app, mode, page=page, line=lambda: face_for(app, arguments)) as face,
        joined(app, name=name, part=part, bot=arguments.bot is not None) as at,
    ):
        return await spend(at, face)


async def _where(app: App, arguments: argparse.Namespace, part: Part, invited: Invitation) -> Part:
    """The part with address and code of a table: as typed, found, or picked by the person."""
    person = arguments.bot is None and not arguments.porcelain
    if part.address and (part.address != ANY_BLE or invited.code is not None or not person):
        return await _over_bluetooth(app, arguments, part, invited.code)
    if not invited.addresses and invited.code is None:
        found = await picked(app, part.ble)
        if found.invited is None:
            return replace(part, address=found.address, code=found.code or "")
        invited = found.invited
    elif not invited.addresses and not arguments.porcelain:
        app.tell("finding.looking")
    invited = await located(invited)
    if invited.code is None and _may_ask(arguments) and await at_the_door(invited) == Why.CODE_NEEDED:
        invited = await with_code(app, invited)
    addresses, host = ",".join(invited.addresses), invited.fingerprint or ""
    return replace(part, address=addresses, host=host, code=invited.code or "")


async def _over_bluetooth(app: App, arguments: argparse.Namespace, part: Part, code: JoinCode | None) -> Part:
    """A table over Bluetooth by its address or code; who names a private one alone is asked for it."""
    if not arguments.porcelain:
        app.tell("bluetooth.looking")
    if code is None and part.ble is not None and part.address != ANY_BLE and _may_ask(arguments):
        table = await around_at(part.ble, part.address)
        if table is not None and table.private:
            code = (await to_ble(app, table)).code
    return replace(part, code=code or "")


def _may_ask(arguments: argparse.Namespace) -> bool:
    """Whether somebody sits at a terminal who can be asked."""
    return arguments.bot is None and not arguments.porcelain and sys.stdin.isatty()
