"""A host that has moved is looked for by itself: another network, another address, another day.

The old address is dialled all the while (`p2p.redial`); this file adds those under which the host announces
its table now. Announcements are hints: whoever answers there must prove to be the host.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from p2p.address import is_loopback, parse_address
from p2p.codes import Fingerprint, fingerprint
from p2p.discovery import Discovery
from p2p.errors import NetworkError, NoDiscovery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from cli.tables import AtTable
    from p2p.messages import Address

LOOK_EVERY: Final = 0.5
SEEK_AFTER: Final = 3.0
"""Seconds without the host before the network is asked where it is."""
REST: Final = 30.0
"""Seconds until the next try where the network carries no searches."""
PATIENCE: Final = 1.5
"""Seconds for one address to answer."""
MOST_ADDRESSES: Final = 8
"""Addresses of one host that are tried, and that are remembered; the newest first."""


@asynccontextmanager
async def host_sought(at: AtTable) -> AsyncIterator[None]:
    """Look for the host of a guest's table whenever it is away, as long as the context lasts."""
    if not at.part.host or not _elsewhere(at.part.addresses):
        yield
        return
    seeking = asyncio.create_task(_seek(at))
    try:
        yield
    finally:
        seeking.cancel()
        await asyncio.gather(seeking, return_exceptions=True)


def host_is_here(at: AtTable) -> bool:
    """Whether we have a link to the host."""
    return any(fingerprint(peer) == at.part.host for peer in at.peer.presence.here)


async def _seek(at: AtTable) -> None:
    """Never ends."""
    away = 0.0
    while True:
        await asyncio.sleep(LOOK_EVERY)
        away = 0.0 if host_is_here(at) else away + LOOK_EVERY
        if away < SEEK_AFTER:
            continue
        try:
            async with Discovery() as discovery:
                while not host_is_here(at):
                    await _try(at, discovery)
                    await asyncio.sleep(LOOK_EVERY)
        except NoDiscovery:
            await asyncio.sleep(REST)


async def _try(at: AtTable, discovery: Discovery) -> None:
    """Dial what is new among the host's addresses; one that leads to it is kept, for another day too."""
    host = Fingerprint(at.part.host)
    tables = [table for table in discovery.tables if table.fingerprint == host]
    found = dict.fromkeys(address for table in tables for address in table.addresses)
    known = at.part.addresses
    for address in [address for address in found if address not in known][:MOST_ADDRESSES]:
        with suppress(NetworkError):
            await at.driver.dial(address, expect=host, patience=PATIENCE)
            at.driver.keep(address, expect=host)
            at.part = replace(at.part, address=",".join((address, *known)[:MOST_ADDRESSES]))
            at.keep_part()
            return


def _elsewhere(addresses: Iterable[Address]) -> bool:
    """Whether the host is another device of the network: neither this very one, nor behind a radio."""
    try:
        return not any(is_loopback(parse_address(address).host) for address in addresses)
    except NetworkError:
        return False
