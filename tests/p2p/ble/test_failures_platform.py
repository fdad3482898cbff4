"""Failure modes of platforms, by number (docs/bluetooth.md §7): calls that hang, fail or lie."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from p2p.ble.ble_link import BleLink
from p2p.ble.central import Central, Found
from p2p.ble.end import BleEnd
from p2p.ble.frames import Hello, LinkNumber
from p2p.ble.link_events import Down, LinkEvent
from p2p.ble.links import BleLinks
from p2p.ble.peripheral import Device, OnLeft, OnValue, Peripheral
from p2p.ble.radio import Radio
from p2p.reasons import Why
from tests.p2p.ble.owner import Nobody, nothing
from tests.p2p.ble.virtual import run


class Hanging(Peripheral):
    """A platform where nothing ever returns once `stuck`."""

    def __init__(self) -> None:
        self.stuck = False
        self.on_value: OnValue = lambda device, value, mtu: None

    async def _answer(self) -> None:
        if self.stuck:
            await asyncio.Event().wait()

    async def start(self, on_value: OnValue, on_left: OnLeft) -> None:
        self.on_value = on_value

    async def advertise(self, uuid: str | None) -> None:
        await self._answer()

    async def notify(self, device: Device, value: bytes) -> bool:
        await self._answer()
        return True

    async def stop(self) -> None:
        await self._answer()


class HangingCentral(Central):
    async def scan(self, on_found: Callable[[Found], None]) -> None:
        self._scanner = object()  # type: ignore[assignment]

    async def stop_scan(self) -> None:
        await asyncio.Event().wait()


def answered(now: float) -> BleLink:
    hello = Hello(b"nonc", b"central!", 1, 0, 512)
    return BleLink.answer(hello, number=LinkNumber(7), process=b"periphrl", mtu=517, now=now)


def ack(now: float) -> bytes:
    return bytes([0x40, 7, 0, 7, 0, 0, 8])


def end_with(write: Any, events: list[LinkEvent]) -> BleEnd:
    now = asyncio.get_running_loop().time()
    return BleEnd(
        answered(now),
        write=write,
        mtu_now=lambda: None,
        on_event=lambda end, event: events.append(event),
        on_over=lambda end: None,
    )


def test_failure_09_ready_to_send_never_comes() -> None:
    """The other side still beats; the write that hangs ends the link all the same."""

    async def scene() -> list[LinkEvent]:
        events: list[LinkEvent] = []

        async def write(value: bytes) -> bool:
            await asyncio.Event().wait()
            return True

        end = end_with(write, events)
        for _ in range(20):
            await asyncio.sleep(2)
            end.arrived(ack(0))
        await end.end()
        return events

    assert run(scene())[-1] == Down(Why.GONE)


def test_failure_10_a_value_the_platform_refuses_ends_the_link_and_nothing_is_lost_in_silence() -> None:
    async def scene() -> list[LinkEvent]:
        events: list[LinkEvent] = []

        async def write(value: bytes) -> bool:
            return False

        end_with(write, events)
        await asyncio.sleep(1)
        return events

    assert run(scene()) == [Down(Why.GONE)]


def test_failure_16_whatever_the_platform_raises_means_that_the_link_is_lost() -> None:
    async def scene(error: Exception) -> list[LinkEvent]:
        events: list[LinkEvent] = []

        async def write(value: bytes) -> bool:
            raise error

        end_with(write, events)
        await asyncio.sleep(1)
        return events

    for error in (OSError(), EOFError(), KeyError("x"), RuntimeError("UnknownObject"), AssertionError()):
        assert run(scene(error)) == [Down(Why.GONE)]


def test_failure_34_leaving_takes_seconds_whatever_hangs() -> None:
    async def scene() -> float:
        peripheral, loop = Hanging(), asyncio.get_running_loop()
        links = BleLinks(Radio(HangingCentral(), peripheral, nothing), Nobody())
        await links.start()
        hello = bytes.fromhex("10140000") + b"noncprocess-" + bytes([1, 0, 2, 0])
        peripheral.on_value("phone", hello, 517)
        await links.lookout.start()
        await asyncio.sleep(0.1)
        peripheral.stuck = True
        began = loop.time()
        await links.aclose()
        return loop.time() - began

    assert run(scene()) < 6


def test_failure_28_a_device_that_cannot_advertise_still_joins_and_says_it() -> None:
    async def scene() -> str:
        links = BleLinks(Radio(None, Hanging(), nothing), Nobody())
        await links.start()
        try:
            await links.lookout.look(1.0, lambda seen: False)
        except Exception as error:
            return getattr(error, "reason", repr(error))
        finally:
            await links.aclose()
        return ""

    assert run(scene()) == "bluetooth.no-central"
