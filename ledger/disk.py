"""The few system calls a game's folder needs, one method each: a test can fail or kill at any of them."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from typing import Final, NamedTuple

from ledger.errors import StoreError

_PRIVATE: Final = 0o600
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
_F_FULLFSYNC: Final = 51
"""Apple's `fcntl`: through the drive's cache too; plain fsync stops before it there."""


class Mark(NamedTuple):
    """What makes this very file: a copy has another inode, or the same one and another time of change."""

    inode: int
    changed: int
    size: int
    private: bool


class Disk:
    """Real files. Every method is one call that may fail with OSError, or be the last this process made."""

    def make_folder(self, path: Path) -> None:
        os.makedirs(path, mode=0o700)

    def create(self, path: Path) -> int:
        """A new private file, open for writing. It must not exist, not even as a link."""
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, _PRIVATE)

    def open(self, path: Path, *, write: bool) -> int:
        """An existing regular file; a link, folder or FIFO is refused with `StoreError`."""
        mode = os.O_RDWR if write else os.O_RDONLY
        handle = os.open(path, mode | _NO_FOLLOW | _NO_WAIT)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise StoreError(f"{path.name} is no file")
        return handle

    def lock(self, path: Path) -> int | None:
        """Hold the folder's lock for as long as the handle is open; None when another holder has it."""
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, _PRIVATE)
        try:
            _lock(handle)
        except OSError:
            os.close(handle)
            return None
        return handle

    def write(self, handle: int, offset: int, data: bytes) -> int:
        """How many bytes were written: fewer than asked is possible."""
        os.lseek(handle, offset, os.SEEK_SET)
        return os.write(handle, data)

    def read(self, handle: int, offset: int, length: int) -> bytes:
        os.lseek(handle, offset, os.SEEK_SET)
        parts = []
        while length > 0:
            part = os.read(handle, min(length, 1 << 20))
            if not part:
                break
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def sync(self, handle: int) -> None:
        """Until the device has it."""
        if sys.platform == "darwin":  # pragma: no cover - Apple only
            import fcntl

            with contextlib.suppress(OSError):  # not every file system there knows it
                fcntl.fcntl(handle, _F_FULLFSYNC)
                return
        os.fsync(handle)

    def sync_folder(self, path: Path) -> None:
        """Names become durable with their folder. Windows can't and needn't."""
        if os.name == "nt":  # pragma: no cover - Windows only
            return
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def truncate(self, handle: int, length: int) -> None:
        os.ftruncate(handle, length)

    def rename(self, old: Path, new: Path) -> None:
        os.rename(old, new)

    def remove(self, path: Path) -> None:
        os.unlink(path)

    def close(self, handle: int) -> None:
        os.close(handle)

    def make_private(self, path: Path) -> None:
        os.chmod(path, _PRIVATE)

    def mark(self, handle: int) -> Mark:
        status = os.fstat(handle)
        private = os.name == "nt" or not status.st_mode & 0o077
        return Mark(status.st_ino, status.st_ctime_ns, status.st_size, private)


def _lock(handle: int) -> None:
    """Raise OSError unless this handle now holds the lock."""
    if sys.platform == "win32":  # pragma: no cover - Windows only
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
