"""Files that are there whole or not at all: a crash leaves the old one or the new one, a failed write the old
one and nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace_whole(target: Path, data: bytes) -> None:
    """Write `data` in place of `target`, readable by its owner alone, synced before it takes the place.

    Raises OSError; then nothing has changed, and no part of what was written is left.
    """
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
