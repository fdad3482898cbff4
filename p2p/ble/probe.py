"""What this device can do over Bluetooth, as facts for `durak doctor --ble`. Message ids, never sentences."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
from dataclasses import dataclass, field
from typing import Final

from p2p.ble.advert import MARK_BYTES, Advert
from p2p.ble.central import Found
from p2p.ble.frames import PROCESS_BYTES
from p2p.ble.radio import NoBluetooth, Radio, open_radio

LOOK_TIME: Final = 3.0
CALL_TIME: Final = 5.0
PER_CENTRAL: Final = (5, 76)
SOCKET_PER_CENTRAL: Final = (5, 69)


@dataclass(frozen=True, slots=True)
class Fact:
    """`good`: nothing to do about it. `message` is an id, `params` fill its text."""

    message: str
    params: dict[str, object] = field(default_factory=dict)
    good: bool = True


async def probe(hci: str = "", adapter: str = "") -> tuple[Fact, ...]:
    """Try each role once, scan for three seconds, and say what came of it. Takes about five seconds."""
    if importlib.util.find_spec("bleak") is None:
        return (Fact("bluetooth.no-package", good=False),)
    facts: list[Fact] = []
    if sys.platform.startswith("linux") and not hci:
        facts += await _bluez()
    try:
        radio = await open_radio(hci, adapter=adapter)
    except NoBluetooth as error:
        known = (fact for fact in facts if fact.message != "bluetooth.bluez-unknown")  # it may not be there
        return (*known, Fact(error.reason, dict(error.params), good=False))
    try:
        facts += await _roles(radio)
    finally:
        await radio.close()
    return tuple(facts)


async def _bluez() -> list[Fact]:
    """Which BlueZ, and what its age means."""
    from p2p.ble.bluez.peripheral import bluez_version

    version = await bluez_version()
    text = f"{version[0]}.{version[1]}"
    if version == (0, 0):
        return [Fact("bluetooth.bluez-unknown")]
    if version >= PER_CENTRAL:
        return [Fact("bluetooth.bluez", {"version": text})]
    old = "bluetooth.bluez-old" if version >= SOCKET_PER_CENTRAL else "bluetooth.bluez-very-old"
    return [Fact(old, {"version": text})]


async def _roles(radio: Radio) -> list[Fact]:
    advertises, advertised = await _advertise(radio)
    scans, seen = await _scan(radio)
    facts = [
        Fact(
            "bluetooth.can-advertise" if advertises else "bluetooth.cannot-advertise",
            advertised,
            good=advertises,
        ),
        Fact("bluetooth.can-scan" if scans else "bluetooth.cannot-scan", seen, good=scans),
    ]
    if advertises and scans:
        facts.append(Fact("bluetooth.can-both"))
    elif advertises or scans:
        facts.append(Fact("bluetooth.can-host-only" if advertises else "bluetooth.can-join-only", good=False))
    if radio.peripheral is not None:
        facts += [Fact(limit) for limit in radio.peripheral.limits]
        await _quietly(radio.peripheral.stop())
    return facts


async def _advertise(radio: Radio) -> tuple[bool, dict[str, object]]:
    if radio.peripheral is None:
        return False, {"error": "no peripheral role"}
    advert = Advert(os.urandom(PROCESS_BYTES), os.urandom(MARK_BYTES), host=False, full=True)
    try:
        async with asyncio.timeout(CALL_TIME):
            await radio.peripheral.start(lambda device, value, mtu: None, lambda device: None)
            await radio.peripheral.advertise(advert.to_uuid())
    except Exception as error:
        return False, {"error": _short(error)}
    return True, {"error": ""}


async def _scan(radio: Radio) -> tuple[bool, dict[str, object]]:
    """While advertising, if that went well: both at once is what a table wants."""
    if radio.central is None:
        return False, {"error": "no central role", "count": 0}
    found: dict[bytes, Found] = {}
    try:
        await radio.central.scan(lambda one: found.__setitem__(one.advert.process, one))
        await asyncio.sleep(LOOK_TIME)
    except Exception as error:
        return False, {"error": _short(error), "count": 0}
    finally:
        await _quietly(radio.central.stop_scan())
    return True, {"error": "", "count": len(found)}


async def _quietly(work: object) -> None:
    try:
        async with asyncio.timeout(CALL_TIME):
            await work  # type: ignore[misc]
    except Exception:
        return


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:120]
