"""`durak tables`: the tables announced on this network."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cli.exits import Exit
from cli.finding import tables_nearby
from cli.mishaps import run_loop
from cli.tables import Bluetooth
from cli.texts.names import HarmlessName
from p2p.codes import fingerprint
from p2p.errors import NetworkError
from p2p.session import VERSION

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from cli.app import App
    from p2p.ble.nearby import TableAround
    from p2p.discovery import FoundTable

MARK = 4
"""Digits by which people tell tables apart: the host's screen shows the same ones."""


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Look a moment and list what was found. Raises `NoDiscovery`, and `NoBluetooth` with `--no-lan`.

    Where Bluetooth fails that is said, and the network is looked through all the same.
    """
    ble = Bluetooth.of(arguments)
    outcome = Exit.OK
    if ble is not None:
        app.tell("bluetooth.looking")
        try:
            app.show(list(_over_bluetooth(app, ble)) or [app.texts.say("bluetooth.no-table")])
        except NetworkError as error:
            if ble.alone:
                raise
            app.tell(error.reason, **error.params)
            outcome = Exit.IO
        if ble.alone:
            return outcome
    app.tell("finding.looking")
    tables = run_loop(app, tables_nearby())
    app.show(table_lines(app, tables) if tables else [app.texts.say("finding.none")])
    return outcome


def _over_bluetooth(app: App, ble: Bluetooth) -> Iterator[str]:
    """One line a table. Raises `NoBluetooth`."""
    from p2p.ble.nearby import tables_around  # bleak takes a while to load, and is optional

    yield from ble_lines(app, run_loop(app, tables_around(ble.hci, ble.adapter)), commands=True)


def ble_lines(
    app: App, tables: Sequence[TableAround], *, first: int = 1, commands: bool = False
) -> Iterator[str]:
    """One line a table over Bluetooth: number, which, how near; with `commands` what to type."""
    for number, found in enumerate(tables, start=first):
        kind = app.texts.say("finding.private" if found.private else "finding.open")
        if found.full:
            kind = app.texts.say("bluetooth.full", kind=kind)
        line = "bluetooth.line"
        if commands:
            line = "bluetooth.line-private" if found.private else "bluetooth.line-open"
        yield app.texts.say(
            line,
            number=number,
            mark=found.address.removeprefix("ble:")[:MARK],
            kind=kind,
            address=found.address,
            strength=found.strength,
        )


def table_lines(app: App, tables: Sequence[FoundTable]) -> Iterator[str]:
    """One line a table: number, whose it is if he is known, where it is."""
    known = app.home.book().names
    names = {fingerprint(identity): app.named(name) for identity, name in known.items()}
    hosts = {
        table.fingerprint: names.get(table.fingerprint)
        or HarmlessName(app.texts.say("finding.mark", mark=table.fingerprint[:MARK]))
        for table in tables
    }
    called = Counter(hosts.values())  # one person may host several
    for number, table in enumerate(tables, start=1):
        who = hosts[table.fingerprint]
        if called[who] > 1:
            who = HarmlessName(f"{who} ({table.fingerprint[:MARK]})")
        kind = app.texts.say("finding.open" if table.is_open else "finding.private")
        if table.version != VERSION:
            kind = app.texts.say("finding.other-version")
        yield app.texts.say("finding.line", number=number, who=who, kind=kind, address=table.addresses[0])
