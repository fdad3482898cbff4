"""What a transport offers.

A link is one transport connection. It carries datagrams of at most `mtu` bytes, keeps their boundaries and
their order (what is urgent may pass the rest), and loses none until it goes down; a transport without these
virtues (Bluetooth LE) earns them below this line. Everything above is the same for every transport.
"""

from __future__ import annotations

from typing import NewType, Protocol

from p2p.reasons import Why

LinkId = NewType("LinkId", int)
"""One transport connection of this process; never used twice."""

SMALLEST_MTU = 128
"""The longest handshake message is 97 bytes; a transport below this has to join its packets first."""


class Link(Protocol):
    """One transport connection. Neither method blocks or raises; both do nothing once the link is down."""

    @property
    def mtu(self) -> int:
        """Bytes of the largest datagram, at least `SMALLEST_MTU`."""

    @property
    def writable(self) -> bool:
        """False while what was sent before waits in a queue of the transport: the node then holds back."""

    @property
    def urgently_writable(self) -> bool:
        """The same for what is urgent; it differs where the transport lets that pass the rest."""

    def send(self, datagram: bytes, *, urgent: bool) -> None:
        """Send one datagram of at most `mtu` bytes. What is `urgent` may pass the rest, nothing else."""

    def close(self, why: Why) -> None:
        """Send what is queued if that is quick, then close. `why` is for logs.

        A transport that shares one radio link between two of ours closes only what is this link's alone.
        """
