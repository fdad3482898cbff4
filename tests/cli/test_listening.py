"""Whatever is sent to a listener of ours: an answer, and not a letter on the person's terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal

import pytest

pytest.importorskip("aiohttp")

from aiohttp import ClientSession, web

from cli.guests.bundle import Bundle
from cli.guests.listener import GuestListener
from cli.listening import runner_of
from cli.page.server import PageServer
from p2p.lan import LanDriver
from p2p.node import Node
from p2p.session import Door
from tests.cli.commands.running import Running
from tests.cli.page.conftest import RecordingFeed, make_view
from tests.tables import identity_of

HEAD = b" HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n"
RUDE = (
    (b"GET /?" + b"a" * 20_000 + HEAD + b"\r\n", b"400"),
    (b"GET /" + HEAD + b"X: " + b"a" * 20_000 + b"\r\n\r\n", b"400"),
    (b"GET /" + HEAD + b"X: y\r\n" * 20_000 + b"\r\n", b"400"),
    (b"\x16\x03\x01\x00\xff\x00garbage\r\n\r\n", b"400"),
    (b"GET / HTTP/9.9\r\n\r\n", b"400"),
    (b"GET http://[::1" + HEAD + b"\r\n", b"400"),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"400"),
    (b"POST /enter" + HEAD + b"Content-Length: -5\r\n\r\nabc", b"400"),
    (b"POST /enter" + HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\nabc\r\n", b"400"),
    (b"POST /enter" + HEAD + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd", b""),
    (b"POST /enter" + HEAD + b"Content-Length: 50\r\n\r\nabc", b""),
    (b"GET /entered" + HEAD + b"Cookie: durak-PORT=\xc3\xa9\xff\r\n\r\n", b"40"),
    (b"GET /socket" + HEAD + b"Cookie: durak-PORT=\xff\r\nUpgrade: websocket\r\n\r\n", b"40"),
    (b"GET /link" + HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n\xff\xff\xff", b""),
    (b"GET /texts?language=%ff%00" + HEAD + b"Accept-Language: \xff;q=zz,,,\r\n\r\n", b""),
)
"""What is sent, and how the status of the answer begins where there is one of every listener."""


async def sends(port: int, said: bytes) -> bytes:
    """The beginning of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    with contextlib.suppress(TimeoutError, ConnectionError):
        writer.write(said.replace(b"PORT", str(port).encode()))
        await writer.drain()
        answer = await asyncio.wait_for(reader.read(200), 0.3)
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    return answer


async def all_of_it(port: int, dice: random.Random, changed: int = 12) -> None:
    """Every rude thing as it stands, then with bytes of it changed."""
    for said, status in RUDE:
        answer = await sends(port, said)
        if status == b"400":
            assert re.match(rb"HTTP/1\.[01] 400", answer), said[:40]
        elif answer:
            assert re.match(rb"HTTP/1\.[01] " + status, answer), said[:40]
        for _ in range(changed):
            other = bytearray(said[:400])
            for _ in range(dice.randint(1, 6)):
                other[dice.randrange(len(other))] = dice.randrange(256)
            await sends(port, bytes(other))


async def test_the_pages_server_says_nothing(capfd):
    server = PageServer(RecordingFeed(make_view()))
    await server.start()
    await all_of_it(server.guard.port, random.Random(1))
    async with ClientSession() as session, session.get(server.guard.address) as answer:
        assert answer.status == 200, "it serves on"
    await server.stop()
    assert capfd.readouterr() == ("", "")


async def test_the_guests_listener_says_nothing(capfd):
    node = Node(identity=identity_of(0), door=Door(open=True), random=os.urandom, lobby=None)
    driver = LanDriver(node, listen=None)
    listener = GuestListener(Bundle("0", {"index.html": b"page", "manifest.json": b"{}"}, {}, ""), driver)
    await listener.start("127.0.0.1", 0)
    await all_of_it(listener.port, random.Random(2))
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{listener.port}/") as answer:
        assert answer.status == 200, "it serves on"
    await listener.stop()
    await driver.aclose()
    assert capfd.readouterr() == ("", "")


async def test_a_mistake_of_ours_is_not_lost(capfd):
    async def broken(_: web.Request) -> web.Response:
        raise ZeroDivisionError("on purpose")

    app = web.Application()
    app.router.add_get("/", broken)
    runner = runner_of(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    heard = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: heard.append(context["exception"]))
    port = runner.addresses[0][1]
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/") as answer:
        assert answer.status == 500
        assert "on purpose" not in await answer.text()
    await runner.cleanup()
    assert [type(each) for each in heard] == [ZeroDivisionError]
    assert capfd.readouterr() == ("", "")


def test_a_running_program_prints_nothing_of_it(tmp_path):
    with Running(tmp_path, "host", "--page", "--port", "0", "--name", "Anna") as running:
        said = iter(running.process.stdout)
        port = next(int(found[1]) for line in said if (found := re.search(r"127\.0\.0\.1:(\d+)/#", line)))

        async def rude():
            for sent, _ in RUDE:
                await sends(port, sent)

        asyncio.run(rude())
        running.process.send_signal(signal.SIGINT)
        assert running.ended() == (0, "")
        assert list(said) == [
            "Keep this running while you play; Ctrl-C leaves the table, and the game is saved.\n"
        ]
    assert not (tmp_path / "internal-error.txt").exists()
