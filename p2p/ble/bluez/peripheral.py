"""The peripheral role on BlueZ, and the radio of a Linux device.

Seen with BlueZ 5.82: a restarted bluetoothd has forgotten service and advertisement; an advertisement may die
after some connections without a word (bluez#1015); before 5.69 one socket serves all centrals and nobody can
tell who wrote to it, so `AcquireWrite` is offered to later versions only; before 5.76 every notification
goes to every central. The link number in each frame is what makes the last harmless. From 5.69 to 5.87 at
least, when an unpaired central leaves, BlueZ closes the oldest of the notifying sockets, whosesoever it is
(`clear_ccc_state` in its src/gatt-database.c names no central): that the socket ended does not mean that its
central left, and who lost it so is notified with everybody.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from contextlib import suppress
from typing import Any, Final

from p2p.ble.bluez.bus import ADAPTER, ADVERTISING, DEVICE, GATT, BluezBus, BluezError
from p2p.ble.bluez.objects import (
    ADVERT_PATH,
    NOTIFIED_PATH,
    ROOT,
    SERVICE_PATH,
    WRITTEN_PATH,
    Advertisement,
    Notified,
    Service,
    Written,
    WrittenBySocket,
)
from p2p.ble.central import Central
from p2p.ble.peripheral import Device, OnLeft, OnValue, Peripheral
from p2p.ble.radio import NoBluetooth, Radio

SOCKET_PER_CENTRAL: Final = (5, 69)
WATCH_EVERY: Final = 10.0
LONGEST_READ: Final = 1_024
RETURN_TIME: Final = 30.0


class BluezPeripheral(Peripheral):
    """Devices are the object paths of BlueZ."""

    def __init__(self, bus: BluezBus, adapter: str, version: tuple[int, int]) -> None:
        self._bus = bus
        self._adapter = adapter
        self._by_socket = version >= SOCKET_PER_CENTRAL
        self._notify: dict[str, socket.socket] = {}
        self._write: dict[str, socket.socket] = {}
        self._robbed: set[str] = set()
        """Centrals whose notifying socket ended, though nobody said that they left."""
        self._notified = Notified(self._notify_socket)
        self._uuid: str | None = None
        self._advertised = False
        self._stopped = False
        self._on_value: OnValue = lambda device, value, mtu: None
        self._on_left: OnLeft = lambda device: None
        self._tasks: set[asyncio.Task[None]] = set()
        self._registering = asyncio.Lock()

    async def start(self, on_value: OnValue, on_left: OnLeft) -> None:
        self._on_value, self._on_left = on_value, on_left
        written: Written = (
            WrittenBySocket(on_value, self._write_socket) if self._by_socket else Written(on_value)
        )
        exported = (
            (SERVICE_PATH, Service()),
            (WRITTEN_PATH, written),
            (NOTIFIED_PATH, self._notified),
        )
        for path, one in exported:
            self._bus.bus.export(path, one)
        self._bus.on_restart = lambda: self._task(self._return())
        self._bus.on_device = self._device_changed
        await self._register()
        self._task(self._watch())

    async def advertise(self, uuid: str | None) -> None:
        self._uuid = uuid
        await self._advertise()

    async def notify(self, device: Device, value: bytes) -> bool:
        central = str(device)
        ours = self._notify.get(central)
        if ours is None and not self._by_socket:
            # an old BlueZ gives one socket for all; whom it names first is as good as any
            central, ours = next(iter(self._notify.items()), (central, None))
        if ours is not None:
            try:
                await asyncio.get_running_loop().sock_sendall(ours, value)
            except OSError:
                self._ended(self._notify, central, ours)
            else:
                return True
        if central not in self._robbed:
            return False
        self._notified.tell_all(value)
        return True

    def address(self, device: Device) -> str | None:
        found = re.search(r"/dev_([0-9A-F_]{17})$", str(device))
        return None if found is None else found[1].replace("_", ":")

    async def stop(self) -> None:
        self._uuid = None
        self._stopped = True
        self._bus.on_restart = lambda: None
        self._bus.on_device = lambda path, changed: None
        self._robbed.clear()
        for task in tuple(self._tasks):
            task.cancel()
        for book in (self._notify, self._write):
            while book:
                self._drop(book.popitem()[1])
        with suppress(Exception):
            await self._bus.call(self._adapter, ADVERTISING, "UnregisterAdvertisement", "o", [ADVERT_PATH])
        with suppress(Exception):
            await self._bus.call(self._adapter, GATT, "UnregisterApplication", "o", [ROOT])

    # — registration —

    async def _register(self) -> None:
        async with self._registering:
            if await self._bus.get(self._adapter, ADAPTER, "Powered") is not True:
                await self._bus.set(self._adapter, ADAPTER, "Powered", "b", value=True)
            try:
                await self._bus.call(self._adapter, GATT, "RegisterApplication", "oa{sv}", [ROOT, {}])
            except BluezError as error:
                if not error.name.endswith("AlreadyExists"):
                    raise

    async def _advertise(self) -> None:
        async with self._registering:
            if self._advertised:
                self._advertised = False
                with suppress(BluezError):
                    await self._bus.call(
                        self._adapter, ADVERTISING, "UnregisterAdvertisement", "o", [ADVERT_PATH]
                    )
                self._bus.bus.unexport(ADVERT_PATH)
            if self._uuid is not None:
                self._bus.bus.export(ADVERT_PATH, Advertisement(self._uuid, self._released))
                self._advertised = True
                await self._bus.call(
                    self._adapter, ADVERTISING, "RegisterAdvertisement", "oa{sv}", [ADVERT_PATH, {}]
                )

    def _released(self) -> None:
        self._task(self._again())

    async def _again(self) -> None:
        with suppress(BluezError, TimeoutError):
            await self._advertise()

    async def _return(self) -> None:
        """bluetoothd is back, and knows nothing of us; its adapters may take a moment."""
        for device in {*self._notify, *self._write, *self._robbed}:
            self._left(device)
        deadline = asyncio.get_running_loop().time() + RETURN_TIME
        while asyncio.get_running_loop().time() < deadline:
            try:
                await self._register()
                await self._advertise()
            except (BluezError, TimeoutError):
                await asyncio.sleep(0.5)
            else:
                return

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_EVERY)
            with suppress(BluezError, TimeoutError):
                active = await self._bus.get(self._adapter, ADVERTISING, "ActiveInstances")
                if self._uuid is not None and not active:
                    await self._register()
                    await self._advertise()

    # — centrals —

    def _notify_socket(self, device: str, ours: socket.socket, mtu: int) -> None:
        self._keep(self._notify, device, ours, mtu)

    def _write_socket(self, device: str, ours: socket.socket, mtu: int) -> None:
        self._keep(self._write, device, ours, mtu)

    def _keep(self, book: dict[str, socket.socket], device: str, ours: socket.socket, mtu: int) -> None:
        if self._stopped:  # until it is told that our service is gone, BlueZ goes on asking
            ours.close()
            return
        if device in book:
            self._drop(book[device])
        if book is self._notify:
            self._robbed.discard(device)
        book[device] = ours
        asyncio.get_running_loop().add_reader(ours, self._readable, book, device, ours, mtu)

    def _drop(self, ours: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(ours)
        ours.close()

    def _readable(self, book: dict[str, socket.socket], device: str, ours: socket.socket, mtu: int) -> None:
        try:
            value = ours.recv(LONGEST_READ)
        except BlockingIOError:
            return
        except OSError:
            value = b""
        if value:
            self._on_value(device, value, mtu)
            return
        self._ended(book, device, ours)

    def _ended(self, book: dict[str, socket.socket], device: str, ours: socket.socket) -> None:
        if book.get(device) is not ours:
            return
        self._drop(book.pop(device))
        if book is self._notify:
            self._robbed.add(device)
            self._task(self._ask_after(device))

    async def _ask_after(self, device: str) -> None:
        """Whether this central is still connected. bluetoothd, if it is there, tells its end itself."""
        connected = False
        with suppress(Exception):
            connected = await self._bus.get(device, DEVICE, "Connected")
        if not connected and device in self._robbed:
            self._left(device)

    def _device_changed(self, device: str, changed: dict[str, Any]) -> None:
        if changed.get("Connected") is False:
            self._left(device)

    def _left(self, device: str) -> None:
        self._robbed.discard(device)
        for book in (self._notify, self._write):
            ours = book.pop(device, None)
            if ours is not None:
                self._drop(ours)
        self._on_left(device)

    def _task(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def bluez_version() -> tuple[int, int]:
    """What `bluetoothctl --version` says; (0, 0) if it says nothing."""
    try:
        process = await asyncio.create_subprocess_exec(
            "bluetoothctl", "--version", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(3.0):
            output, _ = await process.communicate()
    except (OSError, TimeoutError):
        return (0, 0)
    found = re.search(rb"(\d+)\.(\d+)", output)
    return (int(found[1]), int(found[2])) if found else (0, 0)


async def open_radio(adapter: str) -> Radio:
    """The roles of `adapter` (`hci0`; "" for the first). Raises `NoBluetooth` and says what is missing."""
    try:
        bus = await BluezBus.open()
    except Exception as error:
        raise NoBluetooth("bluetooth.no-bus") from error
    try:
        adapters = await bus.adapters()
    except (BluezError, TimeoutError) as error:
        bus.close()
        raise NoBluetooth("bluetooth.no-bluetoothd") from error
    path = next((p for p in adapters if not adapter or p.endswith("/" + adapter)), None)
    if path is None:
        bus.close()
        raise NoBluetooth("bluetooth.no-adapter", name=adapter)
    can = adapters[path]
    peripheral = None
    if GATT in can and ADVERTISING in can:
        peripheral = BluezPeripheral(bus, path, await bluez_version())
    here: dict[str, Any] = {"bluez": {"adapter": os.path.basename(path)}}

    async def forget(address: str) -> None:
        """BlueZ keeps half-dead devices; a dial that failed starts afresh."""
        device = f"{path}/dev_{address.replace(':', '_')}"
        with suppress(BluezError, TimeoutError):
            if not await bus.get(device, DEVICE, "Connected"):
                await bus.call(path, ADAPTER, "RemoveDevice", "o", [device])

    async def close() -> None:
        bus.close()

    return Radio(Central(client=here, scanner=here, forget=forget), peripheral, close)
