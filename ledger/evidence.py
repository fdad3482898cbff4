"""Cases: the least that proves one offence to somebody who has nothing else (DESIGN §7).

A `.durakcase` is a sequence of CBOR items: `[h'durak-case', 1, code as bytes, seat, height]`, the genesis,
the records of all complete heights below in due order (for everything but a fork), then the exhibits: the one
forbidden record, or the fork's two. A fork needs no context: the key in the genesis and two bodies say it
all, under any rules. The context of the others is linked by `prev` from the exhibit back to the genesis.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from ledger.codec import decode, encode
from ledger.engine import Engine, Height, Seat
from ledger.entry import MAX_HEIGHTS, MAX_SEATS, Entry, read_record
from ledger.errors import BadGenesis, Malformed, Unsupported
from ledger.fault import FORK, Fault, fork_of, key_of
from ledger.genesis import MAX_BYTES, Genesis
from ledger.items import Items
from ledger.log import Log
from ledger.outcome import Accepted, Forbade, Forked, Pending, Stopped, UnknownBranch
from ledger.verdict import Code, Verdict

MAGIC: Final = b"durak-case"
VERSION: Final = 1
CODES: Final = (FORK, "I_TURN", "I_STATE", "I_SHAPE", "I_RULE", "I_PROOF")


def case_of(log: Log[Any], fault: Fault) -> bytes:
    """The case of a fault that this log found."""
    context: list[bytes] = []
    if not fault.is_fork:
        for height in range(fault.height):
            context += (entry.record for entry in log.met(Height(height)))
    header = encode((MAGIC, VERSION, fault.code.encode(), fault.seat, fault.height))
    exhibits = (entry.record for entry in fault.entries)
    return b"".join((header, log.genesis.to_bytes(), *context, *exhibits))


def judge_case(items: Items, header: bytes, engine: Engine[Any]) -> Verdict:
    """The verdict on a case whose header item has been read. Never raises on what the bytes say.

    Whatever the length of the file, no more of it is held than a log of that game would keep.
    """
    genesis = accused = None
    try:
        code, accused, height = _read_header(header)
        genesis = _read_genesis(items)
        entries = _records(items, genesis)
        if code == FORK:
            return _judge_fork(genesis, accused, height, entries)
        return _judge_forbidden(genesis, accused, height, entries, engine)
    except Unsupported as error:
        return Verdict(
            Code.UNSUPPORTED, "case", genesis, reason=str(error), offset=items.offset, accused=accused
        )
    except BadGenesis as error:
        return Verdict(Code.MALFORMED, "case", genesis, reason=error.reason, offset=items.offset)
    except Malformed as error:
        return Verdict(Code.MALFORMED, "case", reason=error.code, offset=items.offset)


def _read_header(header: bytes) -> tuple[str, Seat, Height]:
    match decode(header, limit=64):
        case (bytes(magic), int(version), *_) if magic == MAGIC and version != VERSION:
            raise Unsupported(f"case version {version}")
        case (bytes(magic), 1, bytes(code), int(seat), int(height)) if magic == MAGIC:
            if type(seat) is not int or type(height) is not int:
                raise Malformed("E_HEADER")
            if not 0 <= seat < MAX_SEATS or not 0 <= height < MAX_HEIGHTS:
                raise Malformed("E_HEADER")
            try:
                name = code.decode("ascii")
            except UnicodeDecodeError:
                raise Malformed("E_HEADER") from None
            if name not in CODES:
                raise Unsupported("an offence this program does not know")
            return name, Seat(seat), Height(height)
        case _:
            raise Malformed("E_HEADER")


def _read_genesis(items: Items) -> Genesis:
    data = items.item(limit=MAX_BYTES)
    if data is None:
        raise Malformed("E_CUT")
    return Genesis.from_bytes(data)


def _records(items: Items, genesis: Genesis) -> Iterator[Entry]:
    """All records one by one, each well signed by its seat if it is of this game. Raises `Malformed`."""
    room = MAX_HEIGHTS * len(genesis.seats) + 2
    while (record := items.record()) is not None:
        entry = read_record(record)
        if entry.body.game_id == genesis.game_id:
            if entry.seat >= len(genesis.seats):
                raise Malformed("E_SEAT")
            if not entry.signed_by(genesis.seats[entry.seat].game_key):
                raise Malformed("E_SIG")
        room -= 1
        if room < 0:
            raise Malformed("E_SIZE")
        yield entry


def _judge_fork(genesis: Genesis, accused: Seat, height: Height, records: Iterator[Entry]) -> Verdict:
    """Two bodies under one key by one seat of this game: nothing else is a fork."""
    entries = [*islice(records, 3)]
    deque(records, maxlen=0)  # whatever follows must be entries too

    def verdict(code: Code, reason: str) -> Verdict:
        return Verdict(code, "case", genesis, reason=reason, accused=accused)

    if len(entries) != 2:
        return verdict(Code.INSUFFICIENT if len(entries) < 2 else Code.MALFORMED, "case.not-two")
    first, second = entries
    if any(entry.body.game_id != genesis.game_id for entry in entries):
        return verdict(Code.REFUTED, "case.other-game")
    if first.id == second.id:
        return verdict(Code.REFUTED, "case.same-body")
    if key_of(first) != key_of(second):
        return verdict(Code.REFUTED, "case.two-dues")
    if (first.seat, first.height) != (accused, height):
        return verdict(Code.REFUTED, "case.other-seat")
    fault = fork_of(first, second)
    return Verdict(Code.PROVEN, "case", genesis, fault, accused=accused, height=fault.height)


def _judge_forbidden(
    genesis: Genesis, accused: Seat, height: Height, records: Iterator[Entry], engine: Engine[Any]
) -> Verdict:
    """Replay the context as it is read, then put the exhibit, the last record, before the rules."""
    log = Log(engine, genesis)

    def verdict(code: Code, reason: str) -> Verdict:
        return Verdict(code, "case", genesis, reason=reason, accused=accused, height=height, log=log)

    exhibit = None
    wrong: tuple[Code, str] | None = None
    for entry in records:
        if exhibit is not None and wrong is None:
            wrong = _misfit(log, exhibit, height)
        exhibit = entry
    if exhibit is None:
        return verdict(Code.INSUFFICIENT, "case.no-exhibit")
    if exhibit.body.game_id != genesis.game_id:
        return verdict(Code.REFUTED, "case.other-game")
    if (exhibit.seat, exhibit.height) != (accused, height):
        return verdict(Code.REFUTED, "case.other-seat")
    if wrong is not None:
        return verdict(*wrong)
    if log.height < height:
        return verdict(Code.INSUFFICIENT, "case.context")
    match log.receive(exhibit.record):
        case Forbade(fault):
            return Verdict(Code.PROVEN, "case", genesis, fault, accused=accused, height=height, log=log)
        case UnknownBranch():
            return verdict(Code.INSUFFICIENT, "case.context")
        case Stopped(detail):
            return verdict(Code.INTERNAL, detail)
        case _:
            return verdict(Code.REFUTED, "case.allowed")


def _misfit(log: Log[Any], entry: Entry, height: Height) -> tuple[Code, str] | None:
    """Give one record of the context to the log; why it does not belong there, or None."""
    if entry.height >= height or entry.lane or entry.body.game_id != log.game_id:
        return Code.MALFORMED, "case.not-needed"
    match log.receive(entry.record):
        case Accepted():
            return None
        case Stopped(detail):
            return Code.INTERNAL, detail
        case Forked() | Forbade() | Pending() | UnknownBranch():
            return Code.INSUFFICIENT, "case.context"
        case _:
            return Code.MALFORMED, "case.not-needed"
