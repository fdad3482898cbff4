"""Who is a bot, as far as this device knows: its own bots by their keys, the others as their host says.

A name proves nothing, so that its "[bot]" is shown of these alone (`cli.texts.names`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.exits import CommandError
from cli.home import Home
from ledger.engine import Seat

if TYPE_CHECKING:
    from cli.tables import AtTable
    from ledger.genesis import Genesis
    from ledger.identity import PublicKey


def house_bot_keys(home: Home) -> frozenset[PublicKey]:
    """The identity keys of this data folder's own bots; a damaged one is left out."""
    found: set[PublicKey] = set()
    for path in sorted((home.folder / "bots").glob("*/identity")):
        try:
            found.add(Home(path.parent).identity().public)
        except (OSError, CommandError):
            continue
    return frozenset(found)


def bots_at(at: AtTable) -> frozenset[PublicKey]:
    """The bots of this device, and those the host has seated."""
    roster = () if at.peer.table is None else at.peer.table.roster
    return house_bot_keys(at.home) | {line.identity for line in roster if line.bot}


def bot_seats(genesis: Genesis, bots: frozenset[PublicKey]) -> frozenset[Seat]:
    """The seats of a game that bots have."""
    return frozenset(Seat(seat) for seat, record in enumerate(genesis.seats) if record.identity_key in bots)
