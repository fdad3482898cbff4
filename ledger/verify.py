"""The judge of whole files: what a log or a case proves to somebody who has nothing else (DESIGN §7).

Nothing is repaired and nothing skipped. A file holds the header, the genesis, and records each of which the
log accepts when it comes to it: in the order of arrival or in the canonical order. Whatever else stands there
makes the file malformed, at that offset. A well-signed entry that is forbidden, and a second body for one
due, are accepted as what they are: proof. Pure; whoever calls reads the file.
"""

from __future__ import annotations

from typing import Any

from ledger.codec import decode
from ledger.engine import Engine, Height, Value
from ledger.entry import EntryId
from ledger.errors import BadGenesis, Malformed, Unsupported
from ledger.evidence import MAGIC as CASE
from ledger.evidence import judge_case
from ledger.genesis import MAX_BYTES, Genesis
from ledger.items import Items, Read, reader
from ledger.log import HEADER, MAX_STRAYS, Log
from ledger.log import MAGIC as LOG
from ledger.outcome import (
    Accepted,
    Dropped,
    Duplicate,
    Forbade,
    Forked,
    Outcome,
    Pending,
    Stopped,
    UnknownBranch,
)
from ledger.verdict import Code, Verdict, code_of


def judge_file(file: bytes | Read, engine: Engine[Any]) -> Verdict:
    """The verdict on a log or a case, in bytes or through its `read`. Never raises on what the bytes say."""
    items = Items(reader(file) if isinstance(file, bytes) else file)
    try:
        header = items.item(limit=64)
    except Malformed as error:
        return Verdict(Code.MALFORMED, reason=error.code, offset=0)
    if header is None:
        return Verdict(Code.MALFORMED, reason="E_CUT", offset=0)
    if header == HEADER:
        return _judge_log(items, engine)
    match _named(header):
        case (bytes(magic), *_) if magic == CASE:
            return judge_case(items, header, engine)
        case (bytes(magic), int(version), *_) if magic == LOG and version != 1:
            return Verdict(Code.UNSUPPORTED, "log", reason=f"file version {version}", offset=0)
    return Verdict(Code.MALFORMED, reason="E_HEADER", offset=0)


def _named(header: bytes) -> Value:
    try:
        return decode(header, limit=64)
    except Malformed:
        return None


def _judge_log(items: Items, engine: Engine[Any]) -> Verdict:
    genesis = log = None
    try:
        data = items.item(limit=MAX_BYTES)
        if data is None:
            raise Malformed("E_CUT")
        genesis = Genesis.from_bytes(data)
        log = Log(engine, genesis)
        refused = _read_entries(items, log)
        if refused is not None:
            why, offset, stopped_at = refused
            return Verdict(
                Code.MALFORMED, "log", genesis, reason=why, offset=offset, height=stopped_at, log=log
            )
    except Unsupported as error:
        return Verdict(Code.UNSUPPORTED, "log", genesis, reason=str(error), offset=items.offset, log=log)
    except BadGenesis as error:
        return Verdict(Code.MALFORMED, "log", reason=error.reason, offset=items.offset)
    except Malformed as error:
        height = None if log is None else log.height
        return Verdict(
            Code.MALFORMED, "log", genesis, reason=error.code, offset=items.offset, height=height, log=log
        )
    code = code_of(log)
    reason = log.stopped if code is Code.INTERNAL else ""
    return Verdict(code, "log", genesis, log.fault, reason=reason, log=log)


def _read_entries(items: Items, log: Log[Any]) -> tuple[str, int, Height] | None:
    """Give every record to the log; why, where and at which height the first one has no place, or None.

    An entry of an unknown branch has its place only beside the one that makes it half of a fork.
    """
    strays: dict[EntryId, tuple[str, int, Height]] = {}
    while True:
        offset = items.offset
        record = items.record()
        if record is None:
            return next(iter(strays.values()), None)
        outcome = log.receive(record)
        why = _refusal(outcome)
        if why == "E_VERSION":
            raise Unsupported("entry of another version")
        if why:
            return next(iter(strays.values()), (why, offset, log.height))
        if isinstance(outcome, UnknownBranch):
            strays[outcome.entry.id] = ("E_BRANCH", offset, log.height)
            if len(strays) > MAX_STRAYS * len(log.genesis.seats):  # one is forgotten: it never finds its fork
                return next(iter(strays.values()))
        for entry in outcome.kept:
            strays.pop(entry.id, None)


def _refusal(outcome: Outcome) -> str:
    """Why a record has no place in a file; "" if it has."""
    match outcome:
        case Accepted() | Forked() | Forbade() | UnknownBranch() | Stopped():
            return ""
        case Duplicate():
            return "E_TWICE"
        case Pending():
            return "E_ORDER"
        case Dropped(code):
            return code
