"""Line mode before a game: shows the table, reads what is typed, and asks the lobby for it.

People say themselves that they agree and, at the host's, that the game begins; `alone` with bots it begins by
itself.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from cli.exits import CommandError
from cli.line.invitation import invitation_lines
from cli.line.lobby import (
    Agree,
    Answer,
    Change,
    Leave,
    LobbyTalk,
    Move,
    Say,
    SeatBot,
    ShowInvitation,
    ShowOut,
    Start,
    roster_names,
)
from cli.line.presence import GRACE, ago
from cli.line.terminal import Stopped, Typed
from cli.options import changed
from game.options import decode, encode
from p2p.codes import fingerprint
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.known import Verdict as Known
from p2p.lobby import LobbyError, seated, terms_of

if TYPE_CHECKING:
    from cli.app import App
    from cli.line.again import Again
    from cli.line.door import Door
    from cli.line.lobby import Wish
    from cli.line.terminal import Keyboard
    from cli.tables import AtTable
    from game.bots import Level
    from ledger.identity import PublicKey
    from p2p.messages import Table


REMIND_EVERY = 10.0
"""Seconds between two lines about a host that is away."""
ANSWER_TIME = 1.5
"""Seconds for the table's answer to somebody whose input has ended."""


class Gathering:
    """The lobby of one table with one person at a terminal."""

    def __init__(self, app: App, keyboard: Keyboard, door: Door, again: Again, *, alone: bool) -> None:
        self._app = app
        self._keyboard = keyboard
        self._alone = alone
        self._talk: LobbyTalk | None = None
        self._judged: set[tuple[bytes, str]] = set()
        self._door = door
        self._again = again
        self._seated = False
        self._at_the_door = False
        self._host_lost = False
        self._reminded = 0.0
        self._stopped_at: float | None = None

    async def step(self, at: AtTable) -> bool:
        """Tell what is new, then wait for a line or a change. False: the person leaves."""
        peer = at.peer
        if self._talk is None:
            self._talk = LobbyTalk(self._app.texts, me=peer.identity.public, hosting=peer.hosting)
            if not self._alone:
                peer.by_hand()
        table = peer.table
        self._tell_host_link(at)
        if self._waits_at_the_door(at):
            return await self._stays(at, self._talk)
        if table is not None and table.game is None:
            self._tell_seated(table, at)
            self._tell_strangers(table, at)
            lines = self._talk.shown(table, host=_host(at), here=lambda key: _is_here(at, key))
            self._app.show(lines if not self._alone else ())
        self._app.show((*self._door.news(at), *self._again.news(at)))
        return await self._stays(at, self._talk)

    # — what is told —

    def _tell_host_link(self, at: AtTable) -> None:
        """A guest hears at once that the host is away, again as time goes by, and that he is back."""
        away = at.peer.host_away
        lost = away is not None and away >= GRACE
        if away is not None and lost and not self._host_lost:
            self._app.tell("lobby.host-lost")
            self._reminded = away
        elif away is not None and lost and away >= self._reminded + REMIND_EVERY:
            self._reminded = away
            self._app.tell("lobby.host-waiting", ago=ago(int(away), self._app.texts))
        elif away is None and self._host_lost:
            self._app.tell("lobby.host-back")
        self._host_lost = lost

    def _waits_at_the_door(self, at: AtTable) -> bool:
        """An open table shows nobody to who has not been let in: say that its host is asked, once."""
        table = at.peer.table
        if at.peer.hosting or table is None or table.game is not None or table.roster:
            self._at_the_door = False
            return False
        if not self._at_the_door:
            self._at_the_door = True
            self._app.tell("lobby.at-the-door")
        return True

    def _tell_seated(self, table: Table, at: AtTable) -> None:
        """A guest hears that he has a seat once the host has given it to him."""
        lines = (line for line in seated(table.roster) if line.identity == at.peer.identity.public)
        mine = next(lines, None)
        if mine is not None and not self._seated and not at.peer.hosting:
            self._app.tell("lobby.sitting", name=self._app.named(mine.name))
        self._seated = mine is not None

    def _tell_strangers(self, table: Table, at: AtTable) -> None:
        """Shout when a known name comes with another key; say when a known key has another name."""
        for line in table.roster:
            if self._alone or line.bot or line.identity == at.peer.identity.public:
                continue
            if (line.identity, line.name) in self._judged:
                continue
            self._judged.add((line.identity, line.name))
            book = at.home.book()
            verdict = book.judge(line.identity, line.name)
            name = self._app.named(line.name)
            if verdict is Known.OTHER_KEY:
                self._app.tell("known.other-key", name=name, mark=fingerprint(line.identity)[:4])
            elif verdict is Known.RENAMED:
                before = self._app.named(book.names[line.identity])
                self._app.tell("known.renamed", name=name, before=before)

    # — what is typed —

    async def _stays(self, at: AtTable, talk: LobbyTalk) -> bool:
        typed = asyncio.create_task(self._keyboard.next())
        changes = asyncio.create_task(at.peer.changed())
        done, waiting = await asyncio.wait({typed, changes}, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        if typed not in done:
            return True
        match typed.result():
            case Stopped():
                stays = await self._hears_the_answer(at)
                if not stays and self._keyboard.input_ended:
                    self._app.tell("lobby.input-ended")
                return stays
            case Typed(line):
                return await self._do(talk.typed(line, asking=bool(at.peer.asking)), at)
            case _:
                return True

    async def _hears_the_answer(self, at: AtTable) -> bool:
        """Nothing more will be typed. Who has asked and has no answer yet stays a moment for it: the command
        must not end well at a table that is full."""
        loop = asyncio.get_running_loop()
        if self._stopped_at is None:
            self._stopped_at = loop.time()
        table, me = at.peer.table, at.peer.identity.public
        now = loop.time()
        placed = table is not None and any(line.identity == me for line in table.roster)
        heard = now >= self._stopped_at + ANSWER_TIME
        had_a_seat = at.peer.game is not None or (placed and at.peer.host_closed)
        if at.peer.hosting or had_a_seat or (heard and at.peer.presence.twin_since is None):
            return False
        await asyncio.sleep(0.05)
        return True

    async def _do(self, wish: Wish, at: AtTable) -> bool:
        try:
            match wish:
                case Leave():
                    return False
                case Say(lines, understood):
                    self._app.show(lines)
                    if not understood:
                        self._door.again(at)
                case Start():
                    at.peer.start()
                case Agree(ready):
                    at.peer.ready(ready=ready)
                case SeatBot(level):
                    await self._seat_bot(at, level)
                case Answer(admit):
                    self._door.answer(at, admit=admit)
                case ShowInvitation():
                    self._app.show(invitation_lines(self._app, at))
                case Move() | ShowOut() | Change():
                    self._rearrange(wish, at)
                case _:
                    assert_never(wish)
        except LobbyError as error:
            if error.reason == "lobby.not-ready" and self._tell_unready(at):
                return True
            said = error.params
            if error.who is not None and at.peer.table is not None:
                said = {**said, "name": roster_names(at.peer.table, self._app.texts)[error.who]}
            self._app.tell(error.reason, **said)
        except CommandError as error:
            self._app.tell(error.message, **error.parameters)
        at.peer.flush()
        return True

    def _tell_unready(self, at: AtTable) -> bool:
        """Name all who have not agreed yet; False, and nothing is said, where it is one."""
        table = at.peer.table
        lines = () if table is None else seated(table.roster)
        unready = [line.identity for line in lines if not line.ready]
        if table is None or len(unready) < 2:
            return False
        names = roster_names(table, self._app.texts)
        self._app.tell("lobby.waits-for", names=self._app.texts.listed([names[each] for each in unready]))
        return True

    def _rearrange(self, wish: Move | ShowOut | Change, at: AtTable) -> None:
        lobby = at.peer.node.lobby
        assert isinstance(lobby, HostLobby)
        match wish:
            case Move(identity, seat):
                lobby.move(identity, seat)
            case ShowOut(identity):
                if identity == at.peer.identity.public:
                    raise LobbyError("lobby.not-yourself")
                at.peer.show_out(identity)
                if at.bots is not None:
                    at.bots.dismiss(identity)
            case Change(assignments):
                terms = terms_of(lobby.table)
                options = changed(decode(terms.options), assignments, texts=self._app.texts)
                lobby.set_terms(replace(terms, options=encode(options), seats=options.seats))

    async def _seat_bot(self, at: AtTable, level: Level | None) -> None:
        table = at.peer.table
        if at.bots is None or table is None or len(seated(table.roster)) >= table.seats:
            self._app.tell("lobby.no-free-seat")
            return
        await at.bots.seat(level)


def _host(at: AtTable) -> PublicKey | None:
    """Who hosts this table, as far as it is known."""
    lobby = at.peer.node.lobby
    if isinstance(lobby, GuestLobby):
        return lobby.host
    return at.peer.identity.public


def _is_here(at: AtTable, identity: PublicKey) -> bool:
    lobby = at.peer.node.lobby
    return not isinstance(lobby, HostLobby) or lobby.is_here(identity)
