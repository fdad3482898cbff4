"""The host's side of a table: who sits, who watches, when a game starts. Sans-IO.

The host composes and relays; it decides nothing a guest does not check. A round ends in a game or is
cancelled; either way its records are spent, because one seed serves one game id.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ledger.errors import BadGenesis
from ledger.genesis import Genesis, SeatRecord
from ledger.identity import PublicKey
from p2p.lobby import (
    GenesisAgreed,
    GenesisRefused,
    GuestAsks,
    LobbyError,
    LobbyEvent,
    TableShown,
    Terms,
    ToPeer,
    record_stands,
    seat_of,
    terms_digest,
)
from p2p.messages import (
    MOST_WATCHERS,
    OWN_APP,
    Agree,
    AskSeat,
    AskWatch,
    Cancel,
    Leave,
    Message,
    OfferGenesis,
    Ready,
    Refused,
    RosterLine,
    Runs,
    Start,
    Table,
    WantGenesis,
)
from p2p.reasons import Refusal


@dataclass(slots=True)
class _Chair:
    """A seat that is taken, in a round perhaps still without its record."""

    identity: PublicKey
    name: str
    record: SeatRecord | None
    ready: bool = False
    bot: bool = False
    own: bool = False
    left: bool = False
    """Gave the seat up while the game ran: it is free from the next round on."""


class HostLobby:
    """One table. Feed it `opened`, `lost` and `message`; collect `take_messages` and `take_events`.

    `ask_person`: guests wait until the owner admits them (an open table); else the join code did.
    """

    def __init__(
        self, identity: PublicKey, terms: Terms, *, may_watch: bool = False, ask_person: bool = False
    ) -> None:
        self._identity = identity
        self._terms = terms
        self._may_watch = may_watch
        self._ask_person = ask_person
        self._round = 1
        self._chairs: list[_Chair] = []
        self._watchers: dict[PublicKey, str] = {}
        self._waiting: dict[PublicKey, AskSeat | AskWatch] = {}
        self._admitted: set[PublicKey] = set()
        self._bots: frozenset[PublicKey] = frozenset()
        self._here: dict[PublicKey, None] = {}
        self._programs: dict[PublicKey, int] = {}
        self._offer: Genesis | None = None
        self._agreed: set[PublicKey] = set()
        self._genesis: Genesis | None = None
        self._messages: list[ToPeer] = []
        self._events: list[LobbyEvent] = []

    @classmethod
    def resumed(
        cls,
        identity: PublicKey,
        genesis: Genesis,
        *,
        own: Iterable[PublicKey] = (),
        bots: Iterable[PublicKey] = (),
        may_watch: bool = False,
        ask_person: bool = False,
        round_number: int = 1,
    ) -> HostLobby:
        """The lobby of a host that was restarted in the middle of the game of `genesis`."""
        terms = Terms(genesis.rules_id, genesis.options, genesis.suite, len(genesis.seats), genesis.previous)
        lobby = cls(identity, terms, may_watch=may_watch, ask_person=ask_person)
        mine, played_by_bots = {identity, *own, *bots}, set(bots)
        for record in genesis.seats:
            key = record.identity_key
            lobby._chairs.append(
                _Chair(key, record.name, record, ready=True, bot=key in played_by_bots, own=key in mine)
            )
            lobby._admitted.add(key)
        lobby._round = round_number
        lobby._genesis = genesis
        return lobby

    # — what the owner may look at —

    @property
    def table(self) -> Table:
        """The table as everybody is shown it."""
        roster = [
            RosterLine(
                chair.identity,
                chair.name,
                ready=chair.ready and chair.record is not None,
                bot=chair.bot or chair.identity in self._bots,
                watching=False,
                program=self._programs.get(chair.identity, OWN_APP),
            )
            for chair in self._chairs
        ]
        roster += [
            RosterLine(
                identity,
                name,
                ready=False,
                bot=False,
                watching=True,
                program=self._programs.get(identity, OWN_APP),
            )
            for identity, name in self._watchers.items()
        ]
        terms = self._terms
        return Table(
            self._round,
            terms.rules,
            terms.options,
            terms.suite,
            terms.seats,
            self._may_watch,
            terms.previous,
            None if self._genesis is None else self._genesis.game_id,
            tuple(roster),
        )

    @property
    def genesis(self) -> Genesis | None:
        """Of the game that runs, or ran last."""
        return self._genesis

    @property
    def watchers(self) -> tuple[PublicKey, ...]:
        return tuple(self._watchers)

    @property
    def waiting(self) -> tuple[PublicKey, ...]:
        """Who has asked and has no answer yet."""
        return tuple(self._waiting)

    def knows(self, identity: PublicKey) -> bool:
        """Whether this peer may know who is at the table: at a private table everybody with the code, at an
        open one who has been let in."""
        chair = self._chair(identity)
        return not self._ask_person or identity in self._admitted or (chair is not None and chair.own)

    def is_here(self, identity: PublicKey) -> bool:
        """Whether this person has a link, or plays on the host's own device."""
        chair = self._chair(identity)
        return identity in self._here or (chair is not None and chair.own)

    def take_messages(self) -> tuple[ToPeer, ...]:
        messages, self._messages = tuple(self._messages), []
        return messages

    def take_events(self) -> tuple[LobbyEvent, ...]:
        events, self._events = tuple(self._events), []
        return events

    # — what the owner decides —

    def seat_own(self, record: SeatRecord, *, bot: bool = False) -> None:
        """Seat the host's person or a bot of the host's; for every round with a new record."""
        self._must_gather()
        if not record_stands(record, record.identity_key):
            raise LobbyError(Refusal.BAD_RECORD)
        chair = self._chair(record.identity_key)
        if chair is None:
            if len(self._chairs) >= self._terms.seats:
                raise LobbyError(Refusal.FULL)
            chair = _Chair(record.identity_key, record.name, None, bot=bot, own=True)
            self._chairs.append(chair)
        elif not chair.own:
            raise LobbyError(Refusal.SAME_IDENTITY)
        chair.record, chair.name, chair.bot, chair.ready = record, record.name, bot, True
        self._show()

    def expect_bots(self, identities: Iterable[PublicKey]) -> None:
        """Bots of our own, though they come over links: nobody need admit them, and all are told."""
        self._bots = self._bots | frozenset(identities)
        self._admitted |= self._bots

    def admit(self, identity: PublicKey) -> None:
        """Let in who has asked."""
        asked = self._waiting.pop(identity, None)
        if asked is None:
            raise LobbyError("lobby.nobody-asked")
        self._admitted.add(identity)
        self._grant(identity, asked)

    def decline(self, identity: PublicKey, reason: Refusal = Refusal.DECLINED) -> None:
        """Send away who has asked."""
        if self._waiting.pop(identity, None) is None:
            raise LobbyError("lobby.nobody-asked")
        self._send(identity, Refused(reason))

    def remove(self, identity: PublicKey) -> None:
        """Take a seat or a watcher's place back, before the game."""
        self._must_gather()
        known = len(self._chairs) + len(self._watchers)
        self._chairs = [chair for chair in self._chairs if chair.identity != identity]
        self._watchers.pop(identity, None)
        if len(self._chairs) + len(self._watchers) == known:
            raise LobbyError("lobby.nobody-there")
        self._admitted.discard(identity)
        self._send(identity, Refused(Refusal.REMOVED))
        self._show()

    def move(self, identity: PublicKey, seat: int) -> None:
        """Put somebody on another seat; the others close up."""
        self._must_gather()
        chair = self._chair(identity)
        if chair is None or not 0 <= seat < len(self._chairs):
            raise LobbyError("lobby.nobody-there")
        self._chairs.remove(chair)
        self._chairs.insert(seat, chair)
        self._show()

    def set_terms(self, terms: Terms) -> None:
        """Change what is offered: nobody but the host's own seats is ready any more."""
        self._must_gather()
        if terms.seats < len(self._chairs):
            raise LobbyError("lobby.too-many-seated", seated=len(self._chairs), seats=terms.seats)
        self._terms = terms
        self._nobody_ready()
        self._show()

    def start(self) -> None:
        """Compose the genesis and ask everybody. Raises `LobbyError` while somebody is away or not ready."""
        self._must_gather()
        if len(self._chairs) != self._terms.seats:
            raise LobbyError("lobby.seats-free", seated=len(self._chairs), seats=self._terms.seats)
        for chair in self._chairs:
            if chair.record is None or not chair.ready:
                raise LobbyError("lobby.not-ready", name=chair.name, who=chair.identity)
            if not self.is_here(chair.identity):
                raise LobbyError("lobby.away", name=chair.name, who=chair.identity)
        records = tuple(chair.record for chair in self._chairs if chair.record is not None)
        terms = self._terms
        try:
            self._offer = Genesis(terms.rules, terms.options, terms.suite, records, terms.previous)
        except BadGenesis as error:
            raise LobbyError(error.reason) from error
        self._agreed = {chair.identity for chair in self._chairs if chair.own}
        for chair in self._chairs:
            if not chair.own:
                self._send(chair.identity, OfferGenesis(self._round, self._offer.to_bytes()))
        self._start_if_all_agreed()

    def cancel(self, reason: Refusal = Refusal.CLOSED) -> None:
        """Take an offered genesis back. All records are spent: a new round begins."""
        if self._offer is None:
            raise LobbyError("lobby.nothing-offered")
        self._cancel(reason)

    def next_round(self, terms: Terms) -> None:
        """Rematch: people keep their seats and bring new records; `terms` name the last game."""
        if self._offer is not None or self._genesis is None:
            raise LobbyError("lobby.no-game-before")
        staying = sum(not chair.left for chair in self._chairs)
        if terms.seats < staying:
            raise LobbyError("lobby.too-many-seated", seated=staying, seats=terms.seats)
        self._genesis = None
        self._terms = terms
        self._chairs = [chair for chair in self._chairs if not chair.left]
        self._begin_round()

    # — what the node reports —

    def opened(self, identity: PublicKey) -> None:
        """A channel to this identity stands."""
        self._here[identity] = None
        self._send(identity, self._table_for(identity))
        if self._offer is not None and seat_of(self._offer, identity) is not None:
            self._send(identity, OfferGenesis(self._round, self._offer.to_bytes()))
        self._events.append(TableShown(self.table))

    def lost(self, identity: PublicKey) -> None:
        """The last channel to this identity is gone. A seat stays its own; all else it has to say again."""
        self._here.pop(identity, None)
        self._waiting.pop(identity, None)
        self._watchers.pop(identity, None)
        chair = self._chair(identity)
        if chair is not None and self._gathering:
            chair.ready = False
        for known in [each for each in self._programs if each not in self._here and not self._chair(each)]:
            del self._programs[known]
        self._show()

    def message(self, identity: PublicKey, message: Message) -> None:
        """A lobby message; others are not for us and change nothing."""
        match message:
            case AskSeat():
                self._ask_seat(identity, message)
            case AskWatch():
                self._ask_watch(identity, message)
            case Ready():
                self._ready(identity, message)
            case Agree():
                self._agree(identity, message)
            case Cancel():
                if self._offer is not None and message.round == self._round and self._chair(identity):
                    self._cancel(message.reason, identity)
            case Leave():
                self._leave(identity)
            case WantGenesis():
                self._want_genesis(identity, message)
            case Runs():
                self._runs(identity, message)

    # — inside —

    @property
    def _gathering(self) -> bool:
        return self._offer is None and self._genesis is None

    def _must_gather(self) -> None:
        if not self._gathering:
            raise LobbyError(Refusal.STARTED)

    def _chair(self, identity: PublicKey) -> _Chair | None:
        return next((chair for chair in self._chairs if chair.identity == identity), None)

    def _send(self, identity: PublicKey, message: Message) -> None:
        if identity in self._here:
            self._messages.append(ToPeer(identity, message))

    def _table_for(self, identity: PublicKey) -> Table:
        """Who has not been let in sees what is played, and nobody."""
        return self.table if self.knows(identity) else replace(self.table, previous=None, roster=())

    def _show(self) -> None:
        table = self.table
        for identity in self._here:
            self._send(identity, self._table_for(identity))
        self._events.append(TableShown(table))

    def _refusal_of(self, identity: PublicKey, asked: AskSeat | AskWatch) -> Refusal | None:
        if isinstance(asked, AskWatch):
            if not self._may_watch:
                return Refusal.NO_WATCHING
            return Refusal.FULL if len(self._watchers) >= MOST_WATCHERS else None
        chair = self._chair(identity)
        if chair is not None and chair.own:
            return Refusal.SAME_IDENTITY
        if not self._gathering:
            return Refusal.STARTED
        if asked.round != self._round:
            return Refusal.OLD_ROUND
        if not record_stands(asked.record, identity):
            return Refusal.BAD_RECORD
        keys = {c.record.game_key for c in self._chairs if c.record is not None and c is not chair}
        if asked.record.game_key in keys:
            return Refusal.BAD_RECORD
        if chair is None and len(self._chairs) >= self._terms.seats and not self._free_away():
            return Refusal.FULL
        return None

    def _ask_seat(self, identity: PublicKey, asked: AskSeat) -> None:
        self._asked(identity, asked)

    def _ask_watch(self, identity: PublicKey, asked: AskWatch) -> None:
        if self._chair(identity) is None or self._gathering:
            self._asked(identity, asked)

    def _asked(self, identity: PublicKey, asked: AskSeat | AskWatch) -> None:
        chair = self._chair(identity)
        if isinstance(asked, AskSeat) and chair is not None and chair.record == asked.record:
            return  # said again after a lost link
        refusal = self._refusal_of(identity, asked)
        if refusal is not None:
            self._send(identity, Refused(refusal))
        elif self._ask_person and identity not in self._admitted:
            first = identity not in self._waiting
            self._waiting[identity] = asked
            if first:
                name = asked.record.name if isinstance(asked, AskSeat) else asked.name
                self._events.append(GuestAsks(identity, name, watching=isinstance(asked, AskWatch)))
        else:
            self._grant(identity, asked)

    def _grant(self, identity: PublicKey, asked: AskSeat | AskWatch) -> None:
        refusal = self._refusal_of(identity, asked)
        if refusal is not None:
            self._send(identity, Refused(refusal))
            return
        if isinstance(asked, AskWatch):
            if self._gathering:
                self._chairs = [chair for chair in self._chairs if chair.identity != identity]
            self._watchers[identity] = asked.name
        else:
            self._watchers.pop(identity, None)
            chair = self._chair(identity)
            if chair is None:
                self._make_room()
                chair = _Chair(identity, asked.record.name, None)
                self._chairs.append(chair)
            chair.record, chair.name, chair.ready = asked.record, asked.record.name, False
        self._show()

    def _free_away(self) -> _Chair | None:
        """The chair somebody left standing: first come, first served holds only for who is there."""
        return next((chair for chair in self._chairs if not self.is_here(chair.identity)), None)

    def _make_room(self) -> None:
        if len(self._chairs) >= self._terms.seats:
            away = self._free_away()
            assert away is not None
            self._chairs.remove(away)

    def _ready(self, identity: PublicKey, message: Ready) -> None:
        chair = self._chair(identity)
        if chair is None or chair.record is None or chair.own or not self._gathering:
            return
        if message.terms == terms_digest(self._round, self._terms):
            chair.ready = message.ready
            self._show()
        else:
            self._send(identity, self._table_for(identity))

    def _agree(self, identity: PublicKey, message: Agree) -> None:
        if self._offer is not None and message.game == self._offer.game_id and self._chair(identity):
            self._agreed.add(identity)
            self._start_if_all_agreed()
        elif self._genesis is not None and message.game == self._genesis.game_id:
            self._send(identity, Start(message.game))

    def _start_if_all_agreed(self) -> None:
        offer = self._offer
        if offer is None or any(record.identity_key not in self._agreed for record in offer.seats):
            return
        self._offer, self._genesis = None, offer
        for record in offer.seats:
            self._send(record.identity_key, Start(offer.game_id))
        self._events.append(GenesisAgreed(offer, seat_of(offer, self._identity)))
        self._show()

    def _cancel(self, reason: Refusal, by: PublicKey | None = None) -> None:
        for chair in self._chairs:
            self._send(chair.identity, Cancel(self._round, reason))
        self._events.append(GenesisRefused(reason, by))
        self._begin_round()

    def _begin_round(self) -> None:
        self._offer = None
        self._agreed = set()
        self._round += 1
        for chair in self._chairs:
            chair.record, chair.ready = None, False
        self._show()

    def _leave(self, identity: PublicKey) -> None:
        self._waiting.pop(identity, None)
        was_watching = self._watchers.pop(identity, None) is not None
        chair = self._chair(identity)
        if chair is not None and not chair.own and self._genesis is None:
            self._chairs.remove(chair)
            if self._offer is not None:
                self._cancel(Refusal.GUEST_LEFT, identity)
            else:
                self._show()
        elif chair is not None and not chair.own:
            chair.left = True
        elif was_watching:
            self._show()

    def _want_genesis(self, identity: PublicKey, message: WantGenesis) -> None:
        genesis = self._genesis
        if genesis is None or message.game != genesis.game_id:
            return
        if seat_of(genesis, identity) is not None or identity in self._watchers:
            self._send(identity, OfferGenesis(self._round, genesis.to_bytes()))
            self._send(identity, Start(genesis.game_id))

    def _runs(self, identity: PublicKey, message: Runs) -> None:
        if identity in self._here and self._programs.get(identity, OWN_APP) != message.program:
            self._programs[identity] = message.program
            if self._chair(identity) is not None or identity in self._watchers:
                self._show()

    def _nobody_ready(self) -> None:
        for chair in self._chairs:
            chair.ready = chair.own and chair.record is not None
