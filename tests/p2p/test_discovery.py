"""Real multicast DNS on the loopback interface: tables are found by hints, and silence is visible."""

from __future__ import annotations

import asyncio
import sys

import pytest

from ledger.identity import PublicKey
from p2p.codes import JoinCode, code_key, fingerprint
from p2p.discovery import Announcement, Discovery, FoundTable
from p2p.errors import NoDiscovery

LO = ("127.0.0.1",)
HOST, OTHER = PublicKey(b"h" * 32), PublicKey(b"o" * 32)
LABEL = "0" * 16 + "-1"
KEY, WRONG = code_key(JoinCode("0123456789AB")), code_key(JoinCode("0123456789AC"))


def announcement(identity: PublicKey, key: bytes | None, port: int = 4717) -> Announcement:
    return Announcement(identity, port, ("127.0.0.1", "fe80::1%lo"), key)


async def test_a_guest_with_the_code_finds_the_table_and_an_open_one_is_open_to_all() -> None:
    async with (
        Discovery(announce=announcement(HOST, KEY), interfaces=LO) as host,
        Discovery(announce=announcement(OTHER, None, 4800), interfaces=LO),
        Discovery(interfaces=LO) as guest,
    ):
        private, open_table = await asyncio.gather(guest.find(KEY, 5.0), guest.find(None, 5.0))
        assert private == FoundTable(
            fingerprint(HOST), ("127.0.0.1:4717",), 1, private.tag if private else b""
        )
        assert private is not None
        assert private.opens_with(KEY)
        assert not private.opens_with(WRONG)
        assert open_table is not None
        assert (open_table.fingerprint, open_table.addresses) == (fingerprint(OTHER), ("127.0.0.1:4800",))
        assert await guest.find(WRONG, 0.1) is None
        assert {table.fingerprint for table in guest.tables} >= {fingerprint(HOST), fingerprint(OTHER)}
        while not host._heard_self:
            await asyncio.sleep(0.02)
        assert fingerprint(HOST) not in {table.fingerprint for table in host.tables}


async def test_two_tables_of_one_person_are_two() -> None:
    async with (
        Discovery(announce=announcement(HOST, KEY), interfaces=LO),
        Discovery(announce=announcement(HOST, WRONG, 4800), interfaces=LO),
        Discovery(interfaces=LO) as guest,
    ):
        one, other = await asyncio.gather(guest.find(KEY, 5.0), guest.find(WRONG, 5.0))
        assert one is not None
        assert other is not None
        assert one.fingerprint == other.fingerprint == fingerprint(HOST)
        assert (one.addresses, other.addresses) == (("127.0.0.1:4717",), ("127.0.0.1:4800",))


async def test_silence_is_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Discovery(announce=announcement(HOST, KEY), interfaces=LO) as host:
        host._heard_self = False
        monkeypatch.setattr("p2p.discovery.DEAF_AFTER", 0.0)
        monkeypatch.setattr(host, "_state_changed", lambda *_: None)
        host._heard_self = False
        assert host.deaf
        assert host.seconds > 0


async def test_without_the_package_there_is_an_error_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    with pytest.raises(NoDiscovery) as caught:
        await Discovery(interfaces=LO).__aenter__()
    assert caught.value.reason == "discovery.not-installed"
    monkeypatch.undo()
    with pytest.raises(NoDiscovery) as caught:
        await Discovery(interfaces=("192.0.2.1",)).__aenter__()
    assert caught.value.reason == "discovery.no-multicast"


@pytest.mark.parametrize(
    ("properties", "name", "port"),
    [
        ({"v": "1", "t": "zz"}, LABEL, 1),
        ({"v": "1", "t": "00"}, LABEL, 1),
        ({"v": "x", "t": ""}, LABEL, 1),
        ({"v": "٣", "t": ""}, LABEL, 1),
        ({"t": ""}, LABEL, 1),
        ({"v": "1", "t": ""}, "short-1", 1),
        ({"v": "1", "t": ""}, "0" * 16, 1),
        ({"v": "1", "t": ""}, LABEL, 0),
    ],
)
def test_foreign_announcements_are_ignored(properties: dict[str, str], name: str, port: int) -> None:
    from zeroconf.asyncio import AsyncServiceInfo

    from p2p.discovery import SERVICE, _read_service

    good = AsyncServiceInfo(
        SERVICE,
        f"{LABEL}.{SERVICE}",
        port=1,
        properties={"v": "1", "t": ""},
        parsed_addresses=["127.0.0.1"],
    )
    assert _read_service(f"{LABEL}.{SERVICE}", good) is not None
    full = f"{name}.{SERVICE}"
    info = AsyncServiceInfo(SERVICE, full, port=port, properties=properties, parsed_addresses=["127.0.0.1"])
    assert _read_service(full, info) is None
