"""A tap on the wire between a browser and a host: carries everything, and keeps it as both sides meant it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

UPGRADE = b"Upgrade: websocket"


def unmasked(stream: bytes) -> bytes:
    """The payloads of a client's WebSocket frames (RFC 6455 §5.2), after its request."""
    at = stream.index(b"\r\n\r\n") + 4
    said = bytearray()
    while at + 6 <= len(stream):
        length = stream[at + 1] & 0x7F
        at += 2
        if length > 125:
            size = 2 if length == 126 else 8
            length = int.from_bytes(stream[at : at + size], "big")
            at += size
        mask, data = stream[at : at + 4], stream[at + 4 : at + 4 + length]
        said += bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        at += 4 + length
    return bytes(said)


@dataclass
class Tap:
    """`port` is where the browser connects; `up` and `down` hold each connection's bytes."""

    port: int = 0
    rate: float = 0
    """Bytes a second towards the browser, of all connections together; 0: as fast as it goes."""
    up: list[bytearray] = field(default_factory=list)
    down: list[bytearray] = field(default_factory=list)

    @property
    def links(self) -> list[bytes]:
        """What WebSockets carried to the host, as the browser gave it."""
        return [unmasked(bytes(each)) for each in self.up if UPGRADE.lower() in each.lower()]

    @property
    def everything(self) -> list[bytes]:
        return [*(bytes(each) for each in (*self.up, *self.down)), *self.links]


@asynccontextmanager
async def tapped(host: str, port: int, *, rate: float = 0) -> AsyncIterator[Tap]:
    """Listen at another port of `host` and carry to `port`."""
    tap = Tap(rate=rate)
    free_at = 0.0
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[None]] = set()

    async def hold_back(size: int) -> None:
        nonlocal free_at
        free_at = max(free_at, loop.time()) + size / rate
        await asyncio.sleep(free_at - loop.time())

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: bytearray) -> None:
        try:
            with contextlib.suppress(OSError):
                while data := await reader.read(16_384):
                    kept += data
                    if rate and any(kept is each for each in tap.down):
                        await hold_back(len(data))
                    writer.write(data)
                    await writer.drain()
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(host, port)
        tap.up.append(bytearray())
        tap.down.append(bytearray())
        for source, target, kept in ((reader, back, tap.up[-1]), (there, writer, tap.down[-1])):
            task = asyncio.create_task(carry(source, target, kept))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, host, 0)
    tap.port = server.sockets[0].getsockname()[1]
    try:
        yield tap
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
