"""The kinds of entry of a game (DESIGN §3). Numbers are on the wire and in hashes: never reuse one."""

from __future__ import annotations

from ledger.engine import ABORT, Kind

JOIN = Kind(0)
OPEN_KEYS = Kind(1)
SHUFFLE = Kind(2)
ACK = Kind(3)
TOKENS = Kind(4)
CLAIM = Kind(5)
OPEN = Kind(6)
NO_LOWER = Kind(7)
LEAD = Kind(8)
BEAT = Kind(9)
TRANSFER = Kind(10)
SHOW = Kind(11)
THROW = Kind(12)
TAKE = Kind(13)
PASS = Kind(14)
ACCUSE = Kind(15)
CHALLENGE = Kind(16)
RESIGN = Kind(17)
RESULT = Kind(18)
SECRETS = Kind(20)

NAMES = {
    JOIN: "JOIN",
    OPEN_KEYS: "OPEN_KEYS",
    SHUFFLE: "SHUFFLE",
    ACK: "ACK",
    TOKENS: "TOKENS",
    CLAIM: "CLAIM",
    OPEN: "OPEN",
    NO_LOWER: "NO_LOWER",
    LEAD: "LEAD",
    BEAT: "BEAT",
    TRANSFER: "TRANSFER",
    SHOW: "SHOW",
    THROW: "THROW",
    TAKE: "TAKE",
    PASS: "PASS",
    ACCUSE: "ACCUSE",
    CHALLENGE: "CHALLENGE",
    RESIGN: "RESIGN",
    RESULT: "RESULT",
    ABORT: "ABORT",
    SECRETS: "SECRETS",
}
"""For logs and machine-readable reports."""
