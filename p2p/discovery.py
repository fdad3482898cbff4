"""Finding tables on the local network by multicast DNS (RFC 6762, RFC 6763), through the `zeroconf` package.

Everything heard here is a hint: an address to dial. Who is behind it is proved by the channel alone. Names of
people are not announced. Where multicast is blocked nothing is found and nothing fails, so the search says
how long it has been looking and whether this device hears even itself; a typed address always works.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Final

from ledger.identity import PublicKey
from p2p.address import Endpoint, without_scope
from p2p.codes import TAG_BYTES, Fingerprint, Invitation, JoinCode, fingerprint, table_tag
from p2p.errors import NoDiscovery
from p2p.messages import Address
from p2p.session import VERSION

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

SERVICE: Final = "_durak._tcp.local."
ASK_ANEW: Final = 4.0
"""Seconds after which a search starts again: the first questions come quickly one after the other, later ones
far apart (RFC 6762, 5.2), and a bad network may have swallowed those."""
ASK_TIME: Final = 2_000
"""Milliseconds a found service may take to tell its address."""
DEAF_AFTER: Final = 3.0
"""Seconds after which a device that announces and does not hear itself has multicast blocked."""
MOST_FOUND: Final = 64


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a host tells the network: where it listens, its fingerprint, a tag for those who have the code."""

    identity: PublicKey
    port: int
    hosts: tuple[str, ...]
    code_key: bytes | None

    @property
    def properties(self) -> dict[str, str]:
        tag = b"" if self.code_key is None else table_tag(self.code_key, fingerprint(self.identity))
        return {"v": str(VERSION), "t": tag.hex()}


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table somebody announces. `tag` is empty for an open one."""

    fingerprint: Fingerprint
    addresses: tuple[Address, ...]
    version: int
    tag: bytes

    @property
    def is_open(self) -> bool:
        return not self.tag

    def invitation(self, code: JoinCode | None) -> Invitation:
        """How to get to this table."""
        return Invitation(code, self.addresses, self.fingerprint)

    def opens_with(self, key: bytes) -> bool:
        """Whether this may be the table of that code; the door knows for sure."""
        return self.tag == table_tag(key, self.fingerprint)


class Discovery:
    """Announces one table, looks for others, or both; `async with` starts and ends it.

    `interfaces`: addresses of the interfaces to use, all if None. `on_change` is called when `tables` does.
    Entering raises `NoDiscovery` where the package is missing or no interface has multicast.
    """

    def __init__(
        self,
        *,
        announce: Announcement | None = None,
        interfaces: Sequence[str] | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._announce = announce
        self._interfaces = interfaces
        self._on_change = on_change
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._found: dict[str, FoundTable] = {}
        self._heard_self = False
        self._began = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Discovery:
        self._began = asyncio.get_running_loop().time()
        try:
            self._zeroconf = _zeroconf_on(self._interfaces)
            self._browser = _browser(self._zeroconf, self._state_changed)
            if self._announce is not None:
                self._task(self._register(self._zeroconf, self._announce))
        except ImportError as error:
            raise NoDiscovery from error
        except OSError as error:
            await self.aclose()
            raise NoDiscovery("discovery.no-multicast") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Take the announcement back and stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_unregister_all_services()
            await self._zeroconf.async_close()
        self._browser = self._zeroconf = None

    @property
    def tables(self) -> tuple[FoundTable, ...]:
        """The tables of others, in the order in which they were found."""
        return tuple(self._found.values())

    @property
    def seconds(self) -> float:
        """How long this has been looking."""
        return asyncio.get_running_loop().time() - self._began

    @property
    def deaf(self) -> bool:
        """We announce and do not even hear ourselves: multicast is blocked on this device."""
        return self._announce is not None and not self._heard_self and self.seconds >= DEAF_AFTER

    async def find(self, key: bytes | None, seconds: float) -> FoundTable | None:
        """The table of this code, or without a code the first open one; None if there is none in time."""

        def suits(table: FoundTable) -> bool:
            return table.is_open if key is None else table.opens_with(key)

        loop = asyncio.get_running_loop()
        anew = loop.time() + ASK_ANEW
        try:
            async with asyncio.timeout(seconds):
                while True:
                    for table in self._found.values():
                        if suits(table):
                            return table
                    if loop.time() >= anew:
                        anew = loop.time() + ASK_ANEW
                        await self._ask_anew()
                    await asyncio.sleep(0.05)
        except TimeoutError:
            return None

    async def _ask_anew(self) -> None:
        if self._zeroconf is not None and self._browser is not None:
            await self._browser.async_cancel()
            self._browser = _browser(self._zeroconf, self._state_changed)

    def _state_changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        from zeroconf import ServiceStateChange

        if self._announce is not None and name == _instance(self._announce):
            self._heard_self = True
        elif state_change is ServiceStateChange.Removed:
            if self._found.pop(name, None) is not None:
                self._on_change()
        elif len(self._found) + len(self._tasks) < MOST_FOUND:
            self._task(self._ask(name))

    def _task(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _register(self, zeroconf: AsyncZeroconf, announcement: Announcement) -> None:
        """Probing takes more than a second (RFC 6762 §8.1): nobody waits for it."""
        from zeroconf import NonUniqueNameException

        with suppress(NonUniqueNameException):  # an old announcement of this very table still stands
            await zeroconf.async_register_service(_service_info(announcement))

    async def _ask(self, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(SERVICE, name)
        if self._zeroconf is None or not await info.async_request(self._zeroconf.zeroconf, ASK_TIME):
            return
        table = _read_service(name, info)
        if table is not None and self._found.get(name) != table:
            self._found[name] = table
            self._on_change()


def _zeroconf_on(interfaces: Sequence[str] | None) -> AsyncZeroconf:
    """On these interfaces, or on all: IPv4 and IPv6 where the device has both. Raises `OSError`."""
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    if interfaces is not None:
        for host in interfaces:
            _must_be_ours(host)
        return AsyncZeroconf(interfaces=list(interfaces))
    problem: OSError | None = None
    for version in (IPVersion.All, IPVersion.V4Only, IPVersion.V6Only):
        try:
            return AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=version)
        except OSError as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _browser(zeroconf: AsyncZeroconf, changed: Callable[..., None]) -> AsyncServiceBrowser:
    from zeroconf.asyncio import AsyncServiceBrowser

    return AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])


def _must_be_ours(host: str) -> None:
    """Raise `OSError` unless `host` is an address of this device."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((host, 0))


def _instance(announcement: Announcement) -> str:
    """One name a table: a person may host several, each on a port of its own."""
    return f"{_label(announcement)}.{SERVICE}"


def _label(announcement: Announcement) -> str:
    return f"{fingerprint(announcement.identity)}-{announcement.port}"


def _service_info(announcement: Announcement) -> AsyncServiceInfo:
    from zeroconf.asyncio import AsyncServiceInfo

    return AsyncServiceInfo(
        SERVICE,
        _instance(announcement),
        port=announcement.port,
        properties=announcement.properties,
        parsed_addresses=list(dict.fromkeys(without_scope(host) for host in announcement.hosts)),
        server=f"{_label(announcement)}.local.",
    )


def _read_service(name: str, info: AsyncServiceInfo) -> FoundTable | None:
    """What was announced, or None for what no host of ours announces."""
    properties = info.decoded_properties
    version, tag = properties.get("v") or "", properties.get("t") or ""
    label, dash, _ = name.removesuffix("." + SERVICE).partition("-")
    try:
        raw_tag = bytes.fromhex(tag)
    except ValueError:
        return None
    if not (version.isascii() and version.isdigit() and len(version) <= 3 and len(raw_tag) in (0, TAG_BYTES)):
        return None
    if len(label) != 16 or not dash or not info.port or not 0 < info.port < 65_536:
        return None
    addresses = tuple(Endpoint(host, info.port).address for host in _dialable(info.parsed_scoped_addresses()))
    return FoundTable(Fingerprint(label), addresses, int(version), raw_tag) if addresses else None


def _dialable(hosts: Iterable[str]) -> tuple[str, ...]:
    """IPv4 first: it works on most hotspots; a link-local IPv6 address without its scope is of no use."""
    kept = [host for host in dict.fromkeys(hosts) if not (host.startswith("fe80:") and "%" not in host)]
    return tuple(sorted(kept, key=lambda host: ":" in host))
