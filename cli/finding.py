"""From what a person types to a table: an address, a join code, an invitation, or nothing at all."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cli.exits import CommandError, Exit
from game.options import RULES_ID
from ledger.identity import SigningKey
from p2p.codes import Invitation, code_key, read_code, read_invitation
from p2p.discovery import Announcement, Discovery
from p2p.errors import BadCode, NetworkError, NoDiscovery
from p2p.guest import GuestLobby
from p2p.lan import LanDriver
from p2p.node import Node
from p2p.session import Door

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence

    from cli.app import App
    from cli.tables import AtTable
    from p2p.codes import JoinCode
    from p2p.discovery import FoundTable

LOOK = 10.0
"""Seconds to look for a table on the network; found ones do not wait for their end."""
GLANCE = 2.0
"""Seconds to list the tables there are."""
LOOK_AT_ADDRESSES = 2.0
"""Seconds between looks at this device's own addresses."""
_LOCAL = ("127.", "::1", "localhost", "ble")


def read_words(words: Sequence[str], command: str = "join") -> Invitation:
    """What was typed: an address or an invitation, a code in one word or several, or both, in any order.

    Raises `BadCode`, `BadAddress`, and CommandError (64) for a word too many; `command` is named there.
    """
    rest = [word for word in words if not _is_name(word)]
    names = [word for word in words if _is_name(word)]
    code, spoken, names = _code_among(names)
    if code is None and names and len(names) + len(rest) > 1:
        read_code("".join(names))  # a code that is none is what was meant, and says why it is none
    found, known = Invitation(code, (), None), ""
    for word in (*rest, *names):
        if known:
            raise _too_much(shown(word), known, command)
        found, known = _read_invitation(word, code), word
        if code is not None and found.code != code:
            raise _too_much(spoken, word, command)
    return found


def _too_much(word: str, known: str, command: str) -> CommandError:
    return CommandError(Exit.USAGE, "usage.where", word=word, known=shown(known), command=command)


def shown(word: str) -> str:
    """A word of the command line, fit to be shown."""
    return ascii(word)[1:-1]


def _is_name(word: str) -> bool:
    """A device's name, a code or a part of one: nothing that only an address or an invitation has."""
    return not any(sign in word for sign in ".:@")


def _code_among(words: Sequence[str]) -> tuple[JoinCode | None, str, list[str]]:
    """The code in one word or several that stand together, as typed, and the other words. ADDRESS CODE is how
    it is written everywhere, so that the last one is meant where there could be two."""
    for end in range(len(words), 0, -1):
        for start in range(end - 1, -1, -1):
            try:
                code = read_code("".join(words[start:end]))
            except BadCode:
                continue
            return code, shown(" ".join(words[start:end])), [*words[:start], *words[end:]]
    return None, "", [*words]


def _read_invitation(word: str, code: JoinCode | None) -> Invitation:
    """One word that is no code. Raises `BadCode` where it may have been meant as one, `BadAddress`."""
    if _is_name(word) and not word.isalnum() and code is None:
        read_code(word)
    invited = read_invitation(word)
    return Invitation(invited.code or code, invited.addresses, invited.fingerprint)


async def located(invitation: Invitation) -> Invitation:
    """The invitation with addresses, looked for on the network where it has none.

    Raises CommandError (30) if nothing was found, `NoDiscovery` where this device cannot look.
    """
    if invitation.addresses:
        return invitation
    key = None if invitation.code is None else code_key(invitation.code)
    async with Discovery() as discovery:
        table = await discovery.find(key, LOOK)
    if table is None:
        raise CommandError(Exit.IO, "finding.none" if key is None else "finding.none-with-code")
    return table.invitation(invitation.code)


async def at_the_door(invitation: Invitation) -> str:
    """What is said at the door of these addresses to who comes so, as a message id; "" if he is let in.

    Asked by nobody in particular: the key is thrown away, and a private table without its code, or with
    another, is told not even that.
    """
    stranger = SigningKey.from_seed32(os.urandom(32))
    door = Door() if invitation.code is None else Door(code=code_key(invitation.code))
    lobby = GuestLobby(stranger.public, RULES_ID)
    node = Node(identity=stranger, door=door, random=os.urandom, lobby=lobby)
    async with LanDriver(node, listen=None, on_event=lambda _: None) as driver:
        try:
            await driver.reach(invitation)
        except NetworkError as error:
            return error.reason
        return ""


async def tables_nearby(seconds: float = GLANCE) -> tuple[FoundTable, ...]:
    """The tables announced on this network, in an order that stays. Raises `NoDiscovery`."""
    async with Discovery() as discovery:
        await asyncio.sleep(seconds)
        return tuple(sorted(discovery.tables, key=lambda table: (table.fingerprint, sorted(table.addresses))))


@asynccontextmanager
async def announced(app: App, at: AtTable, *, quiet: bool) -> AsyncIterator[None]:
    """Let others on the network find this table while the context lasts; say so where that cannot be."""
    announcing = asyncio.create_task(_announce(app, at, quiet=quiet))
    try:
        yield
    finally:
        announcing.cancel()
        await asyncio.gather(announcing, return_exceptions=True)


async def _announce(app: App, at: AtTable, *, quiet: bool) -> None:
    """Announce, and anew whenever this device has other addresses than before. Never ends."""
    code = at.part.code
    key = code_key(read_code(code)) if code else None
    told: set[str] = set()

    def tell(message: str) -> None:
        if not quiet and message not in told:
            told.add(message)
            app.tell(message)

    while True:
        hosts = _hosts(at.driver.addresses)
        if not hosts:
            await asyncio.sleep(LOOK_AT_ADDRESSES)
            continue
        listen = None if not at.part.listen else (at.part.listen,)
        announcement = Announcement(at.peer.identity.public, at.driver.port, hosts, key)
        try:
            async with Discovery(announce=announcement, interfaces=listen) as discovery:
                while set(_hosts(at.driver.addresses)) == set(hosts):
                    await asyncio.sleep(LOOK_AT_ADDRESSES)
                    if discovery.deaf:
                        tell("discovery.deaf")
        except NoDiscovery as error:
            tell(error.reason)
            await asyncio.sleep(LOOK_AT_ADDRESSES)


def _hosts(addresses: Iterable[str]) -> tuple[str, ...]:
    """The hosts of addresses others can reach."""
    hosts = (
        address.rpartition(":")[0].strip("[]") for address in addresses if not address.startswith("ble:")
    )
    return tuple(dict.fromkeys(host for host in hosts if host and not host.startswith(_LOCAL)))
