"""Games of Durak over bad links, each written down as a script; of one that fails, the smallest that does.

    python -m tests.rough_tables --runs 2000 [--first 0] [--real 20] [--jobs 2]

A script is all there is to a run: who sits, what the wires do, what befalls whom when, who cheats. `written`
makes one from a number, `complaint` plays it and says what is wrong ("" if nothing), `shrunk` takes away what
the failure does not need, and `code` is what to paste into a test.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache

import ledger.entry
import ledger.log
import p2p.talk
from cli.engine import choose_backend
from game.course import Course
from game.mental_poker import deck
from ledger.level import Status
from p2p.node import Node
from tests.memory_store import MemoryStore
from tests.p2p.game_holder import OPEN_COURSE, GameHolder, two_faced
from tests.simulator import Faults, Peer, World
from tests.tables import genesis_of, identity_of, options_of, seed_of

ROUGH_UNTIL = 120.0
"""Seconds after which the wires are good, so that whoever is not done by then never will be."""
PATIENCE = 300.0
VERBS = ("crash", "part", "deaf", "mute", "cut", "sleep")


@dataclass(frozen=True, order=True)
class Deed:
    """What befalls a seat, from `at` on for `seconds`: its process dies, it is apart from all others, hears
    nobody, is heard by nobody, loses all links at once, or stands still."""

    at: float
    verb: str
    seat: int
    seconds: float = 0.0


@dataclass(frozen=True)
class Script:
    """One run. `liar`: the seat that shows its neighbour another move than the rest, None if all are honest.
    `real`: dealt by mental poker, not with the open deck."""

    seed: int
    seats: int = 2
    cards: int = 24
    transfer: bool = False
    star: bool = False
    liar: int | None = None
    real: bool = False
    faults: Faults = field(default_factory=Faults)
    deeds: tuple[Deed, ...] = ()


def written(seed: int, *, real: bool = False) -> Script:
    """The script of this number."""
    dice = random.Random(f"script {seed}")
    seats = dice.choice((2, 2, 3, 3, 4, 5, 6))
    star = dice.random() < 0.5
    liar = dice.randrange(seats) if seats > 2 and dice.random() < 0.2 else None
    if star and liar is not None:
        liar = 0  # of a star only the hub can show two faces
    rate = dice.choice((0.0, 0.002, 0.01))
    chances = {name: rate * dice.random() for name in ("duplicate", "reorder", "truncate", "flip", "cut")}
    faults = Faults(
        loss=dice.choice((0.0, 0.0, 0.005, 0.02)),
        slow=dice.choice((0.0, 0.01)),
        delay=dice.choice(((0.001, 0.02), (0.01, 0.2))),
        mtu=dice.choice((185, 512, 1_024, 16_384)),
        **chances,
    )
    deeds = tuple(
        Deed(
            round(dice.uniform(0.0, 8.0), 2),
            dice.choice(VERBS),
            dice.randrange(seats),
            round(dice.choice((0.5, 4.0, 20.0)) * dice.random(), 2),
        )
        for _ in range(dice.randrange(5))
    )
    return Script(
        seed,
        seats,
        24 if seats <= 4 else 36,
        dice.random() < 0.5,
        star,
        liar,
        real=real,
        faults=faults,
        deeds=tuple(sorted(deeds)),
    )


def complaint(script: Script) -> str:
    """What is wrong with this run, in words that stay the same while a script shrinks; "" if nothing is."""
    try:
        return Run(script).complaint()
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} raised in {frame.name}"


def shrunk(script: Script, complaint: Callable[[Script], str] = complaint) -> Script:
    """The smallest script found that fails with the same complaint."""
    wrong = complaint(script)
    assert wrong, "nothing is wrong with this script"
    smaller = True
    while smaller:
        smaller = False
        for simpler in _simpler(script):
            if complaint(simpler) == wrong:
                script, smaller = simpler, True
                break
    return script


def code(script: Script) -> str:
    """The script as Python, without what is as usual."""
    return _code(script)


class Run:
    """One script being played."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.world = World(script.seed, script.faults, star=script.star)
        options = options_of(
            seats=script.seats, deck=script.cards, variant="transfer" if script.transfer else "throw-in"
        )
        course = Course(deck) if script.real else OPEN_COURSE
        genesis = genesis_of(options, suite=course.number)
        makers: list[type[GameHolder]] = [GameHolder] * script.seats
        nodes: dict[str, Callable[..., Node]] = {}
        self.faces: dict[bytes, bytes] = {}
        if script.liar is not None:
            fooled = identity_of((script.liar + 1) % script.seats).public
            node, makers[script.liar], self.faces = two_faced(fooled)
            nodes[f"seat_{script.liar}"] = node
        self.stores = [MemoryStore(genesis, seed_of(f"game {seat}")) for seat in range(script.seats)]
        holders = [
            maker(store, random.Random(f"{script.seed} {seat}"), course)
            for seat, (maker, store) in enumerate(zip(makers, self.stores, strict=True))
        ]
        keys = [identity_of(seat) for seat in range(script.seats)]
        self.peers = self.world.sit(genesis, keys, holders, **nodes)
        self.honest: list[Peer] = [peer for peer in self.peers if peer.number != script.liar]

    def complaint(self) -> str:
        for deed in self.script.deeds:
            self.world.after(deed.at, lambda deed=deed: self.befall(deed))  # type: ignore[misc]
        self.world.after(ROUGH_UNTIL, self.world.settle_down)
        last = max((deed.at + deed.seconds for deed in self.script.deeds), default=0.0)
        self.world.run(last + 0.01)
        if not self.world.run(PATIENCE, self.done):
            return "stuck: the peers do not come to one end"
        halted = {peer.log.status is Status.HALTED for peer in self.honest}
        if halted == {True}:
            return self.wrong_halt()
        if len({peer.log.export() for peer in self.honest}) != 1:
            return "the logs differ"
        return self.signed_twice()

    def done(self) -> bool:
        """All honest peers are at the end of the game, or all have halted."""
        if self.honest[0].log.status not in (Status.FINISHED, Status.HALTED):
            return False  # asked after each datagram
        if not all(peer.alive for peer in self.honest):
            return False
        logs = [peer.log for peer in self.honest]
        finished = all(log.status is Status.FINISHED and not log.dues for log in logs)
        return finished or all(log.status is Status.HALTED for log in logs)

    def wrong_halt(self) -> str:
        faults = [peer.log.fault for peer in self.honest]
        blamed = {fault.seat for fault in faults if fault is not None}
        if not self.faces or blamed != {self.script.liar}:
            return "an honest seat is blamed"
        game = self.peers[0].log.game_id
        cases = {fault.case_id(game) for fault in faults if fault is not None}
        return "" if len(cases) == 1 else "the cases differ"

    def signed_twice(self) -> str:
        """An honest seat has one body for each of its dues, however often its process died."""
        for peer in self.honest:
            own = self.stores[peer.number].own
            kept = [record for record in peer.log.records() if record in set(own)]
            if len(set(own)) != len(own) or len(kept) != len(own):
                return "a due was met twice"
        return ""

    def befall(self, deed: Deed) -> None:
        world, peer = self.world, self.peers[deed.seat % self.script.seats]
        others = [other.number for other in self.peers if other is not peer]
        match deed.verb:
            case "crash":
                if peer.alive:
                    peer.crash()
                    world.after(deed.seconds, peer.restart)
            case "part":
                ways = {frozenset((peer.number, other)) for other in others}
                world.apart = world.apart | ways
                world.after(deed.seconds, lambda: world.apart.difference_update(ways))
            case "deaf" | "mute":
                deaf = deed.verb == "deaf"
                pairs = {(other, peer.number) if deaf else (peer.number, other) for other in others}
                world.unheard = world.unheard | pairs
                world.after(deed.seconds, lambda: world.unheard.difference_update(pairs))
            case "cut":
                for wire in [wire for wire in world.wires if wire.owner is peer]:
                    world.drop(wire)
                    if wire.other is not None:
                        world.drop(wire.other)
            case "sleep":
                world.sleep(peer, deed.seconds)
            case _:
                raise ValueError(deed.verb)


def _simpler(script: Script) -> Iterator[Script]:
    """Scripts with less in them, the largest steps first."""
    deeds, faults = script.deeds, script.faults
    if deeds:
        yield replace(script, deeds=())
    if len(deeds) > 3:
        yield replace(script, deeds=deeds[: len(deeds) // 2])
        yield replace(script, deeds=deeds[len(deeds) // 2 :])
    for place in range(len(deeds)):
        yield replace(script, deeds=deeds[:place] + deeds[place + 1 :])
    yield from (replace(script, faults=each) for each in _fewer(faults))
    if script.liar is not None:
        yield replace(script, liar=None)
    for seats in range(2 if script.liar is None else max(3, script.liar + 1), script.seats):
        yield replace(script, seats=seats)
    plain = (
        replace(script, real=False),
        replace(script, transfer=False),
        replace(script, star=False),
        replace(script, cards=24),
    )
    yield from (simpler for simpler in plain if simpler != script)
    for place, deed in enumerate(deeds):
        for easier in _easier(deed):
            yield replace(script, deeds=(*deeds[:place], easier, *deeds[place + 1 :]))


def _fewer(faults: Faults) -> Iterator[Faults]:
    usual = Faults()
    if faults != usual:
        yield usual
    for each in fields(Faults):
        if getattr(faults, each.name) != getattr(usual, each.name):
            yield replace(faults, **{each.name: getattr(usual, each.name)})


def _easier(deed: Deed) -> Iterator[Deed]:
    if deed.seat:
        yield replace(deed, seat=deed.seat - 1)
    if deed.at != round(deed.at):
        yield replace(deed, at=float(round(deed.at)))
    if deed.at > 0.5:
        yield replace(deed, at=round(deed.at / 2, 2))
    if deed.seconds > 1.0:
        yield replace(deed, seconds=float(int(deed.seconds / 2)))


def _code(value: object) -> str:
    if isinstance(value, Script | Faults | Deed):
        usual = {Script: Script(-1), Faults: Faults(), Deed: Deed(-1.0, "", -1)}[type(value)]
        said = [
            f"{each.name}={_code(getattr(value, each.name))}"
            for each in fields(value)
            if getattr(value, each.name) != getattr(usual, each.name)
        ]
        return f"{type(value).__name__}({', '.join(said)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_code, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def _begin() -> None:
    """All seats of a run sit in one process and read the same bytes: each is read, and its signature checked,
    once. These functions know nothing but their arguments.

    What is loaded by now stays, so the collector of garbage need not look at it, nor so often at the rest.
    """
    choose_backend({})
    for module, name in (
        (ledger.entry, "verify"),
        (ledger.log, "read_record"),
        (p2p.talk, "decode_message"),
    ):
        setattr(module, name, lru_cache(maxsize=4_096)(getattr(module, name)))
    gc.freeze()
    gc.set_threshold(50_000)


def _judged(script: Script) -> tuple[Script, str]:
    return script, complaint(script)


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    reader.add_argument("--runs", type=int, default=2_000, help="so many with the open deck")
    reader.add_argument("--real", type=int, default=0, help="and so many dealt by mental poker")
    reader.add_argument("--first", type=int, default=0, help="number of the first script of each kind")
    reader.add_argument("--jobs", type=int, default=2)
    said = reader.parse_args()
    scripts = [written(seed) for seed in range(said.first, said.first + said.runs)]
    scripts += [written(seed, real=True) for seed in range(said.first, said.first + said.real)]
    failed = 0
    with ProcessPoolExecutor(said.jobs, initializer=_begin) as pool:
        for script, wrong in pool.map(_judged, scripts):
            if wrong:
                failed += 1
                print(f"{script.seed}: {wrong}\n  {code(script)}", flush=True)
                if failed <= 3:
                    print(f"  the smallest: {code(shrunk(script))}", flush=True)
    print(f"{said.runs} runs with the open deck, {said.real} by mental poker, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
