"""`durak host`: open a table others join by its address."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from cli.commands.name import own_name
from cli.evening import Face, spend
from cli.faces import face_of, wants_page
from cli.line.face import LineFace, ToldBotFace
from cli.line.terminal import Keyboard
from cli.options import read_options
from cli.porcelain import PorcelainFace
from cli.tables import Bluetooth, Part, hosted
from game.bots import bot

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from cli.exits import Exit
    from game.bots import Level
    from game.options import Options


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Open the table and stay at it."""
    options = read_options(arguments.preset, arguments.option, seats=arguments.seats, texts=app.texts)
    name = own_name(app, arguments.name, ask=arguments.bot is None)
    part = Part(
        "host",
        listen=arguments.listen,
        port=arguments.port,
        level=arguments.bot or "",
        ble=Bluetooth.of(arguments),
    )
    return asyncio.run(_host(app, arguments, options, name, part))


async def _host(app: App, arguments: argparse.Namespace, options: Options, name: str, part: Part) -> Exit:
    page = arguments.bot is None and wants_page(said=arguments.page, by_itself=False)
    async with (
        face_of(app, "friends", page=page, line=lambda: face_for(app, arguments)) as face,
        hosted(app, options, name=name, part=part, bot=arguments.bot is not None) as at,
    ):
        if isinstance(face, PorcelainFace):
            face.say("listening", port=at.driver.port)
        else:
            for address in at.driver.addresses:
                if address.startswith("ble:"):
                    app.tell("bluetooth.open")
                else:
                    app.tell("lobby.listening", address=address)
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
        return ToldBotFace(app, keyboard, bot(level, secrets.randbits))
    return LineFace(app, keyboard, ask_all=arguments.ask_all, alone=False)
