"""One peer at one table: the node, the games played there and our own seat, driven together.

A card travels from here into the game, the log, the node and out; what others send comes back the same way.
The driver of the links hands every event of the node to `take`; faces (line mode, the page, bots) read
`view`, wait for changes and call `act`. One event loop, no threads: nothing here runs at the same time.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from cli.absence import Absence
from cli.ahead import NextGame
from cli.game_peer import GamePeer
from cli.seat_request import SeatRequest
from game.series import previous_of
from ledger.errors import BadGenesis, LedgerError, StoreError, Unsupported
from ledger.genesis import SeatRecord
from ledger.identity import certify, game_key
from ledger.level import Status
from p2p.events import EntryArrived, LinkClosed, NoticeArrived, PeerDown, PeerUp
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import (
    GenesisAgreed,
    GenesisRefused,
    GuestAsks,
    LobbyError,
    RefusedByTable,
    TableShown,
    Terms,
    seated,
    terms_of,
)
from p2p.messages import AskSeat
from p2p.reasons import Why

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from cli.game_peer import Store
    from game.actions import Action
    from game.course import Course
    from game.events import Event
    from game.view import View
    from ledger.genesis import Genesis, Previous
    from ledger.identity import PublicKey, SigningKey
    from p2p.events import NodeEvent
    from p2p.lobby import LobbyEvent
    from p2p.messages import Table
    from p2p.node import Node
    from p2p.reasons import Refusal

SEED = 32


class Games(Protocol):
    """Where the games of this device are kept."""

    def create(self, genesis: Genesis, seed: bytes) -> Store:
        """A new game with a seat of ours. Raises `StoreError`; then nothing may be signed."""

    def watch(self, genesis: Genesis) -> Store:
        """A game we only look at. Raises `StoreError`."""

    def asked(self, request: SeatRequest) -> None:
        """A seat is about to be asked for: keep with what, until `create`. Raises `StoreError`."""

    def held(self) -> None:
        """The game begun with what was asked last is kept in memory until all have dealt."""

    def given_up(self) -> None:
        """The seat asked for last is wanted no more, and the host hears so."""


@dataclass(slots=True)
class Presence:
    """What is known about the links, for people to see. Times are those of the driver's clock."""

    here: set[PublicKey] = field(default_factory=set)
    lost_at: dict[PublicKey, float] = field(default_factory=dict)
    said_bye: set[PublicKey] = field(default_factory=set)
    """Those of `lost_at` that closed the link on purpose."""


class Peer:
    """One device at one table. `random(n)` gives n bytes of the operating system's dice."""

    def __init__(
        self,
        *,
        identity: SigningKey,
        name: str,
        node: Node,
        course: Course,
        games: Games,
        random: Callable[[int], bytes],
        clock: Callable[[], float],
        bot: bool = False,
        auto_start: bool = False,
        wants_seat: bool = True,
        deals_ahead: bool = False,
        watches: bool = False,
        request: SeatRequest | None = None,
    ) -> None:
        """`request`: what an earlier start of this device asked for a seat with."""
        self.identity = identity
        self.name = name
        self.node = node
        self.course = course
        self.game: GamePeer | None = None
        self.next: NextGame | None = None
        """The next game, shuffled while people look at the last one; `game` as soon as all have dealt."""
        self.presence = Presence()
        self.absence = Absence(self, clock)
        self.refused: Refusal | None = None
        self.closed: Why | None = None
        self.twin_since: float | None = None
        """Since when the host sees a link of our identity besides ours: a twin, or what a crash has left."""
        self.other_version: int | None = None
        self.asking: list[GuestAsks] = []
        self.trouble: LedgerError | None = None
        self.wants_seat = wants_seat
        """Whether to ask for a seat as soon as a game is prepared; faces change it between games."""
        self.deals_ahead = deals_ahead
        """Whether to shuffle the next game as soon as one is over (`cli.ahead`)."""
        self.flush: Callable[[], None] = lambda: None
        """Set to the driver's own: called after the node was asked something outside of `take`."""
        self._games = games
        self._random = random
        self._clock = clock
        self._bot = bot
        self._auto_start = auto_start
        self._by_hand = False
        self.watches = watches
        """Whether we only look on."""
        self._asked_to_watch = False
        self._seeds: dict[bytes, bytes] = {}
        self._asked_round = 0
        self._request = request
        self._version = 0
        self._waiters: list[asyncio.Future[None]] = []

    # what faces read

    @property
    def hosting(self) -> bool:
        return isinstance(self.node.lobby, HostLobby)

    @property
    def table(self) -> Table | None:
        """The table as it stands in the lobby."""
        lobby = self.node.lobby
        return None if lobby is None else lobby.table

    @property
    def host_away(self) -> float | None:
        """For how many seconds a guest has no link to the host; None while he has one."""
        lobby = self.node.lobby
        if not isinstance(lobby, GuestLobby) or lobby.host is None or lobby.host in self.presence.here:
            return None
        lost = self.presence.lost_at.get(lobby.host)
        return None if lost is None else self._clock() - lost

    @property
    def host_closed(self) -> bool:
        """Whether the host of a guest's table has got up: a table does not come back, a link may."""
        lobby = self.node.lobby
        return isinstance(lobby, GuestLobby) and lobby.host in self.presence.said_bye

    @property
    def playing(self) -> bool:
        """A game is set up or in course."""
        return self.game is not None and not self.game.done

    def view(self) -> View:
        """What our seat may know. Only when there is a game."""
        assert self.game is not None
        return self.game.view()

    async def changed(self) -> None:
        """Return after anything has changed: a height, the lobby, a link."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await waiter

    async def updates(self, since: int | None = None) -> AsyncIterator[tuple[View, tuple[Event, ...]]]:
        """The view of the game now, then one after every change with what happened; ends with the game.

        With `since`, what happened from that height on is told first.
        """
        game = self.game
        assert game is not None
        told = game.told if since is None else since
        if since is None:
            yield game.view(), ()
        while True:
            happened = game.events_from(told)
            if happened:
                told = game.told
                yield game.view(), tuple(event for _, events in happened for event in events)
            elif game.done or game is not self.game:
                return
            else:
                await self.changed()

    # what faces decide

    async def act(self, action: Action) -> None:
        """Sign, store and send a decision. Raises `LedgerError` or `GameError`; then nothing was signed."""
        game = self.game
        assert game is not None
        record = game.decide(action)
        self.node.push(game.genesis.game_id, (record,))
        self._advance()
        self.flush()
        self._wake()

    def abort(self) -> None:
        """Sign, store and send an ABORT of who is waited for now (R30). Raises as `GamePeer.abort` does."""
        game = self.game
        assert game is not None
        self.node.push(game.genesis.game_id, (game.abort(),))
        self._advance()
        self.flush()
        self._wake()

    async def go_on_without(self, *, on: bool = True) -> None:
        """Say that we would end the game without those it waits for (R30), or no longer."""
        self.absence.say(on=on)
        self.flush()
        self._wake()

    def look_around(self) -> None:
        """Time alone changes what is to be seen and said; to be called every few seconds."""
        self.absence.repeat()
        self.flush()
        self._wake()

    def by_hand(self) -> None:
        """From now on our person says that he agrees and, at the host's, that the game begins.

        The same people by the same rules play again without another word.
        """
        self._by_hand = True

    def sit_again(self) -> None:
        """Want a seat again, and ask for one at once if another game is being prepared already."""
        self.wants_seat = True
        if self.next is not None:
            self.next.wanted = True
            self._advance()
        table = self.table
        if table is not None:
            self._table_shown(table)
            self.flush()

    def plays_no_more(self) -> None:
        """The game in course is our last: prepare none after it."""
        self.wants_seat = self.deals_ahead = False
        self._drop_next()

    def leave(self) -> None:
        """Tell the host that our seat is free. The host's own table just closes."""
        self.plays_no_more()
        lobby = self.node.lobby
        if isinstance(lobby, GuestLobby):
            if lobby.host in self.presence.here:
                self._games.given_up()
            lobby.leave()
            self.flush()

    def sit(self) -> None:
        """Take, or ask for, a seat in the round that is being prepared. Raises `LobbyError`."""
        lobby = self.node.lobby
        table = self.table
        assert table is not None
        self._asked_round = table.round
        self.refused = None
        seed, record = self._new_record()
        if isinstance(lobby, HostLobby):
            lobby.seat_own(record, bot=self._bot)
        elif isinstance(lobby, GuestLobby) and lobby.host is not None:
            self._games.asked(SeatRequest(lobby.host, seed, AskSeat(table.round, record)))
            lobby.ask_seat(record)
        self.flush()

    def look_on(self) -> None:
        """Ask to watch, and want no seat any more."""
        self.watches, self.wants_seat, self.refused = True, False, None
        self._asked_to_watch = False
        self._watch()
        self.flush()

    def ready(self, *, ready: bool = True) -> None:
        """Agree to the terms shown, or no longer. The host's own seat always does."""
        if isinstance(self.node.lobby, GuestLobby):
            self.node.lobby.set_ready(ready=ready)
            self.flush()

    def start(self) -> None:
        """The host starts the game. Raises `LobbyError` while somebody is missing or not ready."""
        assert isinstance(self.node.lobby, HostLobby)
        self.node.lobby.start()
        self.flush()

    def rematch(self) -> None:
        """The host prepares another game with the same people, rules and series (R5). Raises `LobbyError`."""
        lobby, game = self.node.lobby, self.game
        assert isinstance(lobby, HostLobby)
        assert game is not None
        ended = game.log.ended
        if ended is None or self.next is not None:
            raise LobbyError("lobby.no-game-before")
        genesis = game.genesis
        previous = self._previous(tuple(record.identity_key for record in genesis.seats))
        lobby.next_round(
            Terms(genesis.rules_id, genesis.options, genesis.suite, len(genesis.seats), previous)
        )
        self.flush()

    # what the driver calls

    def stop(self, why: str) -> None:
        """Sign nothing more at this table, for a reason that faces show (a message id): the seat is another
        program's now, or what it signs cannot be kept."""
        for game in (self.game, None if self.next is None else self.next.game):
            if game is not None:
                game.trouble = why
        self._wake()

    def close(self) -> None:
        """Give the files of the game back, once the driver has ended."""
        self._drop_next()
        if self.game is not None:
            self.game.store.close()

    def resume(self, store: Store) -> None:
        """Go on with a stored game: what was signed is sent again as it stands. Raises as `GamePeer` does."""
        self._begin(GamePeer(store, self.course), self._clock())
        self.flush()

    def take(self, event: NodeEvent | LobbyEvent) -> None:
        """Take in one event of the node."""
        self._take(event, self._clock())
        self._wake()

    # inside

    def _take(self, event: NodeEvent | LobbyEvent, now: float) -> None:
        match event:
            case EntryArrived():
                self._entry(event, now)
            case PeerUp():
                self.presence.here.add(event.identity)
                self.presence.lost_at.pop(event.identity, None)
                self.presence.said_bye.discard(event.identity)
                self.absence.repeat()
            case PeerDown():
                self.presence.here.discard(event.identity)
                self.presence.lost_at[event.identity] = now
                if event.why is Why.BYE:
                    self.presence.said_bye.add(event.identity)
                self._call_off(event.identity)
            case LinkClosed():
                if event.is_host:
                    self.closed = event.why
                    if event.why is Why.SAME_IDENTITY and self.twin_since is None:
                        self.twin_since = now
                if event.version is not None:
                    self.other_version = event.version
            case TableShown():
                self.twin_since = None
                self._table_shown(event.table)
            case RefusedByTable():
                self.refused = event.reason
            case GenesisAgreed():
                self._agreed(event, now)
            case GenesisRefused():
                self._asked_round = 0
            case GuestAsks():
                self.asking.append(event)
            case NoticeArrived():
                self.absence.noticed(event)
            case _:
                pass

    def _entry(self, event: EntryArrived, now: float) -> None:
        coming = None if self.next is None else self.next.game
        for game in (self.game, coming):
            if game is not None and game.genesis.game_id == event.game:
                outcome = game.receive(event.record)
                self.node.judged(event.link, event.game, outcome, now)
                if outcome.kept:
                    self._advance()

    def _table_shown(self, table: Table) -> None:
        if self.next is not None and table.round > self.next.round:
            self._drop_next()
        if self.watches:
            self._watch()
            return
        self._ask_again()
        wants = self.wants_seat or self._may_deal_ahead
        if table.game is not None or not wants or self.refused is not None:
            return
        mine = next((line for line in table.roster if line.identity == self.identity.public), None)
        if self._asked_round != table.round:
            with contextlib.suppress(LobbyError):
                self.sit()
        elif (
            mine is not None
            and not mine.ready
            and isinstance(self.node.lobby, GuestLobby)
            and self._goes_by_itself(table)
        ):
            with contextlib.suppress(LobbyError):
                self.ready()
        lobby = self.node.lobby
        if isinstance(lobby, HostLobby):
            self._follow_people(lobby)
            if self._auto_start and self._goes_by_itself(lobby.table):
                with contextlib.suppress(LobbyError):
                    lobby.start()

    def _ask_again(self) -> None:
        """What an earlier start asked this host for is asked for still, as long as its round lasts."""
        lobby, (request, self._request) = self.node.lobby, (self._request, None)
        if request is None or not isinstance(lobby, GuestLobby) or lobby.host != request.host:
            return
        if lobby.ask_again(request.asked):
            self._asked_round = request.asked.round
            self._seeds[request.asked.record.game_key] = request.seed

    def _goes_by_itself(self, table: Table) -> bool:
        """Whether nobody need be asked: a bot, or what the last game here was agreed with."""
        before = None if self.game is None else self.game.genesis
        return not self._by_hand or (
            before is not None
            and before.options == table.options
            and tuple(record.identity_key for record in before.seats) == _people(table)
        )

    def _follow_people(self, lobby: HostLobby) -> None:
        """Who leads and the tally depend on who plays (R4, R5, R31): offer what fits those who sit now."""
        table, people = lobby.table, _people(lobby.table)
        if self.game is None or self.game.log.ended is None or len(people) != table.seats:
            return
        previous = self._previous(people)
        if table.previous != previous:
            with contextlib.suppress(LobbyError):
                lobby.set_terms(replace(terms_of(table), previous=previous))

    def _previous(self, people: tuple[PublicKey, ...]) -> Previous:
        """What the next game of these people says about this one, which has ended."""
        game = self.game
        assert game is not None
        assert game.log.ended is not None
        halted = game.log.status is Status.HALTED
        return previous_of(game.genesis, game.state, game.log.ended.digest, people=people, halted=halted)

    def _watch(self) -> None:
        """Ask to watch, once; the lobby says it again after a lost link."""
        if isinstance(self.node.lobby, GuestLobby) and not self._asked_to_watch and self.refused is None:
            self._asked_to_watch = True
            self.node.lobby.ask_watch(self.name)

    def _agreed(self, event: GenesisAgreed, now: float) -> None:
        genesis = event.genesis
        seed = None
        if event.seat is not None:
            seed = self._seeds.pop(genesis.seats[event.seat].game_key, None)
        self._seeds.clear()
        if event.seat is not None and self.game is not None and not (self.wants_seat or self.deals_ahead):
            return  # we had got up before everybody had agreed
        ahead = self.watches or (seed is not None and self.deals_ahead)
        if ahead and self.game is not None and self.table is not None:
            self._hold(NextGame(genesis, seed, self.course, self.table.round), now)
            return
        try:
            self._begin(GamePeer(self._store_of(genesis, seed), self.course), now)
        except (StoreError, Unsupported, BadGenesis) as error:
            self.trouble = error

    def _store_of(self, genesis: Genesis, seed: bytes | None) -> Store:
        """Where a new game is kept: with a seed ours to play. Raises `StoreError`."""
        return self._games.watch(genesis) if seed is None else self._games.create(genesis, seed)

    def _begin(self, game: GamePeer, now: float) -> None:
        self._end_last()
        self.game = game
        self.node.attach(game.log, now)
        self._advance()

    def _advance(self) -> None:
        """Sign what our seat owes without deciding, and send it."""
        if self.next is not None:
            self.next.release(hosting=self.hosting)
        for game in (self.game, None if self.next is None else self.next.game):
            if game is None:
                continue
            try:
                records = game.advance()
            except LedgerError as error:
                self.trouble = error
                return
            if records:
                self.node.push(game.genesis.game_id, records)
        self._begin_next()
        self._prepare_next()

    def _end_last(self) -> None:
        """Another game takes the place of ours: nothing more is written to the old one."""
        if self.game is not None:
            self.node.detach(self.game.genesis.game_id)
            self.game.store.close()

    # the next game, ahead of time

    @property
    def _may_deal_ahead(self) -> bool:
        game = self.game
        return (
            self.deals_ahead
            and game is not None
            and game.done
            and game.seat is not None
            and game.log.status is Status.FINISHED
        )

    def _prepare_next(self) -> None:
        """The host offers the next game as soon as the last is over, once."""
        lobby, game = self.node.lobby, self.game
        if isinstance(lobby, HostLobby) and game is not None and self._may_deal_ahead:
            running = lobby.genesis
            if running is not None and running.game_id == game.genesis.game_id:
                with contextlib.suppress(LobbyError):
                    self.rematch()

    def _hold(self, coming: NextGame, now: float) -> None:
        self._drop_next()
        self._games.held()
        self.next = coming
        self.node.attach(coming.game.log, now)
        coming.wanted = self.wants_seat or self.watches
        self._advance()

    def _begin_next(self) -> None:
        """All have dealt: the prepared game is the game now."""
        coming = self.next
        if coming is None or not (coming.begun and coming.wanted):
            return
        try:
            game = coming.keep(self._store_of)
        except StoreError as error:
            self.trouble = error
            self._drop_next()
            return
        self._end_last()
        self.game, self.next = game, None
        self.wants_seat = False  # "again" was said of this one
        self._advance()

    def _call_off(self, lost: PublicKey) -> None:
        """Somebody of the prepared game is gone: the host gathers anew, as long as nobody can have begun."""
        coming = self.next
        if self.hosting and coming is not None and coming.has(lost) and not coming.binding:
            self._drop_next()
            with contextlib.suppress(LobbyError):
                self.rematch()

    def _drop_next(self) -> None:
        if self.next is not None:
            self.node.detach(self.next.game.genesis.game_id)
            self.next = None

    def _new_record(self) -> tuple[bytes, SeatRecord]:
        """A record for one genesis: a fresh seed, and its game key, certified by our identity."""
        seed, nonce = self._random(SEED), self._random(32)
        key = game_key(seed)
        self._seeds[key.public] = seed
        certificate = certify(self.identity, key.public, nonce)
        return seed, SeatRecord(key.public, self.identity.public, nonce, certificate, self.name)

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)


def _people(table: Table) -> tuple[PublicKey, ...]:
    """Who sits, in seat order."""
    return tuple(line.identity for line in seated(table.roster))
