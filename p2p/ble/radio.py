"""What a device has to talk Bluetooth with: a central, a peripheral, or both; and how to open it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from p2p.ble.central import Central
from p2p.ble.peripheral import Peripheral
from p2p.errors import NetworkError


class NoBluetooth(NetworkError):
    """This device cannot talk Bluetooth now; `reason` says what is missing."""

    reason = "bluetooth.none"


@dataclass(frozen=True, slots=True)
class Radio:
    """The roles this device can take; None where it cannot. `close` frees what stands below both."""

    central: Central | None
    peripheral: Peripheral | None
    close: Callable[[], Awaitable[None]]


async def open_radio(hci: str = "", *, adapter: str = "") -> Radio:
    """The radio of this platform, or the controller named by `hci`. Raises `NoBluetooth`.

    `hci` needs the optional package bumble; `adapter` is BlueZ's name, such as `hci1`.
    """
    if hci:
        module = _module("p2p.ble.hci", "bluetooth.no-hci-package")
    elif sys.platform.startswith("linux"):
        module = _module("p2p.ble.bluez", "bluetooth.no-package")
    else:
        module = _module("p2p.ble.desktop", "bluetooth.no-package")
    radio = await module.open_radio(hci or adapter)
    assert isinstance(radio, Radio)
    return radio


def _module(name: str, missing: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NoBluetooth(missing) from error
