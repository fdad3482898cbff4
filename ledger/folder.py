"""The small files of a game's folder: written whole or not at all, and told from copies of themselves."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.codec import decode, encode
from ledger.disk import Disk, Mark
from ledger.errors import Malformed, StoreError

LOG: Final = "log.durak"
SEED: Final = "seed"
CASE: Final = "offence.durakcase"
"""Written when a seat is seen to have signed what it must not: the least that proves it."""
INSTANCE: Final = "instance"
LOCK: Final = "lock"
MAX_LOG: Final = 64 * 1024 * 1024
COUNTER: Final = 8


@dataclass(frozen=True, slots=True)
class Instance:
    """What `instance` says: where our last own record ended, and which very files these were."""

    own_end: int
    log_inode: int
    seed_inode: int
    seed_changed: int

    def to_bytes(self) -> bytes:
        identity = (b"durak-instance", 1, self.log_inode, self.seed_inode, self.seed_changed)
        return self.own_end.to_bytes(COUNTER, "big") + encode(identity)

    @classmethod
    def from_bytes(cls, data: bytes) -> Instance | None:
        try:
            match decode(data[COUNTER:], limit=200):
                case (b"durak-instance", 1, int(log_inode), int(seed_inode), int(seed_changed)):
                    own_end = int.from_bytes(data[:COUNTER], "big")
                    return cls(own_end, log_inode, seed_inode, seed_changed)
        except Malformed:
            pass
        return None

    def is_of(self, log: Mark, seed: Mark) -> bool:
        return (log.inode, seed.inode, seed.changed) == (self.log_inode, self.seed_inode, self.seed_changed)


def write_new(disk: Disk, path: Path, data: bytes) -> Mark:
    """A new file, whole and synced, or OSError."""
    handle = disk.create(path)
    try:
        done = 0
        while done < len(data):
            written = disk.write(handle, done, data[done:])
            if written <= 0:
                raise OSError(0, "nothing was written")
            done += written
        disk.sync(handle)
        return disk.mark(handle)
    finally:
        disk.close(handle)


def read_file(disk: Disk, path: Path) -> tuple[bytes, Mark]:
    handle = disk.open(path, write=False)
    try:
        mark = disk.mark(handle)
        if mark.size > MAX_LOG:
            raise StoreError(f"{path.name} is larger than any game")
        return disk.read(handle, 0, mark.size), mark
    finally:
        disk.close(handle)


def mark_of(disk: Disk, path: Path) -> Mark:
    handle = disk.open(path, write=False)
    try:
        return disk.mark(handle)
    finally:
        disk.close(handle)


def decode_or_none(data: bytes) -> object:
    try:
        return decode(data, limit=200)
    except Malformed:
        return None


def free_name(folder: Path, what: str) -> Path:
    number = 1
    while os.path.lexists(folder / f"{LOG}.{what}-{number}"):
        number += 1
    return folder / f"{LOG}.{what}-{number}"


def close(disk: Disk, handle: int | None) -> None:
    if handle is not None:
        with contextlib.suppress(OSError):
            disk.close(handle)
