"""`durak host`: open a table others join by its address."""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cli.commands.name import own_name
from cli.evening import Face, spend
from cli.exits import CommandError, Exit
from cli.faces import face_of, wants_page
from cli.finding import announced
from cli.guests.hosting import guest_bundle, invited_guests
from cli.house_bots import house_bots
from cli.line.face import LineFace, ToldBotFace
from cli.line.invitation import guest_lines, invitation_lines
from cli.line.terminal import Keyboard
from cli.mishaps import run_loop
from cli.options import read_options
from cli.porcelain import PorcelainFace
from cli.tables import Bluetooth, Part, hosted
from game.bots import bot
from p2p.codes import make_code
from p2p.lan import EVERYWHERE
from p2p.tcp import must_be_free

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from game.bots import Level
    from game.options import Options


MOST_PORT = 65_535


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Open the table and stay at it. Raises `NetworkError` for a port in use or a bad address."""
    options = read_options(arguments.preset, arguments.option, seats=seats_of(arguments), texts=app.texts)
    if not 0 <= arguments.bots < options.seats:
        raise CommandError(Exit.USAGE, "host.bots", most=options.seats - 1)
    if not (0 <= arguments.port <= MOST_PORT and 0 <= arguments.guest_port <= MOST_PORT):
        raise CommandError(Exit.USAGE, "host.port")
    ble = Bluetooth.of(arguments)
    guests = options.seats - 1 - arguments.bots
    if ble and ble.alone and not arguments.guests and 0 < ble.max_links < guests:
        # peers pass on what they get, but everybody sits down by a link to the host
        raise CommandError(Exit.USAGE, "host.links", links=ble.max_links, guests=guests)
    if not (ble and ble.alone):
        # who is asked for a name first would be told afterwards that it was in vain
        must_be_free(arguments.port, (arguments.listen,) if arguments.listen else EVERYWHERE)
    decides = arguments.bot is not None
    name = own_name(app, arguments.name, ask=not decides and not arguments.porcelain, bot=decides)
    part = Part(
        "host",
        code="" if arguments.open else make_code(os.urandom),
        listen=arguments.listen,
        port=arguments.port,
        level=arguments.bot or "",
        bot_level=arguments.level,
        watch=arguments.watch,
        ble=ble,
    )
    return run_loop(app, _host(app, arguments, options, name, part))


def seats_of(arguments: argparse.Namespace) -> int | None:
    """As said; with bots enough for them, the host and a guest."""
    said = any(assignment.strip().startswith("seats") for assignment in arguments.option)
    if arguments.seats is None and arguments.bots and not said:
        return int(arguments.bots) + 2
    return None if arguments.seats is None else int(arguments.seats)


async def _host(app: App, arguments: argparse.Namespace, options: Options, name: str, part: Part) -> Exit:
    page = arguments.bot is None and wants_page(said=arguments.page, by_itself=False)
    part = replace(part, asks=arguments.open and arguments.bot is None)
    bundle = guest_bundle(app, arguments.guest_folder) if arguments.guests else None
    async with (
        face_of(app, "friends", page=page, line=lambda: face_for(app, arguments)) as face,
        hosted(app, options, name=name, part=part, bot=arguments.bot is not None) as at,
        announced(app, at, quiet=arguments.porcelain),
        house_bots(app, at, arguments.level, count=arguments.bots),
        invited_guests(
            app,
            at,
            bundle,
            folder=arguments.guest_folder,
            port=arguments.guest_port,
            quiet=arguments.porcelain or page,
        ) as guests,
    ):
        if isinstance(face, PorcelainFace):
            face.say("listening", port=at.driver.port, code=part.code)
            if guests:
                face.say("guests", addresses=list(guests))
        else:
            app.show(invitation_lines(app, at))
            app.show(guest_lines(app, guests))
        return await spend(at, face)


def face_for(app: App, arguments: argparse.Namespace) -> Face:
    """The face the command line asks for."""
    keyboard = Keyboard()
    level: Level = arguments.bot or "easy"
    if arguments.porcelain:
        export = Path(arguments.export) if arguments.export else None
        return PorcelainFace(
            app, keyboard, bot(level, secrets.randbits), games=arguments.games, export=export
        )
    if arguments.bot is not None:
        return ToldBotFace(app, keyboard, bot(level, secrets.randbits), games=arguments.games)
    return LineFace(app, keyboard, ask_all=arguments.ask_all, alone=False)
