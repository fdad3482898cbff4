"""The peripheral role on a controller of our own. Numbers are those of the package's docstring."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

from bumble import core
from bumble.device import Connection, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL
from p2p.ble.hci.host import HciHost
from p2p.ble.peripheral import Device as Remote
from p2p.ble.peripheral import OnLeft, OnValue, Peripheral

ADVERTISE_EVERY_MS: Final = 100.0


class HciPeripheral(Peripheral):
    """The peripheral role over an `HciHost`. A device is bumble's connection."""

    def __init__(self, host: HciHost) -> None:
        self._host = host
        self._uuid: str | None = None
        self._one_at_a_time = asyncio.Lock()
        self._notified: Characteristic[bytes] = Characteristic(
            TO_CENTRAL, Characteristic.Properties.NOTIFY, Characteristic.Permissions(0)
        )
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, on_value: OnValue, on_left: OnLeft) -> None:
        properties = Characteristic.Properties.WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE
        write: Any = CharacteristicValue(write=lambda c, value: on_value(c, bytes(value), c.att_mtu))
        written = Characteristic(TO_PERIPHERAL, properties, Characteristic.WRITEABLE, write)
        self._host.device.add_service(Service(SERVICE, [written, self._notified]))

        def connected(connection: Connection) -> None:
            connection.on(connection.EVENT_DISCONNECTION, lambda _: left(connection))
            self._again()

        def left(connection: Connection) -> None:
            on_left(connection)
            self._again()

        self._host.device.on(Device.EVENT_CONNECTION, connected)

    async def advertise(self, uuid: str | None) -> None:
        self._uuid = uuid
        await self._advertise()

    async def notify(self, device: Remote, value: bytes) -> bool:
        connections = list(self._host.device.connections.values())
        if device not in connections or not isinstance(device, Connection):
            return False
        for connection in connections if self._host.broadcast else [device]:
            await self._host.device.notify_subscriber(connection, self._notified, value)
        await self._host.room(device)
        return True

    def address(self, device: Remote) -> str | None:
        return str(device.peer_address) if isinstance(device, Connection) else None

    async def stop(self) -> None:
        self._uuid = None
        for task in self._tasks:
            task.cancel()
        with suppress(Exception):
            await self._host.whole(self._host.device.stop_advertising())

    def _again(self) -> None:
        """(9)"""
        if self._uuid is not None:
            task = asyncio.get_running_loop().create_task(self._advertise())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _advertise(self) -> None:
        async with self._one_at_a_time:
            with suppress(core.BaseBumbleError):
                await self._host.whole(self._host.device.stop_advertising())
                if self._uuid is not None:
                    await self._host.whole(
                        self._host.device.start_advertising(
                            advertising_data=b"\x02\x01\x06\x11\x07" + core.UUID(self._uuid).to_bytes(),
                            scan_response_data=b"",
                            advertising_interval_min=ADVERTISE_EVERY_MS,
                            advertising_interval_max=ADVERTISE_EVERY_MS,
                        )
                    )
