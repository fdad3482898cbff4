"""Who advertises around here. The scanner runs while somebody is looked for, and rests during a dial."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from p2p.ble.central import Central, Found
from p2p.ble.radio import NoBluetooth

FRESH: Final = 20.0
"""Seconds an advertisement is believed; BlueZ forgets devices after 30."""
MOST_SEEN: Final = 64
CHECK_EVERY: Final = 0.5


class Lookout:
    """`own` is our process, never reported. `trouble` gets what failed last."""

    def __init__(self, central: Central | None, own: bytes, trouble: dict[str, str]) -> None:
        self._central = central
        self._own = own
        self._trouble = trouble
        self._found: dict[bytes, Found] = {}
        self._looking = 0
        self._heard = asyncio.Event()
        self._dialling = asyncio.Lock()
        self._switching = asyncio.Lock()

    @property
    def scanning(self) -> bool:
        return self._central is not None and self._central.scanning

    def seen(self) -> tuple[Found, ...]:
        """Fresh advertisements of ours, strongest first."""
        oldest = asyncio.get_running_loop().time() - FRESH
        fresh = [found for found in self._found.values() if found.at >= oldest]
        return tuple(sorted(fresh, key=lambda found: -found.rssi))

    async def look(self, seconds: float, enough: Callable[[tuple[Found, ...]], bool]) -> tuple[Found, ...]:
        """Scan until `enough` of what is seen, or for so long. Raises `NoBluetooth`."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        self._looking += 1
        try:
            while not enough(self.seen()):
                left = deadline - loop.time()
                if left <= 0:
                    break
                if not self._dialling.locked():
                    await self.start()
                self._heard.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left, CHECK_EVERY)):
                        await self._heard.wait()
        finally:
            self._looking -= 1
            if not self._looking:
                await self.stop()
        return self.seen()

    @asynccontextmanager
    async def resting(self) -> AsyncIterator[None]:
        """One dial at a time, and no scan meanwhile."""
        async with self._dialling:
            await self.stop()
            yield

    def forget(self, process: bytes) -> None:
        """Do not believe this advertisement any longer: look again before the next dial."""
        self._found.pop(process, None)

    async def start(self) -> None:
        """Raises `NoBluetooth`."""
        if self._central is None:
            raise NoBluetooth("bluetooth.no-central")
        async with self._switching:
            if not self._central.scanning:
                try:
                    await self._central.scan(self._advert)
                except Exception as error:
                    self._trouble["scan"] = repr(error)
                    raise NoBluetooth("bluetooth.no-scan") from error

    async def stop(self) -> None:
        async with self._switching:
            if self._central is not None and self._central.scanning:
                try:
                    await self._central.stop_scan()
                except Exception as error:
                    self._trouble["scan"] = repr(error)

    def _advert(self, found: Found) -> None:
        if found.advert.process == self._own:
            return
        self._found[found.advert.process] = found
        if len(self._found) > MOST_SEEN:
            del self._found[min(self._found, key=lambda process: self._found[process].at)]
        self._heard.set()
