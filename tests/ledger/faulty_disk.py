"""A real disk that fails, writes short or dies at a chosen call; and one that forgets the unsynced."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ledger.disk import Disk, Mark


class Killed(BaseException):
    """The process died here. Not an Exception: nothing may catch it and go on."""


class FaultyDisk(Disk):
    """Counts calls; at call `at` it does `fault`.

    "kill", "half" (half a write, then death), "short" (half a write, truthfully), or an errno to fail with.
    Syncing is counted and not waited for: no power is really lost here.
    """

    def __init__(self, at: int = 0, fault: str | int = "kill") -> None:
        self.calls: list[str] = []
        self.at = at
        self.fault = fault
        self.dead = False
        self.handles: set[int] = set()
        self.paths: dict[int, Path] = {}

    def _call(self, name: str, real: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        if self.dead:
            raise Killed(name)
        self.calls.append(name)
        if len(self.calls) == self.at:
            if name == "write" and self.fault in ("half", "short"):
                handle, offset, data = arguments
                arguments = (handle, offset, data[: (len(data) + 1) // 2])
                if self.fault == "half":
                    real(*arguments)
            if isinstance(self.fault, int):
                raise OSError(self.fault, os.strerror(self.fault))
            if self.fault != "short":
                self.die()
                raise Killed(name)
        return real(*arguments, **named)

    def die(self) -> None:
        """What the kernel does for a dead process: close everything, so the lock is free."""
        self.dead = True
        for handle in self.handles:
            with contextlib.suppress(OSError):
                os.close(handle)

    def make_folder(self, path: Path) -> None:
        self._call("make_folder", super().make_folder, path)

    def create(self, path: Path) -> int:
        handle: int = self._call("create", super().create, path)
        self.handles.add(handle)
        self.paths[handle] = path
        return handle

    def open(self, path: Path, *, write: bool) -> int:
        handle: int = self._call("open", super().open, path, write=write)
        self.handles.add(handle)
        self.paths[handle] = path
        return handle

    def lock(self, path: Path) -> int | None:
        handle: int | None = self._call("lock", super().lock, path)
        if handle is not None:
            self.handles.add(handle)
        return handle

    def write(self, handle: int, offset: int, data: bytes) -> int:
        written: int = self._call("write", super().write, handle, offset, data)
        return written

    def read(self, handle: int, offset: int, length: int) -> bytes:
        data: bytes = self._call("read", super().read, handle, offset, length)
        return data

    def sync(self, handle: int) -> None:
        self._call("sync", lambda _: None, handle)

    def sync_folder(self, path: Path) -> None:
        self._call("sync_folder", lambda _: None, path)

    def truncate(self, handle: int, length: int) -> None:
        self._call("truncate", super().truncate, handle, length)

    def rename(self, old: Path, new: Path) -> None:
        self._call("rename", super().rename, old, new)

    def remove(self, path: Path) -> None:
        self._call("remove", super().remove, path)

    def close(self, handle: int) -> None:
        if not self.dead:
            self.handles.discard(handle)
            super().close(handle)

    def make_private(self, path: Path) -> None:
        self._call("make_private", super().make_private, path)

    def mark(self, handle: int) -> Mark:
        mark: Mark = self._call("mark", super().mark, handle)
        return mark


class PowerDisk(FaultyDisk):
    """When it dies, each file loses some of what was written since its last sync, or has zeros there."""

    def __init__(self, at: int, dice: random.Random) -> None:
        super().__init__(at, "half")
        self.dice = dice
        self.safe: dict[Path, int] = {}

    def open(self, path: Path, *, write: bool) -> int:
        handle = super().open(path, write=write)
        if write:
            self.safe.setdefault(path, os.fstat(handle).st_size)
        return handle

    def sync(self, handle: int) -> None:
        super().sync(handle)
        self.safe[self.paths[handle]] = os.fstat(handle).st_size

    def die(self) -> None:
        super().die()
        for path, safe in self.safe.items():
            data = path.read_bytes() if path.exists() else b""
            if len(data) <= safe:
                continue
            kept = self.dice.randint(safe, len(data))
            zeros = self.dice.choice((0, len(data) - kept, self.dice.randint(0, 4096)))
            with open(path, "r+b") as file:
                file.truncate(kept)
                file.seek(kept)
                file.write(bytes(zeros))
