"""`durak host`: open a table others join by its address."""

from __future__ import annotations

import asyncio
import os
import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cli.commands.name import own_name
from cli.evening import Face, spend
from cli.faces import face_of, wants_page
from cli.finding import announced
from cli.line.face import LineFace, ToldBotFace
from cli.line.qr import qr_lines
from cli.line.terminal import Keyboard
from cli.options import read_options
from cli.porcelain import PorcelainFace
from cli.tables import Bluetooth, Part, hosted
from game.bots import bot
from p2p.codes import JoinCode, invite, make_code, read_code, show_code

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from cli.exits import Exit
    from cli.tables import AtTable
    from game.bots import Level
    from game.options import Options


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Open the table and stay at it."""
    options = read_options(arguments.preset, arguments.option, seats=arguments.seats, texts=app.texts)
    name = own_name(app, arguments.name, ask=arguments.bot is None)
    part = Part(
        "host",
        code="" if arguments.open else make_code(os.urandom),
        listen=arguments.listen,
        port=arguments.port,
        level=arguments.bot or "",
        ble=Bluetooth.of(arguments),
    )
    return asyncio.run(_host(app, arguments, options, name, part))


async def _host(app: App, arguments: argparse.Namespace, options: Options, name: str, part: Part) -> Exit:
    page = arguments.bot is None and wants_page(said=arguments.page, by_itself=False)
    part = replace(part, asks=arguments.open and arguments.bot is None and not page)
    async with (
        face_of(app, "friends", page=page, line=lambda: face_for(app, arguments)) as face,
        hosted(app, options, name=name, part=part, bot=arguments.bot is not None) as at,
        announced(app, at, quiet=arguments.porcelain),
    ):
        if isinstance(face, PorcelainFace):
            face.say("listening", port=at.driver.port, code=part.code)
        else:
            tell_others(app, at)
        return await spend(at, face)


def tell_others(app: App, at: AtTable) -> None:
    """What the others need, to read out and as a QR code where the screen can show one."""
    code = show_code(read_code(at.part.code)) if at.part.code else ""
    addresses = [address for address in at.driver.addresses if not address.startswith("ble:")]
    if len(addresses) < len(at.driver.addresses):
        app.tell("bluetooth.open")
    for address in addresses:
        app.tell("lobby.listening", address=f"{address} {code}".strip())
    if code:
        app.tell("lobby.code", code=code)
    if addresses and app.style.signs:
        kept = JoinCode(at.part.code) if at.part.code else None
        app.show(qr_lines(invite(kept, at.driver.addresses, at.peer.identity.public).text))


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
