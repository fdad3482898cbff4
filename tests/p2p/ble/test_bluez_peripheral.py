"""The sockets BlueZ asks us for: one a central and direction, none after the end. Real BlueZ: tests/vm."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from typing import Any, cast

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("BlueZ is Linux's", allow_module_level=True)
pytest.importorskip("dbus_fast")

from dbus_fast import Variant
from dbus_fast.service import ServiceInterface

from p2p.ble.bluez.bus import BluezBus
from p2p.ble.bluez.objects import NOTIFIED_PATH, WRITTEN_PATH, Notified, WrittenBySocket
from p2p.ble.bluez.peripheral import BluezPeripheral

DEVICE = "/org/bluez/hci0/dev_00_D0_0D_00_00_02"
OPTIONS = {"device": Variant("o", DEVICE), "mtu": Variant("q", 247)}


class Bus:
    """A bluetoothd that agrees to everything. `exported` has what it could ask."""

    def __init__(self) -> None:
        self.bus = self
        self.exported: dict[str, ServiceInterface] = {}
        self.calls: list[str] = []

    def export(self, path: str, one: ServiceInterface) -> None:
        self.exported[path] = one

    def unexport(self, path: str) -> None:
        del self.exported[path]

    async def call(self, path: str, interface: str, member: str, *rest: Any) -> list[Any]:
        self.calls.append(member)
        return []

    async def get(self, path: str, interface: str, name: str) -> Any:
        return True

    def acquire_write(self) -> socket.socket:
        acquire: Any = WrittenBySocket.acquire_write.__wrapped__  # type: ignore[attr-defined]
        return self._given(acquire(self.exported[WRITTEN_PATH], OPTIONS))

    def acquire_notify(self) -> socket.socket:
        acquire: Any = Notified.acquire_notify.__wrapped__  # type: ignore[attr-defined]
        return self._given(acquire(self.exported[NOTIFIED_PATH], OPTIONS))

    def _given(self, answer: tuple[int, int]) -> socket.socket:
        """BlueZ's own copy of the end it was handed."""
        one = socket.socket(fileno=os.dup(answer[0]))
        one.settimeout(2.0)
        return one


class Place:
    """A started peripheral and what it reported."""

    def __init__(self) -> None:
        self.bus = Bus()
        self.values: list[tuple[object, bytes, int]] = []
        self.left: list[object] = []
        self.peripheral = BluezPeripheral(cast(BluezBus, self.bus), "/org/bluez/hci0", (5, 82))

    async def start(self) -> Place:
        await self.peripheral.start(lambda *value: self.values.append(value), self.left.append)
        return self


async def test_values_go_through_the_newest_socket_of_a_central() -> None:
    place = await Place().start()
    first, second = place.bus.acquire_write(), place.bus.acquire_write()
    assert first.recv(600) == b"", "the one before is closed"
    second.send(b"value")
    await asyncio.sleep(0.05)
    assert place.values == [(DEVICE, b"value", 247)]
    reading = place.bus.acquire_notify()
    assert await place.peripheral.notify(DEVICE, b"answer")
    assert reading.recv(600) == b"answer"
    await place.peripheral.stop()
    for one in (first, second, reading):
        one.close()
    await asyncio.sleep(1.1)  # until what BlueZ was handed is closed here


async def test_a_central_whose_notifying_socket_ends_has_left() -> None:
    place = await Place().start()
    written, notified = place.bus.acquire_write(), place.bus.acquire_notify()
    await asyncio.sleep(1.1)
    notified.close()
    await asyncio.sleep(0.05)
    assert place.left == [DEVICE]
    assert not await place.peripheral.notify(DEVICE, b"too late")
    assert written.recv(600) == b""
    written.close()
    await place.peripheral.stop()


async def test_whoever_asks_for_a_socket_after_the_end_gets_one_that_is_closed() -> None:
    """BlueZ learns a moment later that our service is gone; until then centrals write to it."""
    place = await Place().start()
    before = [place.bus.acquire_write(), place.bus.acquire_notify()]
    await place.peripheral.stop()
    after = [place.bus.acquire_write(), place.bus.acquire_notify()]
    for one in (*before, *after):
        assert one.recv(600) == b""
        one.close()
    assert place.bus.calls[-2:] == ["UnregisterAdvertisement", "UnregisterApplication"]
    await asyncio.sleep(1.1)
