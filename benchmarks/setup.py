"""What it costs to set a table up: from JOIN until the first card can be led, all proofs made and checked.

    python benchmarks/setup.py [--tables 2x36,6x36,6x52] [--backend pure|sodium|both] [--json]

Every seat is a process of its own with the product's `GamePeer`; this one carries the records. `device` is
the dearest seat; `wall` the time by the clock on this machine, from JOIN to the first hand and all proofs,
with as many processes as seats on the cores it has. `chain` is the time until the slowest seat may act when
every device has a core of its own and links cost nothing: heights follow one another, the seats of a height
work side by side. `again` is the part of it that is left where the game was shuffled ahead (`cli.ahead`),
from the word "again" of the last person. `warm-up` is what a process pays once before its first game and
does before people sit down. `longest` is the longest single call: so long the event loop of a device is
busy at a stretch. Seconds of CPU, but for `wall`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import platform
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import NamedTuple, TypeVar

from cli.game_peer import GamePeer
from game.course import Course
from game.mental_poker import deck as suite
from game.mental_poker import group, sodium
from game.mental_poker.pure import PURE
from game.options import RULES_ID, Options, encode
from ledger.entry import Entry
from ledger.genesis import Genesis, SeatRecord
from ledger.identity import SigningKey, certify, game_key

MUST = 6.0
"""Seconds of CPU a device may need for 6 seats and 52 cards, pure."""
T = TypeVar("T")


class Memory:
    """A store without a disk."""

    def __init__(self, genesis: Genesis, seed: bytes) -> None:
        self.genesis = genesis
        self.entries: tuple[Entry, ...] = ()
        self.may_sign = True
        self.watches = self.read_only = ""
        self._seed = seed

    def seed(self) -> bytes:
        return self._seed

    def append(self, record: bytes) -> bytes:
        return record

    def append_received(self, *records: bytes) -> None:
        pass

    def delete_seed(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Result:
    backend: str
    seats: int
    cards: int
    warm_up: float
    device: float
    wall: float
    chain: float
    again: float
    longest: float
    heights: int
    stages: dict[str, float]
    bytes: int

    def line(self) -> str:
        stages = " ".join(f"{name.lower()} {seconds:.3f}" for name, seconds in self.stages.items())
        over = f"  must {MUST}" if (self.backend, self.seats, self.cards) == ("pure", 6, 52) else ""
        return (
            f"{self.backend:7} {self.seats}x{self.cards}  device {self.device:6.3f}"
            f"  wall {self.wall:6.3f}  chain {self.chain:6.3f}  again {self.again:.3f}"
            f"  longest {self.longest:.3f}  warm-up {self.warm_up:.3f}"
            f"  {self.heights} heights  {self.bytes:6d} B  ({stages}){over}"
        )


def genesis_of(seats: int, cards: int) -> tuple[Genesis, list[bytes]]:
    seeds = [hashlib.sha256(b"seed %d" % seat).digest() for seat in range(seats)]
    records = []
    for seat, seed in enumerate(seeds):
        identity = SigningKey(hashlib.sha256(b"identity %d" % seat).digest())
        key = game_key(seed).public
        records.append(
            SeatRecord(key, identity.public, bytes(32), certify(identity, key, bytes(32)), f"{seat}")
        )
    options = replace(Options(), deck=cards, seats=seats)
    return Genesis(RULES_ID, encode(options), 1, tuple(records)), seeds


class Seat:
    """One device: a process with one `GamePeer`."""

    def __init__(self, backend: str, genesis: Genesis, seed: bytes) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=device, args=(theirs, backend, genesis.to_bytes(), seed))
        self._process.start()
        self.warm_up: float = self._pipe.recv()

    def tell(self, records: list[bytes]) -> None:
        """Take these records in, then sign what is owed."""
        self._pipe.send(records)

    def hear(self) -> Turn:
        """What came of it."""
        turn: Turn = self._pipe.recv()
        return turn

    def close(self) -> None:
        self._pipe.send(None)
        self._process.join()


class Turn(NamedTuple):
    """`took`: (height, stage, seconds) of every call."""

    records: tuple[bytes, ...]
    took: list[tuple[int, str, float]]
    may_act: bool


def device(pipe: Connection, backend: str, genesis: bytes, seed: bytes) -> None:
    """The process of one seat."""
    chosen = sodium.find() if backend == "sodium" else PURE
    assert chosen is not None
    group.use_backend(chosen)
    began = time.process_time()
    suite.warm_up()
    pipe.send(time.process_time() - began)
    took: list[tuple[int, str, float]] = []

    def timed(run: Callable[[], T]) -> T:
        height, stage = peer.log.height, peer.state.stage.name
        began = time.process_time()
        result = run()
        took.append((height, stage, time.process_time() - began))
        return result

    peer = GamePeer(Memory(Genesis.from_bytes(genesis), seed), Course(suite))
    while (records := pipe.recv()) is not None:
        took.clear()
        for record in records:
            timed(lambda record=record: peer.receive(record))  # type: ignore[misc]
        made = timed(peer.advance)
        pipe.send(Turn(made, took, bool(timed(peer.view).legal)))


def measure(backend: str, seats: int, cards: int) -> Result:
    genesis, seeds = genesis_of(seats, cards)
    devices = [Seat(backend, genesis, seed) for seed in seeds]
    by_seat = [0.0] * seats
    by_stage: dict[str, float] = defaultdict(float)
    by_height: dict[int, list[float]] = defaultdict(lambda: [0.0] * seats)
    longest, size = 0.0, 0
    mail: list[list[bytes]] = [[] for _ in devices]
    playing = False
    began = time.perf_counter()
    while not playing:
        coming: list[list[bytes]] = [[] for _ in devices]
        for number, seat in enumerate(devices):
            seat.tell(mail[number])
        for number, seat in enumerate(devices):
            turn = seat.hear()
            playing = playing or turn.may_act
            size += sum(map(len, turn.records))
            for other in range(seats):
                coming[other] += turn.records if other != number else ()
            for height, stage, seconds in turn.took:
                by_seat[number] += seconds
                by_height[height][number] += seconds
                by_stage[stage] += seconds / seats
                longest = max(longest, seconds)
        mail = coming
    wall = time.perf_counter() - began
    for seat in devices:
        seat.close()
    return Result(
        backend,
        seats,
        cards,
        warm_up=max(seat.warm_up for seat in devices),
        device=max(by_seat),
        wall=wall,
        chain=sum(max(each) for each in by_height.values()),
        again=sum(max(each) for height, each in by_height.items() if height >= 3 + seats),
        longest=longest,
        heights=max(by_height),
        stages=dict(by_stage),
        bytes=size,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs to set a table up.")
    parser.add_argument("--tables", default="2x36,6x36,6x52")
    parser.add_argument("--backend", choices=["pure", "sodium", "both"], default="both")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    for table in options.tables.split(","):
        seats, cards = map(int, table.split("x"))
        if options.backend != "sodium":
            results.append(measure("pure", seats, cards))
        if options.backend != "pure" and sodium.find() is not None:
            results.append(measure("sodium", seats, cards))
    if options.json:
        print(json.dumps([vars(result) for result in results], indent=1))
        return
    print(f"Python {platform.python_version()}, {platform.machine()}; {os.cpu_count()} cores; seconds")
    for result in results:
        print(result.line())


if __name__ == "__main__":
    main()
