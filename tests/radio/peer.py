"""One process with Bluetooth links and nothing above: told what to do on stdin, tells what happens on stdout.

    python -m tests.radio.peer HCI [--max-links N]      HCI may be bluez:hci1

Lines in: `dial PROCESS`, `send PROCESS BYTES`, `close PROCESS`, `quit`. Lines out are JSON objects with
`what` and, but for what came, `at`: the machine's monotonic seconds. What fails on the platform is told as
`trouble` when it does.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
import time
from typing import Any

from p2p.ble.end import BleEnd
from p2p.ble.link_events import Arrived, LinkEvent, Up, Writable
from p2p.ble.links import BleLinks
from p2p.ble.radio import open_radio
from p2p.errors import NetworkError
from p2p.reasons import Why


class Talker:
    """The owner of the links of this process."""

    def __init__(self) -> None:
        self.ends: dict[str, BleEnd] = {}
        self.links: BleLinks
        self._waiting: dict[BleEnd, int] = {}
        self._names: dict[BleEnd, str] = {}

    def say(self, what: str, **rest: Any) -> None:
        at = {} if what == "got" else {"at": round(time.monotonic(), 3)}
        print(json.dumps({"what": what, **rest, **at}), flush=True)

    def link_up(self, end: BleEnd) -> None:
        name = end.link.peer_process.hex()
        self.ends[name], self._names[end] = end, name
        self.say("up", peer=name, mtu=end.mtu, central=end.link.central)

    def link_event(self, end: BleEnd, event: LinkEvent) -> None:
        name = self._names[end]
        if isinstance(event, Arrived):
            digest = hashlib.sha256(event.datagram).hexdigest()[:8]
            self.say("got", peer=name, bytes=len(event.datagram), digest=digest)
        elif isinstance(event, Writable):
            self._feed(end)
        elif not isinstance(event, Up):
            self.say(type(event).__name__.lower(), peer=name)

    def link_down(self, end: BleEnd, why: Why) -> None:
        name = self._names.pop(end, "")
        if self.ends.get(name) is end:
            del self.ends[name]
        self.say("down", peer=name, why=str(why), repeated=end.link.repeated)

    async def dial(self, name: str) -> None:
        self.say("dials", peer=name)
        try:
            await self.links.dial(bytes.fromhex(name))
        except NetworkError as error:
            self.say("failed", peer=name, why=error.reason, trouble=self.links.trouble)

    def send(self, name: str, length: int) -> None:
        """Feed the link as its node would: whenever it is writable."""
        end = self.ends.get(name)
        if end is not None:
            self._waiting[end] = self._waiting.get(end, 0) + length
            self._feed(end)

    def _feed(self, end: BleEnd) -> None:
        while end.writable and (left := self._waiting.get(end, 0)):
            size = min(end.mtu, left)
            self._waiting[end] -= size
            end.send(bytes([left % 251]) * size)
            if left == size:
                self.say("sent", peer=self._names[end])


class Trouble(dict[str, str]):
    """What failed last, as `BleLinks.trouble`; told whenever something is added."""

    def __init__(self, talker: Talker) -> None:
        super().__init__()
        self._talker = talker

    def __setitem__(self, tried: str, error: str) -> None:
        super().__setitem__(tried, error)
        self._talker.say("trouble", tried=tried, error=error)


async def run(arguments: argparse.Namespace) -> None:
    talker = Talker()
    kind, _, adapter = arguments.hci.partition(":")
    radio = await (open_radio(adapter=adapter) if kind == "bluez" else open_radio(arguments.hci))
    links = talker.links = BleLinks(
        radio, talker, host=True, max_links=arguments.max_links, trouble=Trouble(talker)
    )
    await links.start()
    talker.say("here", process=links.process.hex())
    reader = asyncio.StreamReader()
    pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    tasks: set[asyncio.Task[None]] = set()
    while line := (await reader.readline()).decode().split():
        match line:
            case ["dial", name]:
                tasks.add(asyncio.create_task(talker.dial(name)))
            case ["send", name, length]:
                talker.send(name, int(length))
            case ["close", name]:
                talker.ends[name].close(Why.BYE)
            case _:
                break
    await links.aclose()
    pipe.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hci")
    parser.add_argument("--max-links", type=int, default=5)
    asyncio.run(run(parser.parse_args()))
