"""The few calls we make to bluetoothd, each under a time-out; what it reports, as callbacks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

BLUEZ: Final = "org.bluez"
ADAPTER: Final = "org.bluez.Adapter1"
DEVICE: Final = "org.bluez.Device1"
GATT: Final = "org.bluez.GattManager1"
ADVERTISING: Final = "org.bluez.LEAdvertisingManager1"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"
CALL_TIME: Final = 5.0


class BluezError(Exception):
    """bluetoothd said no; `name` is its error."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        super().__init__(f"{name}: {text}")


class BluezBus:
    """A connection to the system bus. `on_restart` hears when bluetoothd comes (back)."""

    def __init__(self, bus: MessageBus) -> None:
        self.bus = bus
        self.on_restart: Callable[[], None] = lambda: None
        self.on_device: Callable[[str, dict[str, Any]], None] = lambda path, changed: None
        bus.add_message_handler(self._message)

    @classmethod
    async def open(cls) -> BluezBus:
        """Raises OSError or a D-Bus error where there is no system bus."""
        async with asyncio.timeout(CALL_TIME):
            bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        self = cls(bus)
        for rule in (
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
            f"type='signal',sender='{BLUEZ}',interface='{PROPERTIES}',arg0='{DEVICE}'",
        ):
            await self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", [rule],
                            to="org.freedesktop.DBus")  # fmt: skip
        return self

    def close(self) -> None:
        self.bus.disconnect()

    async def call(
        self, path: str, interface: str, member: str, signature: str = "", body: list[Any] | None = None,
        *, to: str = BLUEZ,
    ) -> list[Any]:  # fmt: skip
        """The reply's body. Raises `BluezError`, TimeoutError."""
        message = Message(
            destination=to,
            path=path,
            interface=interface,
            member=member,
            signature=signature,
            body=body or [],
        )
        async with asyncio.timeout(CALL_TIME):
            reply = await self.bus.call(message)
        if reply is None or reply.message_type is MessageType.ERROR:
            name = "" if reply is None else str(reply.error_name)
            raise BluezError(name, "" if reply is None else str(reply.body))
        return list(reply.body)

    async def objects(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Everything bluetoothd has: path → interface → property → value."""
        body = await self.call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return {
            path: {name: {key: v.value for key, v in values.items()} for name, values in interfaces.items()}
            for path, interfaces in body[0].items()
        }

    async def adapters(self) -> dict[str, dict[str, dict[str, Any]]]:
        """As `objects`, the adapters alone, in order of their names."""
        everything = await self.objects()
        return {path: has for path, has in sorted(everything.items()) if ADAPTER in has}

    async def get(self, path: str, interface: str, name: str) -> Any:
        return (await self.call(path, PROPERTIES, "Get", "ss", [interface, name]))[0].value

    async def set(self, path: str, interface: str, name: str, signature: str, value: Any) -> None:
        variant = Variant(signature, value)
        await self.call(path, PROPERTIES, "Set", "ssv", [interface, name, variant])

    def _message(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            return
        if message.member == "NameOwnerChanged" and message.body[0] == BLUEZ:
            if message.body[2]:
                self.on_restart()
        elif message.member == "PropertiesChanged" and message.body[0] == DEVICE:
            changed = {key: variant.value for key, variant in message.body[1].items()}
            self.on_device(str(message.path), changed)
