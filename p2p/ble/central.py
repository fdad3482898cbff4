"""The central role, on bleak. Every call of the platform is under a time-out and may fail with anything."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL, Advert, NotOurs
from p2p.ble.frames import ATT_OVERHEAD

CONNECT_TIME: Final = 12.0
"""BlueZ needs up to a second to connect and as long to discover; a crowded room several."""
CALL_TIME: Final = 5.0
WRITE_TIME: Final = 20.0
"""Longer than a link lives without being heard: a frozen radio is the link's to judge."""
ANSWERED_EVERY: Final = 8
"""On macOS every such write asks for a response: its queue drops without a word when it is full."""


@dataclass(frozen=True, slots=True)
class Found:
    """A device that advertises as one of ours. `at`: loop time of its last advertisement."""

    advert: Advert
    device: BLEDevice
    rssi: int
    at: float


class CentralLink:
    """One connection that we dialled."""

    def __init__(self, client: BleakClient) -> None:
        self._client = client
        self._writes = 0
        self._characteristic: Any = None
        self.open = False
        """Connected and subscribed; whatever comes or goes before that is the platform's trying."""

    @property
    def mtu(self) -> int:
        """As the platform says now; Windows says 23 first and the truth later."""
        return int(self._characteristic.max_write_without_response_size) + ATT_OVERHEAD

    @property
    def address(self) -> str:
        return self._client.address

    async def make(self, on_value: Callable[[bytes], None], shared: Callable[[], bool]) -> None:
        """Connect, find the characteristics and subscribe. `shared`: the connection serves others as well."""
        try:
            async with asyncio.timeout(CONNECT_TIME):
                await self._client.connect()
                self._characteristic = self._client.services.get_characteristic(TO_PERIPHERAL)
                notifying = self._client.services.get_characteristic(TO_CENTRAL)
                if self._characteristic is None or notifying is None:
                    raise LookupError("not a device of ours")
                await self._client.start_notify(notifying, lambda _, value: on_value(bytes(value)))
            if not self._client.is_connected:
                raise ConnectionError("disconnected at once")
            self.open = True
        except BaseException:
            if not shared():
                await self.close()
            raise

    async def write(self, value: bytes) -> None:
        """Hand one value to the platform."""
        self._writes += 1
        response = sys.platform == "darwin" and self._writes % ANSWERED_EVERY == 0
        async with asyncio.timeout(WRITE_TIME):
            await self._client.write_gatt_char(self._characteristic, value, response=response)

    async def close(self) -> None:
        """Disconnect, in the time that takes; never raises."""
        try:
            async with asyncio.timeout(CALL_TIME):
                await self._client.disconnect()
        except (Exception, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and _cancelled():
                raise


class Central:
    """Scans and dials through one adapter. `client` and `scanner` are bleak's arguments.

    `forget` makes the platform forget an address it failed to reach.
    """

    def __init__(
        self,
        *,
        client: dict[str, Any] | None = None,
        scanner: dict[str, Any] | None = None,
        forget: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._client = client or {}
        self._forget = forget
        self._scanner_arguments = scanner or {}
        self._scanner: BleakScanner | None = None

    @property
    def scanning(self) -> bool:
        return self._scanner is not None

    async def scan(self, on_found: Callable[[Found], None]) -> None:
        """Scan until `stop_scan`. Unfiltered: the UUID we look for differs from device to device."""

        def seen(device: BLEDevice, data: AdvertisementData) -> None:
            for text in data.service_uuids:
                try:
                    advert = Advert.from_uuid(text)
                except NotOurs:
                    continue
                on_found(Found(advert, device, data.rssi, asyncio.get_running_loop().time()))

        scanner = BleakScanner(seen, **self._scanner_arguments)
        async with asyncio.timeout(CALL_TIME):
            await scanner.start()
        self._scanner = scanner

    async def stop_scan(self) -> None:
        scanner, self._scanner = self._scanner, None
        if scanner is not None:
            async with asyncio.timeout(CALL_TIME):
                await scanner.stop()

    async def connect(
        self,
        found: Found,
        on_value: Callable[[bytes], None],
        on_lost: Callable[[], None],
        shared: Callable[[], bool] = lambda: False,
    ) -> CentralLink:
        """One try, one at a time: two at once fail on BlueZ. Raises whatever the platform raises.

        A try may be several of bleak's, which reports the end of each ("le-connection-abort-by-local": two
        centrals answered one advertisement): `on_lost` hears of the connection that came of it alone.
        """

        def lost(_: BleakClient) -> None:
            if link.open:
                on_lost()

        client = BleakClient(
            found.device,
            disconnected_callback=lost,
            services=[SERVICE],
            timeout=CONNECT_TIME,
            **self._client,
        )
        link = CentralLink(client)
        try:
            await link.make(on_value, shared)
        except Exception:
            if self._forget is not None and not shared():
                await self._forget(found.device.address)
            raise
        return link


def _cancelled() -> bool:
    """Whether it is this very task that shall end, not a future of the platform's that was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
