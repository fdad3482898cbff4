"""The line of a log: one height after another, each complete when all its dues are met (DESIGN §2).

A line takes only what its caller found allowed, and never goes back. What stands beside it (faults, entries
of other histories, entries ahead of it) is the log's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from ledger.abort import Abort, check_abort, complete_abort, seats_named
from ledger.engine import ABORT, Engine, Height, Kind, Payload, Seat, State
from ledger.entry import MAX_HEIGHTS, Entry, StateHash, height_digest, state_hash
from ledger.errors import Forbidden
from ledger.fault import Key
from ledger.genesis import Digest, GameId, Genesis
from ledger.level import Level, Step


class Line(Generic[State]):
    """`levels` are the heights begun, the newest last; `over_at` the first at which play is over; `abort` the
    complete ABORT that counts (R30), and `aborted` what the engine made of it.

    Raises `Unsupported` or `BadGenesis` if the engine refuses to start.
    """

    def __init__(self, engine: Engine[State], genesis: Genesis) -> None:
        self.engine = engine
        self.game_id: GameId = genesis.game_id
        self.levels: list[Level[State]] = []
        self.over_at: Height | None = None
        self.abort: Abort | None = None
        self.aborted: State | None = None
        self._newest: dict[Seat, Height] = {Seat(seat): Height(-1) for seat in range(len(genesis.seats))}
        self._aborting: dict[Height, None] = {}
        self._begin(engine.start(genesis), Digest(bytes(self.game_id)))

    @property
    def last(self) -> Level[State]:
        """The height that is not complete yet."""
        return self.levels[-1]

    @property
    def height(self) -> Height:
        return self.last.height

    def level(self, height: Height) -> Level[State]:
        """One height as it stands. Raises IndexError for one that has not begun."""
        if not 0 <= height <= self.height:
            raise IndexError(f"height {height} has not begun")
        return self.levels[height]

    def steps(self, first: int) -> Iterator[Step[State]]:
        """All complete heights from `first`; a complete ABORT hides those from its own on."""
        last = self.height if self.abort is None else self.abort.height
        for level, following in zip(self.levels[first:last], self.levels[first + 1 : last + 1], strict=True):
            yield Step(level.height, level.before, level.dues, level.in_due_order, following.before)

    # what may stand on it

    def check(self, level: Level[State], seat: Seat, kind: Kind, payload: Payload, state: StateHash) -> None:
        """Raise `Forbidden` unless this seat may sign this at this height: I_TURN, I_STATE, then the rest."""
        due = level.due_of(seat)
        if kind != ABORT and (due is None or kind not in due.kinds):
            raise Forbidden("I_TURN", reason="log.not-due")
        if state != level.state:
            raise Forbidden("I_STATE", reason="log.other-state")
        if kind == ABORT:
            check_abort(
                seat,
                payload,
                playing=self.engine.playing(level.before),
                dues=level.dues,
                still_in=self.engine.still_in(level.before),
            )
        elif due is not None:
            self.engine.check(level.before, due, kind, payload)

    def fits(self, entry: Entry) -> bool:
        """Whether this entry is allowed where it stands, met already or not. False above `height`."""
        if entry.height > self.height:
            return False
        level = self.levels[entry.height]
        if entry.body.prev != level.prev:
            return False
        try:
            self.check(level, entry.seat, entry.kind, entry.payload, entry.body.state)
        except Forbidden:
            return False
        return True

    def has_room(self, key: Key) -> bool:
        """Whether the due of this key is not met, or the ABORT not held."""
        height, seat, lane, payload = key
        if height > self.height:
            return False
        level = self.levels[height]
        if not lane:
            return height == self.height and seat not in level.met
        if level.due_of(seat) is not None and seat not in level.met:
            return False
        return (seat, payload) not in level.aborts

    def holder(self, key: Key) -> Entry | None:
        """What stands on the line under this key."""
        height, seat, lane, payload = key
        if height > self.height:
            return None
        level = self.levels[height]
        return level.aborts.get((seat, payload)) if lane else level.met.get(seat)

    # what advances it

    def meet(self, entry: Entry) -> None:
        """Put an allowed entry where it belongs; with the last due of its height the next one begins."""
        level = self.levels[entry.height]
        self._newest[entry.seat] = max(self._newest[entry.seat], entry.height)
        if entry.lane:
            level.aborts[entry.seat, entry.payload] = entry
            self._aborting[level.height] = None
            return
        level.met[entry.seat] = entry
        if level.unmet:
            return
        met = level.in_due_order
        after = self.engine.apply(level.before, tuple((each.kind, each.payload) for each in met))
        self._begin(after, height_digest(self.game_id, level.height, tuple(each.id for each in met)))

    def settle_aborts(self) -> None:
        """Look anew for a complete ABORT: a later entry of a signer withdraws his."""
        found = None
        for height in self._aborting:
            level = self.levels[height]
            if found is None:
                signed = [(entry.seat, seats_named(entry.payload)) for entry in level.aborts.values()]
                found = complete_abort(level.height, signed, self.engine.still_in(level.before), self._newest)
        if found != self.abort:
            self.abort = found
            self.aborted = (
                None
                if found is None
                else self.engine.abort(self.levels[found.height].before, found.waiting_for)
            )

    def _begin(self, state: State, prev: Digest) -> None:
        height = Height(len(self.levels))
        dues = self.engine.expect(state)
        if height >= MAX_HEIGHTS and dues:
            raise OverflowError(f"more than {MAX_HEIGHTS} heights")
        if self.over_at is None and self.engine.over(state):
            self.over_at = height
        self.levels.append(Level(height, state, dues, prev, state_hash(self.engine.public_bytes(state))))
