"""`durak play`: a person against bots, each a process with its own keys, by the protocol people use."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from cli.commands.name import own_name
from cli.evening import Face, spend
from cli.exits import CommandError, Exit
from cli.faces import face_of, wants_page
from cli.house_bots import NAMES, bot_level, house_bots
from cli.line.face import LineFace
from cli.line.terminal import Keyboard
from cli.mishaps import run_loop
from cli.options import read_options
from cli.tables import LOOPBACK, Part, hosted
from p2p.codes import make_code

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from game.options import Options

BOTS = 2
"""How many bots play if nothing is said."""


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """One evening against bots."""
    bots = arguments.bots
    if bots is not None and not 1 <= bots <= len(NAMES):
        raise CommandError(Exit.USAGE, "play.bots", most=len(NAMES))
    options = read_options(arguments.preset, arguments.option, seats=seats_of(arguments), texts=app.texts)
    name = own_name(app, arguments.name, ask=True)
    part = Part("play", code=make_code(os.urandom), listen=LOOPBACK, bot_level=arguments.level)
    page = wants_page(said=arguments.page, by_itself=True)
    return run_loop(app, _play(app, options, name, part, ask_all=arguments.ask_all, page=page))


def seats_of(arguments: argparse.Namespace) -> int | None:
    """Bots and the person; None where an option or a preset says the seats."""
    if arguments.bots is not None:
        return int(arguments.bots) + 1
    said = any(assignment.strip().startswith("seats") for assignment in arguments.option)
    return None if said or arguments.preset != "local" else BOTS + 1


async def _play(app: App, options: Options, name: str, part: Part, *, ask_all: bool, page: bool) -> Exit:
    def line() -> Face:
        return LineFace(app, Keyboard(), ask_all=ask_all, alone=True)

    async with AsyncExitStack() as stack:
        face = await stack.enter_async_context(face_of(app, "practice", page=page, line=line))
        at = await stack.enter_async_context(hosted(app, options, name=name, part=part))
        await stack.enter_async_context(
            house_bots(app, at, bot_level(part.bot_level), count=options.seats - 1)
        )
        return await spend(at, face)
