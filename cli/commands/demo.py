"""`durak demo`: a process for each seat plays a whole game, told as it happens; one more verifies it."""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cli.children import Child, child
from cli.exits import CommandError, Exit
from cli.mishaps import run_loop
from cli.options import read_options
from cli.tables import LOOPBACK

if TYPE_CHECKING:
    import argparse
    from collections.abc import Coroutine
    from contextlib import AbstractAsyncContextManager

    from cli.app import App

PHASES = {
    "join": "keys", "keys": "keys", "shuffle": "shuffle", "ack": "deal", "deal": "deal", "claim": "lead",
    "open": "lead", "no_lower": "lead", "play": "play", "refill": "play", "result": "result",
    "secrets": "result",
}  # fmt: skip
"""Which phase of the final table a stage belongs to."""
Said = dict[str, object]


@dataclass(slots=True)
class Seen:
    """What one peer told: its last word, and how long each phase took as it saw it."""

    game: Said = field(default_factory=dict)
    done: Said = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Play the game, then verify and compare. The exit code is that of `verify`, 70 if the exports differ."""
    read_options("local", [f"deck={arguments.deck}"], seats=arguments.seats, texts=app.texts)
    with tempfile.TemporaryDirectory(prefix="durak-demo-") as scratch:
        out = Path(arguments.out) if arguments.out else Path(scratch) / "out"
        out.mkdir(parents=True, exist_ok=True)
        return run_loop(app, _demo(app, arguments, Path(scratch), out))


async def _demo(app: App, arguments: argparse.Namespace, scratch: Path, out: Path) -> Exit:
    app.show([app.texts.count("demo.begins", arguments.seats)])
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        peers = [Peer(app, arguments, scratch, number) for number in range(arguments.seats)]
        host = await stack.enter_async_context(peers[0].starts())
        port = await _port_of(host)
        guests = [await stack.enter_async_context(peer.starts(port)) for peer in peers[1:]]
        watching = [_watch(app, host, loud=True), *(_watch(app, guest, loud=False) for guest in guests)]
        seen = await _all(watching)
        played = time.monotonic() - began
        for peer in (host, *guests):
            peer.dismiss()
    files = [_leave_export(scratch, number, one, out) for number, one in enumerate(seen)]
    same = len({file.read_bytes() for file in files}) == 1
    code, verdict, checking = await _verify(scratch, files[0])
    app.show(_table(app, seen[0], played, len(files), same=same, verdict=verdict, checking=checking))
    if arguments.out:
        app.tell("demo.left", folder=out)
    return code if same else Exit.INTERNAL


@dataclass(frozen=True, slots=True)
class Peer:
    """One seat of the demonstration, still to be started."""

    app: App
    arguments: argparse.Namespace
    scratch: Path
    number: int

    def starts(self, port: int | None = None) -> AbstractAsyncContextManager[Child]:
        """Its process: the host without a port, a guest with the host's."""
        home = self.scratch / f"peer-{self.number}"
        (home / "out").mkdir(parents=True)
        words = ["host", "--open", "--port", "0", "--seats", str(self.arguments.seats),
                 "--option", f"deck={self.arguments.deck}"]  # fmt: skip
        if port is not None:
            words = ["join", f"{LOOPBACK}:{port}"]
        name = self.app.texts.say("demo.seat-name", number=self.number + 1)
        return child(home, [
            *words, "--listen", LOOPBACK, "--bot", self.arguments.level, "--porcelain", "--name", name,
            "--export", str(home / "out"),
        ])  # fmt: skip


async def _port_of(host: Child) -> int:
    async for said in host.said():
        if said["event"] == "listening":
            return int(str(said["port"]))
    raise CommandError(Exit.IO, "demo.failed", complaint=await host.complaint())


async def _watch(app: App, peer: Child, *, loud: bool) -> Seen:
    """Follow one peer to the end of its game; the loud one tells the story. CommandError if it stops."""
    seen = Seen()
    before = time.monotonic()
    async for said in peer.said():
        match said["event"]:
            case "game":
                seen.game = said
            case "height":
                now = time.monotonic()
                phase = PHASES[str(said["stage"])]
                seen.seconds[phase] = seen.seconds.get(phase, 0.0) + now - before
                before = now
            case "done":
                seen.done = said
                return seen
        if loud:
            app.show(str(line) for line in _lines(said))
    raise CommandError(Exit.IO, "demo.failed", complaint=await peer.complaint())


def _lines(said: Said) -> list[object]:
    lines = said.get("lines")
    return lines if isinstance(lines, list) else []


async def _all(watching: list[Coroutine[object, object, Seen]]) -> list[Seen]:
    """All results; the first failure ends the others."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each) for each in watching]
    return [task.result() for task in tasks]


def _leave_export(scratch: Path, number: int, seen: Seen, out: Path) -> Path:
    """The peer's own export, under its seat's name."""
    made = scratch / f"peer-{number}" / "out" / f"{seen.game['id']}.durak"
    target = out / f"seat-{seen.game['seat']}.durak"
    target.write_bytes(made.read_bytes())
    return target


async def _verify(scratch: Path, file: Path) -> tuple[Exit, str, float]:
    """What `durak verify` says in a process and a data folder of its own."""
    began = time.monotonic()
    async with child(scratch / "stranger", ["verify", str(file), "--json"]) as verifier:
        verdict = [said async for said in verifier.said()]
        code = await verifier.process.wait()
        complaint = await verifier.complaint()
    said = str(verdict[0].get("verdict")) if verdict else complaint
    return Exit(code), said, time.monotonic() - began


def _table(
    app: App, seen: Seen, played: float, exports: int, *, same: bool, verdict: str, checking: float
) -> list[str]:
    say = app.texts.say
    phases = dict.fromkeys(PHASES.values())
    return [
        "",
        say("demo.table"),
        *(say("demo.phase", phase=say(f"demo.phase.{phase}"), seconds=seen.seconds.get(phase, 0.0))
          for phase in phases),
        say("demo.phase", phase=say("demo.phase.all"), seconds=played),
        say("demo.heights", heights=seen.done["heights"]),
        say("demo.entries", entries=seen.done["entries"]),
        say("demo.bytes", bytes=seen.done["bytes"]),
        app.texts.count("demo.same", exports) if same else say("demo.differ"),
        say("demo.verified", seconds=checking, verdict=verdict),
    ]  # fmt: skip
