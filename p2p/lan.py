"""Links over TCP, for the local network: an asyncio driver around a node.

The law of this file: it moves bytes, watches clocks and dials; it knows no message. Whatever arrives on a
connection can cost that connection only, and memory is bounded before anybody has proved who he is.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from functools import partial
from types import TracebackType
from typing import Final

from ledger.identity import PublicKey
from p2p.address import Endpoint, is_numeric, parse_address, without_scope
from p2p.alarm import Alarm
from p2p.codes import Fingerprint, Invitation
from p2p.directory import Wanted
from p2p.errors import (
    BadAddress,
    ConnectionRefused,
    NetworkError,
    OtherVersion,
    Refused,
    TimedOut,
    Unreachable,
)
from p2p.events import LinkClosed, LinkOpened, NodeEvent
from p2p.link import LinkId
from p2p.messages import Address
from p2p.node import Node
from p2p.pump import Pump
from p2p.reasons import Why
from p2p.redial import CONNECT_TIME, LONGEST_PAUSE, dial_the_wanted, keep
from p2p.session import VERSION
from p2p.tcp import Connection, Dial, cannot_listen, listener_on, local_hosts, scoped

MOST_CONNECTIONS: Final = 64
MOST_UNPROVEN: Final = 48
"""Incoming connections that have not proved who they are; the oldest from the busiest address makes room."""
WAITING_TO_COME_IN: Final = 100
"""Connections the operating system keeps for us until we take them."""
TAKEN_AT_ONCE: Final = 8
"""Connections taken in one turn of the loop; those too many are closed two turns later."""
OWN_ADDRESSES_EVERY: Final = 3.0
EVENTS_WAITING: Final = 1_000
"""Events nobody has taken; above this the network is not read."""
EVERYWHERE: Final = ("0.0.0.0", "::")


class LanDriver:
    """Drives one node over TCP; `async with` starts and ends it.

    `listen`: addresses to listen on, None to dial only; `port` 0 takes any free one. Every event of the node
    goes to `on_event` where given, else to `events()`. An owner that asks something of the node outside of
    `on_event` calls `flush` afterwards.
    """

    def __init__(
        self,
        node: Node,
        *,
        listen: Iterable[str] | None = EVERYWHERE,
        port: int = 0,
        on_event: Callable[[NodeEvent], None] | None = None,
    ) -> None:
        self.node = node
        self.port = port
        self._listen = None if listen is None else tuple(listen)
        self._on_event = on_event
        self._pump = Pump(node)
        self._connections: dict[LinkId, Connection] = {}
        self._dials: dict[LinkId, Dial] = {}
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarm = Alarm(self._tick)
        self._timers: set[asyncio.TimerHandle] = set()
        self._waiting: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self._reading = True
        self._hosts: dict[str, None] = {}
        self._flushing = False
        self._closed = False

    # — from start to end —

    async def __aenter__(self) -> LanDriver:
        """Raises `PortInUse` or `BadAddress`."""
        if self._listen is not None:
            try:
                await self._start_listening(self._listen)
            except BaseException:
                self._stop_listening()
                raise
            if self._listen == EVERYWHERE:
                self.task(self._watch_own_addresses())
        self.task(dial_the_wanted(self))
        self.flush()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Say good-bye on all links and free everything."""
        if self._closed:
            return
        self.node.close_all()
        self.flush()
        self._closed = True
        self._stop_listening()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._alarm.set(None)
        await asyncio.sleep(0)
        for timer in self._timers:
            timer.cancel()
        for connection in self._connections.values():
            connection.close(Why.SILENT)
        await asyncio.sleep(0)

    # — what the owner asks —

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where others may dial us, as far as we know."""
        if self._listen is None:
            return ()
        return tuple(Endpoint(host, self.port).address for host in self._hosts)

    async def dial(
        self,
        address: str,
        *,
        is_host: bool = True,
        expect: PublicKey | Fingerprint | None = None,
        patience: float = CONNECT_TIME,
    ) -> PublicKey:
        """One try: the identity behind `address`. Raises a `NetworkError` that says what to do next.

        `patience` in seconds for the connection; the handshake may take twice as long.
        """
        endpoint = parse_address(address)
        loop = asyncio.get_running_loop()
        problem: NetworkError = Unreachable(address=address)
        for host in await _hosts(endpoint, patience):
            dial = Dial(is_host=is_host, expect=expect)
            try:
                async with asyncio.timeout(patience):
                    _, connection = await loop.create_connection(
                        partial(Connection, self, dial), host, endpoint.port
                    )
                return await self._answer(connection, dial, 2 * patience)
            except NetworkError:
                raise
            except TimeoutError:
                problem = TimedOut(address=address)
            except (OSError, UnicodeError) as error:
                refused = isinstance(error, ConnectionRefusedError)
                problem = ConnectionRefused(address=address) if refused else Unreachable(address=address)
            finally:
                dial.forget()  # the time may run out between the link's coming up and our hearing of it
        raise problem

    async def _answer(self, connection: Connection, dial: Dial, seconds: float) -> PublicKey:
        """Who answers on this connection. Raises `NetworkError`, or `TimeoutError` after ending the link."""
        try:
            async with asyncio.timeout(seconds):
                return await dial.done
        except TimeoutError:
            self.node.close(connection.number, Why.HANDSHAKE_TIME, now=self.now())
            self.flush()
            raise

    async def reach(self, invitation: Invitation) -> tuple[PublicKey, Address]:
        """Try the addresses of an invitation in turn: who answered, and where. Raises as `dial` does.

        The node's door must be that of the invitation: `Door(code_key(code))`, or `Door()` without a code.
        """
        problem: NetworkError = BadAddress(address="")
        for address in invitation.addresses:
            try:
                return await self.dial(address, expect=invitation.fingerprint), address
            except (Refused, OtherVersion):
                raise
            except NetworkError as error:
                problem = error
        raise problem

    def wanted(self) -> tuple[Wanted, ...]:
        """The peers to dial now."""
        return self.node.wanted(self.now())

    def keep(
        self, address: str, *, is_host: bool = True, expect: PublicKey | Fingerprint | None = None
    ) -> None:
        """Have a link to this address from now on: dial again whenever it is gone or falls silent."""
        self.task(keep(self, address, is_host=is_host, expect=expect))

    async def events(self) -> AsyncIterator[NodeEvent]:
        """What the node reports, one by one, for owners that gave no `on_event`."""
        while True:
            event = await self._waiting.get()
            if not self._reading and self._waiting.qsize() < EVENTS_WAITING // 2:
                self._read(wanted=True)
            yield event
            self.flush()

    def flush(self) -> None:
        """Carry what the node has to say: bytes to the links, events to the owner."""
        if self._flushing or self._closed:
            return
        self._flushing = True
        try:
            for events in self._pump.turns(self.now):
                for event in events:
                    self._report(event)
        finally:
            self._flushing = False
        self._alarm.set(None if self._closed else self.node.deadline())

    # — connections report —

    def connected(self, connection: Connection, dial: Dial | None, own_host: str) -> None:
        """A connection stands."""
        if self._closed or len(self._connections) >= MOST_CONNECTIONS:
            connection.close(Why.SILENT)
            if dial is not None and not dial.done.done():
                dial.done.set_exception(Refused(Why.BUSY))
            return
        if dial is None:
            self._make_room()
        number = self._pump.up(
            connection,
            initiator=dial is not None,
            now=self.now(),
            is_host=dial is not None and dial.is_host,
            expect=None if dial is None else dial.expect,
            remote=without_scope(connection.remote),
        )
        connection.number = number
        self._connections[number] = connection
        if dial is not None:
            self._dials[number] = dial
        self._learn_host(own_host)
        if not self._reading:
            connection.read(wanted=False)
        self.flush()

    def has(self, connection: Connection) -> bool:
        """Whether the node still knows this connection."""
        return self._pump.knows(connection.number)

    def received(self, connection: Connection, datagram: bytes) -> None:
        self._pump.received(connection.number, datagram, self.now())
        self.flush()

    def garbled(self, connection: Connection) -> None:
        self.node.close(connection.number, Why.GARBLED, now=self.now())
        self.flush()

    def disconnected(self, connection: Connection) -> None:
        self._connections.pop(connection.number, None)
        self._pump.down(connection.number, self.now())
        self.flush()

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something once, unless the driver ends before."""

        def run() -> None:
            self._timers.discard(timer)
            call()

        timer = asyncio.get_running_loop().call_later(seconds, run)
        self._timers.add(timer)

    # — inside —

    def now(self) -> float:
        """The clock of the links."""
        return asyncio.get_running_loop().time()

    def task(self, work: Coroutine[object, object, None]) -> None:
        """Let this run until it ends or the driver does."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _report(self, event: NodeEvent) -> None:
        match event:
            case LinkOpened(link=link, identity=identity):
                dial = self._dials.pop(link, None)
                if dial is not None and not dial.done.done():
                    dial.done.set_result(identity)
            case LinkClosed(link=link, why=why, version=version):
                dial = self._dials.pop(link, None)
                if dial is not None and not dial.done.done():
                    dial.done.set_exception(_problem(why, version))
            case _:
                pass
        if self._on_event is not None:
            self._on_event(event)
            return
        self._waiting.put_nowait(event)
        if self._reading and self._waiting.qsize() > EVENTS_WAITING:
            self._read(wanted=False)

    def _read(self, *, wanted: bool) -> None:
        self._reading = wanted
        for connection in self._connections.values():
            connection.read(wanted=wanted)

    def _tick(self) -> None:
        self.node.tick(self.now())
        self.flush()

    def _make_room(self) -> None:
        unproven = [c for n, c in self._connections.items() if c.incoming and not self.node.is_open(n)]
        if len(unproven) < MOST_UNPROVEN:
            return
        remotes = [connection.remote for connection in unproven]
        busiest = max(dict.fromkeys(remotes), key=remotes.count)
        oldest = next(connection for connection in unproven if connection.remote == busiest)
        if self.has(oldest):
            self.node.close(oldest.number, Why.HANDSHAKE_TIME, now=self.now())
        else:
            oldest.close(Why.HANDSHAKE_TIME)
        self._connections.pop(oldest.number, None)

    def _learn_host(self, host: str) -> None:
        """A local address some link came in or went out by is one others may know us under."""
        host = without_scope(host)
        if self._listen is not None and host and host not in self._hosts:
            self._hosts[host] = None
            self.node.set_addresses(self.addresses)

    # — listening —

    async def _start_listening(self, hosts: tuple[str, ...]) -> None:
        loop = asyncio.get_running_loop()
        everywhere = hosts == EVERYWHERE
        for host in hosts:
            try:
                listener = listener_on(host, self.port)
            except OSError as error:
                if everywhere and host == "::":
                    continue  # a device without IPv6
                raise cannot_listen(error, host, self.port) from error
            self.port = listener.getsockname()[1]
            server = await loop.create_server(
                lambda: Connection(self, None), sock=listener, backlog=TAKEN_AT_ONCE
            )
            listener.listen(WAITING_TO_COME_IN)
            self._servers.append(server)
        for host in local_hosts() if everywhere else hosts:
            self._hosts[without_scope(host)] = None
        self.node.set_addresses(self.addresses)

    def _stop_listening(self) -> None:
        for server in self._servers:
            server.close()

    # — dialling —

    def longest_pause(self, addresses: Iterable[str]) -> float:
        """Seconds between two tries to reach one of these addresses."""
        return LONGEST_PAUSE

    async def _watch_own_addresses(self) -> None:
        """A device may change its network while it plays: tell the others where it listens now."""
        known = local_hosts()
        while True:
            await asyncio.sleep(OWN_ADDRESSES_EVERY)
            found = local_hosts()
            if set(found) != set(known):
                known = found
                self._hosts = dict.fromkeys(without_scope(host) for host in found)
                self.node.set_addresses(self.addresses)
                self.flush()


async def _hosts(endpoint: Endpoint, patience: float) -> tuple[str, ...]:
    """The hosts to try for this endpoint. Raises `BadAddress` for a name nobody knows, or tells in time."""
    if is_numeric(endpoint.host):
        return scoped(endpoint)
    try:
        async with asyncio.timeout(patience):
            found = await asyncio.get_running_loop().getaddrinfo(
                endpoint.host, endpoint.port, type=socket.SOCK_STREAM
            )
    except (TimeoutError, OSError, UnicodeError):
        raise BadAddress("network.unknown-name", address=endpoint.host) from None
    where = [entry[4] for entry in found]
    return tuple(dict.fromkeys(f"{at[0]}%{at[3]}" if len(at) == 4 and at[3] else str(at[0]) for at in where))


def _problem(why: Why, version: int | None) -> NetworkError:
    """What a command tells about a link that never became a talk."""
    if why is Why.OTHER_VERSION:
        return OtherVersion(ours=VERSION, theirs=version)
    if why in (Why.HANDSHAKE_TIME, Why.SILENT):
        return TimedOut()
    if why is Why.GONE:
        return Unreachable("network.hung-up")
    return Refused(why)
