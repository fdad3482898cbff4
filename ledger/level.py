"""One height of a log, and the words for how a log stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, NamedTuple

from ledger.engine import Due, Height, Payload, Seat, State
from ledger.entry import Entry, StateHash
from ledger.genesis import Digest


class Status(Enum):
    """OPEN: something is due. FINISHED: play is over. VOID: nothing is due and nobody won.
    ABORTED: by a complete ABORT. HALTED: after a fork or a forbidden entry."""

    OPEN = "open"
    FINISHED = "finished"
    VOID = "void"
    ABORTED = "aborted"
    HALTED = "halted"


class Ended(NamedTuple):
    """The last height that counts for play (None: not even the first) and its digest (then the game id)."""

    height: Height | None
    digest: Digest


class Step(NamedTuple, Generic[State]):
    """One complete height: `met` belongs to `dues`, in due order."""

    height: Height
    before: State
    dues: tuple[Due, ...]
    met: tuple[Entry, ...]
    after: State


@dataclass(slots=True)
class Level(Generic[State]):
    """One height: what it starts from, what it waits for, what has come."""

    height: Height
    before: State
    dues: tuple[Due, ...]
    prev: Digest
    state: StateHash
    met: dict[Seat, Entry] = field(default_factory=dict)
    aborts: dict[tuple[Seat, Payload], Entry] = field(default_factory=dict)

    def due_of(self, seat: Seat) -> Due | None:
        return next((due for due in self.dues if due.seat == seat), None)

    @property
    def unmet(self) -> tuple[Due, ...]:
        return tuple(due for due in self.dues if due.seat not in self.met)

    @property
    def in_due_order(self) -> tuple[Entry, ...]:
        return tuple(self.met[due.seat] for due in self.dues if due.seat in self.met)

    @property
    def signed(self) -> tuple[Entry, ...]:
        """All that was signed here, whatever came first: by due, then ABORTs by seat."""
        aborts = sorted(self.aborts.values(), key=lambda entry: (entry.seat, entry.id))
        return (*self.in_due_order, *aborts)
