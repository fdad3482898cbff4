"""Who of the table has a link to us, and why the host's end of ours went: for people to see.

Times are those of the driver's clock, in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from p2p.reasons import Why

if TYPE_CHECKING:
    from ledger.identity import PublicKey
    from p2p.events import LinkClosed, PeerDown


@dataclass(slots=True)
class Presence:
    """What is known about the links."""

    here: set[PublicKey] = field(default_factory=set)
    lost_at: dict[PublicKey, float] = field(default_factory=dict)
    said_bye: set[PublicKey] = field(default_factory=set)
    """Those of `lost_at` that closed the link on purpose."""
    closed: Why | None = None
    """Why a link that was dialled as the host's was closed last."""
    twin_since: float | None = None
    """Since when the host sees a link of our identity besides ours: a twin, or what a crash has left."""

    def came(self, identity: PublicKey) -> None:
        """A first channel to this identity stands."""
        self.here.add(identity)
        self.lost_at.pop(identity, None)
        self.said_bye.discard(identity)

    def went(self, event: PeerDown, now: float) -> None:
        """The last channel to an identity is gone."""
        self.here.discard(event.identity)
        self.lost_at[event.identity] = now
        if event.why is Why.BYE:
            self.said_bye.add(event.identity)

    def link_closed(self, event: LinkClosed, now: float) -> None:
        """A link is gone; what another guest says of one is not the table's word."""
        if event.is_host:
            self.closed = event.why
            if event.why is Why.SAME_IDENTITY and self.twin_since is None:
                self.twin_since = now

    def table_seen(self) -> None:
        """The host shows us its table: what stood in our way is gone."""
        self.twin_since = None

    def missing(self, identity: PublicKey, now: float) -> float | None:
        """For how many seconds this identity has had no link; None while it has one, or never had."""
        lost = None if identity in self.here else self.lost_at.get(identity)
        return None if lost is None else now - lost
