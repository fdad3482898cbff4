"""What the emulated radio sets right about bumble, by the numbers of `tests.radio.air`; frozen is frozen."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from p2p.ble.links import BleLinks
from p2p.ble.radio import open_radio
from p2p.errors import NetworkError
from p2p.reasons import Why
from tests.p2p.ble.test_failures_radio import standing, two_links, until
from tests.radio.server import RadioServer

pytest.importorskip("bumble")

from bumble import hci


def connections(radio: RadioServer, number: int) -> int:
    return len(radio.controllers[number].le_connections)


async def test_defect_2_data_of_both_directions_finds_its_way() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio, 2)
        end = await one.dial(two.process)
        await until(lambda: standing(two) == 1)
        before = radio.air.carried
        end.send(bytes(900))
        await until(lambda: radio.air.carried > before + 900)
        await until(lambda: end.link._outgoing.idle)


async def test_defect_3_of_two_that_answer_one_advertisement_one_is_told_at_once_and_comes_next() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two, target = await two_links(stack, radio, 3)
        async with asyncio.timeout(8):  # a half-open connection would take thirty seconds
            await asyncio.gather(one.dial(target.process), two.dial(target.process))
        assert connections(radio, 2) == 2


async def test_defect_4_a_dial_given_up_does_not_complete_later() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio, 2)
        await one.lookout.look(5, lambda seen: bool(seen))
        radio.freeze(1, 1.0)
        dialling = asyncio.create_task(one.dial(two.process, tries=1))
        await asyncio.sleep(0.5)
        dialling.cancel()
        await asyncio.gather(dialling, return_exceptions=True)
        await asyncio.sleep(1.5)  # thawed, and advertising again
        assert connections(radio, 0) == connections(radio, 1) == 0
        await one.dial(two.process)


async def test_defect_6_an_advertisement_comes_about_ten_times_a_second() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        await two_links(stack, radio, 1)
        sent: list[object] = []
        carry = radio.air.send_advertising_pdu
        radio.air.send_advertising_pdu = lambda sender, packet: (sent.append(packet), carry(sender, packet))  # type: ignore[method-assign,assignment,return-value]
        await asyncio.sleep(1.0)
        assert 3 <= len(sent) <= 15


async def test_defect_7_a_controller_that_linux_takes_for_one_without_extended_advertising() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        await two_links(stack, radio, 1)
        features = radio.controllers[0].le_features
        assert not features & hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
        assert not features & hci.LeFeatureMask.LL_PRIVACY


async def test_defect_11_connections_that_cross_are_one() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio, 2)
        await asyncio.gather(one.dial(two.process), two.dial(one.process), return_exceptions=True)
        await until(lambda: standing(one) >= 1 and standing(two) >= 1)
        assert connections(radio, 0) == connections(radio, 1) == 1


async def test_defect_12_a_reset_ends_scanning_advertising_and_connections() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio, 2)
        await one.dial(two.process)
        await one.lookout.start()
        controller = radio.controllers[0]
        await until(lambda: controller.le_scan_enable)
        controller.on_hci_reset_command(hci.HCI_Reset_Command())
        assert not controller.le_scan_enable
        assert not controller.le_legacy_advertiser.enabled
        assert connections(radio, 0) == connections(radio, 1) == 0
        await until(lambda: standing(two) == 0)


async def test_nothing_leaves_a_frozen_radio_not_even_a_disconnection() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        one, two = await two_links(stack, radio, 2)
        end = await one.dial(two.process)
        await until(lambda: standing(two) == 1)
        radio.freeze(0, 2.0)
        end.lost()
        await asyncio.sleep(1.0)
        assert standing(two) == 1
        await until(lambda: standing(two) == 0, 3.0)


async def test_nobody_is_found_where_nobody_is() -> None:
    async with RadioServer() as radio, AsyncExitStack() as stack:
        alone = BleLinks(await open_radio(radio.name), _Nobody())
        stack.push_async_callback(alone.aclose)
        assert await alone.lookout.look(0.5, lambda seen: bool(seen)) == ()
        with pytest.raises(NetworkError):
            await alone.dial(bytes(8), seconds=0.2)


class _Nobody:
    def link_up(self, end: object) -> None: ...

    def link_event(self, end: object, event: object) -> None: ...

    def link_down(self, end: object, why: Why) -> None: ...
