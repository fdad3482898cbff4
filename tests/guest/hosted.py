"""`durak host --guests` as a program of its own, with a bot in the host's place, told by its porcelain."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p2p.tcp import local_hosts

ROOT = Path(__file__).parents[2]


def lan_address() -> str:
    """An address of this device that a browser does not trust, "" where it has none."""
    return next((host for host in local_hosts() if ":" not in host and not host.startswith("127.")), "")


@dataclass
class Hosted:
    """A running host. `said` grows; `address` is what a guest opens."""

    process: asyncio.subprocess.Process
    exports: Path
    said: list[dict[str, Any]] = field(default_factory=list)
    rest: asyncio.Task[None] | None = None

    async def until(self, event: str, seconds: float = 60) -> dict[str, Any]:
        async with asyncio.timeout(seconds):
            while not (found := [each for each in self.said if each["event"] == event]):
                await asyncio.sleep(0.05)
        return found[-1]

    async def address(self) -> str:
        found = (await self.until("guests"))["addresses"]
        return next(each for each in found if each.startswith(f"http://{lan_address()}:"))

    async def listen(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.said.append(json.loads(line))


@asynccontextmanager
async def hosted(home: Path, bundle: Path, *words: str) -> AsyncIterator[Hosted]:
    exports = home / "exports"
    exports.mkdir(parents=True)
    environment = {**os.environ, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli.main", "host", "--name", "Anna", "--bot", "easy", "--porcelain",
        "--guests", "--guest-folder", str(bundle), "--guest-port", "0", "--port", "0", "--export",
        str(exports), *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        env=environment, limit=1 << 20,
    )  # fmt: skip
    running = Hosted(process, exports)
    running.rest = asyncio.create_task(running.listen())
    try:
        yield running
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
        await running.rest
