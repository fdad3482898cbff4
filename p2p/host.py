"""The host's side of a table: who sits, who watches, when a game starts. Sans-IO.

The host composes and relays; it decides nothing a guest does not check.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ledger.genesis import Genesis, SeatRecord
from ledger.identity import PublicKey
from p2p.admission import Admission
from p2p.agreement import Agreement
from p2p.lobby import (
    GenesisAgreed,
    GenesisRefused,
    LobbyError,
    LobbyEvent,
    TableShown,
    Terms,
    ToPeer,
    record_stands,
    seat_of,
    terms_digest,
    terms_in,
)
from p2p.messages import (
    Agree,
    AskSeat,
    AskWatch,
    Cancel,
    Leave,
    Message,
    OfferGenesis,
    Ready,
    Runs,
    Start,
    Table,
    WantGenesis,
)
from p2p.post import Post
from p2p.reasons import Refusal
from p2p.seating import Chair, Seating


class HostLobby:
    """One table. Feed it `opened`, `lost` and `message`; collect `take_messages` and `take_events`.

    `ask_person`: guests wait until the owner admits them (an open table); else the join code did.
    """

    def __init__(
        self, identity: PublicKey, terms: Terms, *, may_watch: bool = False, ask_person: bool = False
    ) -> None:
        self._identity = identity
        self._terms = terms
        self._post = Post()
        self._seating = Seating(self._post)
        self._agreement = Agreement()
        self._admission = Admission(
            self._post, self._seating, self._agreement, may_watch=may_watch, ask_person=ask_person
        )

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
        lobby = cls(identity, terms_in(genesis), may_watch=may_watch, ask_person=ask_person)
        played_by_bots = set(bots)
        mine = {identity, *own, *played_by_bots}
        for record in genesis.seats:
            key = record.identity_key
            lobby._seating.chairs.append(
                Chair(key, record.name, record, ready=True, bot=key in played_by_bots, own=key in mine)
            )
        lobby._admission.let_in(record.identity_key for record in genesis.seats)
        lobby._agreement.resume(genesis, round_number)
        return lobby

    # — what the owner may look at —

    @property
    def table(self) -> Table:
        """The table as everybody is shown it."""
        terms, genesis = self._terms, self._agreement.genesis
        return Table(
            self._agreement.round,
            terms.rules,
            terms.options,
            terms.suite,
            terms.seats,
            self._admission.may_watch,
            terms.previous,
            None if genesis is None else genesis.game_id,
            self._seating.roster(),
        )

    @property
    def genesis(self) -> Genesis | None:
        """Of the game that runs, or ran last."""
        return self._agreement.genesis

    @property
    def watchers(self) -> tuple[PublicKey, ...]:
        return tuple(self._seating.watchers)

    @property
    def waiting(self) -> tuple[PublicKey, ...]:
        """Who has asked and has no answer yet."""
        return self._admission.waiting

    def knows(self, identity: PublicKey) -> bool:
        """Whether this peer may know who is at the table: at a private table everybody with the code, at an
        open one who has been let in."""
        return self._admission.is_in(identity) or self._seating.plays_here(identity)

    def is_here(self, identity: PublicKey) -> bool:
        """Whether this person has a link, or plays on the host's own device."""
        return self._seating.is_here(identity)

    def take_messages(self) -> tuple[ToPeer, ...]:
        return self._post.take_messages()

    def take_events(self) -> tuple[LobbyEvent, ...]:
        return self._post.take_events()

    # — what the owner decides —

    def seat_own(self, record: SeatRecord, *, bot: bool = False) -> None:
        """Seat the host's person or a bot of the host's; for every round with a new record."""
        self._must_gather()
        if not record_stands(record, record.identity_key):
            raise LobbyError(Refusal.BAD_RECORD)
        self._seating.seat_own(record, self._terms.seats, bot=bot)
        self._show()

    def expect_bots(self, identities: Iterable[PublicKey]) -> None:
        """Bots of our own, though they come over links: nobody need admit them, and all are told."""
        bots = tuple(identities)
        self._seating.expect_bots(bots)
        self._admission.let_in(bots)

    def admit(self, identity: PublicKey) -> None:
        """Let in who has asked."""
        if self._admission.admit(identity, self._terms.seats):
            self._show()

    def decline(self, identity: PublicKey, reason: Refusal = Refusal.DECLINED) -> None:
        """Send away who has asked."""
        self._admission.decline(identity, reason)

    def remove(self, identity: PublicKey) -> None:
        """Take a seat or a watcher's place back, before the game."""
        self._must_gather()
        if not self._seating.holds(identity):
            raise LobbyError("lobby.nobody-there")
        self._seating.get_up(identity)
        self._seating.watchers.pop(identity, None)
        self._admission.show_out(identity)
        self._show()

    def move(self, identity: PublicKey, seat: int) -> None:
        """Put somebody on another seat; the others close up."""
        self._must_gather()
        self._seating.move(identity, seat)
        self._show()

    def set_terms(self, terms: Terms) -> None:
        """Change what is offered: nobody but the host's own seats is ready any more."""
        self._must_gather()
        _must_fit(len(self._seating.chairs), terms)
        self._terms = terms
        self._seating.nobody_ready()
        self._show()

    def start(self) -> None:
        """Compose the genesis and ask everybody. Raises `LobbyError` while somebody is away or not ready."""
        self._must_gather()
        records = self._seating.records(self._terms.seats)
        chairs = self._seating.chairs
        offer = self._agreement.propose(self._terms, records, (each.identity for each in chairs if each.own))
        for chair in chairs:
            if not chair.own:
                self._post.send(chair.identity, OfferGenesis(self._agreement.round, offer.to_bytes()))
        self._start_if_all_agreed()

    def cancel(self, reason: Refusal = Refusal.CLOSED) -> None:
        """Take an offered genesis back. All records are spent: a new round begins."""
        if self._agreement.offer is None:
            raise LobbyError("lobby.nothing-offered")
        self._cancel(reason)

    def next_round(self, terms: Terms) -> None:
        """Rematch: people keep their seats and bring new records; `terms` name the last game."""
        if self._agreement.offer is not None or self._agreement.genesis is None:
            raise LobbyError("lobby.no-game-before")
        staying = [chair for chair in self._seating.chairs if not chair.left]
        _must_fit(len(staying), terms)
        self._terms = terms
        self._seating.chairs = staying
        self._begin_round()

    # — what the node reports —

    def opened(self, identity: PublicKey) -> None:
        """A channel to this identity stands."""
        self._post.here[identity] = None
        self._post.send(identity, self._table_for(identity))
        offer = self._agreement.offer
        if offer is not None and seat_of(offer, identity) is not None:
            self._post.send(identity, OfferGenesis(self._agreement.round, offer.to_bytes()))
        self._post.report(TableShown(self.table))

    def lost(self, identity: PublicKey) -> None:
        """The last channel to this identity is gone. A seat stays its own; all else it has to say again."""
        self._post.here.pop(identity, None)
        self._admission.gone(identity)
        chair = self._seating.chair(identity)
        if chair is not None and self._agreement.gathering:
            chair.ready = False
        self._seating.forget(identity)
        self._show()

    def message(self, identity: PublicKey, message: Message) -> None:
        """A lobby message; others are not for us and change nothing."""
        match message:
            case AskSeat() | AskWatch():
                if self._admission.ask(identity, message, self._terms.seats):
                    self._show()
            case Ready():
                self._ready(identity, message)
            case Agree():
                self._agree(identity, message)
            case Cancel():
                offered = self._agreement.offer is not None and message.round == self._agreement.round
                if offered and self._seating.chair(identity):
                    self._cancel(message.reason, identity)
            case Leave():
                self._leave(identity)
            case WantGenesis():
                self._want_genesis(identity, message)
            case Runs():
                if self._seating.runs(identity, message.program):
                    self._show()

    # — inside —

    def _must_gather(self) -> None:
        if not self._agreement.gathering:
            raise LobbyError(Refusal.STARTED)

    def _table_for(self, identity: PublicKey) -> Table:
        """Who has not been let in sees what is played, and nobody."""
        return self.table if self.knows(identity) else replace(self.table, previous=None, roster=())

    def _show(self) -> None:
        for identity in self._post.here:
            self._post.send(identity, self._table_for(identity))
        self._post.report(TableShown(self.table))

    def _ready(self, identity: PublicKey, message: Ready) -> None:
        chair = self._seating.chair(identity)
        if chair is None or chair.record is None or chair.own or not self._agreement.gathering:
            return
        if message.terms == terms_digest(self._agreement.round, self._terms):
            chair.ready = message.ready
            self._show()
        else:
            self._post.send(identity, self._table_for(identity))

    def _agree(self, identity: PublicKey, message: Agree) -> None:
        genesis = self._agreement.genesis
        if self._seating.chair(identity) and self._agreement.agrees(identity, message.game):
            self._start_if_all_agreed()
        elif genesis is not None and message.game == genesis.game_id:
            self._post.send(identity, Start(message.game))

    def _start_if_all_agreed(self) -> None:
        genesis = self._agreement.settle()
        if genesis is None:
            return
        for record in genesis.seats:
            self._post.send(record.identity_key, Start(genesis.game_id))
        self._post.report(GenesisAgreed(genesis, seat_of(genesis, self._identity)))
        self._show()

    def _cancel(self, reason: Refusal, by: PublicKey | None = None) -> None:
        for chair in self._seating.chairs:
            self._post.send(chair.identity, Cancel(self._agreement.round, reason))
        self._post.report(GenesisRefused(reason, by))
        self._begin_round()

    def _begin_round(self) -> None:
        self._agreement.next_round()
        self._seating.spend_records()
        self._show()

    def _leave(self, identity: PublicKey) -> None:
        self._admission.gone(identity)
        was_watching = self._seating.watchers.pop(identity, None) is not None
        chair = self._seating.chair(identity)
        if chair is not None and not chair.own and self._agreement.genesis is None:
            self._seating.get_up(identity)
            if self._agreement.offer is not None:
                self._cancel(Refusal.GUEST_LEFT, identity)
            else:
                self._show()
        elif chair is not None and not chair.own:
            chair.left = True
        elif was_watching:
            self._show()

    def _want_genesis(self, identity: PublicKey, message: WantGenesis) -> None:
        genesis = self._agreement.genesis
        if genesis is None or message.game != genesis.game_id:
            return
        if seat_of(genesis, identity) is not None or identity in self._seating.watchers:
            self._post.send(identity, OfferGenesis(self._agreement.round, genesis.to_bytes()))
            self._post.send(identity, Start(genesis.game_id))


def _must_fit(seated: int, terms: Terms) -> None:
    """Raise `LobbyError` if more people sit than these terms have seats."""
    if terms.seats < seated:
        raise LobbyError("lobby.too-many-seated", seated=seated, seats=terms.seats)
