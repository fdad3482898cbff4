"""Reading a game's file after a crash: which records are whole, and what the bytes after them mean. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ledger.codec import decode, item_end
from ledger.entry import MAX_RECORD, RECORD_HEAD, Entry, read_record
from ledger.errors import Malformed, Unsupported
from ledger.genesis import MAX_BYTES, Genesis
from ledger.log import HEADER, MAGIC


class Tail(Enum):
    """WHOLE: nothing after the records. TORN: a write that was cut, or zeros; nothing valid follows, so it
    may go. CORRUPT: valid records follow garbage, so the middle was damaged; never sign after that."""

    WHOLE = "whole"
    TORN = "torn"
    CORRUPT = "corrupt"


@dataclass(frozen=True, slots=True)
class Recovered:
    """`end` is where the last whole record ends; `start` where the first begins."""

    genesis: Genesis
    entries: tuple[Entry, ...]
    start: int
    end: int
    tail: Tail


def read_start(data: bytes) -> tuple[Genesis, int]:
    """The genesis of a file and where its records begin.

    Raises `Malformed`, `BadGenesis`, or `Unsupported` for a file of another version.
    """
    if not data.startswith(HEADER):
        _refuse_other_version(data)
        raise Malformed("E_HEADER", "not a game's file")
    end = item_end(data, len(HEADER), limit=MAX_BYTES)
    return Genesis.from_bytes(data[len(HEADER) : end]), end


def _refuse_other_version(data: bytes) -> None:
    match decode(data[: item_end(data, 0, limit=64)], limit=64):
        case (bytes(magic), int(version), *_) if magic == MAGIC and version != 1:
            raise Unsupported(f"file version {version}")


def recover(data: bytes) -> Recovered:
    """All whole records from the start. Raises as `read_start` does: without a genesis there is no game."""
    genesis, start = read_start(data)
    entries: list[Entry] = []
    at = start
    while at < len(data):
        entry = _record_at(data, at, genesis)
        if entry is None:
            break
        entries.append(entry)
        at += len(entry.record)
    tail = Tail.WHOLE
    if at < len(data):
        tail = Tail.CORRUPT if _any_record(data, at + 1, genesis) else Tail.TORN
    return Recovered(genesis, tuple(entries), start, at, tail)


def _record_at(data: bytes, at: int, genesis: Genesis) -> Entry | None:
    """The well-signed record of this game that begins there."""
    try:
        entry = read_record(data[at : record_end(data, at)])
    except Malformed:
        return None
    seat = entry.seat
    if entry.body.game_id != genesis.game_id or seat >= len(genesis.seats):
        return None
    return entry if entry.signed_by(genesis.seats[seat].game_key) else None


def record_end(data: bytes, at: int) -> int:
    """Where the record at `at` ends, by its heads. Raises `Malformed`."""
    head = at + len(RECORD_HEAD)
    found = data[at:head]
    if found != RECORD_HEAD:
        if RECORD_HEAD.startswith(found):
            raise Malformed("E_CUT", "the file ends inside a record")
        raise Malformed("E_CBOR", "not an entry's head")
    body_end = item_end(data, head, limit=MAX_RECORD)
    return item_end(data, body_end, limit=MAX_RECORD)


def _any_record(data: bytes, at: int, genesis: Genesis) -> bool:
    found = data.find(RECORD_HEAD, at)
    while found >= 0:
        if _record_at(data, found, genesis) is not None:
            return True
        found = data.find(RECORD_HEAD, found + 1)
    return False
