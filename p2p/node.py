"""Our end of all links: sessions, table, sync. Sans-IO: bytes and the time in, bytes out, events to collect.

The law of this file: it carries and never judges. Records go up to the owner, who puts them through the log
and the store and then says what came of them; only what the owner kept goes on to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from ledger.genesis import GameId
from ledger.heads import Heads
from ledger.identity import PublicKey, SigningKey
from ledger.outcome import Dropped, Outcome, Pending, UnknownBranch
from p2p.codes import Fingerprint
from p2p.directory import Wanted
from p2p.doorkeeper import Doorkeeper
from p2p.events import LinkClosed, LinkOpened, NodeEvent, PeerDown, PeerUp
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.link import LinkId
from p2p.messages import Address, Entries, Have, Linked, Listening, Message, Notice, Peers, Table, Want
from p2p.output import Close, Output, Send
from p2p.reasons import Why
from p2p.session import Door, Session
from p2p.sharing import Sharing
from p2p.sync import SharedLog
from p2p.talk import Talk, TalkClosed, TalkOpened
from p2p.talks import PeerState, Talks
from p2p.whereabouts import Whereabouts

MOST_UNOPENED: Final = 64
"""Links that may be in their handshake at once."""
NO_BLAME: Final = frozenset(("E_FAR", "E_FULL"))
"""Codes of `Dropped` that an honest link may cause."""


class Node:
    """One peer. `random(n)` gives n random bytes; `door` says who may talk to us at all.

    A node has the lobby of a host, of a guest, or none (links of a game that has begun).
    """

    def __init__(
        self,
        *,
        identity: SigningKey,
        door: Door,
        random: Callable[[int], bytes],
        lobby: HostLobby | GuestLobby | None = None,
        addresses: Iterable[Address] = (),
    ) -> None:
        self.lobby = lobby
        self._identity = identity
        self._door = door
        self._random = random
        self._static = random(32)
        self._talks = Talks()
        self._output: list[Output] = []
        self._events: list[NodeEvent] = []
        self._sharing = Sharing(
            identity.public,
            self._talks,
            host=lobby if isinstance(lobby, HostLobby) else None,
            send=lambda peer, message: self._send(peer, message),
            report=lambda event: self._events.append(event),
        )
        self._whereabouts = Whereabouts(
            identity.public, self._talks, self._sharing, lobby=lobby, addresses=addresses
        )
        self._doorkeeper = Doorkeeper(identity.public, self._talks, self._whereabouts, lobby)

    # — the transport's side —

    def link_up(
        self,
        link: LinkId,
        *,
        initiator: bool,
        mtu: int,
        now: float,
        is_host: bool = False,
        expect: PublicKey | Fingerprint | None = None,
        remote: str | None = None,
    ) -> None:
        """A transport connection stands. `is_host`: we dialled it as the host's; `expect`: whom we dialled;
        `remote`: the other end's address without its port, where the transport knows it."""
        session = Session(
            initiator=initiator,
            mtu=mtu,
            identity=self._identity,
            static=self._static,
            ephemeral=self._random(32),
            door=self._door,
        )
        self._talks[link] = Talk(
            session, now=now, initiator=initiator, is_host=is_host, expect=expect, remote=remote
        )
        if sum(not talk.open for talk in self._talks.values()) > MOST_UNOPENED and not initiator:
            self.close(link, Why.BUSY)

    def datagram(self, link: LinkId, datagram: bytes, now: float) -> None:
        """Never raises. Datagrams of links already closed are ignored."""
        talk = self._talks.get(link)
        if talk is None:
            return
        for event in talk.receive(datagram, now):
            match event:
                case TalkOpened():
                    self._opened(link, talk, event, now)
                case TalkClosed():
                    self.close(link, event.why, version=event.version, now=now, answer=not event.told)
                case _:
                    self._message(link, talk, event, now)
            if link not in self._talks:
                return

    def link_down(self, link: LinkId, now: float) -> None:
        """The transport has lost the link."""
        self._forget(link, Why.GONE, None, now)

    def set_writable(self, link: LinkId, *, writable: bool, urgent: bool | None = None, now: float) -> None:
        """The transport has too much waiting for this link, or has room again; `urgent`, if it differs: for
        what may pass bulk."""
        talk = self._talks.get(link)
        if talk is not None:
            talk.set_writable(writable=writable, urgent=writable if urgent is None else urgent, now=now)

    def tick(self, now: float) -> None:
        """Do what the time asks for; at `deadline` or any other time."""
        for link, talk in tuple(self._talks.items()):
            why = talk.tick(now)
            if why is not None:
                self.close(link, why, now=now)

    def deadline(self) -> float | None:
        """When `tick` and `take_output` have something to do, should nothing happen before."""
        return min((talk.deadline() for talk in self._talks.values()), default=None)

    def take_output(self, now: float) -> tuple[Output, ...]:
        """What the transport shall do: per link one message at most, or one datagram of bulk. Ask again until
        there is nothing."""
        self._carry_lobby()
        for link, talk in self._talks.items():
            self._sharing.tell_heads(talk, now)
            for datagram in talk.take_datagrams(now):
                self._output.append(Send(link, datagram))
        output, self._output = tuple(self._output), []
        return output

    # — the owner's side —

    @property
    def identity(self) -> PublicKey:
        return self._identity.public

    def take_events(self) -> tuple[NodeEvent, ...]:
        """What happened, in order."""
        self._carry_lobby()
        events, self._events = tuple(self._events), []
        return events

    def attach(self, log: SharedLog, now: float) -> None:
        """Share this log with the peers that may have it. Read only; at most 8 at once."""
        if isinstance(self.lobby, GuestLobby):
            self.lobby.attached(log.game_id)
        self._sharing.attach(log, now)

    def detach(self, game: GameId) -> None:
        """Share this log no longer."""
        self._sharing.detach(game)

    def push(self, game: GameId, records: Iterable[bytes]) -> None:
        """Send records the owner has made and stored to everybody."""
        self._sharing.push(game, records)

    def judged(self, link: LinkId, game: GameId, outcome: Outcome, now: float) -> None:
        """What came of a record this link brought: goes on to others, charged to the link, or asked for."""
        self._sharing.pass_on(link, game, outcome.kept)
        talk = self._talks.get(link)
        if talk is None:
            return
        match outcome:
            case Dropped(code=code) if code not in NO_BLAME:
                if talk.brought_forgery() and talk.identity is not None:
                    self._doorkeeper.bans.ban(talk.identity, now)
                    self.close(link, Why.FORGED, now=now)
            case Pending() | UnknownBranch() | Dropped():
                self._sharing.heads_soon(talk, now)
            case _:
                pass

    def notice(self, game: GameId, code: int, seats: Iterable[int] = ()) -> None:
        """Tell everybody in the game an unsigned hint of ours."""
        self._sharing.notice(game, code, seats)

    def set_addresses(self, addresses: Iterable[Address]) -> None:
        """Where we can be dialled; told to everybody."""
        self._whereabouts.set_addresses(addresses)

    def learn(self, identity: PublicKey, addresses: Iterable[Address]) -> None:
        """Addresses the owner remembers from before."""
        self._whereabouts.learn(identity, addresses)

    def addresses(self, identity: PublicKey) -> tuple[Address, ...]:
        """Where this peer may be dialled, for the owner to remember."""
        return self._whereabouts.addresses(identity)

    def wanted(self, now: float) -> tuple[Wanted, ...]:
        """Peers of our table to dial: without a link, or with one on which nothing is heard any more.

        Who only watches dials nobody but the host: seats talk to seats.
        """
        return self._whereabouts.wanted(now)

    def is_open(self, link: LinkId) -> bool:
        """Whether the other end of this link has proved who it is."""
        talk = self._talks.get(link)
        return talk is not None and talk.open

    def peers(self) -> tuple[PublicKey, ...]:
        """Everybody we have a channel to."""
        return self._talks.peers()

    def reaches(self, identity: PublicKey, now: float) -> bool:
        """Whether this peer is heard over a link of ours, or one of ours says that it has a link to it."""
        return self._whereabouts.reaches(identity, now)

    def peer_states(self, now: float) -> tuple[PeerState, ...]:
        """How the peers are doing, for people to see."""
        return self._talks.states(now)

    def close(
        self,
        link: LinkId,
        why: Why = Why.BYE,
        *,
        version: int | None = None,
        now: float | None = None,
        answer: bool = True,
    ) -> None:
        """End a link: say good-bye (unless the other side did), then close."""
        talk = self._talks.get(link)
        if talk is None:
            return
        if answer:
            talk.close(why)
        moment = talk.heard if now is None else now
        self._output.extend(Send(link, datagram) for datagram in talk.take_datagrams(moment))
        self._output.append(Close(link, why))
        self._forget(link, why, version, moment)

    def close_all(self, why: Why = Why.BYE) -> None:
        """End all links."""
        for link in tuple(self._talks):
            self.close(link, why)

    # — links and peers —

    def _opened(self, link: LinkId, talk: Talk, event: TalkOpened, now: float) -> None:
        identity = event.identity
        why = self._doorkeeper.why_not(talk, identity, now)
        if why is not None:
            talk.identity = None
            self.close(link, why, now=now)
            return
        others = [
            (at, t) for at, t in self._talks.items() if t is not talk and t.open and t.identity == identity
        ]
        for other_link, other in others:
            if other.quiet(now):
                self.close(other_link, Why.SILENT, now=now)
            elif other.process != talk.process:
                talk.identity = None
                self.close(link, Why.SAME_IDENTITY, now=now)
                return
            else:
                self._doorkeeper.let_one_go(talk, other, now)
        self._greet(link, talk, identity, now, first=not others)

    def _greet(self, link: LinkId, talk: Talk, identity: PublicKey, now: float, *, first: bool) -> None:
        talk.heads_due = now
        self._events.append(LinkOpened(link, identity))
        if first:
            self._events.append(PeerUp(identity, link))
        self._lobby_opened(talk, identity)
        self._whereabouts.greet(talk)
        for stranger in self._doorkeeper.too_many():
            self.close(stranger, Why.BUSY, now=now)

    def _lobby_opened(self, talk: Talk, identity: PublicKey) -> None:
        if isinstance(self.lobby, HostLobby):
            self.lobby.opened(identity)
        elif self.lobby is not None:
            self.lobby.opened(identity, is_host=talk.is_host)
        self._carry_lobby()

    def _forget(self, link: LinkId, why: Why, version: int | None, now: float) -> None:
        talk = self._talks.pop(link, None)
        if talk is None:
            return
        identity = talk.identity
        self._events.append(LinkClosed(link, why, identity, version, talk.is_host))
        if identity is None:
            return
        left = self._talks.of(identity)
        if left:
            left[-1].heads_due = now
            if all(other.retires is not None for other in left):
                left[-1].retires = None
            self._lobby_opened(left[-1], identity)
            return
        self._events.append(PeerDown(identity, why))
        self._whereabouts.tell_links()
        if self.lobby is not None:
            self.lobby.lost(identity)
            self._carry_lobby()

    def _send(self, identity: PublicKey, message: Message) -> None:
        self._talks.send(identity, message)

    # — messages —

    def _message(self, link: LinkId, talk: Talk, message: Message, now: float) -> None:
        identity = talk.identity
        assert identity is not None
        match message:
            case Heads() | Entries() | Have() | Want() | Notice():
                self._sharing.heard(link, talk, identity, message, now)
            case Listening() | Linked() | Peers():
                self._whereabouts.heard(talk, identity, message)
            case _:
                if self.lobby is not None:
                    self.lobby.message(identity, message)
                    self._carry_lobby()

    def _carry_lobby(self) -> None:
        if self.lobby is None:
            return
        messages = self.lobby.take_messages()
        for to_peer in messages:
            self._send(to_peer.identity, to_peer.message)
        self._events.extend(self.lobby.take_events())
        if any(isinstance(to_peer.message, Table) for to_peer in messages):
            self._whereabouts.tell_all()
