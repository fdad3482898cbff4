"""Tables over the emulated radio in one process: nodes, lobby and log know nothing of Bluetooth."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from p2p.ble.links import GUEST_LINKS
from p2p.ble.radio import NoBluetooth, open_radio
from p2p.errors import BadAddress, NetworkError, Refused, Unreachable
from p2p.events import PeerDown, PeerUp
from p2p.reasons import Why
from tests.ledger.table import Table, identity_of
from tests.p2p.ble.crowd import Seated, begin, crowd
from tests.p2p.keeper import play_on, start
from tests.p2p.people import guest, host
from tests.radio.server import RadioServer

pytest.importorskip("bumble")

CODE = bytes(range(32))


async def test_a_table_of_three_without_any_network_plays() -> None:
    async with RadioServer() as radio, crowd(radio, host(3), guest(1), guest(2)) as everybody:
        await begin(everybody)
        await play_on(Table.of(3), *everybody)


async def test_guests_link_to_one_another_so_the_host_may_vanish() -> None:
    async with RadioServer() as radio, crowd(radio, host(3), guest(1), guest(2)) as everybody:
        anna, boris, ciro = everybody
        await begin(everybody)
        await ciro.until(lambda: ciro.saw(PeerUp, identity=identity_of(1).public))
        await anna.driver.aclose()
        await boris.until(lambda: boris.saw(PeerDown, identity=identity_of(0).public))
        await boris.says(Table.of(3).record(1), ciro)


@pytest.mark.radio
async def test_six_keep_few_links_and_still_reach_one_another_without_the_host() -> None:
    people = (host(6), *(guest(number) for number in range(1, 6)))
    async with RadioServer() as radio, crowd(radio, *people, guest_links=GUEST_LINKS) as everybody:
        await begin(everybody)
        guests = everybody[1:]
        await asyncio.sleep(8)  # time enough to dial more
        links = [len(one.driver.ble.ends) for one in everybody]
        assert links[0] == 5
        assert max(links[1:]) <= GUEST_LINKS, links
        assert sum(links[1:]) >= 5 + 2 * 2, (
            links
        )  # besides the host each has somebody, or the others are full
        await everybody[0].driver.aclose()
        table = Table.of(6)
        record = table.record(1)
        assert guests[0].log is not None
        assert guests[0].log.receive(record).kept
        guests[0].node.push(table.genesis.game_id, [record])
        guests[0].driver.flush()
        for one in guests:
            await one.until(lambda one=one: record in one.log.records(), 30.0)  # type: ignore[misc]


async def test_nobody_scans_while_the_table_is_complete() -> None:
    async with RadioServer() as radio, crowd(radio, host(2), guest(1)) as everybody:
        await begin(everybody)
        assert not any(one.driver.ble.lookout.scanning for one in everybody)


async def test_with_a_code_only_the_devices_of_that_table_are_tried() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        other = Seated(host(2), await open_radio(radio.name), host=True, code_key=bytes(32))
        ours = Seated(host(2), await open_radio(radio.name), host=True, code_key=CODE)
        boris = Seated(guest(1), await open_radio(radio.name), code_key=CODE)
        for one in (other, ours, boris):
            await stack.enter_async_context(one.driver)
        await boris.driver.ble.lookout.look(5, lambda seen: len(seen) == 2)
        ble = boris.driver.ble
        marked = [found.advert.process for found in ble.lookout.seen() if ble.is_ours(found.advert)]
        assert marked == [ours.driver.ble.process]
        await boris.driver.dial("ble:")
        await ours.until(lambda: ours.saw(PeerUp))
        assert not other.saw(PeerUp)


async def test_a_full_device_says_so_and_takes_nobody() -> None:
    async with RadioServer() as radio, crowd(radio, host(3), guest(1), guest(2), max_links=1) as everybody:
        anna, boris, ciro = everybody
        await boris.sit()
        await ciro.driver.ble.lookout.look(5, lambda seen: any(f.advert.full and f.advert.host for f in seen))
        with pytest.raises(NetworkError):
            await ciro.driver.dial(f"ble:{anna.driver.ble.process.hex()}")
        with pytest.raises(Refused):
            await boris.driver.dial(f"ble:{ciro.driver.ble.process.hex()}")


async def test_tables_with_other_codes_are_said_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.ble.driver.SEARCH_TIME", 1.5)
    async with RadioServer() as radio, crowd(radio, host(2), code_key=CODE):
        boris = Seated(guest(1), await open_radio(radio.name), code_key=bytes(32))
        async with boris.driver:
            with pytest.raises(Unreachable) as caught:
                await boris.driver.dial("ble:")
    assert caught.value.reason == "bluetooth.other-tables"


async def test_a_host_with_no_room_says_so_at_once_and_has_room_later() -> None:
    async with RadioServer() as radio, crowd(radio, host(3), guest(1), max_links=1) as (anna, boris):
        await boris.sit()
        ciro = Seated(guest(2), await open_radio(radio.name))
        async with ciro.driver:
            async with asyncio.timeout(10):
                with pytest.raises(Refused) as caught:
                    await ciro.driver.dial("ble:")
            assert caught.value.reason == Why.BUSY
            await boris.driver.aclose()
            await anna.until(lambda: not anna.node.peers())
            assert await ciro.driver.dial("ble:") == anna.node.identity


async def test_one_peer_bridges_bluetooth_and_the_network() -> None:
    """The host has both; Boris has only Bluetooth, Ciro only the network."""
    async with RadioServer() as radio, AsyncExitStack() as stack:
        anna = Seated(host(3), await open_radio(radio.name), host=True, listen=("127.0.0.1",))
        boris = Seated(guest(1), await open_radio(radio.name))
        ciro = Seated(guest(2), await open_radio(radio.name), listen=("127.0.0.1",))
        for one in (anna, boris, ciro):
            await stack.enter_async_context(one.driver)
        await ciro.driver.ble.aclose()
        await boris.sit()
        await ciro.sit(f"127.0.0.1:{anna.driver.port}")
        await start(anna, boris, ciro)
        await boris.says(Table.of(3).record(1), ciro)


async def test_nobody_there_is_told_in_so_many_words() -> None:
    async with RadioServer() as radio, crowd(radio, host(2)) as (anna,):
        with pytest.raises(Unreachable) as caught:
            await anna.driver.ble.dial(bytes(8), seconds=0.5)
        assert caught.value.reason == "bluetooth.not-seen"


@pytest.mark.parametrize("address", ["ble:xyz", "ble:0102", "ble:" + 17 * "0"])
async def test_an_address_that_is_none(address: str) -> None:
    async with RadioServer() as radio, crowd(radio, host(2)) as (anna,):
        with pytest.raises(BadAddress) as caught:
            await anna.driver.dial(address)
        assert caught.value.reason == "bluetooth.bad-address"


async def test_no_radio_at_all_has_a_name() -> None:
    with pytest.raises(NoBluetooth) as caught:
        await open_radio("tcp:127.0.0.1:1")
    assert caught.value.reason == "bluetooth.no-hci"
    assert caught.value.exit_code == 30
