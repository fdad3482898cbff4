"""Every decoder of bytes from outside, and its one promise: an answer, or one kind of error; nothing else.

Where a value has exactly one encoding, what was decoded must give the same bytes again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from game.course import Course
from game.options import Options
from game.state import CourseState
from ledger.codec import decode, encode
from ledger.engine import Height
from ledger.entry import Body, read_record, sign_entry
from ledger.errors import BadGenesis, Forbidden, Malformed, Unsupported
from ledger.evidence import case_of
from ledger.genesis import Genesis
from ledger.identity import Signature, game_key
from ledger.level import Level
from ledger.log import Log
from ledger.recovery import recover
from ledger.verdict import Code
from ledger.verify import judge_file
from p2p.ble.frames import BadFrame, decode_frame, encode_frame
from p2p.codes import JoinCode
from p2p.errors import BadMessage
from p2p.known import Book
from p2p.message_codec import decode_message, encode_message
from p2p.messages import Hello
from p2p.session import Door, Session
from p2p.stream import STREAM_MTU, StreamReader
from tests.fuzz.mutation import split
from tests.logs import play_log
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import seed_of
from tests.vectors.generate_links import RESPONDER, every_message, handshake

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Target:
    """`check` raises nothing but `promised` for any bytes; AssertionError where a promise is broken."""

    name: str
    check: Callable[[bytes], None]
    promised: tuple[type[Exception], ...]
    seeds: Callable[[], tuple[bytes, ...]]

    def run(self, data: bytes) -> bool:
        """Whether the bytes were accepted. Raises whatever was not promised."""
        try:
            self.check(data)
        except self.promised:
            return False
        return True


def _codec(data: bytes) -> None:
    assert encode(decode(data, limit=65_536)) == data


def _record(data: bytes) -> None:
    entry = read_record(data)
    assert entry.record == data
    assert entry.body.to_bytes() == entry.body_bytes


def _body(data: bytes) -> None:
    assert Body.from_bytes(data).to_bytes() == data


def _genesis(data: bytes) -> None:
    assert Genesis.from_bytes(data).to_bytes() == data


def _file(data: bytes) -> None:
    """`judge_file` never raises, and nothing a file says is our own failure."""
    assert judge_file(data, _open_course()).code is not Code.INTERNAL


def _recover(data: bytes) -> None:
    found = recover(data)
    assert found.start <= found.end <= len(data)


def _message(data: bytes) -> None:
    assert encode_message(decode_message(data)) == data


def _frame(data: bytes) -> None:
    assert encode_frame(decode_frame(data)) == data


def _book(data: bytes) -> None:
    assert Book.from_bytes(data).to_bytes() == data


def _stream(data: bytes) -> None:
    reader = StreamReader()
    reader.feed(data)
    while reader.next(limit=STREAM_MTU) is not None:
        pass


def _session(data: bytes) -> None:
    """The first datagram of a stranger: `receive` never raises."""
    session = Session(
        initiator=False,
        mtu=STREAM_MTU,
        identity=RESPONDER,
        static=seed_of("static"),
        ephemeral=seed_of("ephemeral"),
        door=Door(None, open=True),
    )
    session.receive(data)
    session.receive(data)


def _payload(data: bytes) -> None:
    """What a body says, at a height that waits for that kind: the engine finds it allowed, and goes on from
    there, or `Forbidden`."""
    body = Body.from_bytes(data)
    levels = _levels().get(body.kind, ())
    if not levels:
        return
    meant = [level for level in levels if level.height == body.height]
    level = meant[0] if meant else levels[len(data) % len(levels)]
    due = level.due_of(body.seat) or level.dues[0]
    course = _open_course()
    course.check(level.before, due, body.kind, body.payload)
    met = tuple(
        (body.kind, body.payload) if entry.seat == due.seat else (entry.kind, entry.payload)
        for entry in level.in_due_order
    )
    course.public_bytes(course.apply(level.before, met))


@cache
def _open_course() -> Course:
    return Course(OpenDeckSuite(), number=NUMBER)


@cache
def _open_log() -> Log[CourseState]:
    options = Options(seats=3, deck=24, cheating=True, variant="transfer", show_transfer=True)
    return play_log(options, label="fuzz", course=_open_course())


@cache
def _levels() -> dict[int, tuple[Level[CourseState], ...]]:
    """Every height of the game, by the kinds its dues allow."""
    found: dict[int, list[Level[CourseState]]] = {}
    for height in range(_open_log().height):
        level = _open_log().level(Height(height))
        for kind in sorted({kind for due in level.dues for kind in due.kinds}):
            found.setdefault(kind, []).append(level)
    return {kind: tuple(levels) for kind, levels in found.items()}


def _records() -> tuple[bytes, ...]:
    kinds = {entry.kind: entry.record for entry in _open_log().entries()}
    return (*kinds.values(), *_golden_records())


@cache
def _golden_records() -> tuple[bytes, ...]:
    items = split((GOLDEN / "2x24-resign-lead.durak").read_bytes())
    return tuple(items[2::4])


def _bodies() -> tuple[bytes, ...]:
    return tuple(read_record(record).body_bytes for record in _records())


@cache
def _payloads() -> tuple[bytes, ...]:
    """Bodies of every kind, the first and the last few of each."""
    of_kind: dict[int, list[bytes]] = {}
    for entry in _open_log().entries():
        of_kind.setdefault(entry.kind, []).append(entry.body_bytes)
    return tuple(data for bodies in of_kind.values() for data in (*bodies[:2], *bodies[2:][-6:]))


def _geneses() -> tuple[bytes, ...]:
    return tuple(
        split((GOLDEN / f"{name}.durak").read_bytes())[1]
        for name in ("2x24-draw", "4x24-2v2-2", "6x36-no-talon")
    )


def _files() -> tuple[bytes, ...]:
    log = _open_log()
    short = log.genesis.to_bytes(), *log.records()[:9]
    return (b"".join((split(log.export())[0], *short)), log.export())


@cache
def _cases() -> tuple[bytes, ...]:
    """A fork and a forbidden entry of the open deck's game."""
    cases = []
    for spoil in ("fork", "forbidden"):
        log: Log[CourseState] = Log(_open_course(), _open_log().genesis)
        for entry in _open_log().entries():
            if spoil == "forbidden" and entry.height == 3:
                body = entry.body
                wrong = Body(1, body.game_id, body.height, body.seat, body.prev, bytes(16), body.kind, ())  # type: ignore[arg-type]
                log.receive(sign_entry(game_key(seed_of(f"fuzz {entry.seat}")), wrong))
                break
            log.receive(entry.record)
            if spoil == "fork" and entry.height == 2:
                body = entry.body
                wrong = Body(1, body.game_id, body.height, body.seat, body.prev, body.state, body.kind, (1,))
                log.receive(sign_entry(game_key(seed_of(f"fuzz {entry.seat}")), wrong))
                break
        assert log.fault is not None
        cases.append(case_of(log, log.fault))
    return tuple(cases)


def _messages() -> tuple[bytes, ...]:
    hello = Hello(1, RESPONDER.public, Signature(bytes(64)))
    return tuple(encode_message(message) for message in (hello, *every_message().values()))


def _first_datagrams() -> tuple[bytes, ...]:
    return tuple(
        bytes.fromhex(carried["datagram"])
        for name in ("with_code", "without_code")
        for carried in handshake(JoinCode("0123456789AB") if name == "with_code" else None)["datagrams"]
    )


def _frames() -> tuple[bytes, ...]:
    vectors = json.loads((Path(__file__).parents[1] / "vectors" / "ble_frames.json").read_text("utf-8"))
    found: list[bytes] = []
    _collect(vectors, found)
    return tuple(found)


def _collect(value: object, found: list[bytes]) -> None:
    """Every hexadecimal string that is a frame."""
    if isinstance(value, dict):
        for part in value.values():
            _collect(part, found)
    elif isinstance(value, list):
        for part in value:
            _collect(part, found)
    elif isinstance(value, str):
        try:
            decode_frame(bytes.fromhex(value))
        except (ValueError, BadFrame):
            return
        found.append(bytes.fromhex(value))


def _books() -> tuple[bytes, ...]:
    return (Book({}).to_bytes(), Book({seed_of("one"): "Оля", seed_of("two"): ""}).to_bytes())  # type: ignore[dict-item]


def _streams() -> tuple[bytes, ...]:
    return (b"\0\1a\0\2bc", b"\x10\0" + bytes(4096))


LEDGER = (Malformed, BadGenesis, Unsupported)
TARGETS = {
    target.name: target
    for target in (
        Target("codec", _codec, (Malformed,), _bodies),
        Target("record", _record, (Malformed,), _records),
        Target("body", _body, (Malformed,), _bodies),
        Target("payload", _payload, (Malformed, Forbidden), _payloads),
        Target("genesis", _genesis, LEDGER, _geneses),
        Target("file", _file, (), _files),
        Target("case", _file, (), _cases),
        Target("recovery", _recover, LEDGER, _files),
        Target("message", _message, (BadMessage,), _messages),
        Target("book", _book, (BadMessage,), _books),
        Target("stream", _stream, (BadMessage,), _streams),
        Target("session", _session, (), _first_datagrams),
        Target("ble-frame", _frame, (BadFrame,), _frames),
    )
}
