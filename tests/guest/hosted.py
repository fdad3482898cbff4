"""`durak host --guests` and `durak join` as programs of their own, a bot in each place, told by porcelain."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
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
    """A running peer. `said` grows; `address` is what a guest opens; `heard` is all it said, as bytes."""

    process: asyncio.subprocess.Process
    home: Path
    exports: Path
    said: list[dict[str, Any]] = field(default_factory=list)
    heard: bytearray = field(default_factory=bytearray)
    rest: asyncio.Task[None] | None = None

    async def until(self, event: str, seconds: float = 90) -> dict[str, Any]:
        """The last thing it said of this kind. Raises ChildProcessError if it ends without a word of it."""
        async with asyncio.timeout(seconds):
            while not (found := [each for each in self.said if each["event"] == event]):
                if self.process.returncode is not None and self.rest is not None and self.rest.done():
                    raise ChildProcessError(f"ended with {self.process.returncode} before {event}")
                await asyncio.sleep(0.05)
        return found[-1]

    async def address(self) -> str:
        found = (await self.until("guests"))["addresses"]
        return next(each for each in found if each.startswith(f"http://{lan_address()}:"))

    async def listen(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.heard += line
            self.said.append(json.loads(line))


@asynccontextmanager
async def program(home: Path, *words: str, **where: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """`durak WORDS` with a home of its own, until the context ends. `where` its output and errors go."""
    environment = {**os.environ, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli.main", *words,
        stdin=asyncio.subprocess.PIPE, env=environment, limit=1 << 20, **where,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@asynccontextmanager
async def peer(home: Path, *words: str) -> AsyncIterator[Hosted]:
    """The same with a bot in its place, and all it says."""
    exports = home / "exports"
    exports.mkdir(parents=True)
    told = ("--bot", "easy", "--porcelain", "--export", str(exports))
    async with AsyncExitStack() as after, program(home, *words, *told, stdout=asyncio.subprocess.PIPE) as one:
        running = Hosted(one, home, exports)
        running.rest = asyncio.create_task(running.listen())
        after.push_async_callback(asyncio.gather, running.rest)
        yield running


@asynccontextmanager
async def hosted(home: Path, bundle: Path, *words: str) -> AsyncIterator[Hosted]:
    """A host with a page for guests."""
    guests = ("--guests", "--guest-folder", str(bundle), "--guest-port", "0", "--port", "0")
    async with peer(home, "host", "--name", "Anna", *guests, *words) as host:
        yield host


@asynccontextmanager
async def joined(home: Path, host: Hosted, name: str) -> AsyncIterator[Hosted]:
    """A native peer at the table of `host`."""
    at = await host.until("listening")
    async with peer(home, "join", f"127.0.0.1:{at['port']}", at["code"], "--name", name) as guest:
        yield guest
