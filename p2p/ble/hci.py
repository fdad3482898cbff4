"""Both roles over a controller of our own: bumble's host stack on an HCI transport, without BlueZ.

Opened by name only (`--ble-hci tcp:HOST:PORT`, or any transport bumble knows, such as `usb:0`); needs the
extra `hci`. The host has defects of its own, numbered as they were met with bumble 0.0.236: (1) a dial
resolves with any new connection, an incoming one too; (8) a disconnection cancels the request under way,
which looks like the cancellation of our task; (9) advertising stops at each connection and is not resumed;
(10) a command whose caller is cancelled breaks the next one.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from bleak.args import SizedBuffer
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError
from bumble import core, hci
from bumble.device import Connection, Device, DeviceConfiguration, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.transport import open_transport

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL
from p2p.ble.central import Central
from p2p.ble.frames import ATT_OVERHEAD, LONGEST_VALUE
from p2p.ble.peripheral import Device as Remote
from p2p.ble.peripheral import OnLeft, OnValue, Peripheral
from p2p.ble.radio import NoBluetooth, Radio

LARGEST_MTU: Final = 517
ADVERTISE_EVERY_MS: Final = 100.0
QUEUED_PACKETS: Final = 24
"""ACL packets that may wait for the controller before a write waits as well."""
DIAL_TIME: Final = 6.0


class HciHost:
    """One controller and bumble's host on it. `broadcast`: notify like BlueZ before 5.76, all centrals."""

    def __init__(self, device: Device, transport: Any, *, mtu: int, broadcast: bool) -> None:
        self.device = device
        self.mtu = mtu
        self.broadcast = broadcast
        self._transport = transport
        self._dialling: asyncio.Future[Connection] | None = None
        self._dialled: hci.Address | None = None
        self._working: set[asyncio.Task[Any]] = set()
        device.on(device.EVENT_CONNECTION, self._connected)
        device.on(device.EVENT_CONNECTION_FAILURE, self._failed)

    @classmethod
    async def open(cls, name: str, *, mtu: int = LARGEST_MTU, broadcast: bool = False) -> HciHost:
        """Raises what the transport raises."""
        transport = await open_transport(_transport_name(name))
        raw = bytearray(secrets.token_bytes(6))
        raw[5] |= 0xC0  # a static random address, new each time: nothing to track a device by
        address = hci.Address(bytes(raw), hci.Address.RANDOM_DEVICE_ADDRESS)
        configuration = DeviceConfiguration(name="", address=address)
        device = Device(config=configuration, host=Host(transport.source, transport.sink))
        device.gatt_server.max_mtu = mtu
        await device.power_on()
        return cls(device, transport, mtu=mtu, broadcast=broadcast)

    async def close(self) -> None:
        """Whatever is still under way at the controller is waited for: half a command breaks the host."""
        for work in (self._finished(), self.device.power_off(), self._transport.close(), self._finished()):
            with suppress(Exception):
                async with asyncio.timeout(1.0):
                    await self.whole(work)

    async def dial(self, address: str) -> Connection:
        """The connection to `address`: the one that stands, in whichever role, or a new one."""
        for connection in self.device.connections.values():
            if str(connection.peer_address) == address:
                return connection
        self._dialled = hci.Address(address)
        self._dialling = asyncio.get_running_loop().create_future()
        self.device.connect_own_address_type = hci.OwnAddressType.RANDOM
        try:
            await self.whole(self.device.send_async_command(_create_connection(self._dialled)))
            async with asyncio.timeout(DIAL_TIME):
                connection = await self._dialling
            if connection.role != hci.Role.CENTRAL:  # they dialled us at the same moment
                await self._give_up()
            return connection
        except BaseException:
            await self._give_up()
            raise
        finally:
            self._dialling = None

    async def _give_up(self) -> None:
        with suppress(Exception):
            cancel = hci.HCI_LE_Create_Connection_Cancel_Command()
            await self.whole(self.device.send_sync_command(cancel))

    async def whole(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do this to its end even if the caller is cancelled (10)."""
        task = asyncio.get_running_loop().create_task(work)
        self._working.add(task)
        task.add_done_callback(self._done)
        await asyncio.shield(task)

    def stands(self, connection: Connection) -> bool:
        """Whether this connection is still there; its handle may be another's by now."""
        return self.device.connections.get(connection.handle) is connection

    async def room(self, connection: Connection) -> None:
        """Wait while the controller has too much to send."""
        queue = self.device.host.get_data_packet_queue(connection.handle)
        if queue is not None and queue.pending > QUEUED_PACKETS:
            await queue.drain(connection.handle)

    async def _finished(self) -> None:
        others = self._working - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()

    def _connected(self, connection: Connection) -> None:
        wanted = self._dialling
        ours = connection.role == hci.Role.CENTRAL or connection.peer_address == self._dialled  # (1)
        if wanted is not None and not wanted.done() and ours:
            wanted.set_result(connection)

    def _failed(self, error: Exception) -> None:
        if self._dialling is not None and not self._dialling.done():
            self._dialling.set_exception(BleakError(str(error)))


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


def _transport_name(name: str) -> str:
    return name.replace("tcp:", "tcp-client:", 1) if name.startswith("tcp:") else name


def _unmasked(error: asyncio.CancelledError) -> BaseException:
    task = asyncio.current_task()
    return error if task is not None and task.cancelling() else BleakError("disconnected")


def _create_connection(address: hci.Address) -> hci.HCI_LE_Create_Connection_Command:
    return hci.HCI_LE_Create_Connection_Command(
        le_scan_interval=96,
        le_scan_window=96,
        initiator_filter_policy=0,
        peer_address_type=address.address_type,
        peer_address=address,
        own_address_type=hci.OwnAddressType.RANDOM,
        connection_interval_min=12,
        connection_interval_max=24,
        max_latency=0,
        supervision_timeout=600,
        min_ce_length=0,
        max_ce_length=0,
    )


async def open_radio(name: str) -> Radio:
    """Both roles on the controller behind `name`. Raises `NoBluetooth`."""
    options: dict[str, Any] = {}
    name, _, query = name.partition("?")
    for word in filter(None, query.split("&")):
        key, _, value = word.partition("=")
        options |= {"broadcast": True} if key == "broadcast" else {"mtu": int(value)} if key == "mtu" else {}
    try:
        host = await HciHost.open(name, **options)
    except Exception as error:
        raise NoBluetooth("bluetooth.no-hci", name=name) from error
    central = Central(
        client={"backend": HciClient, "host": host}, scanner={"backend": HciScanner, "host": host}
    )
    return Radio(central, HciPeripheral(host), host.close)
