"""Runs inside the guest: `python3 -m tests.vm.guest SCENARIO`. Prints JSON lines; any exception fails it."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.radio.processes import PeerProcess

BEGAN = time.monotonic()
LENGTH = 65_536


def tell(what: str, **rest: Any) -> None:
    print(json.dumps({"at": round(time.monotonic() - BEGAN, 2), "what": what, **rest}), flush=True)


@asynccontextmanager
async def started(count: int) -> AsyncIterator[list[PeerProcess]]:
    """So many peers, a process and an adapter each. If the scenario fails: what each of them said."""
    peers = list(await asyncio.gather(*(PeerProcess.start(f"bluez:hci{n}") for n in range(count))))
    names = {peer.name: number for number, peer in enumerate(peers)}
    tell("started", count=count)
    try:
        yield peers
        await asyncio.gather(*(peer.quit() for peer in peers))
    except BaseException:
        print(f"now {time.monotonic():.3f}")
        for number, peer in enumerate(peers):
            got = {names.get(name, name): length for name, length in peer.got.items()}
            print(f"peer {number} {peer.name} got {got} and said:")
            for line in peer.said:
                print(" ", line | ({"peer": names.get(line["peer"])} if "peer" in line else {}))
        raise


async def mesh(peers: list[PeerProcess]) -> None:
    for one, other in itertools.combinations(peers, 2):
        one.tell("dial", other.name)
    for one, other in itertools.permutations(peers, 2):
        await one.wait_for("up", seconds=60, peer=other.name)
    tell("mesh")


async def exchange(peers: list[PeerProcess], length: int, total: int) -> None:
    for one, other in itertools.permutations(peers, 2):
        one.tell("send", other.name, length)
    for one, other in itertools.permutations(peers, 2):
        await one.wait_for_bytes(other.name, total, 120)
    tell("exchanged", bytes=length)


async def links() -> None:
    """Three processes, three adapters, real bluetoothd: full mesh, 64 kB each way on each link."""
    async with started(3) as peers:
        await mesh(peers)
        await exchange(peers, LENGTH, LENGTH)


async def leaving() -> None:
    """Two have dialled one, and the second's adapter is gone: BlueZ 5.82 closes the first's socket for it."""
    async with started(3) as peers:
        host, first, second = peers
        for one in (first, second):
            one.tell("dial", host.name)
            await one.wait_for("up", seconds=60, peer=host.name)
            await host.wait_for("up", seconds=60, peer=one.name)
        power(2, on=False)
        await host.wait_for("down", seconds=25, peer=second.name)
        await asyncio.sleep(1)
        await exchange([host, first], 10_000, 10_000)
        lost = [line for line in host.said + first.said if line["what"] == "down"]
        tell("stayed", lost=[line["peer"] for line in lost if line["peer"] != second.name])
        power(2, on=True)


async def restart() -> None:
    """bluetoothd killed and started again: the links are missed, the service is back, a dial succeeds."""
    async with started(2) as peers:
        one, two = peers
        await mesh(peers)
        kill_bluetoothd()
        for each, other in ((one, two), (two, one)):
            down = await each.wait_for("down", seconds=25, peer=other.name)
            tell("down", why=down["why"])
        await asyncio.sleep(4)  # whoever watches over it starts it again
        await redial(one, two)
        await exchange(peers, 10_000, 10_000)


async def adapter() -> None:
    """An adapter switched off and on: the same."""
    async with started(2) as peers:
        one, two = peers
        await mesh(peers)
        power(1, on=False)
        for each, other in ((one, two), (two, one)):
            down = await each.wait_for("down", seconds=25, peer=other.name)
            tell("down", why=down["why"])
        power(1, on=True)
        await asyncio.sleep(2)
        await redial(one, two)
        await exchange(peers, 10_000, 10_000)


async def frozen() -> None:
    """A radio frozen for five seconds delivers everything afterwards; for twenty, the link is missed."""
    async with started(2) as peers:
        one, two = peers
        await mesh(peers)
        one.tell("send", two.name, 20_000)
        with open("/tmp/radio", "w") as radio:
            print("freeze 1 5", file=radio)
        await two.wait_for_bytes(one.name, 20_000, 60)
        tell("thawed", down=[line for line in one.said + two.said if line["what"] == "down"])
        with open("/tmp/radio", "w") as radio:
            print("freeze 1 20", file=radio)
        down = await one.wait_for("down", seconds=25, peer=two.name)
        tell("down", why=down["why"])
        await asyncio.sleep(10)
        await redial(one, two)


def kill_bluetoothd() -> None:
    subprocess.run(["pkill", "-9", "bluetoothd"], check=True)


async def disturbed_game() -> None:
    """The same, with bluetoothd killed and started again in mid-game."""
    await game(disturbed=True)


async def redial(one: PeerProcess, two: PeerProcess) -> None:
    began = time.monotonic()
    for _ in range(4):
        one.tell("dial", two.name)
        both = asyncio.gather(one.wait_for("up", 30, peer=two.name), two.wait_for("up", 30, peer=one.name))
        try:
            await both
        except TimeoutError:
            continue
        tell("redialled", seconds=round(time.monotonic() - began, 2))
        return
    raise AssertionError([line for line in one.said if line["what"] == "failed"])


class Durak:
    """A `durak` process that talks porcelain; what it said is told where something goes wrong."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    @classmethod
    async def start(cls, number: int, *words: str) -> Durak:
        fixed = ["--bot", "easy", "--porcelain", "--no-lan", "--ble", "--ble-adapter", f"hci{number}"]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli.main", words[0], *fixed, *words[1:],
            env={**os.environ, "DURAK_HOME": f"/tmp/home{number}"},
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        return cls(process)

    async def said(self, event: str) -> dict[str, Any]:
        """Read on to the first such line. Fails with all that was said if the process ends before."""
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.lines.append(f"{time.monotonic() - BEGAN:.1f} {line.decode().strip()}")
            words = json.loads(line)
            if words["event"] == event:
                return dict(words)
        raise AssertionError(f"ended without {event}: {self.lines}")

    async def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()


async def game(*, disturbed: bool = False) -> None:
    """Three `durak` processes play a whole game and keep the same log."""
    host = await Durak.start(0, "host", "--seats", "3")
    peers = [host]
    try:
        code = str((await host.said("listening"))["code"])
        tell("hosting", code=code)
        peers += [await Durak.start(number, "join", code) for number in (1, 2)]
        host_game, *_ = await asyncio.gather(*(peer.said("game") for peer in peers))
        tell("begun")
        if disturbed:
            for _ in range(25):
                await host.said("height")
            kill_bluetoothd()
            tell("restarted")
        done = await asyncio.gather(*(peer.said("done") for peer in peers))
    except BaseException:
        for number, peer in enumerate(peers):
            print(number, peer.process.returncode, *peer.lines[-20:], sep="\n  ")
        raise
    tell("done", heights=[one["heights"] for one in done], status=[one["status"] for one in done])
    await asyncio.gather(*(peer.end() for peer in peers))
    exports = [export(number, str(host_game["id"])) for number in range(3)]
    assert len(set(exports)) == 1
    tell("logs", sizes=[len(log) for log in exports])


def export(number: int, game: str) -> bytes:
    file = f"/tmp/{number}.durak"
    words = ("games", "export", game[:16], "--out", file)
    environment = {**os.environ, "DURAK_HOME": f"/tmp/home{number}"}
    subprocess.run(
        (sys.executable, "-m", "cli.main", *words), check=True, env=environment, stdout=subprocess.DEVNULL
    )
    with open(file, "rb") as log:
        return log.read()


def power(number: int, *, on: bool) -> None:
    value = "true" if on else "false"
    words = ["dbus-send", "--system", "--print-reply", "--dest=org.bluez", f"/org/bluez/hci{number}",
             "org.freedesktop.DBus.Properties.Set", "string:org.bluez.Adapter1", "string:Powered",
             f"variant:boolean:{value}"]  # fmt: skip
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    scenario = {
        "links": links, "leaving": leaving, "restart": restart, "adapter": adapter, "frozen": frozen,
        "game": game, "disturbed": disturbed_game,
    }[sys.argv[1]]  # fmt: skip
    asyncio.run(scenario())
