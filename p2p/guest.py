"""A guest's side of a table: look, ask, agree only to what was shown. Sans-IO."""

from __future__ import annotations

from ledger.genesis import GameId, Genesis, SeatRecord
from ledger.identity import PublicKey
from p2p.lobby import (
    GenesisAgreed,
    GenesisRefused,
    LobbyError,
    LobbyEvent,
    RefusedByTable,
    TableShown,
    ToPeer,
    genesis_keeps,
    read_genesis,
    seat_of,
    terms_digest,
    terms_of,
)
from p2p.messages import (
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
    Runs,
    Start,
    Table,
    WantGenesis,
)
from p2p.post import Post
from p2p.reasons import Refusal


class GuestLobby:
    """One guest at one table. `rules` is the one rules id this guest can play.

    The host is the identity behind the first link that was dialled as the host's; nobody else is listened to.
    `playing` names the game the guest has a log of: its genesis need not be asked for again. `program`, where
    this guest's program comes from, is told the host after every link.
    """

    def __init__(
        self,
        identity: PublicKey,
        rules: bytes,
        *,
        playing: GameId | None = None,
        program: int = OWN_APP,
    ) -> None:
        self._identity = identity
        self._rules = rules
        self._playing = playing
        self._program = program
        self._host: PublicKey | None = None
        self._table: Table | None = None
        self._asked: AskSeat | AskWatch | None = None
        self._ready = False
        self._offer: Genesis | None = None
        self._spent: list[SeatRecord] = []
        self._post = Post()

    @property
    def host(self) -> PublicKey | None:
        return self._host

    def attached(self, game: GameId) -> None:
        """The owner has a log of this game: its genesis need not be asked for."""
        self._playing = game

    @property
    def table(self) -> Table | None:
        """The table as shown last."""
        return self._table

    def take_messages(self) -> tuple[ToPeer, ...]:
        return self._post.take_messages()

    def take_events(self) -> tuple[LobbyEvent, ...]:
        return self._post.take_events()

    # — what the owner decides —

    def ask_seat(self, record: SeatRecord) -> None:
        """Ask for a seat in the round shown. A record serves one genesis: bring a new one for every round."""
        table = self._must_see()
        if record in self._spent:
            raise LobbyError("lobby.record-spent")
        self._asked = AskSeat(table.round, record)
        self._ready = False
        self._send(self._asked)

    def ask_again(self, asked: AskSeat) -> bool:
        """Ask for what an earlier start of ours asked for, or take up the game that has begun with it.

        False, and nothing is asked, if its round is over.
        """
        table = self._must_see()
        if asked.round != table.round or self._asked is not None:
            return False
        self._asked = asked
        self._send(asked if table.game is None else WantGenesis(table.game))
        return True

    def ask_watch(self, name: str) -> None:
        self._must_see()
        self._asked = AskWatch(name)
        self._send(self._asked)

    def set_ready(self, *, ready: bool) -> None:
        """Say that the terms shown are agreeable, or no longer."""
        table = self._must_see()
        if not isinstance(self._asked, AskSeat):
            raise LobbyError("lobby.no-seat")
        self._ready = ready
        self._send(Ready(terms_digest(table.round, terms_of(table)), ready))

    def leave(self) -> None:
        self._asked, self._ready = None, False
        self._send(Leave())

    # — what the node reports —

    def opened(self, identity: PublicKey, *, is_host: bool) -> None:
        """A channel to this identity stands. After a loss all that was said before is said again."""
        if is_host and self._host is None:
            self._host = identity
        if identity == self._host:
            self._post.here[identity] = None
            if self._program != OWN_APP:
                self._send(Runs(self._program))
            if self._offer is not None and not isinstance(self._asked, AskWatch):
                self._send(Agree(self._offer.game_id))
            elif self._asked is not None:
                self._send(self._asked)
                if self._ready:
                    self.set_ready(ready=True)

    def lost(self, identity: PublicKey) -> None:
        self._post.here.pop(identity, None)

    def message(self, identity: PublicKey, message: Message) -> None:
        """A lobby message; only the host's count."""
        if identity != self._host:
            return
        match message:
            case Table():
                self._show(message)
            case Refused():
                self._asked, self._ready = None, False
                self._post.report(RefusedByTable(message.reason))
            case OfferGenesis():
                self._offered(message)
            case Start():
                self._start(message)
            case Cancel():
                self._cancelled(message)

    # — inside —

    def _must_see(self) -> Table:
        if self._table is None:
            raise LobbyError("lobby.no-table")
        return self._table

    def _send(self, message: Message) -> None:
        if self._host is not None:
            self._post.send(self._host, message)

    def _show(self, table: Table) -> None:
        if table.rules != self._rules:
            self._post.report(RefusedByTable(Refusal.OTHER_RULES))
            return
        before, self._table = self._table, table
        if before is not None and table.round != before.round and isinstance(self._asked, AskSeat):
            self._asked, self._offer = None, None
        if before is None or terms_of(before) != terms_of(table) or before.round != table.round:
            self._ready = False
        self._post.report(TableShown(table))
        if table.game is not None and table.game != self._playing and self._belongs(table):
            self._send(WantGenesis(table.game))

    def _belongs(self, table: Table) -> bool:
        return any(line.identity == self._identity for line in table.roster)

    def _own_record(self) -> SeatRecord | None:
        return self._asked.record if isinstance(self._asked, AskSeat) else None

    def _offered(self, message: OfferGenesis) -> None:
        table, genesis = self._table, read_genesis(message.genesis)
        if table is None or message.round != table.round:
            return
        own = self._own_record()
        if genesis is not None and table.game == genesis.game_id:
            self._running(genesis, table, own)
            return
        if own is None:
            return
        if genesis is not None and genesis == self._offer:
            self._send(Agree(genesis.game_id))
            return
        if genesis is None or not self._ready or not genesis_keeps(genesis, table, own):
            self._reject(message.round)
            return
        if self._offer is not None and self._offer != genesis:
            self._reject(message.round)
            return
        self._offer = genesis
        self._spend(own)
        self._send(Agree(genesis.game_id))

    def _running(self, genesis: Genesis, table: Table, own: SeatRecord | None) -> None:
        """The genesis of a game that has begun: ours to play only with the very record we agreed with."""
        seated = seat_of(genesis, self._identity) is not None
        if genesis_keeps(genesis, table, own if seated else None) and (not seated or own is not None):
            self._offer = genesis
        else:
            self._post.report(GenesisRefused(Refusal.BAD_RECORD))

    def _reject(self, round_number: int) -> None:
        self._offer, self._asked, self._ready = None, None, False
        self._send(Cancel(round_number, Refusal.NOT_WHAT_WAS_SHOWN))
        self._post.report(GenesisRefused(Refusal.NOT_WHAT_WAS_SHOWN))

    def _spend(self, record: SeatRecord) -> None:
        if record not in self._spent:
            self._spent.append(record)

    def _start(self, message: Start) -> None:
        offer = self._offer
        if offer is None or offer.game_id != message.game or self._playing == message.game:
            return
        self._playing = message.game
        self._post.report(GenesisAgreed(offer, seat_of(offer, self._identity)))

    def _cancelled(self, message: Cancel) -> None:
        if self._table is None or message.round != self._table.round:
            return
        self._offer, self._ready = None, False
        if isinstance(self._asked, AskSeat):
            self._asked = None
        self._post.report(GenesisRefused(message.reason))
