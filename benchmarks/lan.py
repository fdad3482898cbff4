"""What a table on a local network costs people: waiting, memory, files.

    python benchmarks/lan.py move [--games 3]       from Enter to the other person's screen, two processes
    python benchmarks/lan.py watch [--backend pure] a spectator catches up with a finished game of six
    python benchmarks/lan.py evening [--games 200]  games in a row at one table: memory and open files

All links are TCP on the loopback interface, all tables private. Seconds by the clock. `--json` for programs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

MOVE_MUST = 0.050
WATCH_MUST = {"sodium": 1.0, "pure": 3.0}
ASKED = "Type a number or a card:"
AGAIN = "Another game?"


class Screen:
    """A `durak` command; every line it shows comes with the moment it came."""

    def __init__(self, home: Path, *words: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DURAK_")}
        environment = {**kept, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", *words], env=environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.lines: Queue[tuple[float, str]] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put((time.perf_counter(), line.rstrip()))

    def wait_for(self, text: str, seconds: float = 120) -> str:
        until = time.monotonic() + seconds
        while True:
            _, line = self.lines.get(timeout=max(0.1, until - time.monotonic()))
            if text in line:
                return line

    def type(self, line: str) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return time.perf_counter()

    def waiting(self) -> list[tuple[float, str]]:
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        return found

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def move(games: int) -> dict[str, float]:
    """Two people type 1 at every question; how long until the other one's screen shows what happened."""
    took: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        table = ("--listen", "127.0.0.1", "--text")
        anna = Screen(Path(folder) / "a", "host", "--port", "0", "--name", "Anna", *table)
        code, address = "", ""
        while not address:
            words = anna.wait_for("durak join ").split("durak join ")[1].split()
            code, address = words[-1], words[0] if len(words) > 1 else ""
        boris = Screen(Path(folder) / "b", "join", address, code, "--name", "Boris", *table)
        boris.wait_for("Type ready")
        boris.type("ready")
        anna.wait_for("Type start")
        anna.type("start")
        people = {anna: boris, boris: anna}
        played = 0
        said_again: set[Screen] = set()
        while played < games:
            for one, other in people.items():
                shown = [line for _, line in one.waiting()]
                if any(line.startswith(AGAIN) for line in shown):
                    said_again.add(one)
                if not any(ASKED in line for line in shown):
                    continue
                time.sleep(0.05)  # what belongs to the move before is on the screen by now
                other_before = other.waiting()
                if any(ASKED in line or line.startswith(AGAIN) for _, line in other_before):
                    for item in other_before:
                        other.lines.put(item)
                typed = one.type("1")
                came, line = other.lines.get(timeout=20)
                while came < typed:
                    came, line = other.lines.get(timeout=20)
                other.lines.put((came, line))
                took.append(came - typed)
            if len(said_again) == 2:
                played += 1
                said_again.clear()
                for one in people:
                    one.type("yes")
            time.sleep(0.005)
        anna.end()
        boris.end()
    took.sort()
    return {
        "moves": len(took),
        "median_s": statistics.median(took),
        "p95_s": took[int(len(took) * 0.95)],
        "most_s": took[-1],
        "must_p95_s": MOVE_MUST,
    }


async def _watch() -> tuple[float, float, int, int]:
    from cli.peer import Peer
    from game.course import Course
    from game.mental_poker import deck
    from game.options import RULES_ID
    from ledger.identity import SigningKey
    from p2p.codes import JoinCode, code_key
    from p2p.guest import GuestLobby
    from p2p.host import HostLobby
    from p2p.lan import LanDriver
    from p2p.node import Node
    from p2p.session import Door
    from tests.desk import MemoryGames
    from tests.recorded import play
    from tests.tables import identity_of, options_of

    loop = asyncio.get_running_loop()
    finished = play(options_of(seats=6, deck=36), "watched by a benchmark")[0]
    door = Door(code_key(JoinCode("0123456789AB")))
    lobby = HostLobby.resumed(identity_of(0).public, finished.genesis, may_watch=True)
    host = Node(identity=identity_of(0), door=door, random=os.urandom, lobby=lobby)
    wanda = SigningKey.from_seed32(os.urandom(32))
    node = Node(identity=wanda, door=door, random=os.urandom, lobby=GuestLobby(wanda.public, RULES_ID))
    watcher = Peer(
        identity=wanda, name="Wanda", node=node, course=Course(deck), games=MemoryGames(),
        random=os.urandom, clock=loop.time, wants_seat=False, watches=True,
    )  # fmt: skip
    async with (
        LanDriver(host, listen=("127.0.0.1",), on_event=lambda _: None) as listening,
        LanDriver(node, listen=None, on_event=watcher.take) as dialling,
    ):
        host.attach(finished.log, loop.time())
        watcher.flush = dialling.flush
        began, used = time.perf_counter(), time.process_time()
        await dialling.dial(f"127.0.0.1:{listening.port}")
        while watcher.game is None or not watcher.game.done:
            await watcher.changed()
        took, cpu = time.perf_counter() - began, time.process_time() - used
        export = watcher.game.log.export()
        assert export == finished.log.export()
    return took, cpu, len(finished.log.records()), len(export)


def watch(backend: str) -> dict[str, float]:
    """From the dial to the last height of a finished game of six, everything checked by the spectator."""
    from cli.engine import choose_backend

    used = choose_backend({"DURAK_BACKEND": backend} if backend else {})
    took, cpu, entries, size = asyncio.run(_watch())
    name = "sodium" if "sodium" in str(used) else "pure"
    return {"seconds": took, "cpu_s": cpu, "entries": entries, "bytes": size, "must_s": WATCH_MUST[name]}


def evening(games: int) -> dict[str, float]:
    """So many games in a row between two bots; the host's memory and open files along the way."""
    rows = list(_evening(games))
    for game, memory, files in rows:
        print(f"  game {game:>4}  {memory / 1e6:8.1f} MB  {files:>3} files", file=sys.stderr)
    settled = [row for row in rows if row[0] >= games // 4]
    return {
        "games": games,
        "memory_at_a_quarter_mb": settled[0][1] / 1e6,
        "memory_at_the_end_mb": settled[-1][1] / 1e6,
        "files_at_a_quarter": settled[0][2],
        "files_at_the_end": settled[-1][2],
    }


def _evening(games: int) -> Iterator[tuple[int, int, int]]:
    with tempfile.TemporaryDirectory() as folder:
        bot = ("--listen", "127.0.0.1", "--bot", "easy", "--porcelain", "--games", str(games + 1))
        host = Screen(Path(folder) / "a", "host", "--port", "0", "--option", "deck=24", *bot)
        said = json.loads(host.wait_for('"listening"'))
        guest = Screen(Path(folder) / "b", "join", f"127.0.0.1:{said['port']}", str(said["code"]), *bot)
        try:
            for game in range(1, games + 1):
                host.wait_for('"done"')
                guest.waiting()
                if game % max(1, games // 20) == 0 or game == 1:
                    yield game, _memory(host.process.pid), len(os.listdir(f"/proc/{host.process.pid}/fd"))
        finally:
            host.end()
            guest.end()


def _memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def main() -> None:
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    reader.add_argument("what", choices=("move", "watch", "evening"))
    reader.add_argument("--games", type=int, default=0)
    reader.add_argument("--backend", choices=("pure", "sodium"), default="")
    reader.add_argument("--json", action="store_true")
    said = reader.parse_args()
    match said.what:
        case "move":
            results = move(said.games or 3)
        case "watch":
            results = watch(said.backend)
        case _:
            results = evening(said.games or 200)
    if said.json:
        print(json.dumps(results, sort_keys=True))
        return
    for name, value in results.items():
        print(f"{name:>24} {value:12.4f}" if isinstance(value, float) else f"{name:>24} {value:12}")


if __name__ == "__main__":
    main()
