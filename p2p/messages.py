"""Every message peers exchange: its type, its bytes, and one promise.

A message is one deterministic CBOR array `[kind, field…]` (the ledger's strict codec); fields stand in the
order of the class. Decoding checks every type, length and count, and raises `BadMessage` and nothing else.
What a message *means* is checked by whoever gets it. Identities are long-lived Ed25519 public keys, 32 bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final, NewType, TypeAlias, TypeVar, cast

from ledger.codec import decode, encode
from ledger.engine import Value
from ledger.errors import Malformed
from ledger.genesis import GameId, Previous, SeatRecord
from ledger.heads import MAX_ABORTS, MAX_OLDER, Heads
from ledger.identity import PublicKey
from p2p.errors import BadMessage
from p2p.reasons import Refusal

Address = NewType("Address", str)
"""Where a peer listens, as a person would type it: `192.168.1.7:4711`, `[fe80::1%3]:4711`."""

MESSAGE_LIMIT: Final = 32_768
"""Bytes of the largest message: one record of the largest body, and room."""
MOST_SEATS: Final = 6
MOST_WATCHERS: Final = 16
MOST_ADDRESSES: Final = 8
ADDRESS_BYTES: Final = 80
NAME_BYTES: Final = 32
RECORD_BYTES: Final = 17_000
GENESIS_BYTES: Final = 4_096
MOST_RECORDS: Final = 256
MOST_NAMES: Final = 64

OWN_APP: Final = 0
INSTALLED_PAGE: Final = 1
GUEST_PAGE: Final = 2
"""Where the program of a peer comes from, as it says itself: installed by its person, a page of that person's
choice, or the host's device (docs/guests.md). A claim; nobody can prove what he runs."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message each way. `signature` is the identity key's over the handshake hash."""

    version: int
    identity: PublicKey
    signature: bytes


@dataclass(frozen=True, slots=True)
class Alive:
    """Sent when there is nothing else to say: a frozen radio looks healthy otherwise."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The link is closed on purpose; `why` is one of `FAREWELLS` by number."""

    why: int


@dataclass(frozen=True, slots=True)
class RosterLine:
    """One person at the table as the host tells it. `watching` has no seat, `bot` is seated by the host,
    `program` is what that peer said last."""

    identity: PublicKey
    name: str
    ready: bool
    bot: bool
    watching: bool
    program: int = OWN_APP


@dataclass(frozen=True, slots=True)
class Table:
    """What the host offers, and who is there. Sent on every change.

    `round` counts the games prepared at this table from 1; `game` is set once its genesis is agreed.
    """

    round: int
    rules: bytes
    options: tuple[int, ...]
    suite: int
    seats: int
    may_watch: bool
    previous: Previous | None
    game: GameId | None
    roster: tuple[RosterLine, ...]


@dataclass(frozen=True, slots=True)
class AskSeat:
    """Asks for a seat in `round` with this record."""

    round: int
    record: SeatRecord


@dataclass(frozen=True, slots=True)
class AskWatch:
    """Asks to watch."""

    name: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to what was asked last: no."""

    reason: Refusal


@dataclass(frozen=True, slots=True)
class Ready:
    """A guest is ready, or no longer, to play exactly the terms with this digest (`lobby.terms_digest`)."""

    terms: bytes
    ready: bool


@dataclass(frozen=True, slots=True)
class OfferGenesis:
    """The genesis the host has composed for `round`; also the answer to `WantGenesis`."""

    round: int
    genesis: bytes


@dataclass(frozen=True, slots=True)
class Agree:
    """The genesis with this id holds my record unchanged and the terms I was shown."""

    game: GameId


@dataclass(frozen=True, slots=True)
class Start:
    """All have agreed."""

    game: GameId


@dataclass(frozen=True, slots=True)
class Cancel:
    """The genesis of `round` will not be played."""

    round: int
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Leave:
    """Gives up the seat, or stops watching."""


@dataclass(frozen=True, slots=True)
class WantGenesis:
    """Asks for the genesis of a running game."""

    game: GameId


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the sender can be dialled."""

    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class PeerLine:
    identity: PublicKey
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Peers:
    """Where the others of the table can be dialled, as far as the sender knows: hints."""

    peers: tuple[PeerLine, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """To whom the sender has a link: what these sign it gets from them, and nobody needs to pass it on."""

    peers: tuple[PublicKey, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """Where the sender's program comes from: `OWN_APP`, meant by silence too, or another of those."""

    program: int


@dataclass(frozen=True, slots=True)
class Entries:
    """Signed records in canonical order. `more`: the sender has further ones and waits for heads."""

    game: GameId
    records: tuple[bytes, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class EntryName:
    """Which entry: whose, at which height, in which lane, and the first 8 bytes of its id."""

    height: int
    seat: int
    lane: int
    id: bytes


@dataclass(frozen=True, slots=True)
class Have:
    """Entries the sender keeps and does not send: their authors should have. Another id here means a fork.

    `game` is the first 4 bytes of a game id: names are told often, so they are short.
    """

    game: bytes
    entries: tuple[EntryName, ...]


@dataclass(frozen=True, slots=True)
class Want:
    """Asks for these entries, of which the sender holds rivals."""

    game: bytes
    entries: tuple[EntryName, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Unsigned, forgotten at once, a hint: `seat` says `code` about `seats`; `relayed` by the host."""

    game: GameId
    seat: int
    code: int
    seats: tuple[int, ...]
    relayed: bool


Message: TypeAlias = (
    Hello
    | Alive
    | Bye
    | Table
    | AskSeat
    | AskWatch
    | Refused
    | Ready
    | OfferGenesis
    | Agree
    | Start
    | Cancel
    | Leave
    | WantGenesis
    | Listening
    | Peers
    | Linked
    | Runs
    | Heads
    | Entries
    | Have
    | Want
    | Notice
)

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
    return cast("Message", _build(make, readers, value[1:]))


def _values(item: Any) -> tuple[Value, ...]:
    return tuple(_value(getattr(item, field.name)) for field in fields(item))


def _value(item: Any) -> Value:
    if isinstance(item, Refusal):
        return list(Refusal).index(item)
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, tuple):
        return tuple(_value(part) for part in item)
    if isinstance(item, SeatRecord | Previous | RosterLine | PeerLine | EntryName):
        return _values(item)
    return cast("Value", item)


def _build(make: Callable[..., T], readers: tuple[Reader[Any], ...], value: Value) -> T:
    if type(value) is not tuple or len(value) != len(readers):
        raise BadMessage("wrong number of fields")
    return make(*(read(part) for read, part in zip(readers, value, strict=True)))


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
        return tuple(read_one(part) for part in value)

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
