"""What a node reports to its owner, besides what the lobby reports (`p2p.lobby.LobbyEvent`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.genesis import GameId
from ledger.identity import PublicKey
from p2p.link import LinkId
from p2p.lobby import LobbyEvent
from p2p.reasons import Why


@dataclass(frozen=True, slots=True)
class LinkOpened:
    """A link became a talk with this identity."""

    link: LinkId
    identity: PublicKey


@dataclass(frozen=True, slots=True)
class PeerUp:
    """The first channel to this identity stands. Compare the identity with the book of known ones."""

    identity: PublicKey
    link: LinkId


@dataclass(frozen=True, slots=True)
class PeerDown:
    """The last channel to this identity is gone."""

    identity: PublicKey
    why: Why


@dataclass(frozen=True, slots=True)
class LinkClosed:
    """A link ended. `identity` is None if it never became a talk; `version` is theirs if they told.

    `is_host`: we had dialled it as the host's; what it says is the table's word, not some other guest's.
    """

    link: LinkId
    why: Why
    identity: PublicKey | None = None
    version: int | None = None
    is_host: bool = False


@dataclass(frozen=True, slots=True)
class EntryArrived:
    """Put `record` through the log, store what is kept, then say what came of it (`Node.judged`)."""

    game: GameId
    record: bytes
    link: LinkId


@dataclass(frozen=True, slots=True)
class OtherGame:
    """A peer of our game plays one we do not know: the host may have shown us different geneses."""

    identity: PublicKey
    game: GameId


@dataclass(frozen=True, slots=True)
class NoticeArrived:
    """An unsigned hint (`p2p.messages.Notice`); `relayed`: in the words of a third peer."""

    game: GameId
    seat: int
    code: int
    seats: tuple[int, ...]
    relayed: bool


NodeEvent: TypeAlias = (
    LinkOpened | PeerUp | PeerDown | LinkClosed | EntryArrived | OtherGame | NoticeArrived | LobbyEvent
)
