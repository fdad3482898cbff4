"""The genesis: who sits where, under which rules, after which game. Its hash is the game id (DESIGN §2).

Bytes: deterministic CBOR of
`[1, rules_id 32, [option …], suite, [seat …], previous]`, a seat being
`[game key 32, identity key 32, genesis nonce 32, certificate 64, name]`
with `name` at most 32 bytes of UTF-8 as a byte string, `previous` null or
`[game id 32, digest 32, leader or null, [wins …], [losses …]]`. Options are opaque numbers here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NewType, cast

from ledger.codec import decode, encode
from ledger.engine import Seat, Value
from ledger.errors import BadGenesis, Malformed, Unsupported
from ledger.identity import PublicKey, Signature, check_certificate, check_key, tagged

GameId = NewType("GameId", bytes)
"""32 bytes: H("durak-genesis-1", genesis bytes)."""
Digest = NewType("Digest", bytes)
"""32 bytes: the hash of one complete height."""

VERSION: Final = 1
MAX_BYTES: Final = 4096
MAX_NAME: Final = 32
MAX_OPTIONS: Final = 64
_TAG: Final = b"durak-genesis-1"


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat: the key of this game, the person's key that vouches for it, and the name to show."""

    game_key: PublicKey
    identity_key: PublicKey
    nonce: bytes
    certificate: Signature
    name: str


@dataclass(frozen=True, slots=True)
class Previous:
    """The game before this one at the same table; agreed by all through JOIN."""

    game_id: GameId
    digest: Digest
    leader: Seat | None
    wins: tuple[int, ...]
    losses: tuple[int, ...]


@dataclass(frozen=True)
class Genesis:
    """Making one checks everything; raises `BadGenesis`. What exists may be played."""

    rules_id: bytes
    options: tuple[int, ...]
    suite: int
    seats: tuple[SeatRecord, ...]
    previous: Previous | None = None

    def __post_init__(self) -> None:
        _check(self)

    def to_bytes(self) -> bytes:
        return self._bytes

    @classmethod
    def from_bytes(cls, data: bytes) -> Genesis:
        """Raises `Malformed` (no CBOR of ours), `Unsupported` (another version), `BadGenesis` (refused)."""
        value = decode(data, limit=MAX_BYTES)
        if type(value) is not tuple or not value or type(value[0]) is not int:
            raise Malformed("E_GENESIS", "not an array that begins with its version")
        if value[0] != VERSION:
            raise Unsupported(f"genesis version {value[0]}")
        try:
            _, rules_id, options, suite, seats, previous = value
            genesis = cls(
                rules_id=_bytes(rules_id, 32),
                options=_numbers(options),
                suite=_number(suite),
                seats=tuple(_seat(seat) for seat in _array(seats)),
                previous=None if previous is None else _previous(_array(previous)),
            )
        except (TypeError, ValueError) as error:
            raise Malformed("E_GENESIS", str(error)) from None
        return genesis

    @cached_property
    def _bytes(self) -> bytes:
        seats: tuple[Value, ...] = tuple(
            (seat.game_key, seat.identity_key, seat.nonce, seat.certificate, seat.name.encode())
            for seat in self.seats
        )
        before = self.previous
        previous: Value = None
        if before is not None:
            previous = (before.game_id, before.digest, before.leader, before.wins, before.losses)
        return encode((VERSION, self.rules_id, self.options, self.suite, seats, previous))

    @cached_property
    def game_id(self) -> GameId:
        """32 bytes that name this game everywhere."""
        return GameId(tagged(_TAG, self._bytes))


def _check(genesis: Genesis) -> None:
    if not 2 <= len(genesis.seats) <= 6:
        raise BadGenesis("genesis.seats", str(len(genesis.seats)))
    if len(genesis.rules_id) != 32:
        raise BadGenesis("genesis.rules")
    if len(genesis.options) > MAX_OPTIONS or any(not 0 <= option < 2**32 for option in genesis.options):
        raise BadGenesis("genesis.options")
    if not 0 <= genesis.suite < 2**32:
        raise BadGenesis("genesis.suite")
    for seat in genesis.seats:
        if len(_name_bytes(seat.name)) > MAX_NAME:
            raise BadGenesis("genesis.name", repr(seat.name))
        if len(seat.nonce) != 32:
            raise BadGenesis("genesis.nonce")
    keys = [key for seat in genesis.seats for key in (seat.game_key, seat.identity_key)]
    if len(dict.fromkeys(keys)) != len(keys):
        raise BadGenesis("genesis.same-key")
    for key in keys:
        check_key(key)
    for seat in genesis.seats:
        if not check_certificate(seat.identity_key, seat.game_key, seat.nonce, seat.certificate):
            raise BadGenesis("genesis.certificate", seat.identity_key.hex())
    before = genesis.previous
    if before is not None:
        _check_previous(before, len(genesis.seats))


def _check_previous(before: Previous, seats: int) -> None:
    if len(before.game_id) != 32 or len(before.digest) != 32:
        raise BadGenesis("genesis.previous", "game id and digest have 32 bytes")
    if before.leader is not None and not 0 <= before.leader < seats:
        raise BadGenesis("genesis.previous", f"leader {before.leader}")
    for tally in (before.wins, before.losses):
        if len(tally) != seats or any(not 0 <= count < 2**32 for count in tally):
            raise BadGenesis("genesis.previous", "one tally per seat")


def _name_bytes(name: str) -> bytes:
    try:
        return name.encode()
    except UnicodeEncodeError:
        raise BadGenesis("genesis.name", repr(name)) from None


def _array(value: Value) -> tuple[Value, ...]:
    if type(value) is not tuple:
        raise TypeError("an array is missing")
    return value


def _bytes(value: Value, length: int) -> bytes:
    if type(value) is not bytes or len(value) != length:
        raise TypeError(f"{length} bytes are missing")
    return value


def _number(value: Value) -> int:
    if type(value) is not int:
        raise TypeError("a number is missing")
    return value


def _numbers(value: Value) -> tuple[int, ...]:
    return tuple(_number(part) for part in _array(value))


def _seat(value: Value) -> SeatRecord:
    game_key, identity_key, nonce, certificate, name = _array(value)
    if type(name) is not bytes:
        raise TypeError("a name is missing")
    return SeatRecord(
        PublicKey(_bytes(game_key, 32)),
        PublicKey(_bytes(identity_key, 32)),
        _bytes(nonce, 32),
        Signature(_bytes(certificate, 64)),
        name.decode(),  # UnicodeDecodeError is a ValueError
    )


def _previous(value: tuple[Value, ...]) -> Previous:
    game_id, digest, leader, wins, losses = value
    return Previous(
        GameId(_bytes(game_id, 32)),
        Digest(_bytes(digest, 32)),
        None if leader is None else cast("Seat", _number(leader)),
        _numbers(wins),
        _numbers(losses),
    )
