"""A store without a disk, for tests about everything but the disk."""

from __future__ import annotations

from cli.ahead import Provisional
from ledger.genesis import Genesis


class MemoryStore(Provisional):
    """What the product keeps of a held game, but that it outlives a peer as a folder would."""

    def __init__(self, genesis: Genesis, seed: bytes | None) -> None:
        super().__init__(genesis, seed)
        self.closed = False
        self.own: list[bytes] = []
        self.case = b""

    def append(self, record: bytes) -> bytes:
        self.own.append(record)
        return super().append(record)

    def keep_case(self, case: bytes) -> None:
        self.case = case

    def close(self) -> None:
        self.closed = True
