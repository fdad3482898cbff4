"""Stateless sync (DESIGN §6): `Heads` says all I have; what to send depends on my log and your heads alone.

Equal heads are silence. I send only what you strictly lack, so two peers that answer each other come to rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ledger.engine import Height
from ledger.entry import Entry, EntryId
from ledger.fault import CaseId, shown, shown_id
from ledger.genesis import Digest, GameId

if TYPE_CHECKING:
    from ledger.log import Log

MAX_OLDER: Final = 12
ABORT_WINDOW: Final = 8
MAX_ABORTS: Final = 24


@dataclass(frozen=True, slots=True)
class Heads:
    """`prev` is the digest of height − 1 (the game id at 0); bit s of `met`: seat s has met its due there.

    `aborts` are the ids of ABORTs at the newest heights, `case` names the faults known, if any (`shown_id`),
    `older` pairs (height, digest) going back ever farther, newest first.
    """

    game_id: GameId
    height: Height
    prev: Digest
    met: int
    aborts: tuple[EntryId, ...]
    case: CaseId | None
    older: tuple[tuple[Height, Digest], ...]


def heads_of(log: Log[Any]) -> Heads:
    """The heads of a log."""
    level = log.level(log.height)
    back = (log.height - 1 - (1 << step) for step in range(MAX_OLDER))
    return Heads(
        log.game_id,
        log.height,
        level.prev,
        sum(1 << seat for seat in level.met),
        _abort_ids(log),
        shown_id(log.faults, log.game_id),
        tuple((Height(height), log.digest(Height(height))) for height in back if height >= 0),
    )


def missing_for(log: Log[Any], theirs: Heads, *, limit: int) -> tuple[bytes, ...]:
    """What a peer with `theirs` lacks and `log` has, the case first, then oldest first; at least one."""
    if theirs.game_id != log.game_id or theirs.height < 0:
        return ()
    chosen: list[bytes] = []
    size = 0
    for entry in dict.fromkeys(_lacking(log, theirs)):
        if chosen and size + len(entry.record) > limit:
            break
        chosen.append(entry.record)
        size += len(entry.record)
    return tuple(chosen)


def _lacking(log: Log[Any], theirs: Heads) -> Iterator[Entry]:
    case = shown_id(log.faults, log.game_id)
    if case != theirs.case:
        yield from (entry for fault in shown(log.faults) for entry in fault.entries)
    settled = case == theirs.case and any(fault.is_fork for fault in log.faults)
    if theirs.height <= log.height and theirs.prev == log.level(theirs.height).prev:
        level = log.level(theirs.height)
        yield from (entry for entry in level.in_due_order if not theirs.met >> entry.seat & 1)
        yield from _between(log, theirs.height + 1, log.height + 1)
    elif settled:  # both know why their histories differ, and neither can take what stands on the other's
        return
    elif theirs.height <= log.height:
        yield from _differing(log, theirs)
    told = dict.fromkeys(_abort_ids(log))
    listed = dict.fromkeys(theirs.aborts)
    for entry in _aborts(log, max(log.height, theirs.height)):
        if entry.id in told and entry.id not in listed:
            yield entry


def _differing(log: Log[Any], theirs: Heads) -> Iterator[Entry]:
    """My version of the stretch in which their history leaves mine: somebody in there signed twice."""
    last = theirs.height - 1
    for height, digest in theirs.older:
        if not 0 <= height < log.height:
            return
        if log.digest(height) == digest:
            yield from _between(log, height + 1, last + 1)
            return
        last = height
    yield from _between(log, 0, last + 1)


def _between(log: Log[Any], first: int, end: int) -> Iterable[Entry]:
    for height in range(max(first, 0), min(end, log.height + 1)):
        yield from log.met(Height(height))


def _abort_ids(log: Log[Any]) -> tuple[EntryId, ...]:
    """What heads say of ABORTs; others are not offered either, or peers would never rest."""
    first = max(0, log.height - ABORT_WINDOW)
    ids = [known for height in range(first, log.height + 1) for known in log.aborts_known(Height(height))]
    return tuple(ids[-MAX_ABORTS:])


def _aborts(log: Log[Any], newest: Height) -> Iterator[Entry]:
    """The ABORTs of the last heights up to `newest`, in canonical order."""
    for height in range(max(0, newest - ABORT_WINDOW), min(newest, log.height) + 1):
        aborts = log.level(Height(height)).aborts.values()
        yield from sorted(aborts, key=lambda entry: (entry.seat, entry.payload, entry.id))
