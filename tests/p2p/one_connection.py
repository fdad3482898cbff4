"""The least a connection needs of a driver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from p2p.tcp import Connection


class OneConnection:
    """The driver of one connection that reads nothing until it leaves."""

    def __init__(self) -> None:
        self.there: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        self.lost = asyncio.Event()

    def connected(self, connection: Connection, *rest: object) -> None:
        connection.read(wanted=False)
        self.there.set_result(connection)

    def disconnected(self, connection: Connection) -> None:
        self.lost.set()

    def has(self, connection: Connection) -> bool:
        return False

    def flush(self) -> None:
        pass

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(seconds / 10, call)
