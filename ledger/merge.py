"""Two logs of one game: how they differ, and the one file that holds what both prove.

`merge` depends on what the two hold together, not on their order: it is commutative and associative, and
merging a merged file with itself changes nothing. Without a fork it is the union. With one, nothing above the
lowest fork counts any more (R32), so both records of it are kept and everything above is left out; except
that a log in which all have signed the result stays whole, for a fault shown later changes no result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ledger.codec import encode
from ledger.engine import Height
from ledger.entry import Entry
from ledger.fault import Fault, Key, fork_of, key_of
from ledger.genesis import Digest
from ledger.log import Log
from ledger.verdict import Code, Json

SAME: Final = "same"
PREFIX: Final = "prefix"
FORK: Final = "fork"


class OtherGame(ValueError):
    """Logs of two games have nothing to do with each other."""


@dataclass(frozen=True)
class Difference:
    """`code` 0 same, 3 one lacks what the other has, 10 a fork between the two.

    `common` is the number of complete heights both share; `only_left` and `only_right` count entries.
    """

    code: int
    relation: str
    common: Height
    heights: tuple[Height, Height]
    only_left: int
    only_right: int
    fork: Fault | None

    def to_json(self) -> dict[str, Json]:
        fork: Json = None
        if self.fork is not None:
            fork = {
                "seat": self.fork.seat,
                "height": self.fork.height,
                "entries": [entry.id.hex() for entry in self.fork.entries],
            }
        return {
            "verdict": self.relation,
            "code": self.code,
            "common": self.common,
            "heights": list(self.heights),
            "only_left": self.only_left,
            "only_right": self.only_right,
            "fork": fork,
        }


def diff(left: Log[Any], right: Log[Any]) -> Difference:
    """How two logs of one game differ. Raises `OtherGame`."""
    _same_game(left, right)
    ours, theirs = _by_key(left), _by_key(right)
    fork = None
    for key in sorted(ours.keys() & theirs.keys(), key=_order):
        mine, yours = ours[key], theirs[key]
        if mine.keys() != yours.keys():
            first = min(mine.keys() - yours.keys() or mine.keys())
            second = min(identity for identity in mine.keys() | yours.keys() if identity != first)
            both = mine | yours
            fork = fork_of(both[first], both[second])
            break
    left_ids = {entry.id for entry in left.entries()}
    right_ids = {entry.id for entry in right.entries()}
    common = 0
    while common < min(left.height, right.height) and _same_height(left, right, common):
        common += 1
    relation = FORK if fork else SAME if left_ids == right_ids else PREFIX
    code = {FORK: Code.PROVEN, SAME: Code.VALID, PREFIX: Code.UNFINISHED}[relation]
    return Difference(
        int(code),
        relation,
        Height(common),
        (left.height, right.height),
        len(left_ids - right_ids),
        len(right_ids - left_ids),
        fork,
    )


def merge(left: Log[Any], right: Log[Any]) -> Log[Any]:
    """A log of what both hold; `export` it. Raises `OtherGame`."""
    _same_game(left, right)
    both = _union(_by_key(left), _by_key(right))
    forked = min((key[0] for key, bodies in both.items() if len(bodies) > 1), default=None)
    line: dict[Key, Entry] = {}
    if forked is not None:
        sealed = [log for log in (left, right) if log.result_stands]
        chosen = min((_result_digest(log) for log in sealed), default=None)
        for log in sealed:
            if _result_digest(log) == chosen:
                line |= {key_of(entry): entry for entry in _line(log)}
    merged = Log(left.engine, left.genesis)
    for height in range(max((key[0] for key in both), default=-1) + 1):
        at = {key: bodies for key, bodies in both.items() if key[0] == height}
        if forked is not None and height > forked:
            at = {key: {line[key].id: line[key]} for key in at if key in line}
        _add_height(merged, at, line)
    return merged


def _add_height(merged: Log[Any], at: dict[Key, dict[Any, Entry]], line: dict[Key, Entry]) -> None:
    """Of each key at most two bodies: the one on the line, else one that fits, then the lowest id."""
    chosen: list[Entry] = []
    for key in sorted(at, key=_order):
        level = merged.level(merged.height) if key[0] == merged.height else None
        ranked = sorted(
            at[key].values(),
            key=lambda entry: (
                line.get(key_of(entry)) != entry,
                not merged.fits(entry),
                level is None or entry.body.prev != level.prev,
                entry.id,
            ),
        )
        chosen += ranked[:2]
    for entry in chosen:
        merged.receive(entry.record)


def _by_key(log: Log[Any]) -> dict[Key, dict[Any, Entry]]:
    """All entries kept, by what they answer and by id."""
    keys: dict[Key, dict[Any, Entry]] = {}
    for entry in log.entries():
        keys.setdefault(key_of(entry), {})[entry.id] = entry
    return keys


def _union(
    left: dict[Key, dict[Any, Entry]], right: dict[Key, dict[Any, Entry]]
) -> dict[Key, dict[Any, Entry]]:
    """Both; of two signatures under one body the lower record, so that it doesn't matter who came first."""
    both = {key: dict(bodies) for key, bodies in left.items()}
    for key, bodies in right.items():
        known = both.setdefault(key, {})
        for identity, entry in bodies.items():
            other = known.get(identity)
            known[identity] = entry if other is None or entry.record < other.record else other
    return both


def _line(log: Log[Any]) -> list[Entry]:
    """The entries that count: what met its due, and ABORTs."""
    levels = [log.level(Height(height)) for height in range(log.height + 1)]
    return [entry for level in levels for entry in (*level.met.values(), *level.aborts.values())]


def _result_digest(log: Log[Any]) -> Digest:
    """Of the height that ended play: names the result that all have signed."""
    ended = log.ended
    assert ended is not None
    result = 0 if ended.height is None else ended.height + 1
    return log.digest(Height(result)) if result < log.height else ended.digest


def _same_height(left: Log[Any], right: Log[Any], height: int) -> bool:
    return left.digest(Height(height)) == right.digest(Height(height))


def _same_game(left: Log[Any], right: Log[Any]) -> None:
    if left.game_id != right.game_id:
        raise OtherGame("two games")


def _order(key: Key) -> tuple[int, int, int, bytes]:
    height, seat, lane, payload = key
    return height, seat, lane, encode(payload)
