"""What a log file proves to somebody who has nothing else: stable fields and an exit code (DESIGN §7).

Pure: bytes in, report out. Nothing is repaired and nothing skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cli.exits import CommandError, Exit
from cli.logfile import parse_log
from game.options import VALUES, decode
from game.series import previous_of
from ledger.errors import BadGenesis, Malformed, Unsupported
from ledger.level import Status

if TYPE_CHECKING:
    from game.course import CourseState
    from ledger.fault import Fault
    from ledger.genesis import Genesis, Previous
    from ledger.log import Log

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"

VERDICTS = {
    Exit.OK: "valid", Exit.UNFINISHED: "unfinished", Exit.VOID: "void", Exit.PROVEN: "proven",
    Exit.REFUTED: "refuted", Exit.INSUFFICIENT: "insufficient", Exit.MALFORMED: "malformed",
    Exit.UNSUPPORTED: "unsupported", Exit.INTERNAL: "internal",
}  # fmt: skip
LIMITS = ("slow", "withheld", "intent", "person")
"""What no log can show: who was slow, who withheld, why, and who sat behind a key."""


@dataclass(frozen=True, slots=True)
class Report:
    """`log` is None where the file holds none. `reason` says why, for malformed and unsupported files."""

    code: Exit
    log: Log[CourseState] | None = None
    reason: str = ""

    def to_json(self) -> dict[str, Json]:
        """The same keys on every machine, no times, nothing about where it was judged."""
        head: dict[str, Json] = {"verdict": VERDICTS[self.code], "code": int(self.code)}
        if self.log is None:
            return head | {"reason": self.reason}
        return head | _about(self.log)


def judge(data: bytes, previous: bytes | None = None) -> Report:
    """The verdict on a file; with `previous`, also on what its genesis says about the game before.

    Never raises on what the bytes say.
    """
    try:
        log = parse_log(data, "")
        before = None if previous is None else parse_log(previous, "")
    except Unsupported as error:
        return Report(Exit.UNSUPPORTED, reason=str(error))
    except CommandError as error:
        return Report(error.code, reason=f"offset {error.parameters.get('offset', '?')}")
    except (Malformed, BadGenesis) as error:
        return Report(Exit.MALFORMED, reason=str(error))
    if before is not None and not follows(log.genesis, before):
        same = log.genesis.previous is not None and log.genesis.previous.game_id == before.game_id
        return Report(Exit.REFUTED if same else Exit.INSUFFICIENT, log)
    return Report(_code(log), log)


def follows(genesis: Genesis, before: Log[CourseState]) -> bool:
    """Whether the genesis says of the game before exactly what that game's log says."""
    ended = before.ended
    if ended is None or genesis.previous is None:
        return False
    people = tuple(record.identity_key for record in genesis.seats)
    expected = previous_of(
        before.genesis, before.state, ended.digest, people=people, halted=before.status is Status.HALTED
    )
    return genesis.previous == expected


def _code(log: Log[CourseState]) -> Exit:
    if log.stopped:
        return Exit.INTERNAL
    if log.fault is not None:
        return Exit.PROVEN
    match log.status:
        case Status.OPEN:
            return Exit.UNFINISHED
        case Status.FINISHED:
            return Exit.OK
        case Status.ABORTED:
            return Exit.OK if log.engine.over(log.state) else Exit.VOID
        case Status.VOID:
            return Exit.VOID
        case Status.HALTED:
            return Exit.PROVEN


def _about(log: Log[CourseState]) -> dict[str, Json]:
    options = decode(log.genesis.options)
    ended = log.ended
    result = log.state.result
    return {
        "game": log.game_id.hex(),
        "status": log.status.value,
        "heights": log.height,
        "entries": len(log.records()),
        "digest": None if ended is None else ended.digest.hex(),
        "waiting_for": list(log.waiting_for),
        "result": None
        if result is None
        else {
            "outcome": ("durak", "draw")[result.outcome],
            "duraks": list(result.duraks),
            "order_out": list(result.order_out),
            "pogony": list(result.pogony),
        },
        "fault": None if log.fault is None else _fault(log.fault),
        "options": {name: _plain(getattr(options, name)) for name in VALUES},
        "seats": [
            {"name": record.name, "identity": record.identity_key.hex(), "key": record.game_key.hex()}
            for record in log.genesis.seats
        ],
        "previous": _previous(log.genesis.previous),
        "limits": list(LIMITS),
    }


def _fault(fault: Fault) -> Json:
    return {
        "code": fault.code, "seat": fault.seat, "height": fault.height, "rule": fault.rule or None,
        "reason": fault.reason or None, "entries": [entry.id.hex() for entry in fault.entries],
    }  # fmt: skip


def _previous(previous: Previous | None) -> Json:
    if previous is None:
        return None
    return {
        "game": previous.game_id.hex(), "digest": previous.digest.hex(), "leader": previous.leader,
        "wins": list(previous.wins), "losses": list(previous.losses),
    }  # fmt: skip


def _plain(value: object) -> Json:
    return value if isinstance(value, str | int | bool) else str(value)
