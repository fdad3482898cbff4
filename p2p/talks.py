"""All talks of a node, by link and by identity."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.identity import PublicKey
from p2p.link import LinkId
from p2p.messages import Message
from p2p.talk import Talk


@dataclass(frozen=True, slots=True)
class PeerState:
    """How a peer is doing. `quiet`: nothing heard for longer than an honest peer is silent."""

    identity: PublicKey
    heard_seconds_ago: float
    quiet: bool


class Talks(dict[LinkId, Talk]):
    """Talks by link, oldest first. Of several with one identity the newest is the one to use."""

    def of(self, identity: PublicKey) -> list[Talk]:
        """The open talks with this identity, the one to use last."""
        return [talk for talk in self.values() if talk.open and talk.identity == identity]

    def peers(self) -> tuple[PublicKey, ...]:
        """Everybody with an open talk."""
        return tuple(dict.fromkeys(t.identity for t in self.values() if t.open and t.identity))

    def send(self, identity: PublicKey, message: Message) -> None:
        """To this peer, if there is a talk with it."""
        talks = self.of(identity)
        if talks:
            talks[-1].send(message)

    def states(self, now: float) -> tuple[PeerState, ...]:
        latest: dict[PublicKey, Talk] = {}
        for talk in self.values():
            if talk.open and talk.identity:
                other = latest.setdefault(talk.identity, talk)
                if talk.heard > other.heard:
                    latest[talk.identity] = talk
        return tuple(PeerState(peer, now - talk.heard, talk.quiet(now)) for peer, talk in latest.items())
