"""What a guest asked for a seat with, kept until the game begins: whoever is killed in between sits again.

All have agreed to a genesis with this very record in it, and wait for the seed behind it. It is written
before the request is sent, and goes as soon as the game has a store of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.identity import PublicKey
from p2p.errors import BadMessage
from p2p.message_codec import decode_message, encode_message
from p2p.messages import AskSeat

KEY: Final = 32
SEED: Final = 32


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """`host`: whom it was asked of. `seed`: 32 bytes, behind the game key of the record."""

    host: PublicKey
    seed: bytes = field(repr=False)
    asked: AskSeat

    def to_bytes(self) -> bytes:
        return self.host + self.seed + encode_message(self.asked)

    @classmethod
    def from_bytes(cls, data: bytes) -> SeatRequest | None:
        """None if this is not what `to_bytes` makes: losing it costs a comfort."""
        host, seed, message = data[:KEY], data[KEY : KEY + SEED], data[KEY + SEED :]
        try:
            asked = decode_message(message)
        except BadMessage:
            return None
        return cls(PublicKey(host), seed, asked) if isinstance(asked, AskSeat) else None
