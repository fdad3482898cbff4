"""What a file proves to somebody who has nothing else (DESIGN §7): the verdict, in the words of the game.

Pure: whoever calls reads the file. Nothing is repaired and nothing skipped.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from cli.engine import course
from game.options import VALUES, decode
from game.series import previous_of
from ledger.level import Status
from ledger.verdict import Code, Verdict
from ledger.verify import judge_file

if TYPE_CHECKING:
    from game.state import CourseState
    from ledger.genesis import Genesis, Previous
    from ledger.items import Read
    from ledger.log import Log

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"


def judge(file: bytes | Read, previous: bytes | Read | None = None) -> Verdict:
    """The verdict on a file; with `previous`, also on what its genesis says about the game before.

    Never raises on what the bytes say. A log that is sound itself but not about that game is *insufficient*,
    one that says something else about it than its log does is *refuted*.
    """
    verdict = judge_file(file, course())
    if previous is None or verdict.genesis is None or verdict.code >= Code.PROVEN:
        return verdict
    before = judge_file(previous, course())
    if before.log is None or before.code >= Code.MALFORMED:
        return replace(verdict, code=Code.INSUFFICIENT, reason="previous.unreadable")
    claimed = verdict.genesis.previous
    if claimed is None:
        return replace(verdict, code=Code.INSUFFICIENT, reason="previous.first")
    if claimed.game_id != before.log.game_id:
        return replace(verdict, code=Code.INSUFFICIENT, reason="previous.other-game")
    if not follows(verdict.genesis, before.log):
        return replace(verdict, code=Code.REFUTED, reason="previous.says-otherwise")
    return verdict


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


def to_json(verdict: Verdict) -> dict[str, Json]:
    """The verdict with what the game adds to it; always the same keys, the same bytes on every machine."""
    genesis, log = verdict.genesis, verdict.log
    result = None if log is None else log.state.result
    options = None if log is None else decode(log.genesis.options)
    return {
        **verdict.to_json(),
        "result": None
        if result is None
        else {
            "outcome": ("durak", "draw")[result.outcome],
            "duraks": list(result.duraks),
            "order_out": list(result.order_out),
            "pogony": list(result.pogony),
        },
        "options": None if options is None else {name: getattr(options, name) for name in VALUES},
        "seats": None
        if genesis is None
        else [
            {"name": seat.name, "identity": seat.identity_key.hex(), "key": seat.game_key.hex()}
            for seat in genesis.seats
        ],
        "previous": None if genesis is None else _previous(genesis.previous),
    }


def _previous(previous: Previous | None) -> Json:
    if previous is None:
        return None
    return {
        "game": previous.game_id.hex(),
        "digest": previous.digest.hex(),
        "leader": previous.leader,
        "wins": list(previous.wins),
        "losses": list(previous.losses),
    }
