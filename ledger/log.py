"""The log of one game: heights, dues, and the validity of every entry, in one order (DESIGN §2).

Law: a log never raises on what others send, never blames a seat for what anybody could have made, and never
takes back a fact. Entries of lane 0 advance it; ABORTs (lane 1) and faults are kept beside the line they
concern, so that what the log says depends on the entries it holds and hardly on the order in which they came.

A file is an RFC 8742 sequence of CBOR items: the header `["durak-log" as a byte string, 1]` (`HEADER`, the 12
bytes 82 49 64 75 72 61 6b 2d 6c 6f 67 01), the genesis as it is hashed, then records: in arrival order while
the file grows, in canonical order (height, seat, lane) in an `export`. `docs/protocol.md` repeats this.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Generic

from ledger.abort import Abort
from ledger.codec import encode
from ledger.engine import ABORT, Due, Engine, Height, Kind, Payload, Seat, State
from ledger.entry import (
    VERSION,
    Body,
    Entry,
    EntryId,
    read_record,
)
from ledger.errors import Forbidden, Malformed
from ledger.fault import Fault, Key, fork_of, gravest, key_of
from ledger.genesis import Digest, GameId, Genesis
from ledger.heads import Heads, heads_of, missing_for
from ledger.level import Ended, Level, Status, Step
from ledger.line import Line
from ledger.outcome import (
    Accepted,
    Dropped,
    Duplicate,
    Forbade,
    Forked,
    Outcome,
    Pending,
    Stopped,
    UnknownBranch,
)
from ledger.waiting import WINDOW, WaitingRoom

MAGIC: Final = b"durak-log"
HEADER: Final = encode((MAGIC, 1))
MAX_STRAYS: Final = 2
"""Entries of one seat kept although their branch is unknown: a fork may prove them known later."""
MAX_EXHIBITS: Final = 256
"""Entries kept as evidence in one log."""


class Log(Generic[State]):
    """A game as a fold over heights. Raises `Unsupported` or `BadGenesis` if the engine refuses to start."""

    def __init__(self, engine: Engine[State], genesis: Genesis) -> None:
        self.engine = engine
        self.genesis = genesis
        self.game_id: GameId = genesis.game_id
        self._line = Line(engine, genesis)
        self._known: dict[EntryId, Entry] = {}
        self._exhibits: dict[Key, list[Entry]] = {}
        self._strays: dict[Key, Entry] = {}
        self._waiting = WaitingRoom(len(genesis.seats))
        self._faults: tuple[Fault, ...] = ()
        self.stopped: str = ""
        """Why the engine failed, if it did."""

    # what it says

    @property
    def height(self) -> Height:
        """The height that is not complete yet."""
        return self._line.height

    @property
    def state(self) -> State:
        """Before `height`; after a complete ABORT, what the engine made of it."""
        aborted = self._line.aborted
        return self._line.last.before if aborted is None or self.status is not Status.ABORTED else aborted

    @property
    def status(self) -> Status:
        if self.fault is not None and not self.result_stands:
            return Status.HALTED
        if self._line.abort is not None:
            return Status.ABORTED
        if self._line.over_at is not None:
            return Status.FINISHED
        return Status.OPEN if self._line.last.dues else Status.VOID

    @property
    def fault(self) -> Fault | None:
        """The gravest fault known; it halts the game unless `result_stands`."""
        return gravest(self._faults)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults known, in the order in which they were found."""
        return self._faults

    @property
    def result_stands(self) -> bool:
        """All that the result needed is signed: a fault shown now changes nothing (R32)."""
        level = self._line.last
        return self._line.over_at is not None and (level.height > self._line.over_at or not level.dues)

    @property
    def abort(self) -> Abort | None:
        """The complete ABORT that counts (R30)."""
        return self._line.abort

    @property
    def dues(self) -> tuple[Due, ...]:
        """What may be signed now: the dues of this height not met yet. None once the game ended badly."""
        if self._closed():
            return ()
        return self._line.last.unmet

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats the newest height waits for."""
        return tuple(due.seat for due in self.dues)

    @property
    def ended(self) -> Ended | None:
        """The height that ended play; for void, halted and aborted games the last complete one."""
        match self.status:
            case Status.OPEN:
                return None
            case Status.FINISHED:
                first = self._line.over_at
            case Status.VOID:
                first = self.height
            case Status.ABORTED:
                first = None if self._line.abort is None else self._line.abort.height
            case Status.HALTED:
                first = None if self.fault is None else Height(min(self.fault.height, self.height))
        if first is None or first == 0:
            return Ended(None, self._line.levels[0].prev)
        return Ended(Height(first - 1), self._line.levels[first].prev)

    def digest(self, height: Height) -> Digest:
        """Of a complete height. Raises IndexError for every other."""
        if not 0 <= height < self.height:
            raise IndexError(f"height {height} is not complete")
        return self._line.levels[height + 1].prev

    def level(self, height: Height) -> Level[State]:
        """One height as it stands, the newest included. Not to be changed. Raises IndexError."""
        return self._line.level(height)

    def met(self, height: Height) -> tuple[Entry, ...]:
        """The entries of lane 0 at a height, in due order."""
        return self.level(height).in_due_order

    def steps(self, first: int = 0) -> Iterator[Step[State]]:
        """All complete heights from `first`; a complete ABORT hides those from its own on."""
        return self._line.steps(first)

    def aborts_known(self, height: Height) -> tuple[EntryId, ...]:
        """The ids of all ABORTs kept of a height, evidence included, ascending."""
        aborts = self.level(height).aborts
        if not aborts and not self._exhibits:
            return ()
        kept = [entry.id for entry in aborts.values()]
        for key, exhibits in self._exhibits.items():
            if key[0] == height and key[2]:
                kept += (entry.id for entry in exhibits)
        return tuple(sorted(kept))

    def entries(self) -> tuple[Entry, ...]:
        """All entries kept, evidence included, in canonical order: height, seat, lane."""
        kept: list[tuple[Height, Seat, int, bytes, bool, bool, EntryId, Entry]] = []

        def add(entry: Entry, *, on_line: bool) -> None:
            named = encode(entry.payload) if entry.lane else b""
            astray = entry.body.prev != self._line.levels[entry.height].prev
            kept.append((entry.height, entry.seat, entry.lane, named, not on_line, astray, entry.id, entry))

        for level in self._line.levels:
            for entry in (*level.met.values(), *level.aborts.values()):
                add(entry, on_line=True)
        for exhibits in self._exhibits.values():
            for entry in exhibits:
                add(entry, on_line=False)
        return tuple(item[-1] for item in sorted(kept, key=lambda item: item[:-1]))

    def records(self) -> tuple[bytes, ...]:
        """The records of `entries`."""
        return tuple(entry.record for entry in self.entries())

    def export(self) -> bytes:
        """The file in canonical order: header, genesis, records. Two complete peers write the same bytes."""
        return b"".join((HEADER, self.genesis.to_bytes(), *self.records()))

    def heads(self) -> Heads:
        """All I have, in a few bytes (DESIGN §6)."""
        return heads_of(self)

    def missing_for(self, theirs: Heads, *, limit: int = 256 * 1024) -> tuple[bytes, ...]:
        """The records a peer with these heads lacks, oldest first, up to `limit` bytes; () for equals."""
        return missing_for(self, theirs, limit=limit)

    # what it takes in

    def receive(self, record: bytes) -> Outcome:
        """Judge one record and keep what is to be kept. Never raises on what others send."""
        if self.stopped:
            return Stopped(self.stopped)
        try:
            entry = read_record(record)
            if entry.body.game_id != self.game_id:
                raise Malformed("E_GAME", "another game")
            if entry.seat >= len(self.genesis.seats):
                raise Malformed("E_SEAT", str(entry.seat))
            known = self._known.get(entry.id) or self._waiting.get(entry.id)
            if known is not None and known.record == record:
                return Duplicate()
            if not entry.signed_by(self.genesis.seats[entry.seat].game_key):
                raise Malformed("E_SIG")
        except Malformed as error:
            return Dropped(error.code, error.detail)
        if known is not None:
            return Duplicate()
        before = self.height
        try:
            outcome = self._judge(entry)
            outcome = self._release(outcome)
        except Exception as error:  # the engine may raise Forbidden only: this is nobody's fault but ours
            self.stopped = f"{type(error).__name__} at height {entry.height}"
            return Stopped(self.stopped)
        if outcome.kept:
            self._line.settle_aborts()
        if isinstance(outcome, Accepted | Forked | Forbade) and self.height > before:
            completed = tuple(Height(height) for height in range(before, self.height))
            return replace(outcome, completed=completed)
        return outcome

    def _judge(self, entry: Entry) -> Outcome:
        """One well-signed entry that is new. The order of these lines is the order of validity."""
        key = key_of(entry)
        others = self._others(key)
        if len(others) >= 2:
            if not self._line.has_room(key) or entry.body.prev != self._line.levels[entry.height].prev:
                return Duplicate()
            if not self.fits(entry):  # honest peers pass on two and what fits: more costs the link
                return Dropped("E_MANY", f"seat {entry.seat}")
        if others and len(self._exhibits) >= MAX_EXHIBITS:
            return Duplicate()
        if others:
            return self._fork(entry, others[0])
        if entry.height > self.height:
            return self._postpone(entry)
        level = self._line.levels[entry.height]
        if entry.body.prev != level.prev:
            self._remember_stray(key, entry)
            return UnknownBranch(entry)
        try:
            self._line.check(level, entry.seat, entry.kind, entry.payload, entry.body.state)
        except Forbidden as error:
            if len(self._exhibits) >= MAX_EXHIBITS:
                return Duplicate()
            fault = Fault(error.code, (entry,), error.rule, error.reason, tuple(error.params.items()))
            self._exhibit(entry)
            self._faults += (fault,)
            return Forbade(fault, (entry,))
        if entry.lane and level.due_of(entry.seat) is not None and entry.seat not in level.met:
            return self._postpone(entry)
        self._meet(entry)
        return Accepted((entry,), ())

    def _remember_stray(self, key: Key, entry: Entry) -> None:
        """Keep the newest few of each seat: two strays of one due prove a fork as well."""
        own = [other for other, stray in self._strays.items() if stray.seat == entry.seat]
        if len(own) >= MAX_STRAYS:
            del self._known[self._strays.pop(own[0]).id]
        self._strays[key] = entry
        self._known[entry.id] = entry

    def _fork(self, entry: Entry, other: Entry) -> Outcome:
        """A second body for one key: evidence, whatever it says. If it fits it still advances the line."""
        kept = [entry]
        key = key_of(entry)
        stray = self._strays.pop(key, None)
        if stray is not None:
            kept.append(stray)
            self._exhibit(stray)
        if self._line.has_room(key) and self.fits(entry):
            for spare in sorted(self._exhibits.get(key, ()), key=lambda exhibit: exhibit.id)[1:]:
                self._exhibits[key].remove(spare)
            self._meet(entry)
        else:
            self._exhibit(entry)
        fault = fork_of(entry, other)
        self._faults += (fault,)
        return Forked(fault, tuple(kept))

    def fits(self, entry: Entry) -> bool:
        """Whether this entry is allowed where it stands, met already or not. False above `height`."""
        return self._line.fits(entry)

    def _others(self, key: Key) -> list[Entry]:
        """Other bodies known under this key, those on the line first."""
        candidates = (self._line.holder(key), *self._exhibits.get(key, ()), self._strays.get(key))
        return [entry for entry in candidates if entry is not None]

    def _postpone(self, entry: Entry) -> Outcome:
        if entry.height > self.height + WINDOW:
            return Dropped("E_FAR", f"height {entry.height} at {self.height}")
        if not self._waiting.add(entry):
            return Dropped("E_FULL", f"seat {entry.seat}")
        return Pending(entry)

    def _release(self, outcome: Outcome) -> Outcome:
        """Judge again what waited, until nothing moves; a fault found there is the answer."""
        while outcome.kept:
            released = [self._judge(entry) for entry in self._waiting.take(self.height)]
            moved = tuple(entry for result in released for entry in result.kept)
            for result in released:
                if isinstance(result, Forked | Forbade) and isinstance(outcome, Accepted):
                    outcome = replace(result, kept=outcome.kept)
            if not moved:
                break
            outcome = replace(outcome, kept=outcome.kept + moved)
        return outcome

    def _meet(self, entry: Entry) -> None:
        self._known[entry.id] = entry
        self._line.meet(entry)

    def _exhibit(self, entry: Entry) -> None:
        self._known[entry.id] = entry
        self._exhibits.setdefault(key_of(entry), []).append(entry)

    def _closed(self) -> bool:
        return bool(self.stopped) or bool(self._faults) or self._line.abort is not None

    # what we sign ourselves

    def draft(self, seat: Seat, kind: Kind, payload: Payload) -> Body:
        """The body `seat` may sign now at this height. Raises `Forbidden`, also where it has signed already.

        The caller signs it, stores it, and only then gives it to `receive` and to others (L1).
        """
        level = self._line.last
        if self._closed():
            raise Forbidden("I_TURN", reason="log.closed")
        body = Body(VERSION, self.game_id, level.height, seat, level.prev, level.state, kind, payload)
        if self._others(key_of(body)) or self._waiting.any_of(seat, lambda entry: True):
            raise Forbidden("I_TURN", reason="log.signed-already")
        self._line.check(level, seat, kind, payload, level.state)
        if body.lane and (level.due_of(seat) in level.unmet or payload != (self.waiting_for,)):
            raise Forbidden("I_RULE", rule="R30", reason="abort.not-waiting")
        return body

    def draft_abort(self, seat: Seat) -> Body:
        """The ABORT that `seat` may sign now: W is exactly who is waited for. Raises `Forbidden`."""
        return self.draft(seat, ABORT, (self.waiting_for,))
