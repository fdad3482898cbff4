"""Where a peer listens, as people type it: `192.168.1.7`, `anna.local:4717`, `[fe80::1%wlan0]:4717`."""

from __future__ import annotations

import ipaddress
from typing import Final, NamedTuple

from p2p.errors import BadAddress
from p2p.messages import ADDRESS_BYTES, Address

DEFAULT_PORT: Final = 4717


class Endpoint(NamedTuple):
    """A host (name or address, an IPv6 scope after `%`) and a TCP port."""

    host: str
    port: int

    @property
    def address(self) -> Address:
        return Address(f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}")

    @property
    def is_link_local(self) -> bool:
        return is_link_local(self.host)


def parse_address(text: str, *, default_port: int = DEFAULT_PORT) -> Endpoint:
    """The endpoint a person or a peer named. Raises `BadAddress`."""
    text = text.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise BadAddress(address=text)
        port_text = rest[1:] if rest else str(default_port)
    elif text.count(":") > 1:
        host, port_text = text, str(default_port)
    else:
        host, colon, rest = text.partition(":")
        port_text = rest if colon else str(default_port)
    if not (port_text.isascii() and port_text.isdigit() and len(port_text) <= 5):
        raise BadAddress(address=text)
    port = int(port_text)
    if not host or not 0 < port < 65_536 or len(text.encode()) > ADDRESS_BYTES or not _plausible(host):
        raise BadAddress(address=text)
    return Endpoint(host, port)


def without_scope(host: str) -> str:
    """A scope names an interface of one device; others must not be told it."""
    return host.partition("%")[0]


def is_numeric(host: str) -> bool:
    """Whether this host is an address by itself; else it is a name."""
    try:
        ipaddress.ip_address(without_scope(host))
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether this host means the very device that asks."""
    try:
        return ipaddress.ip_address(without_scope(host)).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def is_link_local(host: str) -> bool:
    """Whether this is an IPv6 address that means something on one network interface only."""
    return host.lower().startswith("fe80:")


def _plausible(host: str) -> bool:
    if ":" in host:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return False
        return True
    if host.replace(".", "").isdigit():  # a slip in an address is nothing to ask a name server
        return is_numeric(host)
    return all(part and part.replace("-", "").replace("_", "").isalnum() for part in host.split("."))
