"""macOS and Windows: the central role on bleak, the peripheral role on bless where it is installed.

What bless 0.3 cannot do, said to people by `durak doctor`: it does not tell centrals apart, so every
notification goes to all of them and the link number alone decides; it does not notice that one left; it drops
notifications in a burst, which the link repairs at the cost of time. Nothing here has met a real device yet.
"""

from __future__ import annotations

import asyncio
import importlib
from contextlib import suppress
from typing import Any, Final

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL
from p2p.ble.central import Central
from p2p.ble.peripheral import Device, OnLeft, OnValue, Peripheral
from p2p.ble.radio import Radio

COMMON_MTU: Final = 185
"""bless tells no MTU; iPhones agree to this one, and the link finds out if it is less."""
PACE: Final = 0.02
"""Seconds between notifications: a burst loses a quarter of them."""


class BlessPeripheral(Peripheral):
    """The peripheral role by bless. All devices are None."""

    limits = ("bluetooth.limit-broadcast", "bluetooth.limit-leaving", "bluetooth.limit-bursts")

    def __init__(self) -> None:
        self._server: Any = None
        self._on_value: OnValue | None = None
        self._paced = asyncio.Lock()

    async def start(self, on_value: OnValue, on_left: OnLeft) -> None:
        self._on_value = on_value

    async def advertise(self, uuid: str | None) -> None:
        """bless advertises the services it has: the UUID is that of an empty service beside ours."""
        await self.stop()
        if uuid is None:
            return
        bless = importlib.import_module("bless")  # an optional package without types
        server = bless.BlessServer(name="", loop=asyncio.get_running_loop())
        server.write_request_func = self._written
        await server.add_new_service(uuid)
        await server.add_new_service(SERVICE)
        flags, permissions = bless.GATTCharacteristicProperties, bless.GATTAttributePermissions
        write = flags.write | flags.write_without_response
        await server.add_new_characteristic(SERVICE, TO_PERIPHERAL, write, None, permissions.writeable)
        await server.add_new_characteristic(SERVICE, TO_CENTRAL, flags.notify, None, permissions.readable)
        await server.start()
        self._server = server

    async def notify(self, device: Device, value: bytes) -> bool:
        server = self._server
        if server is None:
            return False
        async with self._paced:
            server.get_characteristic(TO_CENTRAL).value = bytearray(value)
            server.update_value(SERVICE, TO_CENTRAL)
            await asyncio.sleep(PACE)
        return True

    async def stop(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(2.0):
                    await server.stop()

    def _written(self, characteristic: Any, value: Any, **_: Any) -> None:
        if self._on_value is not None and str(characteristic.uuid).lower() == TO_PERIPHERAL:
            self._on_value(None, bytes(value), COMMON_MTU)


async def open_radio(_: str) -> Radio:
    """The central always; the peripheral if bless is installed."""
    peripheral: Peripheral | None = None
    with suppress(ImportError):
        importlib.import_module("bless")
        peripheral = BlessPeripheral()

    async def close() -> None:
        return None

    return Radio(Central(), peripheral, close)
