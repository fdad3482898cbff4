"""Real sockets on this machine: tables form, errors have names, and no stranger hurts anybody else's link."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from collections.abc import Awaitable
from itertools import count

import pytest

from p2p import lan
from p2p.codes import JoinCode, code_key, invite, read_invitation
from p2p.errors import (
    BadAddress,
    ConnectionRefused,
    NetworkError,
    OtherVersion,
    PortInUse,
    Refused,
    TimedOut,
)
from p2p.events import LinkClosed, PeerDown, PeerUp
from p2p.lan import LanDriver
from p2p.messages import Address
from p2p.reasons import Why
from p2p.session import MAGIC, Door
from p2p.tcp import Connection, Dial
from tests.ledger.table import Table, identity_of
from tests.p2p.keeper import Keeper, play_on, start
from tests.p2p.people import Person, guest, host

HOME = ("127.0.0.1",)


class Seated(Keeper[LanDriver]):
    """A person behind real sockets of this machine."""

    def __init__(self, person: Person, port: int = 0) -> None:
        super().__init__(person, lambda hear: LanDriver(person.node, listen=HOME, port=port, on_event=hear))


def address(seated: Seated) -> str:
    return f"127.0.0.1:{seated.driver.port}"


async def sit(table: Seated, person: Seated) -> None:
    assert await person.sit(address(table)) == table.node.identity


async def test_a_table_of_three_over_tcp_plays_and_links_to_one_another() -> None:
    anna, boris, ciro = (Seated(p) for p in (host(3), guest(1), guest(2)))
    async with anna.driver, boris.driver, ciro.driver:
        await sit(anna, boris)
        await sit(anna, ciro)
        await start(anna, boris, ciro)
        await ciro.until(lambda: ciro.saw(PeerUp, identity=identity_of(1).public))
        await play_on(Table.of(3), anna, boris, ciro)


async def test_the_host_may_vanish() -> None:
    anna, boris, ciro = (Seated(p) for p in (host(3), guest(1), guest(2)))
    async with boris.driver, ciro.driver:
        async with anna.driver:
            await sit(anna, boris)
            await sit(anna, ciro)
            await start(anna, boris, ciro)
            await ciro.until(lambda: ciro.saw(PeerUp, identity=identity_of(1).public))
        await boris.until(lambda: boris.saw(PeerDown, identity=identity_of(0).public))
        await boris.says(Table.of(3).record(1), ciro)


class Slow(Connection):
    """A connection on a machine so busy that the time to dial runs out while it is set up."""

    def __init__(self, driver: LanDriver, dial: Dial | None) -> None:
        super().__init__(driver, dial)
        if dial is not None:
            time.sleep(0.3)


async def test_a_link_that_comes_up_as_the_time_to_dial_runs_out_is_no_unheard_mistake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What became of it was told to a future nobody waited for: the program said it had made a mistake."""
    monkeypatch.setattr(lan, "Connection", Slow)
    anna, boris = Seated(host()), Seated(guest(1))
    async with anna.driver, boris.driver:
        with pytest.raises(TimedOut):
            await boris.driver.dial(address(anna), patience=0.2)
        await boris.until(lambda: boris.saw(LinkClosed))
    gc.collect()  # what nobody has heard is told now, and fails the test (tests/conftest.py)


async def test_a_name_with_an_address_that_does_not_answer_is_reached_at_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def both(endpoint: object, patience: float) -> tuple[str, ...]:
        return ("127.0.0.2", "127.0.0.1")

    monkeypatch.setattr(lan, "_hosts", both)
    anna, boris = Seated(host()), Seated(guest(1))
    async with anna.driver, boris.driver:
        with socket.create_server(("127.0.0.2", anna.driver.port)):  # the system takes it, nobody says a word
            assert await boris.driver.dial(address(anna), patience=0.3) == anna.node.identity


async def test_a_kept_address_is_dialled_again() -> None:
    anna, boris = Seated(host()), Seated(guest(1))
    async with boris.driver:
        async with anna.driver:
            boris.driver.keep(address(anna))
            await boris.until(lambda: boris.saw(PeerUp))
            port = anna.driver.port
        await boris.until(lambda: boris.saw(PeerDown))
        boris.events.clear()
        again = Seated(host(), port)
        async with again.driver:
            await boris.until(lambda: boris.saw(PeerUp))


async def test_events_can_be_iterated() -> None:
    anna, boris = Seated(host()), guest(1)
    async with anna.driver, LanDriver(boris.node, listen=None) as driver:
        await driver.dial(address(anna))
        async for event in driver.events():
            if isinstance(event, PeerUp):
                assert event.identity == identity_of(0).public
                break


async def test_ipv6_and_every_interface() -> None:
    anna, boris = host(), guest(1)
    driver = LanDriver(anna.node, listen=("::1",), on_event=lambda _: None)
    try:
        await driver.__aenter__()
    except NetworkError:
        pytest.skip("this machine has no IPv6")
    async with LanDriver(boris.node, listen=None, on_event=lambda _: None) as other:
        assert await other.dial(f"[::1]:{driver.port}") == anna.node.identity
    await driver.aclose()
    async with LanDriver(anna.node, on_event=lambda _: None) as everywhere:
        assert all(line.endswith(f":{everywhere.port}") for line in everywhere.addresses)


async def problem(call: Awaitable[object]) -> NetworkError:
    try:
        await call
    except NetworkError as error:
        return error
    raise AssertionError("no error")


async def test_errors_a_command_can_show() -> None:
    anna, boris = Seated(host()), guest(1)
    async with anna.driver, LanDriver(boris.node, listen=None, on_event=lambda _: None) as driver:
        error = await problem(LanDriver(boris.node, listen=HOME, port=anna.driver.port).__aenter__())
        assert isinstance(error, PortInUse)
        assert (error.reason, error.exit_code, error.params) == (
            "network.port-in-use",
            30,
            {"port": anna.driver.port},
        )
        error = await problem(driver.dial("127.0.0.1:1"))
        assert isinstance(error, ConnectionRefused)
        for text in ("", "a:b:c", "host:0", "host:65536", "[::1", "ho st", "-:-", "1.2.3.4:٣"):
            assert isinstance(await problem(driver.dial(text)), BadAddress), text
        error = await problem(driver.dial("no-such-host.invalid"))
        assert isinstance(error, BadAddress)
        assert error.reason == "network.unknown-name"
        error = await problem(LanDriver(boris.node, listen=("192.0.2.1",)).__aenter__())
        assert isinstance(error, BadAddress)


@pytest.mark.parametrize(("door", "reason"), [(Door(b"w" * 32), Why.CODE_WRONG), (Door(), Why.CODE_NEEDED)])
async def test_the_wrong_code_is_an_error_with_a_reason(door: Door, reason: Why) -> None:
    anna, boris = Seated(host()), guest(1, door=door)
    async with anna.driver, LanDriver(boris.node, listen=None, on_event=lambda _: None) as driver:
        error = await problem(driver.dial(address(anna)))
        assert isinstance(error, Refused)
        assert (error.reason, error.exit_code) == (reason, 30)


async def test_an_invitation_leads_to_its_host_and_to_nobody_else() -> None:
    code = JoinCode("0123456789AB")
    door = Door(code_key(code))
    anna, boris, ciro = Seated(host(door=door)), guest(1, door=door), guest(2, door=door)
    async with anna.driver, LanDriver(boris.node, listen=None, on_event=lambda _: None) as driver:
        addresses = (Address("127.0.0.1:1"), Address(address(anna)))
        invitation = invite(code, addresses, anna.node.identity)
        assert await driver.reach(read_invitation(invitation.text)) == (anna.node.identity, address(anna))
        await boris_sees_the_table(boris)
        other = invite(code, addresses, boris.node.identity)
        async with LanDriver(ciro.node, listen=None, on_event=lambda _: None) as second:
            error = await problem(second.reach(other))
            assert isinstance(error, Refused)
            assert error.reason == Why.OTHER_PEER
            assert ciro.guest.table is None


async def boris_sees_the_table(boris: Person) -> None:
    async with asyncio.timeout(5):
        while boris.guest.table is None:
            await asyncio.sleep(0)


async def server(answer: bytes, *, wait: bool = True) -> tuple[asyncio.Server, str]:
    """Something that is no peer of ours."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        if wait:
            await reader.read()
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    return listening, f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"


async def test_another_version_has_its_own_exit_code() -> None:
    refusal = bytes([5]) + MAGIC + bytes([9, 0])
    listening, where = await server(len(refusal).to_bytes(2, "big") + refusal)
    async with listening, LanDriver(guest(1).node, listen=None, on_event=lambda _: None) as driver:
        error = await problem(driver.dial(where))
        assert isinstance(error, OtherVersion)
        assert (error.exit_code, error.params) == (21, {"ours": 1, "theirs": 9})


async def test_who_answers_nothing_or_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.talk.HANDSHAKE_TIME", 0.05)
    for answer, kind in ((b"", TimedOut), (b"HTTP/1.1 400 Bad Request\r\n\r\n", Refused)):
        listening, where = await server(answer)
        async with listening, LanDriver(guest(1).node, listen=None, on_event=lambda _: None) as driver:
            assert isinstance(await problem(driver.dial(where)), kind)
    listening, where = await server(b"", wait=False)
    async with listening, LanDriver(guest(1).node, listen=None, on_event=lambda _: None) as driver:
        assert (await problem(driver.dial(where))).reason == "network.hung-up"


async def attackers(port: int, number: int, first_bytes: bytes) -> list[socket.socket]:
    """So many connections from another address of this machine that say `first_bytes` and then nothing."""
    made = []
    loop = asyncio.get_running_loop()
    for _ in range(number):
        attacker = socket.socket()
        attacker.setblocking(False)  # noqa: FBT003
        attacker.bind(("127.0.0.2", 0))
        await loop.sock_connect(attacker, ("127.0.0.1", port))
        if first_bytes:
            await loop.sock_sendall(attacker, first_bytes)
        made.append(attacker)
    return made


async def test_half_open_connections_by_the_thousand_keep_nobody_out() -> None:
    anna, boris, ciro = (Seated(p) for p in (host(3), guest(1), guest(2)))
    async with anna.driver, boris.driver, ciro.driver:
        await boris.driver.dial(address(anna))
        made = []
        for part in range(10):
            made += await attackers(anna.driver.port, 100, b"" if part % 2 else b"\x00\x30\x01dur")
            assert len(anna.driver._connections) <= lan.MOST_CONNECTIONS
            if part == 5:
                assert await ciro.driver.dial(address(anna)) == anna.node.identity
        assert identity_of(1).public in anna.node.peers()
        assert identity_of(2).public in anna.node.peers()
        assert sum(not anna.node.is_open(n) for n in anna.driver._connections) <= lan.MOST_UNPROVEN
        for attacker in made:
            attacker.close()


@pytest.mark.parametrize(
    "first",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x00\x00",
        b"\xff\xff" + bytes(9),
        b"\x01\x01" + bytes(257),
        b"\x00\x01\x04",
    ],
    ids=["another protocol", "empty", "64 KiB announced", "257 unproven bytes", "sealed before a handshake"],
)
async def test_garbage_ends_its_own_connection_only(first: bytes) -> None:
    anna, boris = Seated(host()), Seated(guest(1))
    async with anna.driver, boris.driver:
        await boris.driver.dial(address(anna))
        (attacker,) = await attackers(anna.driver.port, 1, first)
        await anna.until(lambda: anna.saw(LinkClosed, identity=None))
        loop = asyncio.get_running_loop()
        try:
            while await loop.sock_recv(attacker, 100):
                pass
        except ConnectionResetError:
            pass
        attacker.close()
        assert anna.node.peers() == (identity_of(1).public,)


async def test_a_slow_handshake_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.talk.HANDSHAKE_TIME", 0.1)
    anna = Seated(host())
    async with anna.driver:
        (attacker,) = await attackers(anna.driver.port, 1, b"\x00")
        await anna.until(lambda: anna.saw(LinkClosed, why=Why.HANDSHAKE_TIME))
        attacker.close()


async def test_a_reader_that_does_not_read_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.talk.SLOW_AFTER", 0.2)
    anna, boris = Seated(host()), Seated(guest(1))
    async with anna.driver, boris.driver:
        await boris.driver.dial(address(anna))
        await boris.until(lambda: boris.saw(PeerUp))
        await anna.until(lambda: anna.saw(PeerUp))
        for connection in boris.driver._connections.values():
            connection.read(wanted=False)
        game = Table.of(2)
        anna.node.attach(game.log, 0.0)
        numbers = count()

        async def fill() -> None:
            while not anna.saw(LinkClosed):
                big = [next(numbers).to_bytes(4, "big") * 3_000 for _ in range(16)]
                anna.node.push(game.log.game_id, big)
                anna.driver.flush()
                await asyncio.sleep(0.01)

        await asyncio.wait_for(fill(), 10)
        assert anna.saw(LinkClosed, why=Why.SLOW)


async def test_an_owner_that_takes_no_events_stops_the_reading() -> None:
    anna, boris = host(), Seated(guest(1))
    async with LanDriver(anna.node, listen=HOME) as driver, boris.driver:
        await boris.driver.dial(f"127.0.0.1:{driver.port}")
        game = Table.of(2)
        anna.node.attach(game.log, 0.0)
        boris.node.attach(game.fresh(), 0.0)
        for _ in range(30):
            boris.node.push(game.log.game_id, [b"not a record"] * 200)
            boris.driver.flush()
            await asyncio.sleep(0.01)
        assert driver._waiting.qsize() < 2 * lan.EVENTS_WAITING
