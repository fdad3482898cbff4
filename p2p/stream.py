"""Datagrams over a byte stream: two bytes of length, big-endian, then the datagram."""

from __future__ import annotations

from typing import Final

from p2p.errors import BadMessage

STREAM_MTU: Final = 16_384
"""Bytes of the largest datagram a stream carries."""
UNPROVEN_LIMIT: Final = 256
"""Bytes of the largest datagram before the other side has proved who it is: more than HELLO needs."""


def frame(datagram: bytes) -> bytes:
    """One datagram as it stands in the stream."""
    return len(datagram).to_bytes(2, "big") + datagram


class StreamReader:
    """Cuts a stream into datagrams; keeps less than one of them."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def feed(self, data: bytes) -> None:
        self._kept += data

    def next(self, *, limit: int) -> bytes | None:
        """The next whole datagram. Raises `BadMessage` for an empty one or one longer than `limit`."""
        if len(self._kept) < 2:
            return None
        length = int.from_bytes(self._kept[:2], "big")
        if not 0 < length <= limit:
            raise BadMessage(f"a datagram of {length} bytes")
        if len(self._kept) < 2 + length:
            return None
        datagram = bytes(self._kept[2 : 2 + length])
        del self._kept[: 2 + length]
        return datagram
