"""A store without a disk, for tests about everything but the disk."""

from __future__ import annotations

from ledger.entry import Entry, read_record
from ledger.errors import StoreError
from ledger.genesis import Genesis


class MemoryStore:
    """What `cli.game_peer.Store` asks, in memory; outlives a peer as a folder would."""

    def __init__(self, genesis: Genesis, seed: bytes | None) -> None:
        self.genesis = genesis
        self.read_only = ""
        self.closed = False
        self.own: list[bytes] = []
        self.case = b""
        self._seed = seed
        self._kept: list[bytes] = []

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(read_record(record) for record in self._kept)

    @property
    def may_sign(self) -> bool:
        return self._seed is not None

    def seed(self) -> bytes:
        if self._seed is None:
            raise StoreError("store.no-seed")
        return self._seed

    def append(self, record: bytes) -> bytes:
        self._kept.append(record)
        self.own.append(record)
        return record

    def append_received(self, *records: bytes) -> None:
        self._kept.extend(records)

    def keep_case(self, case: bytes) -> None:
        self.case = case

    def delete_seed(self) -> None:
        self._seed = None

    def close(self) -> None:
        self.closed = True
