"""Our own peer as the page sees it: satisfies `cli.page.feed.Feed` for whatever game the peer is at."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import TYPE_CHECKING, Final

from cli.page.feed import Fault, Guest, Lobby, Person, Refusal, Situation, Told
from cli.thinking import Thinker
from game import rules
from game.bots import bot
from game.options import decode
from ledger.engine import Seat
from ledger.evidence import case_of
from ledger.level import Status
from p2p.host import HostLobby
from p2p.lobby import LobbyError, seated
from p2p.messages import GUEST_PAGE, INSTALLED_PAGE, OWN_APP
from p2p.reasons import Refusal as No

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cli.game_peer import GamePeer
    from cli.page.feed import LobbyWish, Mode, Presence, Program, WaysIn
    from cli.peer import Peer
    from game.actions import Action
    from game.errors import IllegalMove
    from game.view import View
    from ledger.engine import Height
    from ledger.identity import PublicKey
    from p2p.messages import Table

THINKING: Final = 0.3
"""Seconds a bot may think about a hint."""
PROGRAMS: Final[dict[int, Program]] = {
    OWN_APP: "own-app",
    INSTALLED_PAGE: "installed-page",
    GUEST_PAGE: "guest-page",
}
ASK_AGAIN: Final = frozenset({
    No.FULL, No.STARTED, No.OLD_ROUND, No.DECLINED, No.REMOVED, No.NO_WATCHING,
})  # fmt: skip
"""Refusals after which one may ask for a seat once more."""
LOOK_AGAIN: Final = 2.0
"""Seconds after which the situation is read again though nothing has come: time alone changes it."""


class PeerFeed:
    """`again` is set while the person wants another game; `ways` says how others find the table; `seat_bot`
    puts a bot of this device there, `dismiss_bot` lets one go that has lost its seat."""

    def __init__(
        self,
        peer: Peer,
        mode: Mode,
        again: asyncio.Event,
        *,
        ways: Callable[[], WaysIn],
        seat_bot: Callable[[], Awaitable[None]] | None = None,
        dismiss_bot: Callable[[PublicKey], None] | None = None,
    ) -> None:
        self._peer = peer
        self._mode = mode
        self._again = again
        self._ways = ways
        self._seat_bot = seat_bot
        self._dismiss_bot = dismiss_bot
        self._game: GamePeer | None = None
        self._number = 0
        self._told: list[Told] = []
        self._heard = 0
        self._adviser = bot("normal", secrets.randbits)
        self._thinker: Thinker | None = None
        self._poked = asyncio.Event()
        self._bots: frozenset[bytes] = frozenset()
        self._programs: dict[bytes, Program] = {}
        self._follow()

    def view(self) -> View | None:
        self._follow()
        return None if self._game is None else self._game.view()

    def history(self) -> tuple[Told, ...]:
        self._follow()
        if self._game is not None:
            for height, happened in self._game.events_from(self._heard):
                self._told += [Told(height, event) for event in happened]
            self._heard = self._game.told
        return tuple(self._told)

    def situation(self) -> Situation:
        self._follow()
        game = self._game
        if game is None:
            return Situation(self._mode, (), lobby=self._lobby(), asking=self._asking())
        me = game.seat
        return Situation(
            mode=self._mode if me is not None else "watching",
            presence=tuple(self._presence(game, Seat(seat)) for seat in range(len(game.genesis.seats))),
            programs=tuple(self._programs.get(seat.identity_key, "own-app") for seat in game.genesis.seats),
            bots=tuple(
                Seat(seat)
                for seat, record in enumerate(game.genesis.seats)
                if bytes(record.identity_key) in self._bots
            ),
            fault=_fault(game),
            wins=_scores(game, won=True),
            losses=_scores(game, won=False),
            game=self._number,
            file=game.genesis.game_id.hex()[:16],
            can_rematch=me is not None and game.done,
            rematch=self._wanting(game),
            may_take_back=self._again.is_set() and self._peer.may_take_back,
            go_on=self._peer.absence.may_go_on(),
            agreed=self._peer.absence.agreed,
            trouble=_trouble(game, looks_on=self._peer.wishes.watches),
            lobby=self._lobby() if self._gathers_anew(game) else None,
            asking=self._asking(),
        )

    def refusal(self, action: Action) -> IllegalMove | None:
        return None if self._game is None else self._game.refusal(action)

    async def wait(self) -> None:
        poked = asyncio.create_task(self._poked.wait())
        changed = asyncio.create_task(self._peer.changed())
        try:
            await asyncio.wait({poked, changed}, timeout=LOOK_AGAIN, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._poked.clear()
            for task in (poked, changed):
                task.cancel()
            await asyncio.gather(poked, changed, return_exceptions=True)

    async def act(self, height: Height, action: Action) -> None:
        game = self._peer.game
        if game is not None and game is self._game and game.log.height == height:
            await self._peer.act(action)

    async def rematch(self, *, on: bool) -> None:
        """Counts once a game is over: half of a double click must not ask for the one after the next."""
        self._follow()
        if on and (self._game is None or not self._game.done):
            return
        if on:
            self._again.set()
        elif self._peer.may_take_back:
            self._again.clear()
            self._peer.take_back()
        self._poked.set()

    async def go_on_without(self, *, on: bool) -> None:
        """Say so; the ABORT is signed once all have. What is signed can't be taken back (R30)."""
        if self._game is not None and self._game is self._peer.game:
            await self._peer.go_on_without(on=on)

    async def hint(self) -> Action | None:
        self._follow()
        game = self._game
        if game is None or self._mode != "practice":
            return None
        if self._thinker is None or self._thinker.game is not game:
            self._thinker = Thinker(game, self._adviser, seconds=THINKING)
        turn = self._thinker.turn()
        return None if turn is None else await self._thinker.decide(turn)

    async def lobby(self, wish: LobbyWish) -> Refusal | None:
        try:
            if wish in {"ready", "start"} and self._game is not None:
                await self.rematch(on=True)
            match wish:
                case "ready" | "not-ready":
                    self._peer.ready(ready=wish == "ready")
                case "start":
                    self._peer.start()
                case "watch":
                    self._peer.look_on()
                case "sit":
                    self._peer.wishes.watches, self._peer.wishes.seat = False, True
                    self._peer.sit()
                case "seat-bot":
                    lobby = self._lobby()
                    if self._seat_bot is not None and lobby is not None and lobby.may_seat_bot:
                        await self._seat_bot()
        except LobbyError as error:
            return Refusal(error.reason, error.params)
        finally:
            self._poked.set()
        return None

    async def admit(self, guest: str, *, on: bool) -> None:
        found = next((each for each in self._peer.asking if each.identity.hex() == guest), None)
        if found is not None:
            with contextlib.suppress(LobbyError):
                self._peer.answer(found, admit=on)
            self._poked.set()

    async def show_out(self, person: str) -> Refusal | None:
        lobby, table = self._peer.node.lobby, self._peer.table
        people = () if table is None else seated(table.roster)
        found = next((line.identity for line in people if line.identity.hex() == person), None)
        if found is None or not isinstance(lobby, HostLobby) or found == self._peer.identity.public:
            return None
        try:
            self._peer.show_out(found)
        except LobbyError as error:
            return Refusal(error.reason, error.params)
        if self._dismiss_bot is not None:
            self._dismiss_bot(found)
        self._poked.set()
        return None

    def log_file(self) -> bytes:
        self._follow()
        return b"" if self._game is None else self._game.log.export()

    def case_file(self) -> bytes | None:
        game = self._game
        fault = None if game is None else game.log.fault
        return None if game is None or fault is None else case_of(game.log, fault)

    # The parts --------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Notice another game, who is a bot, and who has his program from where."""
        table = self._peer.table
        if table is not None:
            self._programs |= {bytes(line.identity): PROGRAMS[line.program] for line in table.roster}
            self._bots |= frozenset(bytes(line.identity) for line in table.roster if line.bot)
        if self._peer.game is not self._game:
            self._game = self._peer.game
            self._number += 1
            self._told, self._heard = [], 0
            self._again.clear()

    def _wanting(self, game: GamePeer) -> tuple[Seat, ...]:
        """The seats that want another game: we, once we said so; others, once they say so, or agree to one
        that is not prepared without their word."""
        table = self._peer.table
        if not game.done or table is None:
            return ()
        asked = game.log.status is not Status.FINISHED or self._gathers_anew(game)
        ready = {line.identity for line in table.roster if line.ready and asked and table.game is None}
        said = self._peer.encore.wanting
        return tuple(
            Seat(seat)
            for seat, record in enumerate(game.genesis.seats)
            if (self._again.is_set() if seat == game.seat else record.identity_key in ready or seat in said)
        )

    def _presence(self, game: GamePeer, seat: Seat) -> Presence:
        if seat == game.seat:
            return "me"
        identity = game.genesis.seats[seat].identity_key
        if self._peer.absence.away(seat) is not None:
            return "lost"
        if bytes(identity) in self._bots:
            return "bot"
        return "linked" if identity in self._peer.presence.here else "relayed"

    def _asking(self) -> tuple[Guest, ...]:
        return tuple(Guest(guest.identity.hex(), guest.name, guest.watching) for guest in self._peer.asking)

    def _lobby(self) -> Lobby | None:
        table = self._peer.table
        if table is None:
            return None
        mine, lobby = self._peer.identity.public, self._peer.node.lobby
        gathers = isinstance(lobby, HostLobby) and table.game is None
        people = tuple(
            Person(
                line.name,
                ready=line.ready,
                bot=line.bot,
                me=line.identity == mine,
                program=PROGRAMS[line.program],
                id=line.identity.hex(),
                away=isinstance(lobby, HostLobby) and not lobby.is_here(line.identity),
                may_show_out=gathers and line.identity != mine,
            )
            for line in table.roster
            if not line.watching
        )
        taken = len(people)
        hosting = self._peer.hosting
        apart = self._apart(table)
        return Lobby(
            decode(table.options),
            people,
            self._ways(),
            hosting=hosting,
            may_start=hosting and taken == table.seats and all(person.ready for person in people),
            may_seat_bot=hosting and self._seat_bot is not None and taken < table.seats,
            apart=apart,
            may_sit=bool(apart) and table.game is None and self._may_ask_again,
            may_watch=bool(apart) and table.may_watch and not self._peer.wishes.watches,
        )

    def _apart(self, table: Table) -> str:
        """Why we are not at this table, as a message id; "" if we are, or have just asked for a seat."""
        peer = self._peer
        if peer.hosting or any(line.identity == peer.identity.public for line in table.roster):
            return ""
        if peer.refused is not None and (table.game is None or peer.wishes.watches):
            return str(peer.refused)
        if peer.wishes.watches:
            return "lobby.at-the-door"
        if table.game is not None:
            return "page.lobby.playing"
        if not peer.wishes.seat and len(seated(table.roster)) >= table.seats:
            return str(No.FULL)
        return "" if table.roster else "lobby.at-the-door"

    @property
    def _may_ask_again(self) -> bool:
        """Whether nothing that was asked is still to be answered, and another answer is possible."""
        return self._peer.refused in ASK_AGAIN or not self._peer.wishes.seat

    def _gathers_anew(self, game: GamePeer) -> bool:
        """After a game: others than its people gather, or by other rules, so that all have to agree again."""
        table = self._peer.table
        if not game.done or table is None or table.game is not None:
            return False
        people = tuple(line.identity for line in seated(table.roster))
        before = tuple(record.identity_key for record in game.genesis.seats)
        return bool(self._peer.asking) or people != before or table.options != game.genesis.options


def _fault(game: GamePeer) -> Fault | None:
    fault = game.log.fault
    if fault is None:
        return None
    details = [
        ("page.proof.game", game.genesis.game_id.hex()),
        ("page.proof.height", str(fault.height)),
        ("page.proof.code", fault.code),
        ("page.proof.key", game.genesis.seats[fault.seat].game_key.hex()),
    ]
    details += [("page.proof.entry", entry.id.hex()) for entry in fault.entries]
    return Fault(
        seat=fault.seat,
        kind="fork" if fault.is_fork else "forbidden",
        height=fault.height,
        rule=fault.rule or None,
        reason=fault.reason or None,
        params=dict(fault.params),
        details=tuple(details),
    )


def _scores(game: GamePeer, *, won: bool) -> tuple[int, ...]:
    """Wins or losses of the earlier games of this table and of this one (R31); () where nobody counts."""
    options = game.state.setup.options
    if not options.series:
        return ()
    none = (0,) * options.seats
    previous, position = game.genesis.previous, game.state.position
    before = none if previous is None else (previous.wins if won else previous.losses)
    if position is None or not rules.over(position):
        return tuple(before)
    return tuple(old + new for old, new in zip(before, rules.series_points(position)[not won], strict=True))


def _trouble(game: GamePeer, *, looks_on: bool) -> str | None:
    """What a person should know of his device. Who came to look on has no seat, and misses nothing."""
    if game.trouble:
        return game.trouble
    if looks_on:
        return None
    watches = getattr(game.store, "watches", "") or game.store.read_only
    if game.log.status is Status.OPEN and game.seat is None and watches:
        return str(watches)
    return None
