"""All Bluetooth links of one process: advertises, answers, dials. Knows no node and no message.

The law of this file: every call of the platform is under a time-out and may fail with anything; dials go
one at a time, and the scanner rests while one is under way and whenever nobody is looked for; a link is
closed by a word inside it, and a connection is only cut when no link of either direction is left on it.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Final, Protocol

from p2p.ble.advert import MARK_BYTES, Advert, mark_of
from p2p.ble.ble_link import BleLink
from p2p.ble.central import CentralLink, Found
from p2p.ble.desk import Desk
from p2p.ble.end import BleEnd
from p2p.ble.frames import NONCE_BYTES, PROCESS_BYTES
from p2p.ble.link_events import Down, LinkEvent, Up
from p2p.ble.lookout import Lookout
from p2p.ble.peripheral import Device
from p2p.ble.radio import NoBluetooth, Radio
from p2p.errors import NetworkError, Refused, TimedOut, Unreachable
from p2p.reasons import Why

MAX_LINKS: Final = 5
"""Of a host: one a guest, for a guest sits down by a link to the host."""
GUEST_LINKS: Final = 3
SEARCH_TIME: Final = 20.0
DIAL_TRIES: Final = 3
RETRY_PAUSE: Final = 0.4
"""Seconds, never the same twice: two that dial each other must not go on colliding."""
ADVERTISE_TIME: Final = 5.0


class Owner(Protocol):
    """Who gets the links."""

    def link_up(self, end: BleEnd) -> None: ...

    def link_event(self, end: BleEnd, event: LinkEvent) -> None: ...

    def link_down(self, end: BleEnd, why: Why) -> None: ...


class BleLinks:
    """`code_key` marks our advertisements for who knows the code. `trouble` is where to keep what failed."""

    def __init__(
        self,
        radio: Radio,
        owner: Owner,
        *,
        host: bool = False,
        code_key: bytes | None = None,
        max_links: int = MAX_LINKS,
        trouble: dict[str, str] | None = None,
    ) -> None:
        self.process = os.urandom(PROCESS_BYTES)
        self.trouble: dict[str, str] = {} if trouble is None else trouble
        """What failed last, by what was tried: for the doctor and the log."""
        self._radio = radio
        self._owner = owner
        self._host = host
        self._code_key = code_key
        self._mark = os.urandom(MARK_BYTES) if code_key is None else mark_of(code_key)
        self._private = code_key is not None
        self._max_links = max_links
        self._desk = Desk(process=self.process, random=os.urandom, limit=max_links)
        self._ends: dict[BleLink, BleEnd] = {}
        self._dialled: dict[BleLink, CentralLink] = {}
        self._closing: dict[str, asyncio.Task[None]] = {}
        """Connections being cut, by address. BlueZ takes two seconds, says "connected" meanwhile, and cuts
        what is made of it."""
        self._connecting = 0
        """Places kept for dials whose connection is being made: 0 or 1, for they go one at a time."""
        self.lookout = Lookout(radio.central, self.process, self.trouble)
        self._advertised: str | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    # — from start to end —

    async def start(self) -> None:
        """Raises `NoBluetooth` when neither role can be had."""
        peripheral = self._radio.peripheral
        if peripheral is not None:
            try:
                async with asyncio.timeout(ADVERTISE_TIME):
                    await peripheral.start(self._value, self._left)
                await self._advertise()
            except Exception as error:
                self.trouble["peripheral"] = repr(error)
                if self._radio.central is None or self._host:
                    raise NoBluetooth("bluetooth.no-peripheral") from error

    async def aclose(self) -> None:
        """Say good-bye and free everything, in about a second."""
        if self._closed:
            return
        self._closed = True
        for end in tuple(self._ends.values()):
            end.close(Why.BYE)
        with suppress(TimeoutError):
            async with asyncio.timeout(1.2):
                while self._ends:
                    await asyncio.sleep(0.02)
        for end in tuple(self._ends.values()):
            await end.end()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        closing = [connection.close() for connection in self._dialled.values()]
        if self._radio.peripheral is not None:
            closing.append(self._radio.peripheral.stop())
        with suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                await asyncio.gather(*closing, return_exceptions=True)
        with suppress(Exception):
            async with asyncio.timeout(1.0):
                await self.lookout.stop()
        await self._radio.close()

    @property
    def full(self) -> bool:
        return len(self._ends) + self._connecting >= self._max_links

    @property
    def ends(self) -> tuple[BleEnd, ...]:
        return tuple(self._ends.values())

    @property
    def has_code(self) -> bool:
        return self._code_key is not None

    def is_ours(self, advert: Advert) -> bool:
        """Whether this is a device of the table whose code we know."""
        return self._code_key is not None and advert.mark == self._mark

    # — dialling —

    async def dial(
        self,
        process: bytes,
        *,
        seconds: float = SEARCH_TIME,
        tries: int = DIAL_TRIES,
        up: Callable[[BleEnd], None] = lambda end: None,
    ) -> BleEnd:
        """A link to this process; `up` hears of it before anything arrives. Raises a `NetworkError`."""
        if self.full:
            raise Refused(Why.BUSY)

        def wanted(found: Found) -> bool:
            return found.advert.process == process

        problem: NetworkError = Unreachable("bluetooth.not-seen")
        for attempt in range(tries):
            await asyncio.sleep(attempt * RETRY_PAUSE * random.uniform(0.5, 1.5))
            seen = await self.lookout.look(seconds, lambda seen: any(map(wanted, seen)))
            found = next(filter(wanted, seen), None)
            if found is None:
                raise problem
            async with self.lookout.resting():
                if self.full:  # others may have come while we looked and waited our turn
                    raise Refused(Why.BUSY)
                try:
                    return await self._connect(found, up)
                except Refused:
                    raise
                except Exception as error:
                    self.trouble["dial"] = repr(error)
                    problem = _failed(error)
                self.lookout.forget(process)
        raise problem

    async def _connect(self, found: Found, on_up: Callable[[BleEnd], None]) -> BleEnd:
        assert self._radio.central is not None
        ends: list[BleEnd] = []
        early: list[bytes] = []

        def value(data: bytes) -> None:
            if ends:
                ends[0].arrived(data)
            else:
                early.append(data)

        def gone() -> None:
            if ends:
                ends[0].lost()

        address = found.device.address
        self._connecting += 1
        try:
            if (closing := self._closing.get(address)) is not None:
                await asyncio.wait((closing,))
            connection = await self._radio.central.connect(found, value, gone, lambda: self._shares(address))
        finally:
            self._connecting -= 1
        link = BleLink.dial(
            nonce=os.urandom(NONCE_BYTES), process=self.process, mtu=connection.mtu, now=self._now()
        )

        async def write(data: bytes) -> bool:
            await connection.write(data)
            return True

        up: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def event(end: BleEnd, happened: LinkEvent) -> None:
            if isinstance(happened, Up):
                on_up(end)
                if not up.done():
                    up.set_result(None)
            elif isinstance(happened, Down) and not up.done():
                up.set_exception(_problem(happened.why))
                return
            self._event(end, happened)

        self._dialled[link] = connection
        end = self._add(link, write, lambda: connection.mtu, event)
        ends.append(end)
        for data in early:
            end.arrived(data)
        try:
            await up
        except asyncio.CancelledError:
            end.close(Why.BYE)
            raise
        return end

    # — answering —

    def _value(self, device: Device, value: bytes, mtu: int) -> None:
        if self._closed:
            return
        self._desk.limit = self._max_links - len(self._dialled) - self._connecting
        answer = self._desk.receive(device, value, mtu, self._now())
        if answer is not None:
            self._task(self._answer(device, answer))
        for link in self._desk.links:
            end = self._ends.get(link)
            if end is None and not link.over:
                end = self._answering(device, link)
            if end is not None:
                end.poke()

    def _answering(self, device: Device, link: BleLink) -> BleEnd:
        peripheral = self._radio.peripheral
        assert peripheral is not None

        async def write(data: bytes) -> bool:
            return await peripheral.notify(device, data)

        return self._add(link, write, lambda: None, self._event)

    async def _answer(self, device: Device, value: bytes) -> None:
        if self._radio.peripheral is not None:
            with suppress(Exception):
                async with asyncio.timeout(ADVERTISE_TIME):
                    await self._radio.peripheral.notify(device, value)

    def _left(self, device: Device) -> None:
        self._desk.gone(device)
        for link in self._desk.links:
            if link in self._ends:
                self._ends[link].poke()

    # — all links —

    def _add(
        self,
        link: BleLink,
        write: Callable[[bytes], Awaitable[bool]],
        mtu_now: Callable[[], int | None],
        on_event: Callable[[BleEnd, LinkEvent], None],
    ) -> BleEnd:
        end = BleEnd(link, write=write, mtu_now=mtu_now, on_event=on_event, on_over=self._over)
        self._ends[link] = end
        self._changed()
        return end

    def _event(self, end: BleEnd, happened: LinkEvent) -> None:
        match happened:
            case Up():
                self._owner.link_up(end)
            case Down(why):
                self._owner.link_down(end, why)
            case _:
                self._owner.link_event(end, happened)

    def _over(self, end: BleEnd) -> None:
        self._ends.pop(end.link, None)
        self.lookout.forget(end.link.peer_process)
        self._desk.forget_ended()
        connection = self._dialled.pop(end.link, None)
        if connection is not None and not self._shares(connection.address):
            closing = self._task(connection.close())
            self._closing[connection.address] = closing
            closing.add_done_callback(lambda _: self._cut(connection.address, closing))
        self._changed()

    def _cut(self, address: str, closing: asyncio.Task[None]) -> None:
        if self._closing.get(address) is closing:
            del self._closing[address]

    def _shares(self, address: str) -> bool:
        """Whether a link lives on a connection to this address: on BlueZ both directions share one."""
        if any(connection.address == address for connection in self._dialled.values()):
            return True
        peripheral = self._radio.peripheral
        return peripheral is not None and any(
            not link.over and peripheral.address(self._desk.device(link)) == address
            for link in self._desk.links
        )

    def _changed(self) -> None:
        if not self._closed:
            self._task(self._advertise())

    async def _advertise(self) -> None:
        """Bring the advertisement up to date."""
        peripheral = self._radio.peripheral
        if peripheral is None:
            return
        uuid = Advert(self.process, self._mark, self._host, self.full, self._private).to_uuid()
        if uuid == self._advertised:
            return
        self._advertised = uuid
        try:
            async with asyncio.timeout(ADVERTISE_TIME):
                await peripheral.advertise(uuid)
            self.trouble.pop("advertise", None)
        except Exception as error:
            self.trouble["advertise"] = repr(error)

    def _task(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


def _failed(error: Exception) -> NetworkError:
    if isinstance(error, NetworkError):
        return error
    timed_out = isinstance(error, TimeoutError)
    return TimedOut("bluetooth.no-answer") if timed_out else Unreachable("bluetooth.no-connection")


def _problem(why: Why) -> NetworkError:
    if why is Why.HANDSHAKE_TIME:
        return TimedOut("bluetooth.no-answer")
    return Unreachable("bluetooth.no-connection") if why is Why.GONE else Refused(why)
