"""What host and guests of a table share before a game: terms, events, and the check before agreeing.

Options are opaque numbers here; names are what people chose, made harmless by whoever shows them. The two
sides are `p2p.host.HostLobby` and `p2p.guest.GuestLobby`: sans-IO, they know identities, never links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ledger.codec import encode
from ledger.engine import Value
from ledger.errors import BadGenesis, Malformed, Unsupported
from ledger.genesis import Genesis, Previous, SeatRecord
from ledger.identity import PublicKey, check_certificate, check_key, tagged
from p2p.messages import NAME_BYTES, Message, RosterLine, Table
from p2p.reasons import Refusal

_TERMS_TAG: Final = b"durak-terms-1"


@dataclass(frozen=True, slots=True)
class Terms:
    """What all sign: rules id (32 bytes), options, suite, number of seats, the game before."""

    rules: bytes
    options: tuple[int, ...]
    suite: int
    seats: int
    previous: Previous | None = None


class LobbyError(Exception):
    """The owner asked for what the lobby can't do now; `reason` is a message id, `params` fill its text.

    `who`: whose `name` is among them, for faces that tell equal names apart.
    """

    def __init__(self, reason: str, *, who: PublicKey | None = None, **params: object) -> None:
        super().__init__(reason, params)
        self.reason = reason
        self.who = who
        self.params = params


@dataclass(frozen=True, slots=True)
class GuestAsks:
    """Somebody wants in and the table asks its host: answer with `admit` or `decline`."""

    identity: PublicKey
    name: str
    watching: bool


@dataclass(frozen=True, slots=True)
class TableShown:
    """The table as its host shows it now: at first, and after every change."""

    table: Table


@dataclass(frozen=True, slots=True)
class RefusedByTable:
    """The host said no to what we asked for last, or took it back."""

    reason: Refusal


@dataclass(frozen=True, slots=True)
class GenesisAgreed:
    """All have agreed. `seat` is ours, None for a watcher. The owner starts a log and signs JOIN."""

    genesis: Genesis
    seat: int | None


@dataclass(frozen=True, slots=True)
class GenesisRefused:
    """We, or on the host's side `identity`, did not agree; the records of this round are spent."""

    reason: Refusal
    identity: PublicKey | None = None


LobbyEvent: TypeAlias = GuestAsks | TableShown | RefusedByTable | GenesisAgreed | GenesisRefused


@dataclass(frozen=True, slots=True)
class ToPeer:
    """A message for one identity; whoever has links knows how it gets there."""

    identity: PublicKey
    message: Message


def terms_of(table: Table) -> Terms:
    return Terms(table.rules, table.options, table.suite, table.seats, table.previous)


def terms_in(genesis: Genesis) -> Terms:
    """What everybody with a seat in this genesis has agreed to."""
    return Terms(genesis.rules_id, genesis.options, genesis.suite, len(genesis.seats), genesis.previous)


def terms_digest(round_number: int, terms: Terms) -> bytes:
    """32 bytes that bind a word ("ready") to one round and its terms."""
    before = terms.previous
    previous: Value = None
    if before is not None:
        previous = (before.game_id, before.digest, before.leader, before.wins, before.losses)
    value = (round_number, terms.rules, terms.options, terms.suite, terms.seats, previous)
    return tagged(_TERMS_TAG, encode(value))


def seated(roster: tuple[RosterLine, ...]) -> tuple[RosterLine, ...]:
    """The lines with a seat, in seat order."""
    return tuple(line for line in roster if not line.watching)


def record_stands(record: SeatRecord, identity: PublicKey) -> bool:
    """Whether this record may be seated for the peer that has proved `identity`."""
    try:
        check_key(record.game_key)
    except BadGenesis:
        return False
    return (
        record.identity_key == identity
        and len(record.name.encode()) <= NAME_BYTES
        and check_certificate(identity, record.game_key, record.nonce, record.certificate)
    )


def read_genesis(data: bytes) -> Genesis | None:
    """The genesis in `data` if it is one a game may start from."""
    try:
        return Genesis.from_bytes(data)
    except (Malformed, BadGenesis, Unsupported):
        return None


def genesis_keeps(genesis: Genesis, table: Table, own: SeatRecord | None) -> bool:
    """Whether `genesis` holds the terms and people that were shown and, once and unchanged, `own`."""
    people = tuple((record.identity_key, record.name) for record in genesis.seats)
    return (
        terms_in(genesis) == terms_of(table)
        and people == tuple((line.identity, line.name) for line in seated(table.roster))
        and (own is None or own in genesis.seats)
    )


def seat_of(genesis: Genesis, identity: PublicKey) -> int | None:
    """The seat of an identity; a genesis holds each once."""
    for seat, record in enumerate(genesis.seats):
        if record.identity_key == identity:
            return seat
    return None
