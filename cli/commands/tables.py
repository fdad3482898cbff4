"""`durak tables`: the tables announced on this network."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cli.exits import Exit
from cli.finding import tables_nearby
from p2p.codes import fingerprint

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from cli.app import App
    from p2p.discovery import FoundTable


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Look a moment and list what was found. Raises `NoDiscovery`."""
    app.tell("finding.looking")
    tables = asyncio.run(tables_nearby())
    app.show(table_lines(app, tables) if tables else [app.texts.say("finding.none")])
    return Exit.OK


def table_lines(app: App, tables: Sequence[FoundTable]) -> Iterator[str]:
    """One line a table: number, whose it is if he is known, where it is."""
    known = app.home.book().names
    names = {fingerprint(identity): app.named(name) for identity, name in known.items()}
    for number, table in enumerate(tables, start=1):
        who = names.get(table.fingerprint, table.fingerprint)
        kind = app.texts.say("finding.open" if table.is_open else "finding.private")
        yield app.texts.say("finding.line", number=number, who=who, kind=kind, address=table.addresses[0])
