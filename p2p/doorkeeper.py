"""Whose links stay, once the other end has proved who it is: people of our table, once each. Sans-IO.

Two links of one peer may come at once. The end with the lower key lets one of them go, after a moment in
which both ends know the other; the same key from two processes is a twin, and the first to be here stays.
"""

from __future__ import annotations

from typing import Final

from ledger.identity import PublicKey
from p2p.bans import Bans
from p2p.codes import is_expected
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.link import LinkId
from p2p.reasons import Why
from p2p.talk import DUPLICATE_TIME, Talk
from p2p.talks import Talks
from p2p.whereabouts import Whereabouts

MOST_STRANGERS: Final = 16
"""Talks with peers that have no seat and do not watch; the oldest makes room."""


class Doorkeeper:
    """`whereabouts` knows who belongs to the table `lobby` is of."""

    def __init__(
        self, own: PublicKey, talks: Talks, whereabouts: Whereabouts, lobby: HostLobby | GuestLobby | None
    ) -> None:
        self.bans = Bans()
        self._own = own
        self._talks = talks
        self._whereabouts = whereabouts
        self._lobby = lobby

    def why_not(self, talk: Talk, identity: PublicKey, now: float) -> Why | None:
        """Why this new link may not stay; None if it may."""
        if not is_expected(identity, talk.expect):
            return Why.OTHER_PEER
        if self.bans.holds(identity, now):
            return Why.FORGED
        open_to_all = isinstance(self._lobby, HostLobby) or talk.is_host
        if not open_to_all and identity not in self._whereabouts.members():
            return Why.STRANGER
        return None

    def let_one_go(self, talk: Talk, other: Talk, now: float) -> None:
        """Of two links to one process the newer stays, or of two dialled at once the one of the lower key."""
        assert talk.identity is not None
        if self._own < talk.identity:
            keeps_other = other.initiator != talk.initiator and other.initiator
            (talk if keeps_other else other).retires = now + DUPLICATE_TIME

    def too_many(self) -> list[LinkId]:
        """Of too many strangers those that came first: seats and watchers always find a place."""
        if not isinstance(self._lobby, HostLobby):
            return []
        members = {*self._whereabouts.members(), *self._lobby.watchers, *self._lobby.waiting}
        strangers = [link for link, talk in self._talks.items() if talk.open and talk.identity not in members]
        return strangers[: max(0, len(strangers) - MOST_STRANGERS)]
