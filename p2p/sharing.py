"""The games a node shares: who may have them, what is told, answered, passed on. Sans-IO.

The law of this file: a game goes to its seats, and by the host to those it lets watch; to nobody else.
Records are never judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from ledger.entry import Entry
from ledger.genesis import GameId
from ledger.heads import Heads
from ledger.identity import PublicKey
from p2p.events import EntryArrived, NodeEvent, NoticeArrived, OtherGame
from p2p.host import HostLobby
from p2p.link import LinkId
from p2p.lobby import seat_of
from p2p.messages import Entries, Have, Message, Notice, Want
from p2p.sync import (
    HEADS_DOUBT,
    HEADS_EVERY,
    HEADS_IDLE,
    HEADS_SOON,
    SharedLog,
    answer,
    find,
    is_ahead,
    is_rival,
    names,
    pack,
    size_of,
)
from p2p.talk import Talk
from p2p.talks import Talks

MOST_LOGS: Final = 8


class Sharing:
    """`host` is our lobby if we host; `send` carries a message to a peer, `report` an event to the owner."""

    def __init__(
        self,
        own: PublicKey,
        talks: Talks,
        *,
        host: HostLobby | None,
        send: Callable[[PublicKey, Message], None],
        report: Callable[[NodeEvent], None],
    ) -> None:
        self._own = own
        self._talks = talks
        self._host = host
        self._send = send
        self._report = report
        self._logs: dict[GameId, SharedLog] = {}
        self._other_games: dict[PublicKey, GameId] = {}

    def attach(self, log: SharedLog, now: float) -> None:
        """Share this log from now on; the oldest makes room."""
        if log.game_id not in self._logs and len(self._logs) >= MOST_LOGS:
            del self._logs[next(iter(self._logs))]
        self._logs[log.game_id] = log
        for talk in self._talks.values():
            if talk.open:
                talk.heads_due = now

    def detach(self, game: GameId) -> None:
        self._logs.pop(game, None)

    def seats(self) -> tuple[PublicKey, ...]:
        """Everybody with a seat in a game shared here."""
        return tuple(record.identity_key for log in self._logs.values() for record in log.genesis.seats)

    def may_have(self, game: GameId, identity: PublicKey) -> bool:
        """Who has a seat in the game, and whom the host lets watch; a stranger gets nothing."""
        log = self._logs.get(game)
        if log is None:
            return False
        watches = self._host is not None and identity in self._host.watchers
        return watches or seat_of(log.genesis, identity) is not None

    def heard(
        self,
        link: LinkId,
        talk: Talk,
        identity: PublicKey,
        message: Heads | Entries | Have | Want | Notice,
        now: float,
    ) -> None:
        """A peer's word about a game."""
        match message:
            case Heads():
                self._heads(talk, identity, message, now)
            case Entries():
                self._entries(link, talk, identity, message, now)
            case Have():
                self._have(talk, identity, message, now)
            case Want():
                self._want(talk, identity, message, now)
            case Notice():
                self._noticed(identity, message)

    # — records —

    def push(self, game: GameId, records: Iterable[bytes]) -> None:
        """To everybody who may have them."""
        messages = pack(game, records)
        for identity in self._audience(game):
            for message in messages:
                self._send(identity, message)

    def pass_on(self, link: LinkId, game: GameId, kept: Iterable[Entry]) -> None:
        """Send what was kept to who may lack it: not where it came from, nor to its author.

        Who has a link to the author gets the entry from there and its name from us: should it not come, or
        come different, they ask.
        """
        log = self._logs.get(game)
        entries = tuple(kept)
        if log is None or not entries:
            return
        source = self._talks.get(link)
        authors = log.genesis.seats
        for identity in self._audience(game):
            if source is not None and source.identity == identity:
                continue
            linked = self._talks.of(identity)[-1].linked
            others = [entry for entry in entries if authors[entry.seat].identity_key != identity]
            served = [entry for entry in others if authors[entry.seat].identity_key in linked]
            lacking = [entry.record for entry in others if entry not in served]
            messages: tuple[Message, ...] = (*pack(game, lacking), *names(game, served))
            for message in messages:
                self._send(identity, message)

    def _entries(self, link: LinkId, talk: Talk, identity: PublicKey, message: Entries, now: float) -> None:
        """Records have come: up to the owner with them."""
        if not self.may_have(message.game, identity):
            return
        for record in message.records:
            self._report(EntryArrived(message.game, record, link))
        if message.more:
            talk.heads_due = now

    def _have(self, talk: Talk, identity: PublicKey, message: Have, now: float) -> None:
        """Somebody has what its author should have brought us: wait a little, or ask at once for a rival."""
        log = self._named(message.game, identity)
        if log is None or not talk.may_answer(0, now):
            return
        unknown = [name for name in message.entries if find(log, name) is None]
        rivals = tuple(name for name in unknown if is_rival(log, name))
        if rivals:
            talk.send(Want(message.game, rivals))
        if len(rivals) < len(unknown):
            self._heads_by(talk, now + HEADS_DOUBT)

    def _want(self, talk: Talk, identity: PublicKey, message: Want, now: float) -> None:
        """Somebody holds rivals of these entries."""
        log = self._named(message.game, identity)
        if log is None or not talk.may_answer(0, now):
            return
        found = (find(log, name) for name in message.entries)
        messages = pack(log.game_id, [entry.record for entry in found if entry is not None])
        if messages and talk.may_answer(size_of(messages), now):
            for each in messages:
                talk.send(each)

    def _named(self, start: bytes, identity: PublicKey) -> SharedLog | None:
        """The shared game whose id starts so, if this peer may have it."""
        for game, log in self._logs.items():
            if game.startswith(start) and self.may_have(game, identity):
                return log
        return None

    # — heads —

    def tell_heads(self, talk: Talk, now: float) -> None:
        """Say what we have, if it is time."""
        if talk.heads_due is None or now < talk.heads_due or not talk.open or talk.identity is None:
            return
        pause = HEADS_IDLE
        for game, log in self._logs.items():
            if self.may_have(game, talk.identity):
                talk.send(log.heads())
                if log.dues:
                    pause = HEADS_EVERY
        talk.heads_sent = now
        talk.heads_due = now + pause

    def heads_soon(self, talk: Talk, now: float) -> None:
        """We seem to be behind: say what we have, but not all the time."""
        self._heads_by(talk, max(now, talk.heads_sent + HEADS_SOON))

    def _heads_by(self, talk: Talk, due: float) -> None:
        talk.heads_due = due if talk.heads_due is None else min(due, talk.heads_due)

    def _heads(self, talk: Talk, identity: PublicKey, theirs: Heads, now: float) -> None:
        """Answer with what they lack; say what we have if they are ahead."""
        talk.game = theirs.game_id
        log = self._logs.get(theirs.game_id)
        if log is None:
            self._other_game(identity, theirs.game_id)
            return
        if not self.may_have(theirs.game_id, identity) or not talk.may_answer(0, now):
            return
        messages = answer(log, theirs)
        if messages and talk.may_answer(size_of(messages), now):
            for message in messages:
                talk.send(message)
        if is_ahead(theirs, log.heads()):
            self.heads_soon(talk, now)

    def _other_game(self, identity: PublicKey, game: GameId) -> None:
        if identity in self.seats() and self._other_games.get(identity) != game:
            self._other_games[identity] = game
            self._report(OtherGame(identity, game))

    # — notices —

    def notice(self, game: GameId, code: int, seats: Iterable[int]) -> None:
        """Tell everybody in the game an unsigned hint of ours."""
        log = self._logs.get(game)
        seat = None if log is None else seat_of(log.genesis, self._own)
        if seat is not None:
            for identity in self._audience(game):
                self._send(identity, Notice(game, seat, code, tuple(seats), relayed=False))

    def _noticed(self, identity: PublicKey, message: Notice) -> None:
        """A hint has come; the host carries it on once."""
        log = self._logs.get(message.game)
        if log is None or not self.may_have(message.game, identity):
            return
        speaks_for_itself = message.seat == seat_of(log.genesis, identity)
        if message.seat == seat_of(log.genesis, self._own) or not (message.relayed or speaks_for_itself):
            return
        self._report(NoticeArrived(message.game, message.seat, message.code, message.seats, message.relayed))
        if self._host is not None and not message.relayed:
            relayed = Notice(message.game, message.seat, message.code, message.seats, relayed=True)
            for other in self._audience(message.game):
                if other != identity:
                    self._send(other, relayed)

    def _audience(self, game: GameId) -> tuple[PublicKey, ...]:
        """Who gets what is new: the seats, and watchers that have the genesis by now."""
        log = self._logs.get(game)
        if log is None:
            return ()
        seated = [record.identity_key for record in log.genesis.seats]
        return tuple(
            peer
            for peer in self._talks.peers()
            if peer in seated or (self.may_have(game, peer) and self._talks.of(peer)[-1].game == game)
        )
