"""Starts processes on an emulated radio and follows what they say."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")


class PeerProcess:
    """A `tests.radio.peer`. `said` has every line so far but those of what arrived, which is counted."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.name = ""
        self.said: list[dict[str, Any]] = []
        self._process = process
        self._news = asyncio.Event()
        self._used: set[int] = set()
        self.got: Counter[str] = Counter()
        """Bytes that came, by peer."""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, hci: str, *more: str) -> PeerProcess:
        words = ("-W", "error", "-m", "tests.radio.peer", hci, *more)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(sys.executable, *words, stdin=pipe, stdout=pipe)
        peer = cls(process)
        here = await peer.wait_for("here", seconds=90)
        peer.name = here["process"]
        return peer

    def tell(self, *words: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write((" ".join(map(str, words)) + "\n").encode())

    async def wait_for(self, what: str, seconds: float = 30.0, **fields: Any) -> dict[str, Any]:
        """The first such line with these fields not waited for before. Raises TimeoutError."""

        def found() -> dict[str, Any] | None:
            for place, line in enumerate(self.said):
                if place not in self._used and _fits(line, what, fields):
                    self._used.add(place)
                    return line
            return None

        return await self._until(found, seconds)

    async def wait_for_bytes(self, peer: str, total: int, seconds: float = 60.0) -> None:
        """Until so many bytes have come from `peer` in all, and no more."""
        got = await self._until(lambda: self.got[peer] >= total and self.got[peer], seconds)
        assert got == total

    def kill(self) -> None:
        self._process.kill()

    async def quit(self) -> None:
        if self._process.returncode is None:
            self.tell("quit")
        await self._process.wait()
        await self._reading

    async def _until(self, ready: Callable[[], T | None], seconds: float) -> T:
        async with asyncio.timeout(seconds):
            while not (result := ready()):
                self._news.clear()
                await self._news.wait()
        return result

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            said = json.loads(line)
            if said["what"] == "got":
                self.got[said["peer"]] += said["bytes"]
            else:
                self.said.append(said)
            self._news.set()


class Crowd:
    """`async with Crowd(hci, 3) as peers`: so many processes, ended at the end whatever happens."""

    def __init__(self, hci: str, count: int, *more: str) -> None:
        self._arguments = (hci, *more)
        self._count = count
        self.peers: list[PeerProcess] = []

    async def __aenter__(self) -> list[PeerProcess]:
        starting = [PeerProcess.start(*self._arguments) for _ in range(self._count)]
        self.peers = list(await asyncio.gather(*starting))
        return self.peers

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with asyncio.timeout(10):
            await asyncio.gather(*(peer.quit() for peer in self.peers), return_exceptions=True)
        for peer in self.peers:
            if peer._process.returncode is None:
                peer.kill()


def _fits(line: dict[str, Any], what: str, fields: dict[str, Any]) -> bool:
    return line["what"] == what and all(line.get(key) == value for key, value in fields.items())
