"""Both roles over a controller of our own: bumble's host stack on an HCI transport, without BlueZ.

Opened by name only (`--ble-hci tcp:HOST:PORT`, or any transport bumble knows, such as `usb:0`); needs the
extra `hci`. The host has defects of its own, numbered as they were met with bumble 0.0.236: (1) a dial
resolves with any new connection, an incoming one too; (8) a disconnection cancels the request under way,
which looks like the cancellation of our task; (9) advertising stops at each connection and is not resumed;
(10) a command whose caller is cancelled breaks the next one.
"""

from __future__ import annotations

from typing import Any

from p2p.ble.central import Central
from p2p.ble.hci.backend import HciClient, HciScanner
from p2p.ble.hci.host import HciHost
from p2p.ble.hci.peripheral import HciPeripheral
from p2p.ble.radio import NoBluetooth, Radio


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
