"""Other peers as processes of their own: bots beside a person, all seats of a demonstration.

A child talks porcelain and leaves when its standard input ends, so it never outlives whoever started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cli

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

PATIENCE = 2.0
"""Seconds a child gets to leave by itself."""
LONGEST_LINE = 1 << 20
SOURCES = str(Path(cli.__file__).parents[1])


@dataclass(slots=True)
class Child:
    """One running `durak` command."""

    process: asyncio.subprocess.Process

    async def said(self) -> AsyncIterator[dict[str, object]]:
        """What it says, object by object, until it ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                yield json.loads(line)

    async def complaint(self) -> str:
        """What it wrote on standard error; to be asked once it has ended."""
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode(errors="replace").strip()

    def dismiss(self) -> None:
        """Ask it to leave."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()

    async def leave(self) -> int:
        """Ask it to leave, then make it. Its exit code."""
        self.dismiss()
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.process.wait()
        except TimeoutError:
            self.process.kill()
            return await self.process.wait()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            raise


@asynccontextmanager
async def child(
    home: Path, words: Sequence[str], more: Mapping[str, str] | None = None
) -> AsyncIterator[Child]:
    """`durak WORDS…` with a data folder of its own, and more in its environment."""
    path = os.pathsep.join(part for part in (SOURCES, os.environ.get("PYTHONPATH", "")) if part)
    environment = {**os.environ, "DURAK_HOME": str(home), "PYTHONPATH": path, **(more or {})}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cli.main",
        *words,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
        limit=LONGEST_LINE,
        start_new_session=True,
    )
    running = Child(process)
    try:
        yield running
    finally:
        await running.leave()
