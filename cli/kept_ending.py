"""How a game kept on this device stands: whether something may still be played or signed, and what ended it.

The folder tells most of it. Only where a game may have ended without a result, by an ABORT (R30) or keys that
came to nothing, and where somebody looked on and left, its log is played through: that takes a moment, and
there are few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.engine import course
from game import kinds
from ledger.engine import ABORT
from ledger.folder import CASE, SEED
from ledger.level import Status
from ledger.log import Log

if TYPE_CHECKING:
    from pathlib import Path

    from game.position import Result
    from ledger.recovery import Recovered


class Ending(NamedTuple):
    """`result`: what came of a game whose result nobody signs, None if nothing did or it is signed."""

    status: Status
    result: Result | None = None


def ending_of(folder: Path, recovered: Recovered) -> Ending:
    """How the game of this folder stands, whose log has been read already."""
    if (folder / CASE).exists():
        return Ending(Status.HALTED)
    if not (folder / SEED).exists():
        if _all_signed(recovered):
            return Ending(Status.FINISHED)  # or who only looked on, who never had a seed, left before the end
    elif not _may_have_ended(recovered):
        return Ending(Status.OPEN)
    log = Log(course(), recovered.genesis)
    for entry in recovered.entries:
        log.receive(entry.record)
    if log.abort is not None and log.fault is None:
        return Ending(Status.ABORTED, log.state.result)
    return Ending(log.status if log.status in {Status.VOID, Status.FINISHED} else Status.OPEN)


def _all_signed(recovered: Recovered) -> bool:
    """Every seat has signed the result."""
    signed = {entry.seat for entry in recovered.entries if entry.kind == kinds.RESULT}
    return len(signed) == len(recovered.genesis.seats)


def _may_have_ended(recovered: Recovered) -> bool:
    """An ABORT is there; or all keys are, and nothing after them."""
    found = [entry.kind for entry in recovered.entries]
    keys_only = kinds.SHUFFLE not in found and found.count(kinds.OPEN_KEYS) >= len(recovered.genesis.seats)
    return ABORT in found or keys_only
