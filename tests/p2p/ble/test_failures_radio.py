"""Failure modes by number (docs/bluetooth.md §7) on the emulated radio: real GATT, several devices."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from p2p.ble.links import BleLinks
from p2p.ble.radio import open_radio
from p2p.errors import NetworkError
from p2p.events import PeerDown, PeerUp
from p2p.reasons import Why
from tests.ledger.table import Table, identity_of
from tests.p2p.ble.crowd import Seated, begin, crowd
from tests.p2p.ble.owner import Nobody
from tests.p2p.people import guest, host
from tests.radio.server import RadioServer

pytest.importorskip("bumble")
pytestmark = pytest.mark.radio


async def two_links(stack: AsyncExitStack, radio: RadioServer, count: int = 2) -> list[BleLinks]:
    made = []
    for _ in range(count):
        links = BleLinks(await open_radio(radio.name), Nobody())
        await links.start()
        stack.push_async_callback(links.aclose)
        made.append(links)
    return made


async def until(holds, seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


def standing(links: BleLinks) -> int:
    return sum(end.link.up for end in links.ends)


async def test_failure_13_an_old_bluez_tells_everybody_everything_and_the_table_plays() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        anna = Seated(host(3), await open_radio(radio.name + "?broadcast=1"), host=True)
        boris, ciro = [Seated(guest(n), await open_radio(radio.name)) for n in (1, 2)]
        for one in (anna, boris, ciro):
            await stack.enter_async_context(one.driver)
        await begin([anna, boris, ciro])
        for one in (boris, ciro):
            assert not one.saw(PeerDown)


async def test_failure_16_closing_the_duplicate_leaves_the_link_that_shares_its_connection() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio)
        await one.dial(two.process)
        await two.dial(one.process)
        await until(lambda: standing(one) == standing(two) == 2)
        assert len(radio.controllers[0].le_connections) == 1
        next(end for end in two.ends if end.link.central).close(Why.DUPLICATE)
        await until(lambda: standing(one) == standing(two) == 1)
        await asyncio.sleep(0.5)
        assert standing(one) == standing(two) == 1
        assert len(radio.controllers[0].le_connections) == 1


async def test_failure_17_the_same_peer_under_a_new_address_is_the_same_peer() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        anna = Seated(host(2), await open_radio(radio.name), host=True)
        await stack.enter_async_context(anna.driver)
        boris = Seated(guest(1), await open_radio(radio.name))
        await boris.driver.__aenter__()
        await boris.sit()
        await boris.driver.aclose()
        again = Seated(guest(1), await open_radio(radio.name))
        await stack.enter_async_context(again.driver)
        await again.driver.dial("ble:")
        await anna.until(lambda: anna.node.peers() == (identity_of(1).public,))


async def test_failure_18_a_peer_that_comes_back_is_not_refused_as_a_duplicate_of_its_dead_link() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        anna = Seated(host(2), await open_radio(radio.name), host=True)
        boris = Seated(guest(1), await open_radio(radio.name))
        for one in (anna, boris):
            await stack.enter_async_context(one.driver)
        await boris.sit()
        radio.freeze(1, 60)  # Boris' radio is dead, and nobody has noticed yet
        again = Seated(guest(1), await open_radio(radio.name))
        await stack.enter_async_context(again.driver)
        assert await again.driver.dial("ble:") == anna.node.identity
        await again.until(lambda: again.person.guest.table is not None)


async def test_failure_19_what_the_evicted_duplicate_still_owed_comes_over_the_other_link_at_once() -> None:
    """Records are made all the while a second link comes, and one of the two goes: none waits a second."""
    async with RadioServer() as radio, crowd(radio, host(2), guest(1)) as (anna, boris):
        await begin([anna, boris])
        await anna.driver.dial(f"ble:{boris.driver.ble.process.hex()}", is_host=False)
        await until(lambda: standing(anna.driver.ble) == 2)
        both, closed = (anna, boris), 0
        played = Table.of(2)
        for record in played.play_on():
            seat = next(entry.seat for entry in played.log.entries() if entry.record == record)
            author, other = both[seat], both[1 - seat]
            assert author.log is not None
            assert author.log.receive(record).kept
            author.node.push(played.genesis.game_id, [record])
            author.driver.flush()
            await other.until(lambda o=other, r=record: r in o.log.records(), 1.0)  # type: ignore[misc]
            closed += standing(anna.driver.ble) == 1
            await asyncio.sleep(0.2)
        assert closed > 0
        assert not anna.saw(PeerDown)
        assert not boris.saw(PeerDown)


async def test_failure_20_both_dial_at_the_same_moment() -> None:
    async with RadioServer() as radio, crowd(radio, host(2), guest(1)) as (anna, boris):
        await asyncio.gather(
            anna.driver.dial(f"ble:{boris.driver.ble.process.hex()}", is_host=False),
            boris.driver.dial(f"ble:{anna.driver.ble.process.hex()}"),
            return_exceptions=True,
        )
        await boris.until(lambda: boris.person.guest.table is not None)
        assert boris.node.peers() == (anna.node.identity,)
        await asyncio.sleep(0.5)
        assert anna.node.peers() == (boris.node.identity,)


async def test_failure_23_a_dial_that_hangs_is_given_up_and_the_next_one_succeeds() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two, three = await two_links(stack, radio, 3)
        await one.lookout.look(5, lambda seen: len(seen) == 2)
        radio.freeze(1, 60)
        with pytest.raises(NetworkError):
            await one.dial(two.process, seconds=0.3)
        await one.dial(three.process)


async def test_failure_24_three_quick_tries_when_connections_abort() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio)
        radio.air.abort_next = 2
        await one.dial(two.process)
        assert radio.air.abort_next == 0


async def test_failure_25_a_device_whose_link_is_gone_is_looked_for_anew() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio)
        end = await one.dial(two.process)
        assert one.lookout.seen()
        end.lost()
        await until(lambda: not one.ends)
        assert one.lookout.seen() == ()
        await one.dial(two.process)


async def test_a_host_that_came_back_is_found_though_its_old_advertisement_is_fresh() -> None:
    """Whoever was killed is another process now; the one before may still be believed in."""
    async with RadioServer() as radio, AsyncExitStack() as stack:
        ghost = BleLinks(await open_radio(radio.name), Nobody(), host=True)
        await ghost.start()
        boris = Seated(guest(1), await open_radio(radio.name))
        await stack.enter_async_context(boris.driver)
        await boris.driver.ble.lookout.look(5, lambda seen: bool(seen))
        await ghost.aclose()
        assert boris.driver.ble.lookout.seen()
        dialling = asyncio.create_task(boris.driver.dial("ble:"))
        await asyncio.sleep(0.5)
        anna = Seated(host(2), await open_radio(radio.name), host=True)
        await stack.enter_async_context(anna.driver)
        async with asyncio.timeout(10):  # far less than the time that an advertisement is believed
            assert await dialling == anna.node.identity


async def test_failure_29_a_device_can_be_found_again_after_each_connection() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two, three = await two_links(stack, radio, 3)
        for _ in range(3):
            end = await one.dial(two.process)
            end.close(Why.BYE)
            await until(lambda: standing(two) == 0)
        await three.dial(two.process)


async def test_failure_31_scanning_has_no_filter_that_a_chip_could_get_wrong() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio)
        seen = await one.lookout.look(5, lambda seen: bool(seen))
        assert [found.advert.process for found in seen] == [two.process]


async def test_failure_35_a_relay_carries_what_two_guests_without_a_link_say() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        anna = Seated(host(3), await open_radio(radio.name), host=True, max_links=2)
        boris, ciro = [Seated(guest(n), await open_radio(radio.name), max_links=1) for n in (1, 2)]
        for one in (anna, boris, ciro):
            await stack.enter_async_context(one.driver)
        await begin([anna, boris, ciro])
        await boris.says(Table.of(3).record(1), ciro)
        assert not ciro.saw(PeerUp, identity=identity_of(1).public)


async def test_failure_36_what_was_said_out_of_reach_arrives_on_return() -> None:
    async with RadioServer() as radio, crowd(radio, host(2), guest(1)) as (anna, boris):
        await begin([anna, boris])
        for end in boris.driver.ble.ends:
            end.lost()
        await boris.until(lambda: boris.saw(PeerDown))
        table = Table.of(2)
        record = table.record(0)
        assert anna.log is not None
        assert anna.log.receive(record).kept
        anna.node.push(table.genesis.game_id, [record])
        anna.driver.flush()
        await boris.driver.dial("ble:")
        await boris.until(lambda: record in boris.log.records())  # type: ignore[union-attr]


async def test_failure_37_the_scanner_rests_while_nobody_is_missing() -> None:
    async with RadioServer() as radio, crowd(radio, host(2), guest(1)) as (anna, boris):
        await begin([anna, boris])
        assert not anna.driver.ble.lookout.scanning
        assert not boris.driver.ble.lookout.scanning
        assert not any(controller.le_scan_enable for controller in radio.controllers)
