"""A table for who names none: the list of those nearby, on the network and over Bluetooth, and the questions
which one it is to be and how its door opens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from cli.asking import asked
from cli.commands.tables import ble_lines, table_lines
from cli.exits import CommandError, Exit
from cli.finding import at_the_door, tables_nearby
from p2p.codes import code_key, read_code
from p2p.errors import NetworkError, NoDiscovery, Refused
from p2p.reasons import Why

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from cli.app import App
    from cli.tables import Bluetooth
    from p2p.ble.nearby import TableAround
    from p2p.codes import Invitation, JoinCode
    from p2p.discovery import FoundTable

ANY_BLE = "ble:"
"""The host of the table whose code we know: he may start again, and then is another device to the radio."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Where to go: `address` over Bluetooth, or `invited` on the network."""

    invited: Invitation | None = None
    address: str = ""
    code: JoinCode | None = None


async def picked(app: App, ble: Bluetooth | None) -> Picked:
    """One of the tables nearby, as the person picks. Raises CommandError if there is none, `NoDiscovery`,
    `NoBluetooth`."""
    around = () if ble is None else await _around(app, ble)
    tables = () if ble is not None and ble.alone else await _on_the_network(app, enough=bool(around))
    found = (*tables, *around)
    if not found:
        raise CommandError(Exit.IO, "bluetooth.no-table" if ble and ble.alone else "finding.none")
    app.show(chain(table_lines(app, tables), ble_lines(app, around, first=len(tables) + 1, commands=False)))
    number = 1 if len(found) == 1 else await asked(app, "finding.which", _number_up_to(len(found)))
    if number <= len(tables):
        return await _to(app, tables[number - 1])
    return await to_ble(app, around[number - 1 - len(tables)])


async def with_code(app: App, invited: Invitation) -> Invitation:
    """The invitation with the join code its person types, tried at the door."""

    async def read(typed: str) -> Invitation:
        offered = replace(invited, code=read_code(typed))
        if await at_the_door(offered) == Why.CODE_WRONG:
            raise Refused(Why.CODE_WRONG)
        return offered

    return await asked(app, "finding.code", read)


async def to_ble(app: App, table: TableAround) -> Picked:
    """A table over Bluetooth; a private one shows which code is its own."""
    if not table.private:
        return Picked(address=table.address)
    from p2p.ble.advert import mark_of

    async def read(typed: str) -> JoinCode:
        code = read_code(typed)
        if mark_of(code_key(code)) != table.mark:
            raise Refused(Why.CODE_WRONG)
        return code

    return Picked(address=ANY_BLE, code=await asked(app, "finding.code", read))


async def around_at(ble: Bluetooth, address: str) -> TableAround | None:
    """The table at this address, if it is to be seen. Raises `NoBluetooth`."""
    from p2p.ble.nearby import tables_around

    return next((each for each in await tables_around(ble.hci, ble.adapter) if each.address == address), None)


async def _around(app: App, ble: Bluetooth) -> Sequence[TableAround]:
    from p2p.ble.nearby import tables_around  # bleak takes a while to load, and is optional

    app.tell("bluetooth.looking")
    try:
        return await tables_around(ble.hci, ble.adapter)
    except NetworkError as error:
        if ble.alone:
            raise
        app.tell(error.reason, **error.params)
        return ()


async def _on_the_network(app: App, *, enough: bool) -> Sequence[FoundTable]:
    """`enough`: there are tables elsewhere, so that a network that cannot be searched is only said."""
    app.tell("finding.looking")
    try:
        return await tables_nearby()
    except NoDiscovery as error:
        if not enough:
            raise
        app.tell(error.reason, **error.params)
        return ()


async def _to(app: App, table: FoundTable) -> Picked:
    invited = table.invitation(None)
    if not table.is_open:
        invited = await with_code(app, invited)
    return Picked(invited=invited, code=invited.code)


def _number_up_to(most: int) -> Callable[[str], Awaitable[int]]:
    async def read(typed: str) -> int:
        number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else 0
        if not 1 <= number <= most:
            raise CommandError(Exit.USAGE, "finding.no-such")
        return number

    return read
