"""Our end of all links: sessions, table, sync. Sans-IO: bytes and the time in, bytes out, events to collect.

The law of this file: it carries and never judges. Records go up to the owner, who puts them through the log
and the store and then says what came of them; only what the owner kept goes on to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from ledger.entry import Entry
from ledger.genesis import GameId
from ledger.heads import Heads
from ledger.identity import PublicKey, SigningKey
from ledger.outcome import Dropped, Outcome, Pending, UnknownBranch
from p2p.codes import Fingerprint, is_expected
from p2p.directory import Directory, Wanted
from p2p.events import (
    EntryArrived,
    LinkClosed,
    LinkOpened,
    NodeEvent,
    NoticeArrived,
    OtherGame,
    PeerDown,
    PeerUp,
)
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.link import LinkId
from p2p.lobby import seat_of
from p2p.messages import (
    MOST_SEATS,
    MOST_WATCHERS,
    Address,
    Entries,
    Linked,
    Listening,
    Message,
    Notice,
    PeerLine,
    Peers,
    Table,
)
from p2p.reasons import Why
from p2p.session import Door, Session
from p2p.sync import HEADS_EVERY, HEADS_IDLE, HEADS_SOON, SharedLog, answer, is_ahead, pack, size_of
from p2p.talk import DUPLICATE_TIME, Talk, TalkClosed, TalkOpened

MOST_UNOPENED: Final = 64
"""Links that may be in their handshake at once."""
MOST_STRANGERS: Final = 16
"""Talks with peers that have no seat and do not watch; the oldest makes room."""
MOST_LOGS: Final = 8
BAN_SECONDS: Final = 60.0
LONGEST_BAN: Final = 3_600.0
MOST_BANS: Final = 64
NO_BLAME: Final = frozenset(("E_FAR", "E_FULL"))
"""Codes of `Dropped` that an honest link may cause."""


@dataclass(frozen=True, slots=True)
class Send:
    """One datagram for one link."""

    link: LinkId
    datagram: bytes


@dataclass(frozen=True, slots=True)
class Close:
    """Close this link after what was sent before. The node has forgotten it already."""

    link: LinkId
    why: Why


Output: TypeAlias = Send | Close


@dataclass(frozen=True, slots=True)
class PeerState:
    """How a peer is doing. `quiet`: nothing heard for longer than an honest peer is silent."""

    identity: PublicKey
    heard_seconds_ago: float
    quiet: bool


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
        self._addresses = tuple(addresses)
        self._talks: dict[LinkId, Talk] = {}
        self._logs: dict[GameId, SharedLog] = {}
        self._directory = Directory(identity.public)
        self._banned: dict[PublicKey, tuple[float, float]] = {}
        self._other_games: dict[PublicKey, GameId] = {}
        self._output: list[Output] = []
        self._events: list[NodeEvent] = []

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

    def set_writable(self, link: LinkId, *, writable: bool, now: float) -> None:
        """The transport has too much waiting for this link, or has room again."""
        talk = self._talks.get(link)
        if talk is not None:
            talk.set_writable(writable=writable, now=now)

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
        """What the transport shall do: per link one message at most. Ask again until there is nothing."""
        self._carry_lobby()
        for link, talk in self._talks.items():
            if talk.heads_due is not None and now >= talk.heads_due and talk.open:
                self._tell_heads(talk, now)
            self._output.extend(Send(link, datagram) for datagram in talk.take_datagrams(now))
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
        """Share this log with the peers that may have it. Read only; at most `MOST_LOGS` at once."""
        if log.game_id not in self._logs and len(self._logs) >= MOST_LOGS:
            del self._logs[next(iter(self._logs))]
        self._logs[log.game_id] = log
        if isinstance(self.lobby, GuestLobby):
            self.lobby.attached(log.game_id)
        self._heads_now(now)

    def detach(self, game: GameId) -> None:
        """Share this log no longer."""
        self._logs.pop(game, None)

    def push(self, game: GameId, records: Iterable[bytes]) -> None:
        """Send records the owner has made and stored to everybody."""
        messages = pack(game, records)
        for identity in self.peers():
            if self._may_have(game, identity):
                for message in messages:
                    self._send(identity, message)

    def judged(self, link: LinkId, game: GameId, outcome: Outcome, now: float) -> None:
        """What came of a record this link brought: goes on to others, charged to the link, or asked for."""
        self._pass_on(link, game, outcome.kept)
        talk = self._talks.get(link)
        if talk is None:
            return
        match outcome:
            case Dropped(code=code) if code not in NO_BLAME:
                if talk.brought_forgery() and talk.identity is not None:
                    self._ban(talk.identity, now)
                    self.close(link, Why.FORGED, now=now)
            case Pending() | UnknownBranch() | Dropped():
                self._heads_soon(talk, now)
            case _:
                pass

    def notice(self, game: GameId, code: int, seats: Iterable[int] = ()) -> None:
        """Tell everybody in the game an unsigned hint of ours."""
        log = self._logs.get(game)
        seat = None if log is None else seat_of(log.genesis, self.identity)
        if seat is not None:
            message = Notice(game, seat, code, tuple(seats), relayed=False)
            for identity in self.peers():
                if self._may_have(game, identity):
                    self._send(identity, message)

    def set_addresses(self, addresses: Iterable[Address]) -> None:
        """Where we can be dialled; told to everybody."""
        self._addresses = tuple(dict.fromkeys(addresses))
        for identity in self.peers():
            self._send(identity, Listening(self._addresses))

    def learn(self, identity: PublicKey, addresses: Iterable[Address]) -> None:
        """Addresses the owner remembers from before."""
        self._directory.told([PeerLine(identity, tuple(addresses))])

    def addresses(self, identity: PublicKey) -> tuple[Address, ...]:
        """Where this peer may be dialled, for the owner to remember."""
        return self._directory.addresses(identity)

    def wanted(self, now: float) -> tuple[Wanted, ...]:
        """Peers of our table to dial: the driver tries, again and again, ever more slowly."""
        return self._directory.wanted(self._members(), self.peers(), now)

    def is_open(self, link: LinkId) -> bool:
        """Whether the other end of this link has proved who it is."""
        talk = self._talks.get(link)
        return talk is not None and talk.open

    def peers(self) -> tuple[PublicKey, ...]:
        """Everybody we have a channel to."""
        return tuple(dict.fromkeys(t.identity for t in self._talks.values() if t.open and t.identity))

    def peer_states(self, now: float) -> tuple[PeerState, ...]:
        """How the peers are doing, for people to see."""
        heard: dict[PublicKey, float] = {}
        for talk in self._talks.values():
            if talk.open and talk.identity is not None:
                heard[talk.identity] = max(heard.get(talk.identity, talk.heard), talk.heard)
        return tuple(
            PeerState(identity, now - at, all(t.quiet(now) for t in self._talks_with(identity)))
            for identity, at in heard.items()
        )

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
        why = self._why_not(talk, identity, now)
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
            elif self.identity < identity:
                keeps_other = other.initiator != talk.initiator and other.initiator
                (talk if keeps_other else other).retires = now + DUPLICATE_TIME
        self._greet(link, talk, identity, now, first=not others)

    def _why_not(self, talk: Talk, identity: PublicKey, now: float) -> Why | None:
        if not is_expected(identity, talk.expect):
            return Why.OTHER_PEER
        if self._banned.get(identity, (0.0, 0.0))[0] > now:
            return Why.FORGED
        if not isinstance(self.lobby, HostLobby) and not talk.is_host and identity not in self._members():
            return Why.STRANGER
        return None

    def _greet(self, link: LinkId, talk: Talk, identity: PublicKey, now: float, *, first: bool) -> None:
        talk.heads_due = now
        self._events.append(LinkOpened(link, identity))
        if first:
            self._events.append(PeerUp(identity, link))
        self._lobby_opened(talk, identity)
        talk.send(Listening(self._addresses))
        self._tell_links()
        self._tell_addresses()
        self._make_room(now)

    def _lobby_opened(self, talk: Talk, identity: PublicKey) -> None:
        if isinstance(self.lobby, HostLobby):
            self.lobby.opened(identity)
        elif self.lobby is not None:
            self.lobby.opened(identity, is_host=talk.is_host)
        self._carry_lobby()

    def _make_room(self, now: float) -> None:
        """Of too many strangers the one that came first goes: seats and watchers always find a place."""
        if isinstance(self.lobby, HostLobby):
            members = {*self._members(), *self.lobby.watchers, *self.lobby.waiting}
            strangers = [link for link, t in self._talks.items() if t.open and t.identity not in members]
            for link in strangers[: max(0, len(strangers) - MOST_STRANGERS)]:
                self.close(link, Why.BUSY, now=now)

    def _forget(self, link: LinkId, why: Why, version: int | None, now: float) -> None:
        talk = self._talks.pop(link, None)
        if talk is None:
            return
        identity = talk.identity
        self._events.append(LinkClosed(link, why, identity, version))
        if identity is None:
            return
        left = self._talks_with(identity)
        if left:
            left[-1].heads_due = now
            if all(other.retires is not None for other in left):
                left[-1].retires = None
            self._lobby_opened(left[-1], identity)
            return
        self._events.append(PeerDown(identity, why))
        self._tell_links()
        if self.lobby is not None:
            self.lobby.lost(identity)
            self._carry_lobby()

    def _ban(self, identity: PublicKey, now: float) -> None:
        _, seconds = self._banned.pop(identity, (0.0, BAN_SECONDS / 2))
        seconds = min(2 * seconds, LONGEST_BAN)
        if len(self._banned) >= MOST_BANS:
            del self._banned[next(iter(self._banned))]
        self._banned[identity] = (now + seconds, seconds)

    def _talks_with(self, identity: PublicKey) -> list[Talk]:
        return [talk for talk in self._talks.values() if talk.open and talk.identity == identity]

    def _members(self) -> tuple[PublicKey, ...]:
        """Everybody with a seat at our table, as far as we know, and the host."""
        keys: list[PublicKey] = [r.identity_key for log in self._logs.values() for r in log.genesis.seats]
        table = None if self.lobby is None else self.lobby.table
        if table is not None:
            keys += [line.identity for line in table.roster if not line.watching and not line.bot]
        if isinstance(self.lobby, GuestLobby) and self.lobby.host is not None:
            keys.append(self.lobby.host)
        return tuple(dict.fromkeys(keys))

    def _send(self, identity: PublicKey, message: Message) -> None:
        talks = self._talks_with(identity)
        if talks:
            talks[-1].send(message)

    # — messages —

    def _message(self, link: LinkId, talk: Talk, message: Message, now: float) -> None:
        identity = talk.identity
        assert identity is not None
        match message:
            case Heads():
                self._heads(talk, identity, message, now)
            case Entries():
                if message.game in self._logs and self._may_have(message.game, identity):
                    for record in message.records:
                        self._events.append(EntryArrived(message.game, record, link))
                    if message.more:
                        talk.heads_due = now
            case Notice():
                self._notice(identity, message)
            case Listening():
                if self._directory.said(identity, (*message.addresses, *_seen_at(talk, message.addresses))):
                    self._tell_addresses()
            case Linked():
                talk.linked = frozenset(message.peers)
            case Peers():
                if identity in self._members():
                    self._directory.told(message.peers)
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
            self._tell_addresses()  # who is new at the table wants to know where the others listen

    def _may_have(self, game: GameId, identity: PublicKey) -> bool:
        """Who has a seat in the game, and whom the host lets watch; a stranger gets nothing."""
        log = self._logs.get(game)
        if log is None:
            return False
        if seat_of(log.genesis, identity) is not None:
            return True
        return isinstance(self.lobby, HostLobby) and identity in self.lobby.watchers

    def _heads(self, talk: Talk, identity: PublicKey, theirs: Heads, now: float) -> None:
        log = self._logs.get(theirs.game_id)
        if log is None:
            members = {r.identity_key for known in self._logs.values() for r in known.genesis.seats}
            if identity in members and self._other_games.get(identity) != theirs.game_id:
                self._other_games[identity] = theirs.game_id
                self._events.append(OtherGame(identity, theirs.game_id))
            return
        if not self._may_have(theirs.game_id, identity) or not talk.may_answer(0, now):
            return
        messages = answer(log, theirs)
        if messages and talk.may_answer(size_of(messages), now):
            for message in messages:
                talk.send(message)
        if is_ahead(theirs, log.heads()):
            self._heads_soon(talk, now)

    def _heads_soon(self, talk: Talk, now: float) -> None:
        due = max(now, talk.heads_sent + HEADS_SOON)
        talk.heads_due = due if talk.heads_due is None else min(due, talk.heads_due)

    def _heads_now(self, now: float) -> None:
        for talk in self._talks.values():
            if talk.open:
                talk.heads_due = now

    def _tell_heads(self, talk: Talk, now: float) -> None:
        pause = HEADS_IDLE
        for game, log in self._logs.items():
            if talk.identity is not None and self._may_have(game, talk.identity):
                talk.send(log.heads())
                if log.dues:
                    pause = HEADS_EVERY
        talk.heads_sent = now
        talk.heads_due = now + pause

    def _pass_on(self, link: LinkId, game: GameId, kept: Iterable[Entry]) -> None:
        """Send what was kept to who may lack it: not where it came from, nor to whom its author has a link.

        Should the author not have reached them after all, heads will tell.
        """
        log = self._logs.get(game)
        entries = tuple(kept)
        if log is None or not entries:
            return
        source = self._talks.get(link)
        seats = log.genesis.seats
        for identity in self.peers():
            if not self._may_have(game, identity) or (source is not None and source.identity == identity):
                continue
            linked = self._talks_with(identity)[-1].linked
            wanting = [e.record for e in entries if seats[e.seat].identity_key not in (identity, *linked)]
            for message in pack(game, wanting):
                self._send(identity, message)

    def _tell_links(self) -> None:
        """Tell everybody to whom we have a link."""
        peers = self.peers()[: MOST_SEATS + MOST_WATCHERS]
        for identity in peers:
            self._send(identity, Linked(tuple(peer for peer in peers if peer != identity)))

    def _tell_addresses(self) -> None:
        """The host tells everybody where the others listen, so that they link to one another."""
        if isinstance(self.lobby, HostLobby):
            for identity in self.peers():
                lines = self._directory.lines(key for key in self._members() if key != identity)
                if lines:
                    self._send(identity, Peers(lines))

    def _notice(self, identity: PublicKey, message: Notice) -> None:
        log = self._logs.get(message.game)
        if log is None or not self._may_have(message.game, identity):
            return
        own = seat_of(log.genesis, self.identity)
        if message.seat == own or not (message.relayed or message.seat == seat_of(log.genesis, identity)):
            return
        self._events.append(
            NoticeArrived(message.game, message.seat, message.code, message.seats, message.relayed)
        )
        if isinstance(self.lobby, HostLobby) and not message.relayed:
            relayed = Notice(message.game, message.seat, message.code, message.seats, relayed=True)
            for other in self.peers():
                if other != identity and self._may_have(message.game, other):
                    self._send(other, relayed)


def _seen_at(talk: Talk, addresses: tuple[Address, ...]) -> tuple[Address, ...]:
    """The peer's address as we see it, with the port it says it listens on."""
    if talk.remote is None or not addresses:
        return ()
    port = addresses[0].rpartition(":")[2]
    host = f"[{talk.remote}]" if ":" in talk.remote else talk.remote
    return (Address(f"{host}:{port}"),)
