"""One TCP connection over a real socket: the last word arrives, whatever the other side was saying."""

from __future__ import annotations

import asyncio
import socket

import pytest

from p2p.reasons import Why
from p2p.stream import frame
from p2p.tcp import Connection


class Driver:
    """The driver of one connection that reads nothing until it leaves."""

    def __init__(self) -> None:
        self.lost = False

    def connected(self, connection: Connection, *rest: object) -> None:
        connection.read(wanted=False)

    def disconnected(self, connection: Connection) -> None:
        self.lost = True

    def has(self, connection: Connection) -> bool:
        return False

    def later(self, seconds: float, call: object) -> None:
        asyncio.get_running_loop().call_later(seconds / 10, call)


@pytest.mark.parametrize("why", [Why.BYE, Why.SAME_IDENTITY, Why.CODE_NEEDED])
async def test_a_good_bye_arrives_though_something_is_unread(why: Why) -> None:
    driver, made = Driver(), []

    def connection() -> Connection:
        made.append(Connection(driver, None))  # type: ignore[arg-type]
        return made[-1]

    loop = asyncio.get_running_loop()
    server = await loop.create_server(connection, "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()) as client:
        client.sendall(bytes(50_000))
        await asyncio.sleep(0.05)
        made[0].send(b"good-bye", urgent=True)
        made[0].close(why)
        made[0].send(b"nothing more", urgent=True)
        await asyncio.sleep(0.05)
        client.settimeout(1)
        assert client.recv(100) == frame(b"good-bye")
        assert client.recv(100) == b""
    while not driver.lost:
        await asyncio.sleep(0.01)
    server.close()
    await server.wait_closed()
