"""Who belongs to our table, where each can be dialled, who has a link to whom: told and learnt. Sans-IO.

The law of this file: who has not been let in hears nothing of the others; whose word comes from outside the
table is not listened to.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.identity import PublicKey
from p2p.directory import Directory, Wanted, seen_at
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.messages import MOST_SEATS, MOST_WATCHERS, Address, Linked, Listening, PeerLine, Peers
from p2p.sharing import Sharing
from p2p.talk import Talk
from p2p.talks import Talks


class Whereabouts:
    """`addresses` are our own; `sharing` knows who has a seat in a game, `lobby` who has one at the table."""

    def __init__(
        self,
        own: PublicKey,
        talks: Talks,
        sharing: Sharing,
        *,
        lobby: HostLobby | GuestLobby | None,
        addresses: Iterable[Address],
    ) -> None:
        self._own = own
        self._talks = talks
        self._sharing = sharing
        self._lobby = lobby
        self._addresses = tuple(addresses)
        self._directory = Directory(own)

    # — what is known —

    def members(self) -> tuple[PublicKey, ...]:
        """Everybody with a seat at our table, as far as we know, and the host."""
        keys = list(self._sharing.seats())
        table = None if self._lobby is None else self._lobby.table
        if table is not None:
            keys += [line.identity for line in table.roster if not line.watching]
        if isinstance(self._lobby, GuestLobby) and self._lobby.host is not None:
            keys.append(self._lobby.host)
        return tuple(dict.fromkeys(keys))

    def addresses(self, identity: PublicKey) -> tuple[Address, ...]:
        """Where this peer may be dialled."""
        return self._directory.addresses(identity)

    def wanted(self, now: float) -> tuple[Wanted, ...]:
        """Peers of our table to dial: without a link, or with one on which nothing is heard any more.

        Who only watches dials nobody but the host: seats talk to seats.
        """
        members = self.members()
        if self._own not in members:
            return ()
        heard = [state.identity for state in self._talks.states(now) if not state.quiet]
        return self._directory.wanted(members, heard, now)

    def reaches(self, identity: PublicKey, now: float) -> bool:
        """Whether this peer is heard over a link of ours, or one of ours says that it has a link to it."""
        return any(
            talk.open and not talk.quiet(now) and (talk.identity == identity or identity in talk.linked)
            for talk in self._talks.values()
        )

    # — what is learnt —

    def learn(self, identity: PublicKey, addresses: Iterable[Address]) -> None:
        """Addresses the owner remembers from before."""
        self._directory.told([PeerLine(identity, tuple(addresses))])

    def heard(self, talk: Talk, identity: PublicKey, message: Listening | Linked | Peers) -> None:
        """A peer's word about itself, its links, or the others."""
        match message:
            case Listening():
                seen = seen_at(talk.remote, message.addresses)
                if self._directory.said(identity, (*message.addresses, *seen)):
                    self.tell_addresses()
            case Linked():
                talk.linked = frozenset(message.peers)
            case Peers():
                if identity in self.members():
                    self._directory.told(message.peers)

    # — what is told —

    def set_addresses(self, addresses: Iterable[Address]) -> None:
        """Where we can be dialled; told to everybody."""
        self._addresses = tuple(dict.fromkeys(addresses))
        for identity in self._talks.peers():
            self._talks.send(identity, Listening(self._addresses))

    def greet(self, talk: Talk) -> None:
        """A new link: say where we are, and all what has changed by it."""
        talk.send(Listening(self._addresses))
        self.tell_all()

    def tell_all(self) -> None:
        """Who is new at the table wants to know where the others are."""
        self.tell_links()
        self.tell_addresses()

    def tell_links(self) -> None:
        """Tell to whom we have a link: everybody, or at an open table whom the host has let in."""
        peers = self._insiders()[: MOST_SEATS + MOST_WATCHERS]
        for identity in peers:
            self._talks.send(identity, Linked(tuple(peer for peer in peers if peer != identity)))

    def tell_addresses(self) -> None:
        """The host tells everybody where the others listen, so that they link to one another."""
        if isinstance(self._lobby, HostLobby):
            for identity in self._insiders():
                others = (key for key in self.members() if key != identity)
                lines = self._directory.lines(others, to=self._talks.of(identity)[-1].remote)
                if lines:
                    self._talks.send(identity, Peers(lines))

    def _insiders(self) -> tuple[PublicKey, ...]:
        """The peers that may know who is at our table."""
        peers, lobby = self._talks.peers(), self._lobby
        return tuple(peer for peer in peers if lobby.knows(peer)) if isinstance(lobby, HostLobby) else peers
