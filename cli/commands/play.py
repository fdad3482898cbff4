"""`durak play`: a person against bots, each a process with its own keys, by the protocol people use."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.children import Child, child
from cli.commands.join import CODE
from cli.commands.name import own_name
from cli.evening import Face, spend
from cli.exits import CommandError, Exit
from cli.faces import face_of, wants_page
from cli.line.face import LineFace
from cli.line.terminal import Keyboard
from cli.options import read_options
from cli.tables import LOOPBACK, Part, hosted
from p2p.codes import make_code

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from game.options import Options

BOTS = 2
"""How many bots play if nothing is said."""
NAMES = ("Olya", "Boris", "Clara", "Dima", "Eva")


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """One evening against bots."""
    bots = arguments.bots
    if bots is not None and not 1 <= bots <= len(NAMES):
        raise CommandError(Exit.USAGE, "play.bots", most=len(NAMES))
    options = read_options(arguments.preset, arguments.option, seats=seats_of(arguments), texts=app.texts)
    name = own_name(app, arguments.name, ask=True)
    part = Part(
        "play", code=make_code(os.urandom), listen=LOOPBACK, level=arguments.level, bots=options.seats - 1
    )
    page = wants_page(said=arguments.page, by_itself=True)
    return asyncio.run(_play(app, options, name, part, ask_all=arguments.ask_all, page=page))


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
        await seat_bots(stack, app, replace(part, port=at.driver.port))
        return await spend(at, face)


async def seat_bots(stack: AsyncExitStack, app: App, part: Part) -> None:
    """Start the bots of a table on this device; they find their old seats there if it is a game resumed."""
    for number in range(part.bots):
        words = [
            "join", f"{LOOPBACK}:{part.port}", "--listen", LOOPBACK, "--bot", part.level, "--porcelain",
            "--games", "1000000", "--name", app.texts.say("bot.name", name=NAMES[number]),
        ]  # fmt: skip
        home = app.home.folder / "bots" / str(number + 1)
        bot = await stack.enter_async_context(child(home, words, {CODE: part.code}))
        stack.push_async_callback(_hush, asyncio.create_task(_listen(bot)))


async def _listen(bot: Child) -> None:
    """Read what a bot says, so that it never waits for us; nothing of it is shown."""
    async for _ in bot.said():
        pass


async def _hush(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
