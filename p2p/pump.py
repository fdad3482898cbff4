"""Between transports and a node: finds the link for a number and the number for a link. Owns no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from ledger.identity import PublicKey
from p2p.codes import Fingerprint
from p2p.events import NodeEvent
from p2p.link import Link, LinkId
from p2p.node import Node
from p2p.output import Close, Send
from p2p.reasons import Why


class Pump:
    """Carries bytes between one node and its links. Call `flush` after whatever may have made output."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self._links: dict[LinkId, Link] = {}
        self._numbers = count()
        self._writable: dict[LinkId, tuple[bool, bool]] = {}

    def __len__(self) -> int:
        return len(self._links)

    def up(
        self,
        link: Link,
        *,
        initiator: bool,
        now: float,
        is_host: bool = False,
        expect: PublicKey | Fingerprint | None = None,
        remote: str | None = None,
    ) -> LinkId:
        """A new link; see `Node.link_up`."""
        number = LinkId(next(self._numbers))
        self._links[number] = link
        self.node.link_up(
            number,
            initiator=initiator,
            mtu=link.mtu,
            now=now,
            is_host=is_host,
            expect=expect,
            remote=remote,
        )
        return number

    def received(self, number: LinkId, datagram: bytes, now: float) -> None:
        self.node.datagram(number, datagram, now)

    def down(self, number: LinkId, now: float) -> None:
        """The transport lost it."""
        if self._links.pop(number, None) is not None:
            self._writable.pop(number, None)
            self.node.link_down(number, now)

    def knows(self, number: LinkId) -> bool:
        return number in self._links

    def flush(self, now: float) -> None:
        """Hand all output to the links, message by message, as long as they take it."""
        while True:
            for number, link in self._links.items():
                takes = (link.writable, link.urgently_writable)
                if self._writable.get(number, (True, True)) != takes:
                    self._writable[number] = takes
                    self.node.set_writable(number, writable=takes[0], urgent=takes[1], now=now)
            output = self.node.take_output(now)
            if not output:
                return
            for item in output:
                match item:
                    case Send():
                        if item.link in self._links:
                            self._links[item.link].send(item.datagram, urgent=item.urgent)
                    case Close():
                        self._close(item.link, item.why)

    def turns(self, now: Callable[[], float]) -> Iterator[tuple[NodeEvent, ...]]:
        """Flush until there is nothing more; each time the events of the node, which may make new output."""
        self.flush(now())
        while events := self.node.take_events():
            yield events
            self.flush(now())

    def _close(self, number: LinkId, why: Why) -> None:
        link = self._links.pop(number, None)
        self._writable.pop(number, None)
        if link is not None:
            link.close(why)
