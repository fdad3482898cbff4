"""Every message peers exchange, as a type. `message_codec` has their bytes and the limits it holds them to.

What a message *means* is checked by whoever gets it. Identities are long-lived Ed25519 public keys, 32 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

from ledger.genesis import GameId, Previous, SeatRecord
from ledger.heads import Heads
from ledger.identity import PublicKey
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
