"""bleak's scanner and client over a controller of our own. Numbers are those of the package's docstring."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from bleak.args import SizedBuffer
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError
from bumble import core
from bumble.device import Connection, Device, Peer

from p2p.ble.advert import SERVICE
from p2p.ble.frames import ATT_OVERHEAD, LONGEST_VALUE
from p2p.ble.hci.host import DIAL_TIME, HciHost


class HciScanner(BaseBleakScanner):
    """bleak's scanner over an `HciHost`."""

    def __init__(self, callback: Any, uuids: Any, mode: str, *, host: HciHost, **_: Any) -> None:
        super().__init__(callback, uuids)
        self._host = host

    async def start(self) -> None:
        self.seen_devices = {}
        self._host.device.on(Device.EVENT_ADVERTISEMENT, self._seen)
        await self._host.whole(self._host.device.start_scanning(legacy=True, filter_duplicates=False))

    async def stop(self) -> None:
        self._host.device.remove_listener(Device.EVENT_ADVERTISEMENT, self._seen)
        await self._host.whole(self._host.device.stop_scanning(legacy=True))

    def _seen(self, advertisement: Any) -> None:
        uuids = [
            str(core.UUID.from_bytes(bytes(data)[place : place + 16])).lower()
            for kind, data in advertisement.data.ad_structures
            if kind in (0x06, 0x07)
            for place in range(0, len(data) - 15, 16)
        ]
        data = AdvertisementData(None, {}, {}, uuids, None, advertisement.rssi, (advertisement,))
        address = str(advertisement.address)
        device = self.create_or_update_device(address, address, None, advertisement, data)
        self.call_detection_callbacks(device, data)


class HciClient(BaseBleakClient):
    """bleak's client over an `HciHost`."""

    def __init__(self, device: BLEDevice | str, *, host: HciHost, **arguments: Any) -> None:
        super().__init__(
            device,
            disconnected_callback=arguments.get("disconnected_callback"),
            timeout=arguments.get("timeout", DIAL_TIME),
        )
        self._host = host
        self._connection: Connection | None = None
        self._peer: Peer | None = None

    @property
    def mtu_size(self) -> int:
        return 23 if self._connection is None else self._connection.att_mtu

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    async def connect(self, pair: bool, **_: Any) -> None:  # noqa: FBT001 — bleak's signature
        connection = self._connection = await self._host.dial(self.address)
        connection.on(connection.EVENT_DISCONNECTION, self._lost)
        if not self._host.stands(connection):
            self._connection = None
            raise BleakError("disconnected at once")
        peer = self._peer = Peer(connection)
        try:
            await peer.request_mtu(self._host.mtu)
            await peer.discover_service(SERVICE)
            services = BleakGATTServiceCollection()
            for found in peer.services:
                service = BleakGATTService(found, found.handle, str(found.uuid).lower())
                services.add_service(service)
                for one in await found.discover_characteristics():
                    services.add_characteristic(
                        BleakGATTCharacteristic(
                            one,
                            one.handle,
                            str(one.uuid).lower(),
                            [],
                            lambda: min(LONGEST_VALUE, self.mtu_size - ATT_OVERHEAD),
                            service,
                        )
                    )
            self.services = services
        except asyncio.CancelledError as error:
            raise _unmasked(error) from error  # (8)

    async def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and self._host.stands(connection):
            with suppress(core.BaseBumbleError):
                await self._host.whole(connection.disconnect())

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **_: Any
    ) -> None:
        try:
            await characteristic.obj.subscribe(lambda value: callback(bytearray(value)))
        except asyncio.CancelledError as error:
            raise _unmasked(error) from error  # (8)

    async def write_gatt_char(
        self,
        characteristic: BleakGATTCharacteristic,
        data: SizedBuffer,
        response: bool,  # noqa: FBT001
    ) -> None:
        if self._connection is None:
            raise BleakError("not connected")
        try:
            await characteristic.obj.write_value(bytes(data), with_response=response)
            await self._host.room(self._connection)
        except asyncio.CancelledError as error:
            raise _unmasked(error) from error  # (8)

    async def pair(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError

    async def unpair(self) -> None:
        raise NotImplementedError

    async def read_gatt_char(self, characteristic: BleakGATTCharacteristic, **_: Any) -> bytearray:
        raise NotImplementedError

    async def read_gatt_descriptor(self, descriptor: BleakGATTDescriptor, **_: Any) -> bytearray:
        raise NotImplementedError

    async def write_gatt_descriptor(self, descriptor: BleakGATTDescriptor, data: SizedBuffer) -> None:
        raise NotImplementedError

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        await characteristic.obj.unsubscribe()

    def _lost(self, _: Any) -> None:
        self._connection = None
        if self._disconnected_callback is not None:
            self._disconnected_callback()


def _unmasked(error: asyncio.CancelledError) -> BaseException:
    task = asyncio.current_task()
    return error if task is not None and task.cancelling() else BleakError("disconnected")
