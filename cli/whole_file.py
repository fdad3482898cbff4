"""Files that are there whole or not at all: a crash leaves the old one or the new one, a failed write the old
one and nothing else."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace_whole(target: Path, data: bytes) -> None:
    """Write `data` in place of `target`, readable by its owner alone, synced before it takes the place.

    Raises OSError with the name of `target`; then nothing has changed, and no part of what was written is
    left.
    """
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, target)
    except OSError as error:
        _drop(fresh)
        raise OSError(error.errno, error.strerror, str(target)) from error
    except BaseException:
        _drop(fresh)
        raise


def _drop(fresh: Path) -> None:
    with contextlib.suppress(OSError):  # on a disk that cannot be written nothing was left
        fresh.unlink(missing_ok=True)
