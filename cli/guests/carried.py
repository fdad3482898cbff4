"""A guest's WebSocket as the byte stream of `p2p.stream`: one more connection for the driver of the links.

So every bound that holds for TCP holds here: how much may be said before somebody has proved who he is, how
many connections, how much may wait.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from aiohttp import WSMsgType

from p2p.tcp import Connection

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

    from p2p.lan import LanDriver


class SocketStream:
    """A WebSocket that is open as a `p2p.tcp.ByteStream`. `cut` ends its connection without a word."""

    def __init__(
        self, socket: web.WebSocketResponse, cut: Callable[[], None], *, remote: str, own: str
    ) -> None:
        self.may_read = asyncio.Event()
        self.may_read.set()
        self._names = {"peername": (remote, 0), "sockname": (own, 0)}
        self._socket = socket
        self._cut = cut
        self._connection: Connection | None = None
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._waiting = 0
        self._limit = 0
        self._closing = False

    def attach(self, connection: Connection) -> None:
        self._connection = connection
        connection.carried_by(self)

    def get_extra_info(self, name: str) -> tuple[str, int] | None:
        return self._names.get(name)

    def set_write_buffer_limits(self, high: int) -> None:
        self._limit = high

    def get_write_buffer_size(self) -> int:
        return self._waiting

    def write(self, data: bytes) -> None:
        """Queue it; above the limit the connection is told to hold back."""
        before = self._waiting
        self._waiting += len(data)
        self._queue.put_nowait(data)
        if before <= self._limit < self._waiting and self._connection is not None:
            self._connection.pause_writing()

    def can_write_eof(self) -> bool:
        """No: a WebSocket closes both ways, and its good-bye waits for the other's (RFC 6455, 7.1.2)."""
        return False

    def write_eof(self) -> None:
        raise NotImplementedError

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        """Send what is queued, then close."""
        if not self._closing:
            self._closing = True
            self.may_read.set()
            self._queue.put_nowait(None)

    def abort(self) -> None:
        """Close at once."""
        self._closing = True
        self.may_read.set()
        self._cut()

    def pause_reading(self) -> None:
        self.may_read.clear()

    def resume_reading(self) -> None:
        self.may_read.set()

    async def write_out(self) -> None:
        """Send until closed."""
        while (data := await self._queue.get()) is not None:
            await self._socket.send_bytes(data)
            before = self._waiting
            self._waiting -= len(data)
            if self._waiting <= self._limit < before and self._connection is not None:
                self._connection.resume_writing()
        await self._socket.close()


async def carry(
    driver: LanDriver, socket: web.WebSocketResponse, cut: Callable[[], None], *, remote: str, own: str
) -> None:
    """Give an open WebSocket to the driver as a connection that came in; returns when it is closed."""
    stream = SocketStream(socket, cut, remote=remote, own=own)
    connection = Connection(driver, None)
    writer = asyncio.create_task(stream.write_out())
    try:
        stream.attach(connection)
        async for message in socket:
            if message.type is not WSMsgType.BINARY:
                break
            connection.data_received(message.data)
            await stream.may_read.wait()
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
        connection.connection_lost(None)
