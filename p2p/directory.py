"""Where the others of a table can be dialled: hints from themselves, and from the host."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ledger.identity import PublicKey
from p2p.address import is_loopback, parse_address
from p2p.errors import BadAddress
from p2p.messages import MOST_ADDRESSES, MOST_SEATS, MOST_WATCHERS, Address, PeerLine

MOST_PEERS: Final = MOST_SEATS + MOST_WATCHERS
PATIENCE: Final = 5.0
"""Seconds the peer with the higher key waits to be dialled before it dials."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A peer of our table without a link, and where to try."""

    identity: PublicKey
    addresses: tuple[Address, ...]


class Directory:
    """Addresses by identity. What a peer says of itself outweighs what others say of it."""

    def __init__(self, own: PublicKey) -> None:
        self._own = own
        self._said: dict[PublicKey, tuple[Address, ...]] = {}
        self._told: dict[PublicKey, tuple[Address, ...]] = {}
        self._missing_since: dict[PublicKey, float] = {}

    def said(self, identity: PublicKey, addresses: Iterable[Address]) -> bool:
        """The peer's own word; True if it is news."""
        return self._keep(self._said, identity, addresses)

    def told(self, lines: Iterable[PeerLine]) -> None:
        """Somebody's word about others."""
        for line in lines:
            self._keep(self._told, line.identity, line.addresses)

    def addresses(self, identity: PublicKey) -> tuple[Address, ...]:
        both = dict.fromkeys((*self._said.get(identity, ()), *self._told.get(identity, ())))
        return tuple(both)[:MOST_ADDRESSES]

    def lines(self, among: Iterable[PublicKey], *, to: str | None = None) -> tuple[PeerLine, ...]:
        """What is known about these peers that helps a device seen at the address `to` (None: unknown).

        A loopback address leads to the device that dials it: told to another one it is a dial in vain.
        """
        here = to is None or is_loopback(to)
        lines = []
        for key in among:
            known = self.addresses(key)
            kept = known if here else tuple(address for address in known if not _leads_back(address))
            if kept:
                lines.append(PeerLine(key, kept))
        return tuple(lines)

    def wanted(
        self, members: Iterable[PublicKey], linked: Iterable[PublicKey], now: float
    ) -> tuple[Wanted, ...]:
        """Whom to dial now: of two peers the one with the lower key dials first."""
        absent = [key for key in dict.fromkeys(members) if key != self._own and key not in set(linked)]
        self._missing_since = {key: self._missing_since.get(key, now) for key in absent}
        return tuple(
            Wanted(key, self.addresses(key))
            for key in absent
            if self.addresses(key) and (self._own < key or now >= self._missing_since[key] + PATIENCE)
        )

    def _keep(
        self, book: dict[PublicKey, tuple[Address, ...]], identity: PublicKey, addresses: Iterable[Address]
    ) -> bool:
        kept = tuple(dict.fromkeys(addresses))[:MOST_ADDRESSES]
        if identity == self._own or book.get(identity) == kept:
            return False
        if identity not in book and len(book) >= MOST_PEERS:
            del book[next(iter(book))]
        book[identity] = kept
        return True


def _leads_back(address: Address) -> bool:
    """Whether this is an address of whichever device dials it; what nobody can read is none."""
    try:
        return is_loopback(parse_address(address).host)
    except BadAddress:
        return False


def seen_at(remote: str | None, addresses: tuple[Address, ...]) -> tuple[Address, ...]:
    """A peer's address as its link shows it, with the port it says it listens on."""
    if remote is None or not addresses:
        return ()
    port = addresses[0].rpartition(":")[2]
    return (Address(f"[{remote}]:{port}" if ":" in remote else f"{remote}:{port}"),)
