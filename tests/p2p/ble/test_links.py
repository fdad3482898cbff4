"""Places for links: counted whoever dials, also while a connection is being made. Time is virtual."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from bleak.backends.device import BLEDevice

from p2p.ble.advert import Advert
from p2p.ble.central import Central, CentralLink, Found
from p2p.ble.frames import NO_ROOM, Welcome, decode_frame
from p2p.ble.links import BleLinks
from p2p.ble.peripheral import Device, OnLeft, OnValue, Peripheral
from p2p.ble.radio import Radio
from p2p.errors import Refused, Unreachable
from p2p.reasons import Why
from tests.p2p.ble.owner import Nobody, nothing
from tests.p2p.ble.virtual import run

OTHER = b"process-"


class Answering(Peripheral):
    """Remembers which frames it was given for whom."""

    def __init__(self) -> None:
        self.told: list[bytes] = []
        self._on_value: OnValue = lambda device, value, mtu: None

    async def start(self, on_value: OnValue, on_left: OnLeft) -> None:
        self._on_value = on_value

    async def advertise(self, uuid: str | None) -> None: ...

    async def notify(self, device: Device, value: bytes) -> bool:
        self.told.append(value)
        return True

    async def stop(self) -> None: ...

    async def hello(self) -> bool:
        """A stranger says HELLO; whether there was a place for it."""
        nonce = b"nonc"
        self._on_value("phone", bytes.fromhex("10140000") + nonce + b"stranger" + bytes([1, 0, 2, 0]), 517)
        await asyncio.sleep(0.1)
        welcomes = [f for f in map(decode_frame, self.told) if isinstance(f, Welcome) and f.nonce == nonce]
        return not any(welcome.flags & NO_ROOM for welcome in welcomes)


class Slow(Central):
    """Sees one device after `seen_after` seconds; no connection is ever made in less than ten."""

    def __init__(self, seen_after: float) -> None:
        super().__init__()
        self.connects = 0
        self._seen_after = seen_after

    async def scan(self, on_found: Callable[[Found], None]) -> None:
        loop = asyncio.get_running_loop()
        self._scanner = object()  # type: ignore[assignment]
        advert = Advert(OTHER, b"mm", host=False, full=False)
        device = BLEDevice("00:00:00:00:00:01", None, {})
        loop.call_later(self._seen_after, lambda: on_found(Found(advert, device, -50, loop.time())))

    async def stop_scan(self) -> None:
        self._scanner = None

    async def connect(
        self,
        found: Found,
        on_value: Callable[[bytes], None],
        on_lost: Callable[[], None],
        shared: Callable[[], bool] = lambda: False,
    ) -> CentralLink:
        self.connects += 1
        await asyncio.sleep(10)
        raise OSError("out of reach")


class Quick(Slow):
    """Connects at once, for a second; to cut takes two seconds. `order` has what came after what."""

    def __init__(self) -> None:
        super().__init__(seen_after=0)
        self.order: list[str] = []

    async def connect(
        self,
        found: Found,
        on_value: Callable[[bytes], None],
        on_lost: Callable[[], None],
        shared: Callable[[], bool] = lambda: False,
    ) -> CentralLink:
        self.order.append("connect")
        return Connected(self.order, found.device.address, on_lost)


class Connected(CentralLink):
    def __init__(self, order: list[str], address: str, on_lost: Callable[[], None]) -> None:
        self._order = order
        self._address = address
        asyncio.get_running_loop().call_later(1, on_lost)

    @property
    def mtu(self) -> int:
        return 247

    @property
    def address(self) -> str:
        return self._address

    async def write(self, value: bytes) -> None: ...

    async def close(self) -> None:
        await asyncio.sleep(2)
        self._order.append("cut")


def place(central: Slow, scene: Callable[[BleLinks, Answering], Awaitable[None]]) -> None:
    """Play `scene` at a device that has room for one link."""

    async def played() -> None:
        peripheral = Answering()

        links = BleLinks(Radio(central, peripheral, nothing), Nobody(), max_links=1)
        await links.start()
        try:
            await scene(links, peripheral)
        finally:
            await links.aclose()

    run(played())


def test_a_dial_gives_way_to_who_came_while_it_was_looking() -> None:
    central = Slow(seen_after=3)

    async def scene(links: BleLinks, peripheral: Answering) -> None:
        dial = asyncio.create_task(links.dial(OTHER))
        await asyncio.sleep(1)
        assert await peripheral.hello()
        with pytest.raises(Refused) as refused:
            await dial
        assert refused.value.reason == Why.BUSY
        assert central.connects == 0
        assert len(links.ends) == 1

    place(central, scene)


def test_a_connection_being_made_has_its_place() -> None:
    central = Slow(seen_after=0)

    async def scene(links: BleLinks, peripheral: Answering) -> None:
        dial = asyncio.create_task(links.dial(OTHER, tries=1))
        await asyncio.sleep(1)
        assert central.connects == 1
        assert links.full
        assert not await peripheral.hello()
        await asyncio.gather(dial, return_exceptions=True)
        assert not links.full, "a place whose dial came to nothing is free again"

    place(central, scene)


def test_a_dial_waits_until_the_connection_before_it_is_cut() -> None:
    """BlueZ says "connected" for two seconds more, refuses what is asked of it, and then cuts."""
    central = Quick()

    async def scene(links: BleLinks, peripheral: Answering) -> None:
        with pytest.raises(Unreachable):
            await links.dial(OTHER, tries=3)
        await asyncio.sleep(2.5)
        assert central.order == ["connect", "cut"] * 3

    place(central, scene)
