"""A peer put together for one table: identity, node, driver, games folder. Commands put a face to it.

What is needed to come back to a game after a crash or another day stands beside its log in `table.json`: the
part we had, where the host listened, which bots played.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from cli.engine import choose_backend, course
from cli.game_folder import GameFolders
from cli.peer import Peer
from cli.seeking import host_sought
from cli.whole_file import replace_whole
from game.mental_poker.deck import warm_up
from game.options import RULES_ID, encode
from ledger.folder import LOG
from ledger.identity import PublicKey
from ledger.store import GameStore
from p2p.codes import Fingerprint, Invitation, code_key, fingerprint, read_code
from p2p.errors import PortInUse, Refused, Unreachable
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lan import EVERYWHERE, LanDriver
from p2p.lobby import Terms
from p2p.messages import Address
from p2p.node import Node
from p2p.reasons import Why
from p2p.session import Door

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from cli.app import App
    from cli.guests.hosting import Invited
    from cli.home import Home
    from cli.house_bots import HouseBots
    from game.options import Options
    from ledger.genesis import GameId, Genesis

SUITE = 1
"""DEALING.md. Suite 0, the open deck, has no place in the product."""
PART = "table.json"
"""What we are at the table of a game, beside its log."""
LOOPBACK = "127.0.0.1"
PAUSES = (0.2, 0.5, 1.0, 2.0)
"""Seconds between tries to join."""
LOOK_EVERY = 3.0
"""Seconds after which faces look again though nothing has come: who is away is so for longer."""


@dataclass(frozen=True, slots=True)
class Bluetooth:
    """How we use Bluetooth at a table. `alone`: no network at all."""

    adapter: str = ""
    hci: str = ""
    max_links: int = 0
    """0: as many as a host or a guest usually has."""
    alone: bool = False

    @classmethod
    def of(cls, arguments: argparse.Namespace, *, wanted: bool = False) -> Bluetooth | None:
        """What the command line says; None unless something of it, or `wanted`, asks for Bluetooth."""
        asks = (arguments.ble, arguments.ble_hci, arguments.ble_adapter, arguments.no_lan, wanted)
        if not any(asks):
            return None
        return cls(arguments.ble_adapter, arguments.ble_hci, arguments.max_links, arguments.no_lan)


@dataclass(frozen=True, slots=True)
class Part:
    """What we are at a table. `role`: "host", "guest", "watch", or "play": a host with bots of this device.

    `address`: where the host is, several with commas between; `host`: its fingerprint where it was told;
    `code`: the table's join code, "" for an open one; `asks`: an open table asks its person about each guest;
    `level`: how the bot in our own place plays; `bots`: those of this device beside us, each by its number
    and how it plays, `bot_level` how one more would; `watch`: others may;
    `guest_port`: where our page for guests is, 0 for none, made from `guest_folder`, "" for the usual one;
    `peers`: identities of the others in the game, in hex, and where each was last, commas between.
    """

    role: str
    address: str = ""
    host: str = ""
    code: str = ""
    asks: bool = False
    listen: str = ""
    port: int = 0
    level: str = ""
    bots: tuple[tuple[int, str], ...] = ()
    bot_level: str = ""
    watch: bool = False
    ble: Bluetooth | None = None
    guest_port: int = 0
    guest_folder: str = ""
    peers: tuple[tuple[str, str], ...] = ()

    @property
    def addresses(self) -> tuple[Address, ...]:
        return _several(self.address)

    def known_peers(self) -> Iterator[tuple[PublicKey, tuple[Address, ...]]]:
        """The others of the game, and where they can be dialled."""
        for identity, addresses in self.peers:
            yield PublicKey(bytes.fromhex(identity)), _several(addresses)

    def keep(self, folder: Path) -> None:
        """Write it beside the log. Losing it costs the comfort of `resume`, never the game."""
        replace_whole(folder / PART, json.dumps(asdict(self)).encode())

    @classmethod
    def of(cls, folder: Path) -> Part | None:
        """What was written there, None if nothing readable was."""
        try:
            kept = json.loads((folder / PART).read_bytes())
            ble = kept.pop("ble", None)
            peers = tuple((bytes.fromhex(key).hex(), str(address)) for key, address in kept.pop("peers", ()))
            bots = _bots_of(kept.pop("bots", ()), str(kept.get("bot_level", "") or kept.get("level", "")))
            return cls(**kept, ble=None if ble is None else Bluetooth(**ble), peers=peers, bots=bots)
        except (OSError, ValueError, TypeError):
            return None


@dataclass(slots=True)
class AtTable:
    """A running peer, the driver of its links, and what part it has."""

    home: Home
    peer: Peer
    driver: LanDriver
    part: Part
    bots: HouseBots | None = None
    """Bots of ours at this table, where we host it."""
    guests: Invited | None = None
    """The page for guests, where we host one."""
    _kept: tuple[GameId, Part] | None = None
    """What was written last, and beside which log."""

    def come_back(self, game_id: bytes) -> bool:
        """Go on with this game if it is kept here. Raises `StoreError` and what the log of it may raise."""
        folder = self.home.game(game_id)
        if not (folder / LOG).exists():
            return False
        self.peer.resume(GameStore.open(folder))
        return True

    def keep_part(self, genesis: Genesis | None = None) -> None:
        """Keep our part beside the log of a game, by default of the one in course, whenever it has changed.

        A guest also keeps where the others are: when we come back the host, who could say, may be away. What
        no disk takes is a comfort lost: whether it is full the store finds out.
        """
        if genesis is None and self.peer.game is not None:
            genesis = self.peer.game.genesis
        if genesis is None:
            return
        if self.part.role == "guest":
            self.part = replace(self.part, peers=self._peers_of(genesis))
        if self._kept != (genesis.game_id, self.part):
            with contextlib.suppress(OSError):
                self.part.keep(self.home.game(genesis.game_id))
                self._kept = genesis.game_id, self.part

    def folder(self) -> Path:
        """Where the game in course is kept."""
        assert self.peer.game is not None
        return self.home.game(self.peer.game.genesis.game_id)

    def _peers_of(self, genesis: Genesis) -> tuple[tuple[str, str], ...]:
        """Where the others of a game are, or were when we last knew."""
        before = dict(self.part.peers)
        others = [seat.identity_key for seat in genesis.seats]
        now = {key.hex(): ",".join(self.peer.node.addresses(key)) for key in others}
        return tuple((key, now[key] or before.get(key, "")) for key in now if now[key] or key in before)


@asynccontextmanager
async def hosted(
    app: App, options: Options, *, name: str, part: Part, bot: bool = False
) -> AsyncIterator[AtTable]:
    """A new table of ours. Raises `NetworkError` for a port in use or a bad address."""
    identity = app.home.identity()
    terms = Terms(RULES_ID, encode(options), SUITE, options.seats)
    lobby = HostLobby(identity.public, terms, may_watch=part.watch, ask_person=part.asks)
    async with _running(app, part, name=name, lobby=lobby, bot=bot) as at:
        at.peer.sit()
        yield at


@asynccontextmanager
async def joined(app: App, *, name: str, part: Part, bot: bool = False) -> AsyncIterator[AtTable]:
    """A seat, or our old one, at the table of `part.address`. Raises `NetworkError` if nobody answers."""
    identity = app.home.identity()
    lobby = GuestLobby(identity.public, RULES_ID)
    async with _running(app, part, name=name, lobby=lobby, bot=bot) as at:
        expect = Fingerprint(part.host) if part.host else None
        invitation = Invitation(None, part.addresses, expect)
        host, address = await _reach(at.driver, invitation)
        at.driver.keep(address, expect=host)
        at.part = replace(at.part, address=address, host=fingerprint(host))
        async with host_sought(at):
            yield at


@asynccontextmanager
async def resumed(app: App, folder: Path, part: Part, *, bot: bool = False) -> AsyncIterator[AtTable]:
    """Our part in a game kept here, at its table again. Raises `NetworkError`, `StoreError`."""
    identity = app.home.identity()
    store = GameStore.open(folder)
    genesis = store.genesis
    lobby: HostLobby | GuestLobby
    if part.role == "guest":
        lobby = GuestLobby(identity.public, RULES_ID, playing=genesis.game_id)
    else:
        lobby = HostLobby.resumed(identity.public, genesis, may_watch=part.watch, ask_person=part.asks)
    mine = next((seat.name for seat in genesis.seats if seat.identity_key == identity.public), "")
    async with _running(app, part, name=mine, lobby=lobby, bot=bot, any_port=True) as at:
        at.peer.resume(store)
        if part.role != "guest":
            yield at
            return
        for address in part.addresses:
            at.driver.keep(address, expect=Fingerprint(part.host) if part.host else None)
        for other, addresses in part.known_peers():
            at.peer.node.learn(other, addresses)
        async with host_sought(at):
            yield at


@asynccontextmanager
async def _running(
    app: App,
    part: Part,
    *,
    name: str,
    lobby: HostLobby | GuestLobby,
    bot: bool,
    any_port: bool = False,
) -> AsyncIterator[AtTable]:
    """`any_port`: if the one of `part` is taken another will do."""
    choose_backend(os.environ)
    warm_up()
    identity = app.home.identity()
    door = Door(code=code_key(read_code(part.code))) if part.code else Door(open=True)
    node = Node(identity=identity, door=door, random=os.urandom, lobby=lobby)
    peer = Peer(
        identity=identity,
        name=name,
        node=node,
        course=course(),
        games=GameFolders(app.home, lambda genesis: at.keep_part(genesis)),
        random=os.urandom,
        clock=asyncio.get_running_loop().time,
        bot=bot,
        auto_start=True,
        wants_seat=part.role != "watch",
        watches=part.role == "watch",
        deals_ahead=True,
        request=app.home.request(),
    )
    driver = await _driver(part, peer)
    try:
        await driver.__aenter__()
    except PortInUse:
        if not any_port:
            raise
        driver = await _driver(replace(part, port=0), peer)
        await driver.__aenter__()
    at = AtTable(app.home, peer, driver, replace(part, port=driver.port))
    looking = asyncio.create_task(_look_around(at))
    try:
        peer.flush = driver.flush
        yield at
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        try:
            await driver.aclose()
        finally:
            peer.close()


async def _reach(driver: LanDriver, invitation: Invitation) -> tuple[PublicKey, Address]:
    """As `driver.reach`; a table that is being pestered may need to be asked more than once."""
    for pause in PAUSES:
        try:
            return await driver.reach(invitation)
        except (Refused, Unreachable) as error:
            if error.reason not in (Why.BUSY, "network.hung-up"):
                raise
        await asyncio.sleep(pause)
    return await driver.reach(invitation)


async def _look_around(at: AtTable) -> None:
    while True:
        await asyncio.sleep(LOOK_EVERY)
        at.peer.look_around()
        at.keep_part()


def _bots_of(kept: object, level: str) -> tuple[tuple[int, str], ...]:
    """Which bots were kept; once it was how many, all of one level. Raises ValueError, TypeError."""
    if isinstance(kept, int):
        return tuple((number, level) for number in range(1, kept + 1))
    if not isinstance(kept, list | tuple):
        raise TypeError
    return tuple((int(number), str(level)) for number, level in kept)


def _several(addresses: str) -> tuple[Address, ...]:
    return tuple(map(Address, addresses.split(",")))


async def _driver(part: Part, peer: Peer) -> LanDriver:
    """What carries this peer's links. Raises `NoBluetooth`."""
    listen = (part.listen,) if part.listen else EVERYWHERE
    if part.ble is None:
        return LanDriver(peer.node, listen=listen, port=part.port, on_event=peer.take)
    from p2p.ble.driver import open_driver  # bleak takes a while to load, and is optional
    from p2p.ble.links import GUEST_LINKS, MAX_LINKS

    return await open_driver(
        peer.node,
        hci=part.ble.hci,
        adapter=part.ble.adapter,
        listen=None if part.ble.alone else listen,
        port=part.port,
        on_event=peer.take,
        host=part.role == "host",
        code_key=code_key(read_code(part.code)) if part.code else None,
        max_links=part.ble.max_links or (MAX_LINKS if part.role == "host" else GUEST_LINKS),
    )
