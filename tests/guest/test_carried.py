"""One link over a real WebSocket: the same last words as over TCP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from p2p.reasons import Why
from p2p.stream import STREAM_MTU, frame
from p2p.tcp import WRITE_BUFFER
from tests.p2p.one_connection import OneConnection

pytest.importorskip("aiohttp")
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web

from cli.guests.carried import carry


@asynccontextmanager
async def carried() -> AsyncIterator[tuple[Any, ClientWebSocketResponse]]:
    """The driver of the server's connection, and the client's end of it."""
    driver: Any = OneConnection()

    async def link(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        assert request.transport is not None
        await carry(driver, socket, request.transport.abort, remote="192.0.2.1", own="127.0.0.1")
        return socket

    app = web.Application()
    app.router.add_get("/", link)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"http://127.0.0.1:{site.port}/"
    try:
        async with ClientSession() as session, session.ws_connect(address) as client:
            yield driver, client
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("why", [Why.BYE, Why.SAME_IDENTITY, Why.CODE_NEEDED])
async def test_a_good_bye_arrives_though_something_is_unread(why: Why) -> None:
    async with carried() as (driver, client):
        for _ in range(5):
            await client.send_bytes(bytes(10_000))
        connection = await driver.there
        assert connection.remote == "192.0.2.1"
        connection.send(b"good-bye", urgent=True)
        connection.close(why)
        connection.send(b"nothing more", urgent=True)
        assert await client.receive_bytes(timeout=5) == frame(b"good-bye")
        assert (await client.receive(5)).type is WSMsgType.CLOSE
        await asyncio.wait_for(driver.lost.wait(), 5)


@pytest.mark.parametrize("why", [Why.SLOW, Why.SILENT, Why.FLOOD, Why.GARBLED, Why.HANDSHAKE_TIME])
async def test_who_reads_nothing_is_cut(why: Why) -> None:
    async with carried() as (driver, _):
        connection = await driver.there
        for _ in range(400):
            connection.send(bytes(STREAM_MTU), urgent=False)
        assert not connection.writable
        await asyncio.sleep(0.05)  # what the sockets take is on its way; the rest waits for a reader
        connection.close(why)
        await asyncio.wait_for(driver.lost.wait(), 5)


async def test_what_waits_above_the_limit_holds_back_until_it_is_sent() -> None:
    async with carried() as (driver, client):
        connection = await driver.there
        count = WRITE_BUFFER // STREAM_MTU  # each with its length before it: together just above the limit
        for number in range(count):
            assert connection.writable
            connection.send(bytes([number]) * STREAM_MTU, urgent=False)
        assert not connection.writable
        for number in range(count):
            assert await client.receive_bytes(timeout=5) == frame(bytes([number]) * STREAM_MTU)
        assert connection.writable
