"""A fault: what a seat signed and was not allowed to sign. Two kinds, the fork and the forbidden entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

from ledger.codec import encode
from ledger.engine import Height, Payload, Seat
from ledger.entry import Body, Entry
from ledger.genesis import GameId
from ledger.identity import tagged

CaseId = NewType("CaseId", bytes)
"""32 bytes that name an offence, not its evidence: swapped or other proofs of one offence share it."""

Key: TypeAlias = tuple[Height, Seat, int, Payload]
"""What one seat may sign once: height, seat, lane, and in lane 1 the seats waited for (R30)."""

FORK: Final = "F_FORK"
_CASE_TAG: Final = b"durak-case-1"


def key_of(entry: Entry | Body) -> Key:
    """The one thing this entry, or a body not yet signed, answers; two bodies for one key are a fork."""
    return (entry.height, entry.seat, entry.lane, entry.payload if entry.lane else ())


@dataclass(frozen=True, slots=True)
class Fault:
    """`code` is F_FORK, I_TURN, I_STATE, I_SHAPE, I_RULE or I_PROOF.

    `entries` holds the fork's two records, the lower id first, or the one forbidden entry. `rule`, `reason`
    and `params` come from `errors.Forbidden`.
    """

    code: str
    entries: tuple[Entry, ...]
    rule: str = ""
    reason: str = ""
    params: tuple[tuple[str, object], ...] = ()

    @property
    def seat(self) -> Seat:
        return self.entries[0].seat

    @property
    def height(self) -> Height:
        return self.entries[0].height

    @property
    def lane(self) -> int:
        return self.entries[0].lane

    @property
    def is_fork(self) -> bool:
        return self.code == FORK

    def case_id(self, game_id: GameId) -> CaseId:
        key = key_of(self.entries[0])
        return CaseId(tagged(_CASE_TAG, encode((game_id, self.code.encode(), *key))))


def fork_of(first: Entry, second: Entry) -> Fault:
    """The fault of two different bodies under one key, whichever came first."""
    return Fault(FORK, tuple(sorted((first, second), key=lambda entry: entry.id)))


def gravest(faults: tuple[Fault, ...]) -> Fault | None:
    """The fault the case names: of each seat its forks before milder faults, then the earliest (R32)."""
    if not faults:
        return None
    best: dict[Seat, Fault] = {}
    for fault in faults:
        known = best.get(fault.seat)
        if known is None or _weight(fault) < _weight(known):
            best[fault.seat] = fault
    return min(best.values(), key=lambda fault: (fault.height, fault.seat), default=None)


def shown(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """What must be shown to others: the gravest, and the earliest fork if that is another.

    A fork also explains why two peers' histories differ; once both know one, they may stop looking for it.
    """
    if not faults:
        return ()
    case = gravest(faults)
    fork = min((fault for fault in faults if fault.is_fork), key=_weight, default=None)
    return tuple(fault for fault in dict.fromkeys((case, fork)) if fault is not None)


def shown_id(faults: tuple[Fault, ...], game_id: GameId) -> CaseId | None:
    """One id for `shown`: of the case alone, or of both."""
    ids = [fault.case_id(game_id) for fault in shown(faults)]
    if len(ids) < 2:
        return ids[0] if ids else None
    return CaseId(tagged(_CASE_TAG, b"".join(ids)))


def _weight(fault: Fault) -> tuple[bool, Height, int, bytes, Seat, str]:
    """Total for any two offences, so that all who know the same faults choose the same one."""
    height, seat, lane, payload = key_of(fault.entries[0])
    return (not fault.is_fork, height, lane, encode(payload), seat, fault.code)
