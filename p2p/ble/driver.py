"""Drives one node over Bluetooth, and over TCP as well where it listens: one table, whose peers bridge both.

A Bluetooth address is `ble:` and the hexadecimal `process` of the device, or `ble:` alone: the host of the
table whose code we know, or of any table where we know none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from ledger.identity import PublicKey
from p2p.backoff import LONGEST_PAUSE
from p2p.ble.central import Found
from p2p.ble.end import BleEnd
from p2p.ble.frames import PROCESS_BYTES
from p2p.ble.link_events import Arrived, LinkEvent, Writable
from p2p.ble.links import DIAL_TRIES, MAX_LINKS, SEARCH_TIME, BleLinks
from p2p.ble.radio import Radio, open_radio
from p2p.codes import Fingerprint
from p2p.directory import Wanted
from p2p.errors import BadAddress, NetworkError, Refused, TimedOut, Unreachable
from p2p.events import NodeEvent
from p2p.lan import LanDriver
from p2p.messages import Address
from p2p.node import Node
from p2p.reasons import Why
from p2p.redial import CONNECT_TIME
from p2p.tcp import Dial

SCHEME: Final = "ble:"
NOT_THIS_ONE: Final = 60.0
"""Seconds a device that turned out not to be whom we look for is passed over."""
SOON: Final = 1.0
"""And one that was not reached, so that others get their turn."""
ENOUGH_LINKS: Final = 2
"""With so many, nobody is dialled who can be reached through them; more come from those who dial us."""
OTHERS_SEARCH: Final = 6.0
"""Seconds to look for a peer we merely miss: the table plays on meanwhile, and scanning costs it air."""


class BleDriver(LanDriver):
    """A `LanDriver` with a radio. `listen` is None for a table without any network."""

    def __init__(
        self,
        node: Node,
        radio: Radio,
        *,
        listen: Iterable[str] | None = None,
        port: int = 0,
        on_event: Callable[[NodeEvent], None] | None = None,
        host: bool = False,
        code_key: bytes | None = None,
        max_links: int = MAX_LINKS,
    ) -> None:
        super().__init__(node, listen=listen, port=port, on_event=on_event)
        self.ble = BleLinks(radio, self, host=host, code_key=code_key, max_links=max_links)
        self._passed_over: dict[bytes, float] = {}

    async def __aenter__(self) -> BleDriver:
        """Raises as `LanDriver`, and `NoBluetooth`."""
        try:
            await super().__aenter__()
            await self.ble.start()
        except BaseException:
            await self.aclose()
            raise
        self.node.set_addresses(self.addresses)
        return self

    async def aclose(self) -> None:
        await super().aclose()
        await self.ble.aclose()

    @property
    def addresses(self) -> tuple[Address, ...]:
        return (*super().addresses, Address(SCHEME + self.ble.process.hex()))

    def wanted(self) -> tuple[Wanted, ...]:
        """A link to the host and one to somebody else are enough: what peers pass on need not be dialled for.

        Each link costs its share of the air, and laptop chips drop busy ones (bleak#1858).
        """
        wanted = super().wanted()
        if len(self.ble.ends) < ENOUGH_LINKS:
            return wanted
        now = self.now()
        return tuple(
            want for want in wanted if _by_network(want) or not self.node.reaches(want.identity, now)
        )

    def longest_pause(self, addresses: Iterable[str]) -> float:
        """Every try costs the radio's time, so Bluetooth tries ever more slowly."""
        if any(address.startswith(SCHEME) for address in addresses):
            return LONGEST_PAUSE
        return super().longest_pause(addresses)

    async def dial(
        self,
        address: str,
        *,
        is_host: bool = True,
        expect: PublicKey | Fingerprint | None = None,
        patience: float = CONNECT_TIME,
    ) -> PublicKey:
        """As `LanDriver.dial`, for Bluetooth addresses too."""
        if not address.startswith(SCHEME):
            return await super().dial(address, is_host=is_host, expect=expect, patience=patience)
        process = _process(address)
        if process is not None:
            seconds = SEARCH_TIME if is_host else OTHERS_SEARCH
            return await self._dial_process(process, is_host=is_host, expect=expect, seconds=seconds)
        return await self._dial_the_host(expect=expect)

    async def _dial_process(
        self,
        process: bytes,
        *,
        is_host: bool,
        expect: PublicKey | Fingerprint | None,
        seconds: float,
        tries: int = DIAL_TRIES,
    ) -> PublicKey:
        dial = Dial(is_host=is_host, expect=expect)
        try:
            end = await self.ble.dial(
                process, seconds=seconds, tries=tries, up=lambda end: self._adopt(end, dial)
            )
            try:
                return await dial.done
            except BaseException:
                end.close(Why.BYE)
                raise
        finally:
            dial.forget()

    async def _dial_the_host(self, *, expect: PublicKey | Fingerprint | None) -> PublicKey:
        """Try every device that may be the host, until one is: each once and then the next, for a host that
        came back is another process, and whoever insists on the old one waits for nobody."""
        if self.ble.full:
            raise Refused(Why.BUSY)
        problem: NetworkError = Unreachable("bluetooth.no-table")
        deadline = self.now() + SEARCH_TIME
        while (left := deadline - self.now()) > 0:
            await self.ble.lookout.look(left, lambda seen: any(map(self._may_be_host, seen)))
            candidates = [found for found in self.ble.lookout.seen() if self._may_be_host(found)]
            for found in candidates:
                process = found.advert.process
                try:
                    return await self._dial_process(
                        process, is_host=True, expect=expect, seconds=left, tries=1
                    )
                except NetworkError as error:
                    problem = error
                    again = isinstance(error, Unreachable | TimedOut) or error.reason == Why.BUSY
                    self._passed_over[process] = self.now() + (SOON if again else NOT_THIS_ONE)
            if candidates and isinstance(problem, Refused):
                raise problem  # whoever is left was asked, and knows
            if not candidates and self.ble.has_code and any(f.advert.host for f in self.ble.lookout.seen()):
                problem = Unreachable("bluetooth.other-tables")
        raise problem

    def _may_be_host(self, found: Found) -> bool:
        advert = found.advert
        if not advert.host or self._passed_over.get(advert.process, 0.0) > self.now():
            return False
        return not self.ble.has_code or self.ble.is_ours(advert)

    # — what the links report —

    def link_up(self, end: BleEnd) -> None:
        """A link that was dialled here is adopted by who dialled it."""
        if not end.link.central:
            self._adopt(end, None)

    def link_event(self, end: BleEnd, event: LinkEvent) -> None:
        match event:
            case Arrived(datagram):
                self._pump.received(end.number, datagram, self.now())
                self.flush()
            case Writable():
                self.flush()
            case _:
                pass

    def link_down(self, end: BleEnd, why: Why) -> None:
        self._pump.down(end.number, self.now())
        self.flush()

    def _adopt(self, end: BleEnd, dial: Dial | None) -> None:
        end.number = self._pump.up(
            end,
            initiator=dial is not None,
            now=self.now(),
            is_host=dial is not None and dial.is_host,
            expect=None if dial is None else dial.expect,
        )
        if dial is not None:
            self._dials[end.number] = dial
        end.reading = self._reading
        self.flush()

    def _read(self, *, wanted: bool) -> None:
        super()._read(wanted=wanted)
        for end in self.ble.ends:
            end.reading = wanted
            if wanted:
                end.poke()


async def open_driver(
    node: Node,
    *,
    hci: str = "",
    adapter: str = "",
    listen: Iterable[str] | None,
    port: int,
    on_event: Callable[[NodeEvent], None],
    host: bool,
    code_key: bytes | None = None,
    max_links: int = MAX_LINKS,
) -> BleDriver:
    """A driver on this device's radio, or on the controller named by `hci`. Raises `NoBluetooth`."""
    radio = await open_radio(hci, adapter=adapter)
    return BleDriver(
        node,
        radio,
        listen=listen,
        port=port,
        on_event=on_event,
        host=host,
        code_key=code_key,
        max_links=max_links,
    )


def _by_network(want: Wanted) -> bool:
    """Whether there is another way to this peer than the radio."""
    return any(not address.startswith(SCHEME) for address in want.addresses)


def _process(address: str) -> bytes | None:
    """The process a Bluetooth address names, None where it names none. Raises `BadAddress`."""
    text = address.removeprefix(SCHEME)
    if not text:
        return None
    try:
        process = bytes.fromhex(text)
    except ValueError as error:
        raise BadAddress("bluetooth.bad-address", address=address) from error
    if len(process) != PROCESS_BYTES:
        raise BadAddress("bluetooth.bad-address", address=address)
    return process
