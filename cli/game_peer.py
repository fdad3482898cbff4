"""One game on one device: its log, its store, and our own seat in it (DESIGN §1: where the pieces meet).

Law L1 lives here: an own entry is built, checked, stored (append, fsync, read back) and only then given out.
What has been stored is never signed again; after a crash it is sent again as it stands. No links, no waiting,
no clock: `cli.succession` drives this.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from cli.chronicle import step_events
from game import rules
from game.bots import Turn
from game.course import Course, action_of
from game.errors import IllegalMove
from game.look import look
from game.seat import OwnSeat
from game.state import CourseState, Stage
from game.story import tell_abort
from ledger.engine import Height, Kind, Payload, Seat
from ledger.entry import sign_entry
from ledger.errors import Forbidden, LedgerError, StoreError
from ledger.evidence import case_of
from ledger.identity import game_key
from ledger.level import Status
from ledger.log import Log
from ledger.outcome import Accepted, Forbade, Forked, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game.actions import Action
    from game.bots import Memory
    from game.events import Event
    from game.position import Position
    from game.view import View
    from ledger.entry import Entry
    from ledger.genesis import Genesis
    from ledger.identity import PublicKey


class Store(Protocol):
    """What is asked of `ledger.store.GameStore`."""

    @property
    def genesis(self) -> Genesis: ...

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was stored when it was opened, in arrival order."""

    @property
    def may_sign(self) -> bool:
        """False on a copy, without the seed, after a failed write."""

    @property
    def watches(self) -> str:
        """Why nothing may be signed, as a message id; "" where signing is allowed."""

    @property
    def read_only(self) -> str:
        """Why nothing may be written, as a message id; "" where writing is allowed."""

    def seed(self) -> bytes:
        """The game seed, 32 bytes. Raises `StoreError` where nothing may be signed."""

    def append(self, record: bytes) -> bytes:
        """Write, sync, read back an own record; what it returns may be sent. Raises `StoreError`."""

    def append_received(self, *records: bytes) -> None:
        """Write the records of others: they can be fetched again, so nothing is synced for them."""

    def keep_case(self, case: bytes) -> None:
        """Write the case against a seat beside the log. Raises `StoreError`."""

    def delete_seed(self) -> None:
        """The game needs no secret of ours any more."""

    def close(self) -> None:
        """Give its files and its lock back; it takes no more records."""


class NotOurTurn(LedgerError):
    """A decision that came too late, or is not this seat's to make."""


class GamePeer:
    """One game as this device holds it. `seat` is None for a watcher."""

    def __init__(self, store: Store, course: Course) -> None:
        self.store = store
        self.course = course
        self.genesis = store.genesis
        self.log: Log[CourseState] = Log(course, self.genesis)
        self.trouble = ""
        """Why our seat signs nothing more, as a message id."""
        self.failure: StoreError | None = None
        """What the disk refused: whoever sits here has to be told, or he waits for ever."""
        self.held = False
        """Give no token yet (`cli.ahead`)."""
        seed = store.seed() if store.may_sign else None
        self._key = None if seed is None else game_key(seed)
        self.seat = self._own_seat()
        self._own: OwnSeat | None = None
        if seed is not None and self.seat is not None:
            self._own = OwnSeat(course, self.genesis.game_id, self.seat, seed)
        for entry in store.entries:
            self.log.receive(entry.record)

    def recognise(self, identity: PublicKey) -> None:
        """This person's seat is ours though its seed is gone: play is over, and nothing is left to sign."""
        if self.seat is None and self.log.status is Status.FINISHED:
            keys = [record.identity_key for record in self.genesis.seats]
            self.seat = Seat(keys.index(identity)) if identity in keys else None

    # what it says

    @property
    def state(self) -> CourseState:
        return self.log.state

    @property
    def done(self) -> bool:
        """Nothing of this game is due any more."""
        return not self.log.dues

    def view(self) -> View:
        """What our seat may know now; with nothing to decide once it signs nothing more."""
        seen = look(self.state, self.log.waiting_for, self._own)
        if self._own is None and self.seat is not None:
            seen = replace(seen, me=self.seat)
        return replace(seen, legal=()) if self.trouble else seen

    @property
    def told(self) -> Height:
        """How far the story goes: pass it to `events_from` later to hear the rest."""
        return Height(self.log.height + (self.log.status is Status.ABORTED))

    def events_from(self, height: int) -> tuple[tuple[Height, tuple[Event, ...]], ...]:
        """The heights completed from `height` on, and what happened at each."""
        told = [(step.height, step_events(step, self.course)) for step in self.log.steps(height)]
        if self.log.status is Status.ABORTED and height <= self.log.height:
            told.append((self.log.height, tell_abort(self.course, self.state)))
        return tuple(told)

    def plays_from(self, height: int) -> Iterator[tuple[Position, tuple[tuple[Seat, Action], ...]]]:
        """The heights of play completed from `height` on: the position before, and who did what."""
        for step in self.log.steps(height):
            if step.before.stage is Stage.PLAY:
                met = tuple((entry.seat, action_of(entry.kind, entry.payload)) for entry in step.met)
                yield step.before.the_position, met

    def turn(self, memory: Memory) -> Turn | None:
        """The question put to our seat now, with all a bot in it may know; None if no decision is asked."""
        if self._own is None or self.trouble or self.seat not in self.log.waiting_for:
            return None
        legal = self._own.legal(self.state)
        if not legal:
            return None
        hand = self._own.hand(self.state)
        return Turn(self.state.the_position, self._own.seat, hand, legal, memory)

    def refusal(self, action: Action) -> IllegalMove | None:
        """Why our seat may not do this now, None if it may; for faces."""
        if self.seat is None or self.state.stage is not Stage.PLAY:
            return IllegalMove("R10", "illegal.not-your-word")
        return rules.refusal(self.state.the_position, self.seat, action)

    # what it takes in and gives out

    def receive(self, record: bytes) -> Outcome:
        """Judge a record from a link and keep what is to be kept."""
        outcome = self.log.receive(record)
        self._keep(entry.record for entry in outcome.kept)
        if isinstance(outcome, Forked | Forbade):
            self._keep_case()
        return outcome

    def advance(self) -> tuple[bytes, ...]:
        """Sign and store everything our seat owes without deciding; the new records, ready to be sent."""
        sent: list[bytes] = []
        while self._own is not None and not self.trouble and self.seat in self.log.waiting_for:
            if self.held and self.state.stage is Stage.DEAL:
                break
            owed = self._own.owed(self.state)
            if owed is None:
                break
            sent.append(self._sign(*owed))
        self._forget_seed_when_done()
        return tuple(sent)

    def decide(self, action: Action) -> bytes:
        """Sign and store a decision. Raises `NotOurTurn`, `Forbidden` or `StoreError`: nothing is signed."""
        if self._own is None or self.trouble or self.seat not in self.log.waiting_for:
            raise NotOurTurn("decision.too-late")
        return self._sign(*self._own.write(self.state, action))

    def abort(self) -> bytes:
        """Sign and store an ABORT of who is waited for now (R30). Raises `NotOurTurn` or `Forbidden`."""
        if self._key is None or self.seat is None or self.trouble:
            raise NotOurTurn("decision.too-late")
        body = self.log.draft_abort(self.seat)
        return self._store(sign_entry(self._key, body))

    def _sign(self, kind: Kind, payload: Payload) -> bytes:
        assert self._key is not None
        assert self.seat is not None
        return self._store(sign_entry(self._key, self.log.draft(self.seat, kind, payload)))

    def _store(self, record: bytes) -> bytes:
        try:
            record = self.store.append(record)
        except StoreError as error:
            self._failed(error)
            raise
        outcome = self.log.receive(record)
        if not isinstance(outcome, Accepted):
            self.trouble = "trouble.own-entry"
            raise Forbidden("I_STATE", reason="log.own-entry-refused")
        self._keep(entry.record for entry in outcome.kept if entry.record != record)
        return record

    def _keep(self, records: Iterable[bytes]) -> None:
        """Store what others signed; where nothing can be written the game can still be watched."""
        if self.store.read_only:
            return
        try:
            self.store.append_received(*records)
        except StoreError as error:
            self._failed(error)

    def _keep_case(self) -> None:
        """Write down the least that proves the gravest fault known: whoever saw it can show it (§7)."""
        fault = self.log.fault
        if fault is None:
            return
        try:
            self.store.keep_case(case_of(self.log, fault))
        except StoreError as error:
            self._failed(error)

    def _failed(self, error: StoreError) -> None:
        self.trouble, self.failure = "trouble.store", error

    def _own_seat(self) -> Seat | None:
        if self._key is None:
            return None
        for seat, record in enumerate(self.genesis.seats):
            if record.game_key == self._key.public:
                return Seat(seat)
        return None

    def _forget_seed_when_done(self) -> None:
        """The seed goes when all have signed the result and our deck secret is stored (DESIGN §5)."""
        if self._own is None or self.log.status is not Status.FINISHED:
            return
        stage = self.state.stage
        if stage is Stage.OVER or (stage is Stage.SECRETS and self.seat not in self.log.waiting_for):
            self.store.delete_seed()
