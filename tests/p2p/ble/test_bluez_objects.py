"""What BlueZ would read from us, and the sockets it would get. Real BlueZ: `pytest -m vm`."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from typing import Any

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("BlueZ is Linux's", allow_module_level=True)
pytest.importorskip("dbus_fast")

from dbus_fast import Variant
from dbus_fast.errors import DBusError
from dbus_fast.service import ServiceInterface

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL
from p2p.ble.bluez.objects import Advertisement, Notified, Service, Written, WrittenBySocket

DEVICE = "/org/bluez/hci0/dev_00_D0_0D_00_00_02"


def shape(one: ServiceInterface) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """Properties with their types; methods with the types in and out."""
    node = one.introspect()
    methods = {
        method.name: (
            "".join(a.signature for a in method.in_args),
            "".join(a.signature for a in method.out_args),
        )
        for method in node.methods
    }
    return {prop.name: prop.signature for prop in node.properties}, methods


def test_the_advertisement_is_discoverable_and_has_one_uuid() -> None:
    properties, methods = shape(Advertisement("uuid", lambda: None))
    assert properties == {
        "Type": "s", "ServiceUUIDs": "as", "Discoverable": "b", "MinInterval": "u", "MaxInterval": "u",
    }  # fmt: skip
    assert methods == {"Release": ("", "")}


def test_the_service_and_its_characteristics() -> None:
    assert shape(Service()) == ({"UUID": "s", "Primary": "b"}, {})
    written = shape(Written(lambda device, value, mtu: None))
    by_socket = shape(WrittenBySocket(lambda device, value, mtu: None, lambda device, ours, mtu: None))
    notified = shape(Notified(lambda device, ours, mtu: None))
    common = {"UUID": "s", "Service": "o", "Flags": "as"}
    assert written == (common, {"WriteValue": ("aya{sv}", "")})
    assert by_socket[0] == {**common, "WriteAcquired": "b"}
    assert by_socket[1] == {"WriteValue": ("aya{sv}", ""), "AcquireWrite": ("a{sv}", "hq")}
    assert notified == ({**common, "NotifyAcquired": "b", "Value": "ay"}, {"AcquireNotify": ("a{sv}", "hq")})
    assert len({SERVICE, TO_CENTRAL, TO_PERIPHERAL}) == 3


def test_a_write_in_pieces_is_refused_and_a_whole_one_names_its_device() -> None:
    got: list[tuple[str, bytes, int]] = []
    one = Written(lambda device, value, mtu: got.append((device, value, mtu)))
    write: Any = Written.write_value.__wrapped__  # type: ignore[attr-defined]
    write(one, b"whole", {"device": Variant("o", DEVICE), "mtu": Variant("q", 247)})
    assert got == [(DEVICE, b"whole", 247)]
    with pytest.raises(DBusError):
        write(one, b"piece", {"device": Variant("o", DEVICE), "offset": Variant("q", 18)})
    assert len(got) == 1


async def test_a_socket_for_each_central_that_tells_when_it_left() -> None:
    given: list[tuple[str, socket.socket, int]] = []
    one = Notified(lambda device, ours, mtu: given.append((device, ours, mtu)))
    acquire: Any = Notified.acquire_notify.__wrapped__  # type: ignore[attr-defined]
    theirs, mtu = acquire(one, {"device": Variant("o", DEVICE), "mtu": Variant("q", 517)})
    device, ours, _ = given[0]
    assert (device, mtu) == (DEVICE, 515)
    copy = socket.socket(fileno=os.dup(theirs))
    ours.send(b"value")
    assert copy.recv(600) == b"value"
    await asyncio.sleep(1.1)
    copy.close()
    assert ours.recv(600) == b""
    ours.close()
