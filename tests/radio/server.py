"""The radio server: every TCP connection is the HCI of a fresh controller on one air.

    python -m tests.radio.server [--port N] [--rate BYTES] [--interval SECONDS]

It prints `tcp:127.0.0.1:PORT`, what `--ble-hci` of a process on the air takes. Lines in: `freeze N
SECONDS`, where N counts the processes from 0 in the order in which they came.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from types import TracebackType
from typing import Any

from bumble.transport.common import StreamPacketSink, StreamPacketSource

from tests.radio.air import Air, RadioController


class RadioServer:
    """`async with RadioServer() as radio`; `radio.controllers` in the order in which processes came."""

    def __init__(self, *, rate: float | None = None, interval: float = 0.0, port: int = 0) -> None:
        self._rate = rate
        self._interval = interval
        self.port = port
        self.controllers: list[RadioController] = []
        self.air: Air
        self._server: asyncio.Server
        self._transports: set[asyncio.BaseTransport] = set()

    @property
    def name(self) -> str:
        return f"tcp:127.0.0.1:{self.port}"

    async def __aenter__(self) -> RadioServer:
        self.air = Air(rate=self._rate, interval=self._interval)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Hci(self), "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for transport in tuple(self._transports):
            transport.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    def freeze(self, number: int, seconds: float) -> None:
        self.air.freeze(self.controllers[number], seconds)

    def came(self, hci: _Hci, transport: Any) -> RadioController:
        self._transports.add(transport)
        number = len(self.controllers) + 1
        address = f"00:D0:0D:00:{number >> 8:02X}:{number & 255:02X}"
        one = RadioController(f"controller {number}", self.air, StreamPacketSink(transport), address)
        self.controllers.append(one)
        return one

    def left(self, one: RadioController, transport: Any) -> None:
        self._transports.discard(transport)
        one.set_packet_sink(None)
        self.air.remove_controller(one)


class _Hci(StreamPacketSource):
    def __init__(self, server: RadioServer) -> None:
        super().__init__()
        self._server = server
        self._transport: Any = None
        self._controller: RadioController | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._controller = self._server.came(self, transport)
        self.set_packet_sink(self._controller)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._controller is not None:
            self._server.left(self._controller, self._transport)


async def serve(arguments: argparse.Namespace) -> None:
    server = RadioServer(rate=arguments.rate, interval=arguments.interval, port=arguments.port)
    async with server as radio:
        print(radio.name, flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            match line.split():
                case ["freeze", number, seconds]:
                    radio.freeze(int(number), float(seconds))


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rate", type=float, default=None, help="bytes a second and controller")
    parser.add_argument("--interval", type=float, default=0.0, help="connection interval, seconds")
    asyncio.run(serve(parser.parse_args(words)))


if __name__ == "__main__":
    main(sys.argv[1:])
