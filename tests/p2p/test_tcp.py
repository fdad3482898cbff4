"""One TCP connection over a real socket: the last word arrives, whatever the other side was saying."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from p2p.reasons import Why
from p2p.stream import frame
from p2p.tcp import Connection
from tests.p2p.one_connection import OneConnection


@pytest.mark.parametrize("why", [Why.BYE, Why.SAME_IDENTITY, Why.CODE_NEEDED])
async def test_a_good_bye_arrives_though_something_is_unread(why: Why) -> None:
    driver: Any = OneConnection()
    server = await asyncio.get_running_loop().create_server(lambda: Connection(driver, None), "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()) as client:
        client.sendall(bytes(50_000))
        connection = await driver.there
        await asyncio.sleep(0.05)
        connection.send(b"good-bye", urgent=True)
        connection.close(why)
        connection.send(b"nothing more", urgent=True)
        await asyncio.sleep(0.05)
        client.settimeout(1)
        assert client.recv(100) == frame(b"good-bye")
        assert client.recv(100) == b""
    await asyncio.wait_for(driver.lost.wait(), 10)
    server.close()
    await server.wait_closed()
