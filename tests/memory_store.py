"""A store without a disk, for tests about everything but the disk."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.genesis import Genesis


class MemoryStore:
    """What `cli.game_peer.Store` asks, in memory; outlives a peer as a folder would."""

    def __init__(self, genesis: Genesis, seed: bytes | None) -> None:
        self.genesis = genesis
        self.seed = seed
        self.kept: list[bytes] = []
        self.own: list[bytes] = []

    def records(self) -> tuple[bytes, ...]:
        return tuple(self.kept)

    def keep(self, records: Iterable[bytes]) -> None:
        self.kept.extend(records)

    def append(self, record: bytes) -> None:
        self.kept.append(record)
        self.own.append(record)

    def delete_seed(self) -> None:
        self.seed = None
