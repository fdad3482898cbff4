"""Why a link ended and why a table says no. Values are message ids; faces turn them into sentences."""

from __future__ import annotations

import enum
from typing import Final


class Why(enum.StrEnum):
    """Why a link was closed, or never came to talk."""

    GONE = "link.gone"
    """The transport lost it."""
    BYE = "link.bye"
    """Closed on purpose by one of the two."""
    GARBLED = "link.garbled"
    """Bytes that are no message of ours."""
    BAD_TAG = "link.bad-tag"
    """A sealed frame that does not open."""
    HANDSHAKE = "link.handshake"
    """A handshake that cannot be finished."""
    HANDSHAKE_TIME = "link.handshake-time"
    SILENT = "link.silent"
    """Nothing heard for too long."""
    SLOW = "link.slow"
    """Reads too slowly to follow."""
    FLOOD = "link.flood"
    """Sent far more than a game needs."""
    FORGED = "link.forged"
    """Brought too many entries whose signature is false."""
    DUPLICATE = "link.duplicate"
    """Another link to the same peer is in use."""
    MYSELF = "link.myself"
    """The other end is this very peer."""
    STRANGER = "link.stranger"
    """Somebody who has no seat here."""
    SAME_IDENTITY = "link.same-identity"
    """Another device talks to us under the same identity."""
    OTHER_PEER = "link.other-peer"
    """Not the identity that was to be dialled."""
    OTHER_VERSION = "link.other-version"
    CODE_NEEDED = "link.code-needed"
    """The table is private; no join code was given."""
    CODE_WRONG = "link.code-wrong"
    BUSY = "link.busy"
    """Too many links at once."""


NOT_MENDED: Final = frozenset({
    Why.MYSELF, Why.STRANGER, Why.SAME_IDENTITY, Why.OTHER_PEER, Why.OTHER_VERSION, Why.CODE_NEEDED,
    Why.CODE_WRONG, Why.FORGED,
})  # fmt: skip
"""Closings that trying again does not mend."""
FAREWELLS: tuple[Why, ...] = (
    Why.BYE,
    Why.DUPLICATE,
    Why.SAME_IDENTITY,
    Why.STRANGER,
    Why.OTHER_PEER,
    Why.FORGED,
    Why.FLOOD,
    Why.SLOW,
    Why.BUSY,
    Why.GARBLED,
)
"""What a peer tells the other side before it closes, by number on the wire: only ever append."""


class Refusal(enum.StrEnum):
    """Why a table refuses a request. The order is the number on the wire: only ever append."""

    FULL = "refused.full"
    SAME_IDENTITY = "refused.same-identity"
    OTHER_RULES = "refused.other-rules"
    DECLINED = "refused.declined"
    NO_WATCHING = "refused.no-watching"
    STARTED = "refused.started"
    BAD_RECORD = "refused.bad-record"
    CLOSED = "refused.closed"
    NOT_HOSTING = "refused.not-hosting"
    OLD_ROUND = "refused.old-round"
    NOT_WHAT_WAS_SHOWN = "refused.not-what-was-shown"
    GUEST_LEFT = "refused.guest-left"
    REMOVED = "refused.removed"
