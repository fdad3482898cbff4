"""`durak join ADDRESS`: sit down at somebody's table, or come back to it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cli.commands.host import face_for
from cli.commands.name import own_name
from cli.evening import spend
from cli.faces import face_of, wants_page
from cli.porcelain import PorcelainFace
from cli.tables import Bluetooth, Part, joined

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from cli.exits import Exit


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Join and stay until the end."""
    name = own_name(app, arguments.name, ask=arguments.bot is None)
    ble = Bluetooth.of(arguments)
    address = arguments.address or ("" if ble is None else "ble:")
    part = Part("guest", address=address, listen=arguments.listen, level=arguments.bot or "", ble=ble)
    return asyncio.run(_join(app, arguments, name, part))


async def _join(app: App, arguments: argparse.Namespace, name: str, part: Part) -> Exit:
    if part.address.startswith("ble:") and not arguments.porcelain:
        app.tell("bluetooth.looking")
    page = arguments.bot is None and wants_page(said=arguments.page, by_itself=False)
    async with (
        face_of(app, "friends", page=page, line=lambda: face_for(app, arguments)) as face,
        joined(app, name=name, part=part, bot=arguments.bot is not None) as at,
    ):
        if not isinstance(face, PorcelainFace):
            app.tell("lobby.sitting", name=name)
        return await spend(at, face)
