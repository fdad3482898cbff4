"""What a log answers to a record. A closed union; `kept` are the entries to store and pass on, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.engine import Height
from ledger.entry import Entry
from ledger.fault import Fault


@dataclass(frozen=True, slots=True)
class Accepted:
    """The entry, and entries that had waited for it, are part of the log; `completed` heights advanced it."""

    kept: tuple[Entry, ...]
    completed: tuple[Height, ...]


@dataclass(frozen=True, slots=True)
class Forked:
    """A seat signed two bodies for one due, however long ago."""

    fault: Fault
    kept: tuple[Entry, ...]
    completed: tuple[Height, ...] = ()


@dataclass(frozen=True, slots=True)
class Forbade:
    """A seat signed what the rules forbid."""

    fault: Fault
    kept: tuple[Entry, ...]
    completed: tuple[Height, ...] = ()


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Known, silently."""

    kept: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """Well signed, ahead of this log; kept in memory within bounds, not to be stored."""

    entry: Entry
    kept: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownBranch:
    """Well signed, on a history this log doesn't know. Nobody is to blame for it."""

    entry: Entry
    kept: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """Noise anybody could make; charge the link that brought it, never the seat it names."""

    code: str
    detail: str = ""
    kept: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """The engine failed in a way it must not. Blames nobody; nothing is received or signed any more."""

    detail: str
    kept: tuple[Entry, ...] = ()


Outcome: TypeAlias = Accepted | Forked | Forbade | Duplicate | Pending | UnknownBranch | Dropped | Stopped
