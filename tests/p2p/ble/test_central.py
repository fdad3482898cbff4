"""Dialling through bleak, whose tries may fail and be made again before anything comes of them."""

from __future__ import annotations

from typing import Any

import pytest
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.device import BLEDevice
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL, Advert
from p2p.ble.central import Central, Found


class Client(BaseBleakClient):
    """Connects after so many `aborted` tries, each of which it reports as a disconnection, as on BlueZ."""

    made: Client
    mtu_size = 247

    def __init__(self, device: Any, *, aborted: int = 0, brief: bool = False, **arguments: Any) -> None:
        super().__init__(device, disconnected_callback=arguments["disconnected_callback"], timeout=1)
        self._aborted = aborted
        self._brief = brief
        self.disconnects = 0
        self._connected = False
        type(self).made = self

    @property
    def is_connected(self) -> bool:
        return self._connected

    def lose(self) -> None:
        self._connected = False
        assert self._disconnected_callback is not None
        self._disconnected_callback()

    async def connect(self, pair: bool, **_: Any) -> None:  # noqa: FBT001 — bleak's signature
        for _ in range(self._aborted):
            self.lose()
        self._connected = True
        services = BleakGATTServiceCollection()
        service = BleakGATTService(None, 1, SERVICE)
        services.add_service(service)
        for handle, uuid in ((2, TO_PERIPHERAL), (4, TO_CENTRAL)):
            services.add_characteristic(BleakGATTCharacteristic(None, handle, uuid, [], lambda: 244, service))
        self.services = services

    async def disconnect(self) -> None:
        self.disconnects += 1
        self._connected = False

    async def start_notify(self, characteristic: Any, callback: Any, **_: Any) -> None:
        if self._brief:
            self.lose()

    async def pair(self, *_: Any, **__: Any) -> None: ...

    async def unpair(self) -> None: ...

    async def read_gatt_char(self, *_: Any, **__: Any) -> bytearray:
        return bytearray()

    async def read_gatt_descriptor(self, *_: Any, **__: Any) -> bytearray:
        return bytearray()

    async def write_gatt_char(self, *_: Any, **__: Any) -> None: ...

    async def write_gatt_descriptor(self, *_: Any, **__: Any) -> None: ...

    async def stop_notify(self, *_: Any, **__: Any) -> None: ...


def found() -> Found:
    advert = Advert(b"process-", b"mm", host=False, full=False)
    return Found(advert, BLEDevice("00:00:00:00:00:01", None, {}), -50, 0.0)


async def test_the_end_of_a_try_that_was_made_again_is_not_the_end_of_the_connection() -> None:
    """Two centrals answer one advertisement: bleak tries again by itself, and that connection stands."""
    lost: list[str] = []
    central = Central(client={"backend": Client, "aborted": 2})
    link = await central.connect(found(), lambda value: None, lambda: lost.append("lost"))
    assert lost == []
    assert link.mtu == 247
    Client.made.lose()
    assert lost == ["lost"]


async def test_a_connection_that_ends_while_we_subscribe_is_a_failed_dial() -> None:
    lost: list[str] = []
    central = Central(client={"backend": Client, "brief": True})
    with pytest.raises(ConnectionError):
        await central.connect(found(), lambda value: None, lambda: lost.append("lost"))
    assert lost == []
    assert Client.made.disconnects == 1
