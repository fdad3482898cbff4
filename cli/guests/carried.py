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
    from aiohttp import web

    from p2p.lan import LanDriver


class SocketTransport(asyncio.Transport):
    """What `p2p.tcp.Connection` asks of a transport, on a WebSocket that is open."""

    def __init__(self, socket: web.WebSocketResponse, remote: str, own: str) -> None:
        super().__init__({"peername": (remote, 0), "sockname": (own, 0)})
        self.may_read = asyncio.Event()
        self.may_read.set()
        self._socket = socket
        self._connection: Connection | None = None
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._waiting = 0
        self._limit = 0
        self._closing = False

    def attach(self, connection: Connection) -> None:
        self._connection = connection
        connection.connection_made(self)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._limit = high or 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Queue it; above the limit the connection is told to hold back."""
        before = self._waiting
        self._waiting += len(data)
        self._queue.put_nowait(bytes(data))
        if before <= self._limit < self._waiting and self._connection is not None:
            self._connection.pause_writing()

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        """Send what is queued, then close."""
        if not self._closing:
            self._closing = True
            self._queue.put_nowait(None)

    def abort(self) -> None:
        """Close at once."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._closing = True
        self._queue.put_nowait(None)

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


async def carry(driver: LanDriver, socket: web.WebSocketResponse, *, remote: str, own: str) -> None:
    """Give an open WebSocket to the driver as a connection that came in; returns when it is closed."""
    transport = SocketTransport(socket, remote, own)
    connection = Connection(driver, None)
    writer = asyncio.create_task(transport.write_out())
    try:
        transport.attach(connection)
        async for message in socket:
            if message.type is not WSMsgType.BINARY:
                break
            connection.data_received(message.data)
            await transport.may_read.wait()
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
        connection.connection_lost(None)
