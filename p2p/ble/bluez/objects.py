"""What we export to BlueZ: an advertisement, one service and its two characteristics.

Source: BlueZ doc/org.bluez.GattCharacteristic.rst, org.bluez.LEAdvertisement.rst. A characteristic with the
property `WriteAcquired` or `NotifyAcquired` offers sockets: BlueZ then asks for one per central and no value
passes through D-Bus. `Discoverable` is needed: without it BlueZ scanners do not report the advertisement.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Annotated, Any, Final

from dbus_fast import PropertyAccess
from dbus_fast.annotations import (
    DBusBool,
    DBusBytes,
    DBusDict,
    DBusObjectPath,
    DBusSignature,
    DBusStr,
    DBusUInt32,
)
from dbus_fast.errors import DBusError
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL
from p2p.ble.frames import ATT_OVERHEAD, LONGEST_VALUE

ROOT: Final = "/durak"
SERVICE_PATH: Final = f"{ROOT}/service"
WRITTEN_PATH: Final = f"{SERVICE_PATH}/written"
NOTIFIED_PATH: Final = f"{SERVICE_PATH}/notified"
ADVERT_PATH: Final = f"{ROOT}/advert"
ADVERTISE_EVERY_MS: Final = 100
DEFAULT_MTU: Final = 23
HAND_OVER: Final = 1.0
"""Seconds after which our copy of the socket given to BlueZ is closed: the reply has left by then."""

Nothing = Annotated[None, DBusSignature("")]
Strings = Annotated[list[str], DBusSignature("as")]
Socket = Annotated[list[int], DBusSignature("hq")]
OnSocket = Callable[[str, socket.socket, int], None]


class Advertisement(ServiceInterface):
    """`org.bluez.LEAdvertisement1` with one UUID. `on_release`: BlueZ has dropped it."""

    def __init__(self, uuid: str, on_release: Callable[[], None]) -> None:
        super().__init__("org.bluez.LEAdvertisement1")
        self._uuid = uuid
        self._on_release = on_release

    @dbus_method(name="Release")
    def release(self) -> Nothing:
        self._on_release()

    @dbus_property(PropertyAccess.READ, name="Type")
    def kind(self) -> DBusStr:
        return "peripheral"

    @dbus_property(PropertyAccess.READ, name="ServiceUUIDs")
    def uuids(self) -> Strings:
        return [self._uuid]

    @dbus_property(PropertyAccess.READ, name="Discoverable")
    def discoverable(self) -> DBusBool:
        return True

    @dbus_property(PropertyAccess.READ, name="MinInterval")
    def shortest(self) -> DBusUInt32:
        return ADVERTISE_EVERY_MS

    @dbus_property(PropertyAccess.READ, name="MaxInterval")
    def longest(self) -> DBusUInt32:
        return ADVERTISE_EVERY_MS


class Service(ServiceInterface):
    """`org.bluez.GattService1`."""

    def __init__(self) -> None:
        super().__init__("org.bluez.GattService1")

    @dbus_property(PropertyAccess.READ, name="UUID")
    def uuid(self) -> DBusStr:
        return SERVICE

    @dbus_property(PropertyAccess.READ, name="Primary")
    def primary(self) -> DBusBool:
        return True


class _Characteristic(ServiceInterface):
    def __init__(self, uuid: str, flags: list[str], *, sockets: bool) -> None:
        super().__init__("org.bluez.GattCharacteristic1")
        self._uuid = uuid
        self._flags = flags
        self.sockets = sockets

    @dbus_property(PropertyAccess.READ, name="UUID")
    def uuid(self) -> DBusStr:
        return self._uuid

    @dbus_property(PropertyAccess.READ, name="Service")
    def service(self) -> DBusObjectPath:
        return SERVICE_PATH

    @dbus_property(PropertyAccess.READ, name="Flags")
    def flags(self) -> Strings:
        return self._flags


class Written(_Characteristic):
    """The characteristic centrals write. A value that came in pieces (an offset) is refused."""

    def __init__(self, on_value: Callable[[str, bytes, int], None]) -> None:
        super().__init__(TO_PERIPHERAL, ["write", "write-without-response"], sockets=False)
        self._on_value = on_value

    @dbus_method(name="WriteValue")
    def write_value(self, value: DBusBytes, options: DBusDict) -> Nothing:
        if _option(options, "offset", 0):
            raise DBusError("org.bluez.Error.InvalidOffset", "values come whole")
        device = str(_option(options, "device", ""))
        self._on_value(device, bytes(value), int(_option(options, "mtu", DEFAULT_MTU)))


class WrittenBySocket(Written):
    """As `Written`, by a socket for each central that writes without response."""

    def __init__(self, on_value: Callable[[str, bytes, int], None], on_socket: OnSocket) -> None:
        super().__init__(on_value)
        self._on_socket = on_socket

    @dbus_property(PropertyAccess.READ, name="WriteAcquired")
    def write_acquired(self) -> DBusBool:
        return False

    @dbus_method(name="AcquireWrite")
    def acquire_write(self, options: DBusDict) -> Socket:
        return _socket(options, self._on_socket)


class Notified(_Characteristic):
    """The characteristic we notify, by a socket for each central that has subscribed, or all at once."""

    def __init__(self, on_socket: OnSocket) -> None:
        super().__init__(TO_CENTRAL, ["notify"], sockets=True)
        self._on_socket = on_socket
        self._value = b""

    @dbus_property(PropertyAccess.READ, name="Value")
    def value(self) -> DBusBytes:
        return self._value

    def tell_all(self, value: bytes) -> None:
        """Notify every central that has subscribed."""
        self._value = value
        self.emit_properties_changed({"Value": value})

    @dbus_property(PropertyAccess.READ, name="NotifyAcquired")
    def notify_acquired(self) -> DBusBool:
        return False

    @dbus_method(name="AcquireNotify")
    def acquire_notify(self, options: DBusDict) -> Socket:
        return _socket(options, self._on_socket)


def _socket(options: DBusDict, on_socket: OnSocket) -> list[int]:
    """A pair of which BlueZ gets one end; ours reads end of file when BlueZ closes its own."""
    device = str(_option(options, "device", ""))
    mtu = int(_option(options, "mtu", DEFAULT_MTU))
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
    on_socket(device, ours, mtu)
    given = theirs.detach()
    asyncio.get_running_loop().call_later(HAND_OVER, os.close, given)
    return [given, max(DEFAULT_MTU, min(mtu, LONGEST_VALUE + ATT_OVERHEAD))]


def _option(options: DBusDict, key: str, default: Any) -> Any:
    variant = options.get(key)
    return default if variant is None else variant.value
