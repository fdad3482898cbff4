"""What another process remembers: all it could give away, searched for bytes that it must not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

REGION = re.compile(r"([0-9a-f]+)-([0-9a-f]+) r")
PIECE = 1 << 24
OVERLAP = 256


def memory(process: int) -> Iterator[bytes]:
    """All readable memory of a process, in overlapping pieces, as a core dump would hold it."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in maps:
            found = REGION.match(line)
            if found is None or line.rstrip().endswith(("[vvar]", "[vsyscall]", "[vvar_vclock]")):
                continue
            begin, end = (int(part, 16) for part in found.groups())
            for at in range(begin, end, PIECE):
                try:
                    memory.seek(at)
                    yield memory.read(min(PIECE + OVERLAP, end - at))
                except (OSError, ValueError):  # a guard page, or gone meanwhile
                    continue


def files(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.read_bytes()


def forms(secret: bytes) -> tuple[bytes, ...]:
    """As bytes, either way round; and as text: hexadecimal."""
    written = secret.hex().encode()
    return secret, secret[::-1], written, written.upper()


def found(pieces: Iterator[bytes], wanted: Mapping[str, bytes]) -> set[str]:
    """The names of those that turn up in any form."""
    seen: set[str] = set()
    sought = {name: forms(secret) for name, secret in wanted.items()}
    for piece in pieces:
        for name, each in sought.items():
            if name not in seen and any(form in piece for form in each):
                seen.add(name)
    return seen
