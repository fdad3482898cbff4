"""Stateless sync (DESIGN §6): what to answer to heads, cut into messages.

Nothing here remembers what a peer was sent: the answer depends on the log and on the heads just heard. Equal
heads are silence, so two peers that answer each other come to rest; an answer that got lost is given again
when the other side tells its heads again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from ledger.engine import Due, Height, Seat
from ledger.entry import Entry
from ledger.fault import Fault
from ledger.genesis import GameId, Genesis
from ledger.heads import Heads
from ledger.level import Level
from p2p.messages import MOST_NAMES, MOST_RECORDS, Entries, EntryName, Have

ENTRIES_AIM: Final = 12_288
"""Bytes of records after which an ENTRIES message is closed; one record always fits."""
ANSWER_LIMIT: Final = 131_072
"""Bytes of records in one answer; the rest is asked for by the next heads."""
HEADS_EVERY: Final = 4.0
"""Seconds between heads while something is due."""
HEADS_IDLE: Final = 30.0
"""And while nothing is."""
HEADS_DOUBT: Final = 1.0
"""Seconds an author has to bring what others say they have of him, before we ask them."""
HEADS_SOON: Final = 0.25
"""Seconds between heads told because we seem to be behind."""


class SharedLog(Protocol):
    """What sync reads of a log: `ledger.log.Log` is one. Never written to from here."""

    @property
    def game_id(self) -> GameId: ...
    @property
    def genesis(self) -> Genesis: ...
    @property
    def dues(self) -> tuple[Due, ...]: ...
    @property
    def height(self) -> Height: ...
    @property
    def faults(self) -> tuple[Fault, ...]: ...
    def level(self, height: Height) -> Level[Any]: ...
    def heads(self) -> Heads: ...
    def missing_for(self, theirs: Heads, *, limit: int) -> tuple[bytes, ...]: ...


def answer(log: SharedLog, theirs: Heads) -> tuple[Entries, ...]:
    """What a peer with these heads lacks; () for equals. `more` in the last: tell your heads again."""
    records = log.missing_for(theirs, limit=ANSWER_LIMIT)
    more = sum(len(record) for record in records) >= ANSWER_LIMIT - 17_000
    return pack(log.game_id, records, more=more)


def pack(game: GameId, records: Iterable[bytes], *, more: bool = False) -> tuple[Entries, ...]:
    """Records as messages, in order."""
    messages: list[Entries] = []
    bundle: list[bytes] = []
    size = 0
    for record in records:
        if bundle and (size + len(record) > ENTRIES_AIM or len(bundle) == MOST_RECORDS):
            messages.append(Entries(game, tuple(bundle), more=False))
            bundle, size = [], 0
        bundle.append(record)
        size += len(record)
    if bundle:
        messages.append(Entries(game, tuple(bundle), more=more))
    return tuple(messages)


def size_of(messages: Sequence[Entries]) -> int:
    """Bytes of records in these messages."""
    return sum(len(record) for message in messages for record in message.records)


def is_ahead(theirs: Heads, ours: Heads) -> bool:
    """Whether the peer claims to have what we lack: then our heads are due."""
    if theirs.height != ours.height:
        return theirs.height > ours.height
    return (
        theirs.prev != ours.prev
        or bool(theirs.met & ~ours.met)
        or not set(theirs.aborts) <= set(ours.aborts)
        or (theirs.case is not None and theirs.case != ours.case)
    )


def names(game: GameId, entries: Iterable[Entry]) -> tuple[Have, ...]:
    """What we have, in a few bytes."""
    listed = [EntryName(entry.height, entry.seat, entry.lane, entry.id[:8]) for entry in entries]
    return tuple(
        Have(game[:4], tuple(listed[start : start + MOST_NAMES]))
        for start in range(0, len(listed), MOST_NAMES)
    )


def find(log: SharedLog, name: EntryName) -> Entry | None:
    """The entry of this name, on the line or among the evidence."""
    if name.height > log.height:
        return None
    level = log.level(Height(name.height))
    evidence = (entry for fault in log.faults for entry in fault.entries)
    known = (*level.met.values(), *level.aborts.values(), *evidence)
    return next((entry for entry in known if entry.id[:8] == name.id), None)


def is_rival(log: SharedLog, name: EntryName) -> bool:
    """Whether we hold another body for the due this entry meets: one of the two convicts its author."""
    if name.lane or name.height > log.height:
        return False
    ours = log.level(Height(name.height)).met.get(Seat(name.seat))
    return ours is not None and ours.id[:8] != name.id
