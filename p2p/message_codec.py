"""The bytes of every message, and one promise.

A message is one deterministic CBOR array `[kind, field…]` (the ledger's strict codec); fields stand in the
order of the class. Decoding checks every type, length and count, and raises `BadMessage` and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar, cast

from ledger.codec import decode, encode
from ledger.engine import Value
from ledger.errors import Malformed
from ledger.genesis import Previous, SeatRecord
from ledger.heads import MAX_ABORTS, MAX_OLDER, Heads
from p2p.errors import BadMessage
from p2p.messages import (
    ADDRESS_BYTES,
    GENESIS_BYTES,
    GUEST_PAGE,
    MESSAGE_LIMIT,
    MOST_ADDRESSES,
    MOST_NAMES,
    MOST_RECORDS,
    MOST_SEATS,
    MOST_WATCHERS,
    NAME_BYTES,
    RECORD_BYTES,
    Agree,
    Alive,
    AskSeat,
    AskWatch,
    Bye,
    Cancel,
    Entries,
    EntryName,
    Have,
    Hello,
    Leave,
    Linked,
    Listening,
    Message,
    Notice,
    OfferGenesis,
    PeerLine,
    Peers,
    Ready,
    Refused,
    RosterLine,
    Runs,
    Start,
    Table,
    Want,
    WantGenesis,
)
from p2p.reasons import Refusal

T = TypeVar("T")
Reader: TypeAlias = Callable[[Value], T]


@lru_cache(maxsize=8)
def encode_message(message: Message) -> bytes:
    """The one encoding of `message`. Raises `BadMessage` for one that no peer would accept.

    The last few are kept: what goes to everybody is encoded once.
    """
    try:
        data = encode((_KIND_OF[type(message)], *_values(message)))
    except Malformed as error:
        raise BadMessage(str(error)) from error
    if decode_message(data) != message:
        raise BadMessage(f"not a message a peer would accept: {type(message).__name__}")
    return data


def decode_message(data: bytes) -> Message:
    """The message whose one encoding is `data`. Raises `BadMessage`."""
    try:
        value = decode(data, limit=MESSAGE_LIMIT)
    except Malformed as error:
        raise BadMessage(str(error)) from error
    if type(value) is not tuple or not value or type(value[0]) is not int:
        raise BadMessage("not an array that begins with a kind")
    shape = _SHAPES.get(value[0])
    if shape is None:
        raise BadMessage(f"no message has kind {value[0]}")
    make, readers = shape
    message: Message = _build(make, readers, value[1:])
    return message


def _values(item: Any) -> tuple[Value, ...]:
    return tuple([_value(getattr(item, name)) for name in _FIELDS_OF[type(item)]])


def _value(item: Any) -> Value:
    if type(item) is bytes or type(item) is int:
        return item
    if isinstance(item, Refusal):
        return list(Refusal).index(item)
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, tuple):
        return tuple([_value(part) for part in item])
    if isinstance(item, _PARTS):
        return _values(item)
    return cast("Value", item)


def _build(make: Callable[..., T], readers: tuple[Reader[Any], ...], value: Value) -> T:
    if type(value) is not tuple or len(value) != len(readers):
        raise BadMessage("wrong number of fields")
    return make(*[read(part) for read, part in zip(readers, value, strict=True)])


def _uint(most: int) -> Reader[int]:
    def read(value: Value) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise BadMessage("not an integer of that range")
        return value

    return read


def _bytes(most: int, least: int = 0) -> Reader[bytes]:
    def read(value: Value) -> bytes:
        if type(value) is not bytes or not least <= len(value) <= most:
            raise BadMessage("not a byte string of that length")
        return value

    return read


def _exactly(length: int) -> Reader[bytes]:
    return _bytes(length, length)


def _bool(value: Value) -> bool:
    if type(value) is not bool:
        raise BadMessage("not a boolean")
    return value


def _text(most: int, least: int = 0) -> Reader[str]:
    raw = _bytes(most, least)

    def read(value: Value) -> str:
        try:
            return raw(value).decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadMessage("not UTF-8") from error

    return read


def _many(read_one: Reader[T], most: int, least: int = 0) -> Reader[tuple[T, ...]]:
    def read(value: Value) -> tuple[T, ...]:
        if type(value) is not tuple or not least <= len(value) <= most:
            raise BadMessage("not an array of that length")
        return tuple([read_one(part) for part in value])

    return read


def _maybe(read_one: Reader[T]) -> Reader[T | None]:
    return lambda value: None if value is None else read_one(value)


def _shaped(make: Callable[..., T], *readers: Reader[Any]) -> Reader[T]:
    return lambda value: _build(make, readers, value)


def _refusal(value: Value) -> Refusal:
    return list(Refusal)[_uint(len(Refusal) - 1)(value)]


_id: Final = _exactly(32)
_name: Final = _text(NAME_BYTES)
_round: Final = _uint(2**32 - 1)
_height: Final = _uint(4096)
_older: Final = _shaped(lambda height, digest: (height, digest), _height, _id)
_seat: Final = _uint(MOST_SEATS - 1)
_addresses: Final = _many(_text(ADDRESS_BYTES, 1), MOST_ADDRESSES)
_records: Final = _many(_bytes(RECORD_BYTES, 1), MOST_RECORDS, 1)
_program: Final = _uint(GUEST_PAGE)
_roster: Final = _many(
    _shaped(RosterLine, _id, _name, _bool, _bool, _bool, _program), MOST_SEATS + MOST_WATCHERS
)
_peers: Final = _many(_shaped(PeerLine, _id, _addresses), MOST_SEATS + MOST_WATCHERS)
_record: Final = _shaped(SeatRecord, _id, _id, _id, _exactly(64), _name)
_names: Final = _many(_shaped(EntryName, _height, _seat, _uint(1), _exactly(8)), MOST_NAMES, 1)
_tally: Final = _many(_uint(2**32 - 1), MOST_SEATS)
_previous: Final = _shaped(Previous, _id, _id, _maybe(_seat), _tally, _tally)
_options: Final = _many(_uint(2**32 - 1), 64)

_SHAPES: Final[dict[int, tuple[Callable[..., Any], tuple[Reader[Any], ...]]]] = {
    0: (Hello, (_uint(255), _id, _exactly(64))),
    1: (Alive, ()),
    2: (Bye, (_uint(255),)),
    10: (
        Table,
        (
            _round,
            _id,
            _options,
            _uint(255),
            _uint(MOST_SEATS),
            _bool,
            _maybe(_previous),
            _maybe(_id),
            _roster,
        ),
    ),
    11: (AskSeat, (_round, _record)),
    12: (AskWatch, (_name,)),
    13: (Refused, (_refusal,)),
    14: (Ready, (_id, _bool)),
    15: (OfferGenesis, (_round, _bytes(GENESIS_BYTES, 1))),
    16: (Agree, (_id,)),
    17: (Start, (_id,)),
    18: (Cancel, (_round, _refusal)),
    19: (Leave, ()),
    20: (WantGenesis, (_id,)),
    21: (Listening, (_addresses,)),
    22: (Peers, (_peers,)),
    23: (Linked, (_many(_id, MOST_SEATS + MOST_WATCHERS),)),
    24: (Runs, (_program,)),
    30: (
        Heads,
        (_id, _height, _id, _uint(63), _many(_id, MAX_ABORTS), _maybe(_id), _many(_older, MAX_OLDER)),
    ),
    31: (Entries, (_id, _records, _bool)),
    32: (Have, (_exactly(4), _names)),
    33: (Want, (_exactly(4), _names)),
    34: (Notice, (_id, _seat, _uint(255), _many(_seat, MOST_SEATS), _bool)),
}
_KIND_OF: Final[dict[type, int]] = {make: kind for kind, (make, _) in _SHAPES.items()}  # type: ignore[misc]
_PARTS: Final = (SeatRecord, Previous, RosterLine, PeerLine, EntryName)
"""What stands inside messages, as an array of its fields too."""
_FIELDS_OF: Final[dict[type, tuple[str, ...]]] = {
    make: tuple(field.name for field in fields(make)) for make in (*_KIND_OF, *_PARTS)
}
