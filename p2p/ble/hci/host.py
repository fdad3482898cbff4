"""One controller and bumble's host on it: what both roles share. Numbers as in the package's docstring."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from bleak.exc import BleakError
from bumble import hci
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport import open_transport

LARGEST_MTU: Final = 517
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


def _transport_name(name: str) -> str:
    return name.replace("tcp:", "tcp-client:", 1) if name.startswith("tcp:") else name


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
