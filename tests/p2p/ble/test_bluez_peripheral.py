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

from p2p.ble.bluez.bus import BluezBus, BluezError
from p2p.ble.bluez.objects import NOTIFIED_PATH, WRITTEN_PATH, Notified, WrittenBySocket
from p2p.ble.bluez.peripheral import BluezPeripheral

DEVICE = "/org/bluez/hci0/dev_00_D0_0D_00_00_02"
OTHER = "/org/bluez/hci0/dev_00_D0_0D_00_00_03"
OPTIONS = {"device": Variant("o", DEVICE), "mtu": Variant("q", 247)}


class Bus:
    """A bluetoothd that agrees to everything. `exported` has what it could ask."""

    def __init__(self) -> None:
        self.bus = self
        self.exported: dict[str, ServiceInterface] = {}
        self.calls: list[str] = []
        self.connected = True
        """Whether centrals are, as it would say."""

    def export(self, path: str, one: ServiceInterface) -> None:
        self.exported[path] = one

    def unexport(self, path: str) -> None:
        del self.exported[path]

    async def call(self, path: str, interface: str, member: str, *rest: Any) -> list[Any]:
        self.calls.append(member)
        return []

    async def get(self, path: str, interface: str, name: str) -> Any:
        return self.connected if name == "Connected" else True

    def acquire_write(self, device: str = DEVICE) -> socket.socket:
        acquire: Any = WrittenBySocket.acquire_write.__wrapped__  # type: ignore[attr-defined]
        return self._given(acquire(self.exported[WRITTEN_PATH], OPTIONS | {"device": Variant("o", device)}))

    def acquire_notify(self, device: str = DEVICE) -> socket.socket:
        acquire: Any = Notified.acquire_notify.__wrapped__  # type: ignore[attr-defined]
        return self._given(acquire(self.exported[NOTIFIED_PATH], OPTIONS | {"device": Variant("o", device)}))

    def told_all(self) -> list[bytes]:
        """What every central hears: collects from now on."""
        values: list[bytes] = []
        notified: Any = self.exported[NOTIFIED_PATH]
        notified.emit_properties_changed = lambda changed: values.append(changed["Value"])
        return values

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


async def test_a_central_whose_socket_ends_and_who_is_not_connected_has_left() -> None:
    place = await Place().start()
    place.bus.connected = False
    written, notified = place.bus.acquire_write(), place.bus.acquire_notify()
    await asyncio.sleep(1.1)
    notified.close()
    await asyncio.sleep(0.05)
    assert place.left == [DEVICE]
    assert not await place.peripheral.notify(DEVICE, b"too late")
    assert written.recv(600) == b""
    written.close()
    await place.peripheral.stop()


async def test_a_central_robbed_of_its_socket_stays_and_is_told_with_everybody() -> None:
    """What BlueZ 5.82 does: another central leaves, and the oldest notifying socket is closed."""
    place = await Place().start()
    written, notified = place.bus.acquire_write(), place.bus.acquire_notify()
    other = place.bus.acquire_notify(OTHER)
    await asyncio.sleep(1.1)
    told_all = place.bus.told_all()
    notified.close()
    place.peripheral._device_changed(OTHER, {"Connected": False})
    await asyncio.sleep(0.05)
    assert place.left == [OTHER]
    assert await place.peripheral.notify(DEVICE, b"still here")
    assert told_all == [b"still here"]
    written.send(b"value")
    await asyncio.sleep(0.05)
    assert place.values == [(DEVICE, b"value", 247)]
    assert not await place.peripheral.notify(OTHER, b"gone")
    assert other.recv(600) == b""
    place.peripheral._device_changed(DEVICE, {"Connected": False})
    assert place.left == [OTHER, DEVICE]
    assert not await place.peripheral.notify(DEVICE, b"too late")
    assert written.recv(600) == b""
    for one in (written, other):
        one.close()
    await place.peripheral.stop()


async def test_a_value_that_meets_the_end_of_a_socket_is_told_with_everybody_too() -> None:
    place = await Place().start()
    notified = place.bus.acquire_notify()
    await asyncio.sleep(1.1)
    told_all = place.bus.told_all()
    notified.close()
    assert await place.peripheral.notify(DEVICE, b"at that moment")
    assert told_all == [b"at that moment"]
    assert place.left == []
    again = place.bus.acquire_notify()
    assert await place.peripheral.notify(DEVICE, b"by socket")
    assert again.recv(600) == b"by socket"
    assert len(told_all) == 1
    await asyncio.sleep(0.05)
    assert place.left == [], "who has a new socket is not asked after any more"
    again.close()
    await place.peripheral.stop()
    await asyncio.sleep(1.1)


async def test_bluetoothd_gone_means_that_all_centrals_are() -> None:
    place = await Place().start()
    notified = place.bus.acquire_notify()
    await asyncio.sleep(1.1)

    async def nobody_answers(path: str, interface: str, name: str) -> Any:
        raise BluezError("org.freedesktop.DBus.Error.ServiceUnknown", "")

    place.bus.get = nobody_answers  # type: ignore[method-assign]
    notified.close()
    await asyncio.sleep(0.05)
    assert place.left == [DEVICE]
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
