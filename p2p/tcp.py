"""One TCP connection as a link, and the sockets of this device. The driver around them is `p2p.lan`."""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from ledger.identity import PublicKey
from p2p.address import Endpoint
from p2p.codes import Fingerprint
from p2p.errors import BadAddress, BadMessage, NetworkError, PortInUse
from p2p.link import LinkId
from p2p.reasons import Why
from p2p.stream import STREAM_MTU, UNPROVEN_LIMIT, StreamReader, frame

if TYPE_CHECKING:
    from p2p.lan import LanDriver

WRITE_BUFFER: Final = 65_536
"""Bytes in the transport's own buffer above which we hold back."""
CLOSE_TIME: Final = 2.0
"""Seconds the other side has to close its half after our good-bye."""
_AT_ONCE: Final = frozenset((Why.SLOW, Why.SILENT, Why.FLOOD, Why.GARBLED, Why.HANDSHAKE_TIME))


class Dial:
    """Where we dial, as whom we expect, and who waits for it."""

    def __init__(self, *, is_host: bool, expect: PublicKey | Fingerprint | None) -> None:
        self.is_host = is_host
        self.expect = expect
        self.done: asyncio.Future[PublicKey] = asyncio.get_running_loop().create_future()

    def forget(self) -> None:
        """Nobody waits any more: how it ends, or has just ended, is no mistake that somebody must hear of."""
        if not self.done.cancel() and not self.done.cancelled():
            self.done.exception()


class ByteStream(Protocol):
    """What a `Connection` asks of what carries it: a part of `asyncio.Transport`, said here so that the types
    show what another carrier (a WebSocket) lacks."""

    def get_extra_info(self, name: str) -> Any: ...
    def is_closing(self) -> bool: ...
    def close(self) -> None: ...
    def abort(self) -> None: ...
    def write(self, data: bytes) -> None: ...
    def set_write_buffer_limits(self, high: int) -> None: ...
    def get_write_buffer_size(self) -> int: ...
    def can_write_eof(self) -> bool: ...
    def write_eof(self) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...


class Connection(asyncio.Protocol):
    """One connection that carries a stream of bytes; satisfies `p2p.link.Link`."""

    def __init__(self, driver: LanDriver, dialled: Dial | None) -> None:
        self.remote = ""
        self.number = LinkId(-1)
        self._driver = driver
        self._dialled = dialled
        self._reader = StreamReader()
        self._transport: ByteStream | None = None
        self._paused = False
        self._leaving = False

    @property
    def mtu(self) -> int:
        return STREAM_MTU

    @property
    def writable(self) -> bool:
        return not self._paused

    @property
    def incoming(self) -> bool:
        return self._dialled is None

    @property
    def urgently_writable(self) -> bool:
        return self.writable

    def send(self, datagram: bytes, *, urgent: bool) -> None:
        if self._transport is not None and not self._transport.is_closing() and not self._leaving:
            self._transport.write(frame(datagram))

    def close(self, why: Why) -> None:
        """Cut it, or leave when the good-bye has arrived: a socket closed with something unread in it resets
        the connection, and what we said last is lost with it (RFC 1122, 4.2.2.13)."""
        transport = self._transport
        if transport is None:
            return
        if why in _AT_ONCE:
            transport.abort()
        elif not self._leaving and not transport.is_closing():
            self._leaving = True
            self._driver.later(CLOSE_TIME, transport.abort)
            if transport.get_write_buffer_size() or not transport.can_write_eof():
                transport.close()
                return
            try:
                transport.write_eof()
            except OSError:  # the other side is gone
                transport.abort()

    def read(self, *, wanted: bool) -> None:
        """Stop or go on reading from the network."""
        if self._transport is not None and not self._transport.is_closing():
            if wanted:
                self._transport.resume_reading()
            else:
                self._transport.pause_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.carried_by(cast("asyncio.Transport", transport))

    def carried_by(self, transport: ByteStream) -> None:
        """The connection is there."""
        self._transport = transport
        self._transport.set_write_buffer_limits(WRITE_BUFFER)
        tcp = transport.get_extra_info("socket")
        if tcp is not None:
            tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.remote = host_of(transport.get_extra_info("peername"))
        self._driver.connected(self, self._dialled, host_of(transport.get_extra_info("sockname")))

    def data_received(self, data: bytes) -> None:
        if self._leaving:
            return
        self._reader.feed(data)
        try:
            while self._driver.has(self):
                limit = STREAM_MTU if self._driver.node.is_open(self.number) else UNPROVEN_LIMIT
                datagram = self._reader.next(limit=limit)
                if datagram is None:
                    break
                self._driver.received(self, datagram)
        except BadMessage:
            self._driver.garbled(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._driver.disconnected(self)

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._driver.flush()


def local_hosts() -> tuple[str, ...]:
    """This device's addresses on its networks, best guess first, without sending anything."""
    found: dict[str, None] = {}
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))
            found[host_of(probe.getsockname())] = None
    with suppress(ImportError):
        import ifaddr

        for adapter in ifaddr.get_adapters():
            for ip in adapter.ips:
                host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
                if not host.startswith("127.") and host != "::1":
                    found[host] = None
    return tuple(found)


def cannot_listen(error: OSError, host: str, port: int) -> NetworkError:
    """What to tell a person of an OSError of `listener_on`."""
    match error.errno:
        case errno.EADDRINUSE:
            return PortInUse(port=port)
        case errno.EACCES:
            return BadAddress("network.port-forbidden", port=port)
        case errno.EADDRNOTAVAIL:
            own = ", ".join(("127.0.0.1", *local_hosts()))
            return BadAddress("network.not-ours", address=host, own=own)
        case _:
            return BadAddress(address=host)


def must_be_free(port: int, hosts: tuple[str, ...]) -> None:
    """Raises `PortInUse` or `BadAddress` where nobody could listen on this port now. 0 is any free one."""
    for host in hosts:
        try:
            listener_on(host, port).close()
        except OSError as error:
            if host == "::" and len(hosts) > 1:
                continue  # a device without IPv6
            raise cannot_listen(error, host, port) from error


def listener_on(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, where = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(where)
        listener.listen(100)
        listener.settimeout(0)
    except BaseException:
        listener.close()
        raise
    return listener


def scoped(endpoint: Endpoint) -> tuple[str, ...]:
    """The hosts to try: a link-local address that came without its scope is tried on every interface."""
    if not endpoint.is_link_local or "%" in endpoint.host:
        return (endpoint.host,)
    return tuple(f"{endpoint.host}%{name}" for _, name in socket.if_nameindex())


def host_of(name: object) -> str:
    return str(name[0]) if isinstance(name, tuple) and name else ""
