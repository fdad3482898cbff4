"""Stateless sync (DESIGN §6): what to answer to heads, cut into messages.

Nothing here remembers what a peer was sent: the answer depends on the log and on the heads just heard. Equal
heads are silence, so two peers that answer each other come to rest; an answer that got lost is given again
when the other side tells its heads again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from ledger.engine import Due
from ledger.genesis import GameId, Genesis
from ledger.heads import Heads
from p2p.messages import MOST_RECORDS, Entries

ENTRIES_AIM: Final = 12_288
"""Bytes of records after which an ENTRIES message is closed; one record always fits."""
ANSWER_LIMIT: Final = 131_072
"""Bytes of records in one answer; the rest is asked for by the next heads."""
HEADS_EVERY: Final = 4.0
"""Seconds between heads while something is due."""
HEADS_IDLE: Final = 30.0
"""And while nothing is."""
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
