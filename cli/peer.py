"""One peer at one table: the node, the games played there and our own seat, driven together.

A card travels from here into the game, the log, the node and out; what others send comes back the same way.
The driver of the links hands every event of the node to `take`; faces (line mode, the page, bots) read
`view`, wait for changes and call `act`. One event loop, no threads: nothing here runs at the same time.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cli.absence import Absence
from cli.encore import Encore
from cli.presence import Presence
from cli.sitting import Sitting
from cli.succession import Succession
from cli.wishes import Wishes
from p2p.events import EntryArrived, LinkClosed, NoticeArrived, PeerDown, PeerUp
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import GenesisAgreed, GenesisRefused, GuestAsks, RefusedByTable, TableShown

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from cli.ahead import NextGame
    from cli.game_peer import GamePeer, Store
    from cli.keeping import Games
    from cli.seat_request import SeatRequest
    from game.actions import Action
    from game.course import Course
    from game.events import Event
    from game.view import View
    from ledger.errors import LedgerError
    from ledger.identity import PublicKey, SigningKey
    from p2p.events import NodeEvent
    from p2p.lobby import LobbyEvent
    from p2p.messages import Table
    from p2p.node import Node
    from p2p.reasons import Refusal


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
        """The arguments are those of `Wishes`, `Succession` and `Sitting`."""
        self.identity = identity
        self.name = name
        self.node = node
        self.wishes = Wishes(seat=wants_seat, watches=watches, deals_ahead=deals_ahead)
        """Faces change them."""
        self.presence = Presence()
        self.absence = Absence(self, clock)
        self.encore = Encore(self)
        self.flush: Callable[[], None] = lambda: None
        """Set to the driver's own: called after the node was asked something outside of `take`."""
        self._clock = clock
        self._succession = Succession(node, course, games, self.wishes)
        self._sitting = Sitting(
            identity=identity,
            name=name,
            node=node,
            games=games,
            succession=self._succession,
            wishes=self.wishes,
            presence=self.presence,
            random=random,
            flush=lambda: self.flush(),
            request=request,
            auto_start=auto_start,
            bot=bot,
        )
        self._waiters: list[asyncio.Future[None]] = []

    # what faces read of the games

    @property
    def game(self) -> GamePeer | None:
        """The game people look at: in course, or over."""
        return self._succession.game

    @property
    def next(self) -> NextGame | None:
        """The next game, shuffled while people look at the last one; `game` as soon as all have dealt."""
        return self._succession.next

    @property
    def trouble(self) -> LedgerError | None:
        """What stopped our seat, for faces to raise."""
        return self._succession.trouble

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

    # what faces read of the table

    @property
    def hosting(self) -> bool:
        return isinstance(self.node.lobby, HostLobby)

    @property
    def table(self) -> Table | None:
        """The table as it stands in the lobby."""
        lobby = self.node.lobby
        return None if lobby is None else lobby.table

    @property
    def refused(self) -> Refusal | None:
        """What the host said to what we asked for last."""
        return self._sitting.refused

    @property
    def asking(self) -> list[GuestAsks]:
        """Who waits for our word at the door; who answers takes it off."""
        return self._sitting.asking

    @property
    def host_away(self) -> float | None:
        """For how many seconds a guest has no link to the host; None while he has one."""
        lobby = self.node.lobby
        if not isinstance(lobby, GuestLobby) or lobby.host is None:
            return None
        return self.presence.missing(lobby.host, self._clock())

    @property
    def host_closed(self) -> bool:
        """Whether the host of a guest's table has got up: a table does not come back, a link may."""
        lobby = self.node.lobby
        return isinstance(lobby, GuestLobby) and lobby.host in self.presence.said_bye

    # what faces decide in a game

    async def act(self, action: Action) -> None:
        """Sign, store and send a decision. Raises `LedgerError` or `GameError`; then nothing was signed."""
        game = self.game
        assert game is not None
        self._give_out(game, game.decide(action))

    def abort(self) -> None:
        """Sign, store and send an ABORT of who is waited for now (R30). Raises as `GamePeer.abort` does."""
        game = self.game
        assert game is not None
        self._give_out(game, game.abort())

    async def go_on_without(self, *, on: bool = True) -> None:
        """Say that we would end the game without those it waits for (R30), or no longer."""
        self.absence.say(on=on)
        self.flush()
        self._wake()

    def look_around(self) -> None:
        """Time alone changes what is to be seen and said; to be called every few seconds."""
        self.absence.repeat()
        self.encore.repeat()
        self.flush()
        self._wake()

    # what faces decide at the table

    def by_hand(self) -> None:
        """From now on our person says that he agrees and, at the host's, that the game begins.

        The same people by the same rules play again without another word.
        """
        self._sitting.by_hand()

    def sit(self) -> None:
        """Take, or ask for, a seat in the round that is being prepared. Raises `LobbyError`."""
        self._sitting.sit()

    def sit_again(self) -> None:
        """Want a seat again, and ask for one at once if another game is being prepared already."""
        self.wishes.seat = True
        if self.next is not None:
            self.next.wanted = True
            self._advance()
        table = self.table
        if table is not None:
            self._sitting.shown(table)
        self.encore.say(on=True)
        self.flush()

    @property
    def may_take_back(self) -> bool:
        """Whether our word that we want another game binds nobody yet: our seat has not dealt in it."""
        game = self.game
        return (
            game is not None
            and game.done
            and game.seat is not None
            and (self.next is None or not self.next.binding)
        )

    def take_back(self) -> None:
        """Want no other game, for now. Our seat stays ours."""
        if not self.may_take_back:
            return
        self.wishes.seat = False
        if self.next is not None:
            self.next.wanted = False
        elif not self._succession.may_deal_ahead:
            self._sitting.ready(ready=False)
        self.encore.say(on=False)
        self.flush()
        self._wake()

    def answer(self, guest: GuestAsks, *, admit: bool) -> None:
        """The host's word on who asks to be let in. Raises `LobbyError` if he is gone."""
        self._sitting.answer(guest, admit=admit)
        self._wake()

    def show_out(self, identity: PublicKey) -> None:
        """The host takes somebody's seat or place back. Raises `LobbyError` while a game is on."""
        self._sitting.show_out(identity)
        self._wake()

    def look_on(self) -> None:
        """Ask to watch, and want no seat any more."""
        self._sitting.look_on()

    def plays_no_more(self) -> None:
        """The game in course is our last: prepare none after it."""
        self.wishes.seat = self.wishes.deals_ahead = False
        self._succession.drop_next()

    def leave(self) -> None:
        """Tell the host that our seat is free. The host's own table just closes."""
        self.plays_no_more()
        self._sitting.leave()

    def ready(self, *, ready: bool = True) -> None:
        """Agree to the terms shown, or no longer. The host's own seat always does."""
        self._sitting.ready(ready=ready)

    def start(self) -> None:
        """The host starts the game. Raises `LobbyError` while somebody is missing or not ready."""
        self._sitting.start()

    def rematch(self) -> None:
        """The host prepares another game with the same people, rules and series (R5). Raises `LobbyError`."""
        self._sitting.rematch()

    # what the driver calls

    def stop(self, why: str) -> None:
        """Sign nothing more at this table, for a reason that faces show (a message id): the seat is another
        program's now, or what it signs cannot be kept."""
        self._succession.stop(why)
        self._wake()

    def close(self) -> None:
        """Give the files of the game back, once the driver has ended."""
        self._succession.close()

    def resume(self, store: Store) -> None:
        """Go on with a stored game: what was signed is sent again as it stands. Raises as `GamePeer` does."""
        self._succession.resume(store, self._clock())
        self._advance()
        self.flush()

    def take(self, event: NodeEvent | LobbyEvent) -> None:
        """Take in one event of the node."""
        self._take(event, self._clock())
        self._wake()

    # inside

    def _take(self, event: NodeEvent | LobbyEvent, now: float) -> None:
        match event:
            case EntryArrived():
                if self._succession.receive(event, now):
                    self._advance()
            case PeerUp():
                self.presence.came(event.identity)
                self.absence.repeat()
                self.encore.repeat()
            case PeerDown():
                self.presence.went(event, now)
                self._sitting.call_off(event.identity)
            case LinkClosed():
                self.presence.link_closed(event, now)
            case TableShown():
                self.presence.table_seen()
                self._sitting.shown(event.table)
            case RefusedByTable():
                self._sitting.refused = event.reason
            case GenesisAgreed():
                self._agreed(event, now)
            case GenesisRefused():
                self._sitting.not_agreed()
            case GuestAsks():
                self.asking.append(event)
            case NoticeArrived():
                self.absence.noticed(event)
                self.encore.noticed(event)
            case _:
                pass

    def _agreed(self, event: GenesisAgreed, now: float) -> None:
        seed, wanted = self._sitting.seed_for(event), self.wishes.seat or self.wishes.deals_ahead
        if event.seat is not None and self.game is not None and not wanted:
            return  # we had got up before everybody had agreed
        round_number = None if self.table is None else self.table.round
        if self._succession.agreed(event.genesis, seed, round_number, now):
            self._advance()

    def _give_out(self, game: GamePeer, record: bytes) -> None:
        self.node.push(game.genesis.game_id, (record,))
        self._advance()
        self.flush()
        self._wake()

    def _advance(self) -> None:
        """Do what our seat owes without deciding; after the end of a game the host offers the next."""
        if self._succession.advance(hosting=self.hosting):
            self._sitting.prepare_next()

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
