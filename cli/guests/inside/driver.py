"""Drives the guest's peer: one link to the host, a clock, a vault, and the page. Any event loop will do.

The law of this file: what leaves was written before (L1). Datagrams wait here until the journal's writes that
were noted before them are through.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

from cli.guests.inside.vault import BrowserGames, Journal, Kept, VaultError, Write
from cli.peer import Peer
from cli.seat_request import SeatRequest
from game.course import Course
from game.mental_poker import deck
from game.options import RULES_ID
from ledger.identity import SigningKey
from p2p.alarm import Alarm
from p2p.codes import Fingerprint, code_key, read_code
from p2p.errors import BadMessage
from p2p.guest import GuestLobby
from p2p.link import LinkId
from p2p.messages import GUEST_PAGE
from p2p.node import Node
from p2p.pump import Pump
from p2p.reasons import NOT_MENDED, Why
from p2p.session import Door
from p2p.stream import STREAM_MTU, StreamReader, frame

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cli.guests.inside.vault import Vault

AGAIN: Final = (0.2, 0.5, 1.0, 1.5)
"""Seconds before the link is tried again."""
LOOK_EVERY: Final = 3.0
MOST_HELD: Final = 65_536
"""Bytes that wait for the vault or the socket above which the node holds back."""
FINAL: Final = NOT_MENDED - {Why.SAME_IDENTITY}
"""Closings that trying again does not mend. Our own identity on another link: the tab before this one."""


class Wire(Protocol):
    """An open WebSocket."""

    @property
    def waiting(self) -> int:
        """Bytes not yet on their way."""

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class HostLink:
    """One WebSocket to the host; satisfies `p2p.link.Link`."""

    def __init__(self, driver: GuestDriver, wire: Wire) -> None:
        self.number = LinkId(-1)
        self.wire: Wire | None = wire
        self.reader = StreamReader()
        self._driver = driver

    @property
    def mtu(self) -> int:
        return STREAM_MTU

    @property
    def writable(self) -> bool:
        return self.wire is not None and self._driver.held + self.wire.waiting < MOST_HELD

    @property
    def urgently_writable(self) -> bool:
        return self.writable

    def send(self, datagram: bytes, *, urgent: bool) -> None:
        self._driver.hold(self, frame(datagram))

    def close(self, why: Why) -> None:
        self._driver.hold(self, b"")


class GuestDriver:
    """`dial()` asks the browser for a WebSocket; it answers by `opened`, `arrived`, `closed`."""

    def __init__(
        self,
        *,
        vault: Vault,
        kept: Kept,
        name: str,
        code: str,
        host: str,
        dial: Callable[[], None],
        random: Callable[[int], bytes],
    ) -> None:
        self.journal = Journal(vault)
        seed = kept.identity or random(32)
        if not kept.identity:
            self.journal.note(Write("identity", "", "", seed))
        identity = SigningKey.from_seed32(seed)
        self.games = BrowserGames(self.journal, kept)
        unfinished = self.games.unfinished()
        lobby = GuestLobby(
            identity.public,
            RULES_ID,
            playing=None if unfinished is None else unfinished.genesis.game_id,
            program=GUEST_PAGE,
        )
        door = Door(code=code_key(read_code(code))) if code else Door()
        self.node = Node(identity=identity, door=door, random=random, lobby=lobby)
        self.peer = Peer(
            identity=identity,
            name=name,
            node=self.node,
            course=Course(deck),
            games=self.games,
            random=random,
            clock=self.now,
            deals_ahead=True,
            request=None if unfinished is not None else SeatRequest.from_bytes(kept.seat),
        )
        self.peer.by_hand()
        self.peer.flush = self.flush
        self.held = 0
        self.trouble = ""
        """Why this tab cannot go on, as a message id; "" if all is well."""
        self._expect = Fingerprint(host)
        self._dial = dial
        self._pump = Pump(self.node)
        self._link: HostLink | None = None
        self._outbox: list[tuple[HostLink, bytes]] = []
        self._writing: asyncio.Task[None] | None = None
        self._alarm = Alarm(self._tick)
        self._tries = 0
        self._flushing = False
        if unfinished is not None:
            self.peer.resume(unfinished)

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def start(self) -> None:
        self._dial()
        self._look_around()

    # — what the browser reports —

    def opened(self, wire: Wire) -> None:
        link = HostLink(self, wire)
        self._link = link
        self._tries = 0
        link.number = self._pump.up(link, initiator=True, now=self.now(), is_host=True, expect=self._expect)
        self.flush()

    def arrived(self, data: bytes) -> None:
        link = self._link
        if link is None:
            return
        link.reader.feed(data)
        try:
            while self._pump.knows(link.number):
                datagram = link.reader.next(limit=STREAM_MTU)
                if datagram is None:
                    break
                self._pump.received(link.number, datagram, self.now())
        except BadMessage:
            self.node.close(link.number, Why.GARBLED, now=self.now())
        self.flush()

    def closed(self) -> None:
        """The socket is gone, or could not be opened: try again soon unless that is no use."""
        link, self._link = self._link, None
        if link is not None:
            link.wire = None
            self._pump.down(link.number, self.now())
            self.flush()
        if self.trouble or self.peer.presence.closed in FINAL:
            self.trouble = self.trouble or str(self.peer.presence.closed)
            return
        pause = AGAIN[min(self._tries, len(AGAIN) - 1)]
        self._tries += 1
        asyncio.get_running_loop().call_later(pause, self._again)

    def hurry(self) -> None:
        """Somebody looks at the page again."""
        self._tries = 0
        self.peer.look_around()

    # — what leaves —

    def flush(self) -> None:
        """Carry what the node has to say: bytes to the outbox, events to the peer."""
        if self._flushing:
            return
        self._flushing = True
        try:
            for events in self._pump.turns(self.now):
                for event in events:
                    self.peer.take(event)
                self._come_back()
        finally:
            self._flushing = False
        self._alarm.set(None if self.trouble else self.node.deadline())
        self._release()

    def hold(self, link: HostLink, data: bytes) -> None:
        """Queue bytes for a link; b"" closes it once they are gone."""
        self.held += len(data)
        self._outbox.append((link, data))

    def _release(self) -> None:
        """Send what may be sent; write first what was noted before."""
        if self.trouble or self._writing is not None:
            return
        if self.journal:
            written = self.journal.commit()  # begun here and now, not when the loop finds time for the task
            self._writing = asyncio.get_running_loop().create_task(self._write(written, len(self._outbox)))
        else:
            self._send(len(self._outbox))

    async def _write(self, written: Awaitable[None], made_before: int) -> None:
        try:
            while True:
                await written
                self._send(made_before)
                if not self.journal:
                    break
                written, made_before = self.journal.commit(), len(self._outbox)
        except VaultError as error:
            self.stop(str(error))
        finally:
            self._writing = None
        self.flush()

    def _send(self, count: int) -> None:
        ready, self._outbox = self._outbox[:count], self._outbox[count:]
        for link, data in ready:
            self.held -= len(data)
            if link.wire is None:
                continue
            if data:
                link.wire.send(data)
            else:
                link.wire.close()

    def stop(self, why: str) -> None:
        """Nothing leaves this tab any more, and nothing is signed in it."""
        self.trouble = why
        self.journal.broken = self.journal.broken or why
        self.peer.stop(why)
        self._outbox, self.held = [], 0
        if self._link is not None and self._link.wire is not None:
            self._link.wire.close()

    # — inside —

    def _come_back(self) -> None:
        """The table plays a game that is kept here, or has played it last: its result is still looked at."""
        table = self.peer.table
        if self.peer.game is not None or table is None:
            return
        for game_id in (table.game, None if table.previous is None else table.previous.game_id):
            found = None if game_id is None else self.games.kept(game_id)
            if found is not None:
                self.peer.resume(found)
                assert self.peer.game is not None
                self.peer.game.recognise(self.peer.identity.public)
                self.peer.wishes.seat = self.games.wants_another(found.genesis.game_id)
                return

    def _again(self) -> None:
        if self._link is None and not self.trouble:
            self._dial()

    def _look_around(self) -> None:
        if not self.trouble:
            self.peer.look_around()
            asyncio.get_running_loop().call_later(LOOK_EVERY, self._look_around)

    def _tick(self) -> None:
        self.node.tick(self.now())
        self.flush()
