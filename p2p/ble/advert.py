"""What a device says about itself before anybody has connected, and where on it our values go.

An advertisement holds 31 bytes: the flags (3) and one 128-bit UUID (18). No name, no address, nothing that a
person keeps from one table to the next. The sixteen bytes of that UUID, in the order a UUID is written:

    0–3    d5 a7 6b 1e, the prefix
    4      wire version, 1
    5      bit 0: seats people (the host's device); bit 1: wants no further links; bit 2: a join code is
           needed; other bits 0, and ignored
    6–7    the mark of the table: SHA-256("durak-ble-mark-1" ‖ code key) cut; random without a code
    8–15   `process`, as in the frames: random, new with every process

Who knows the join code sees which advertisement is its table. All devices of a table show the same mark, so
that no number of them tells more than 16 of the code's 60 bits. The service in the attribute table has one
fixed UUID, `SERVICE`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from p2p.ble.frames import PROCESS_BYTES, WIRE_VERSION
from p2p.errors import PeerError

PREFIX: Final = bytes.fromhex("d5a76b1e")
SERVICE: Final = "d5a76b1e-0001-4b1e-9a3c-6475726b0000"
TO_PERIPHERAL: Final = "d5a76b1e-0002-4b1e-9a3c-6475726b0000"
"""Characteristic the central writes, with or without response."""
TO_CENTRAL: Final = "d5a76b1e-0003-4b1e-9a3c-6475726b0000"
"""Characteristic the peripheral notifies."""
MARK_BYTES: Final = 2
MARK_TAG: Final = b"durak-ble-mark-1"

_HOST, _FULL, _PRIVATE = 1, 2, 4


class NotOurs(PeerError):
    """A UUID somebody else advertises, or another version of ours."""


@dataclass(frozen=True, slots=True)
class Advert:
    """One advertisement. `mark` is compared with `mark_of`; `process` is how peers name it."""

    process: bytes
    mark: bytes
    host: bool
    full: bool
    private: bool = True

    def to_uuid(self) -> str:
        flags = (_HOST if self.host else 0) | (_FULL if self.full else 0) | (_PRIVATE if self.private else 0)
        return str(UUID(bytes=PREFIX + bytes([WIRE_VERSION, flags]) + self.mark + self.process))

    @classmethod
    def from_uuid(cls, text: str) -> Advert:
        """Raises `NotOurs`. Unknown flags are ignored, so that later versions can add some."""
        try:
            raw = UUID(text).bytes
        except ValueError as error:
            raise NotOurs("no 128-bit UUID") from error
        if raw[:4] != PREFIX or raw[4] != WIRE_VERSION:
            raise NotOurs("another prefix or version")
        mark, process = raw[6 : 6 + MARK_BYTES], raw[-PROCESS_BYTES:]
        return cls(process, mark, bool(raw[5] & _HOST), bool(raw[5] & _FULL), bool(raw[5] & _PRIVATE))


def mark_of(code_key: bytes) -> bytes:
    """The mark that holders of this 32-byte code key advertise, 2 bytes."""
    return hashlib.sha256(MARK_TAG + code_key).digest()[:MARK_BYTES]
