"""What a judge says of a file, in fields and an exit code that are the same on every machine (DESIGN §7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, TypeAlias

from ledger.engine import Height, Seat
from ledger.fault import Fault
from ledger.genesis import Genesis
from ledger.level import Status
from ledger.log import Log

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"

LIMITS: Final = ("slow", "withheld", "intent", "person")
"""What no log can show: who was slow, who withheld, why, and who sat behind a key."""
LONGER: Final = "longer"
"""The newest log shown waits for somebody: a longer one may hold the answer."""
AWAY: Final = "away"
"""An ABORT shows that no answer had reached the others, not that none was sent."""
COPY: Final = "copy"
"""Who signed twice may have copied a folder, or lost a newer one, without wanting it."""
VERSION: Final = "version"
"""Another state of the game may come from another version of the program, or from a fault in it."""


class Code(IntEnum):
    """The exit codes of judgements. 1 is never one: whatever ends with it was not a judge."""

    VALID = 0
    UNFINISHED = 3
    VOID = 4
    PROVEN = 10
    REFUTED = 11
    INSUFFICIENT = 12
    MALFORMED = 20
    UNSUPPORTED = 21
    INTERNAL = 70

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Verdict:
    """`kind` is "log", "case" or "" where it can't be told.

    `reason` is an error code or message id for everything that is not valid; `offset` and `height` say where
    a file stops being one of ours. `fault` is what is proven, or the accusation that is not. `log` is there
    to look into whatever could be replayed.
    """

    code: Code
    kind: str = ""
    genesis: Genesis | None = None
    fault: Fault | None = None
    reason: str = ""
    offset: int | None = None
    height: Height | None = None
    accused: Seat | None = None
    log: Log[Any] | None = None

    @property
    def limits(self) -> tuple[str, ...]:
        """What this file does not show: `LIMITS`, and what is easily read into a verdict of this kind."""
        more = []
        if self.log is not None and self.fault is None and self.code <= Code.VOID:
            if self.log.status is Status.ABORTED:
                more.append(AWAY)
            elif self.log.waiting_for:
                more.append(LONGER)
        if self.fault is not None and self.fault.is_fork:
            more.append(COPY)
        if self.fault is not None and self.fault.code == "I_STATE":
            more.append(VERSION)
        return (*LIMITS, *more)

    def to_json(self) -> dict[str, Json]:
        """Always the same keys; no times, no paths, nothing of this machine."""
        genesis, log = self.genesis, self.log
        ended = None if log is None else log.ended
        return {
            "kind": self.kind or None,
            "verdict": self.code.word,
            "code": int(self.code),
            "reason": self.reason or None,
            "offset": self.offset,
            "height": self.height,
            "game": None if genesis is None else genesis.game_id.hex(),
            "rules": None if genesis is None else genesis.rules_id.hex(),
            "status": None if log is None else log.status.value,
            "heights": None if log is None else log.height,
            "entries": None if log is None else len(log.entries()),
            "head": None if log is None else log.level(log.height).prev.hex(),
            "ended": None if ended is None else {"height": ended.height, "digest": ended.digest.hex()},
            "waiting_for": None if log is None else list(log.waiting_for),
            "result_stands": None if log is None else log.result_stands,
            "accused": self.accused,
            "offence": None if self.fault is None or genesis is None else offence(self.fault, genesis),
            "limits": list(self.limits),
        }


def offence(fault: Fault, genesis: Genesis) -> dict[str, Json]:
    """An offence in fields that are the same on every machine."""
    seat = genesis.seats[fault.seat]
    return {
        "case": fault.case_id(genesis.game_id).hex(),
        "code": fault.code,
        "seat": fault.seat,
        "key": seat.game_key.hex(),
        "identity": seat.identity_key.hex(),
        "height": fault.height,
        "lane": fault.lane,
        "rule": fault.rule or None,
        "reason": fault.reason or None,
        "params": {name: _plain(value) for name, value in fault.params},
        "entries": [entry.id.hex() for entry in fault.entries],
    }


def code_of(log: Log[Any]) -> Code:
    """What a log whose every entry was accepted comes to."""
    if log.stopped:
        return Code.INTERNAL
    if log.fault is not None:
        return Code.PROVEN
    match log.status:
        case Status.FINISHED:
            return Code.VALID
        case Status.ABORTED:
            return Code.VALID if log.engine.over(log.state) else Code.VOID
        case Status.VOID:
            return Code.VOID
        case Status.OPEN:
            return Code.UNFINISHED
        case Status.HALTED:  # a fault, returned above
            return Code.PROVEN


def _plain(value: object) -> Json:
    """A parameter of a reason as JSON: bytes in hex, everything unknown as text."""
    if isinstance(value, bytes):
        return value.hex()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return str(value)
