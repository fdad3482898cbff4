"""What a table may cost on a real radio, in virtual time: real proofs, nodes and links."""

from __future__ import annotations

import os
import random
from functools import partial

import pytest

from cli.engine import choose_backend
from cli.game_peer import GamePeer
from game.actions import RESIGN
from game.bots import Memory
from game.course import Course
from game.kinds import LEAD
from game.mental_poker import deck
from ledger.level import Status
from tests.memory_store import MemoryStore
from tests.p2p.ble.room import Room
from tests.p2p.test_real_games import GameHolder
from tests.simulator import Peer
from tests.tables import genesis_of, identity_of, options_of, seed_of


class Seated(GameHolder):
    """A seat with real cards. `made` has when each of its own records was made."""

    def __init__(self, store: MemoryStore, dice: random.Random, *, play: bool = True) -> None:
        self.store = store
        self.dice = dice
        self.play = play
        self.game = GamePeer(store, Course(deck))

    def advance(self) -> list[bytes]:
        made: list[bytes] = []
        while True:
            made += self.game.advance()
            turn = self.game.turn(Memory(())) if self.play else None
            if turn is None:
                return made
            made.append(self.game.decide(self.dice.choice([a for a in turn.legal if a != RESIGN])))

    def restarted(self) -> Seated:
        return Seated(self.store, self.dice, play=self.play)


def sit(room: Room, seats: int, *, play: bool) -> list[Peer]:
    choose_backend(os.environ)
    genesis = genesis_of(options_of(seats=seats, deck=36), suite=1)
    holders = [
        Seated(MemoryStore(genesis, seed_of(f"game {seat}")), random.Random(f"{room.seed} {seat}"), play=play)
        for seat in range(seats)
    ]
    return room.sit(genesis, [identity_of(seat) for seat in range(seats)], holders)


def ready(peers: list[Peer]) -> bool:
    """Everybody sees the first lead due."""
    return all(any(LEAD in due.kinds for due in peer.log.dues) for peer in peers)


def everybody_is_at(peers: list[Peer], height: int) -> bool:
    return all(peer.log.height >= height or not peer.log.dues for peer in peers)


@pytest.mark.parametrize(
    ("seats", "star", "rate", "seconds"),
    [
        (2, True, 20_000, 5),
        (3, True, 20_000, 8),
        (6, True, 20_000, 30),
        pytest.param(6, True, 10_000, 60, marks=pytest.mark.radio),
        pytest.param(6, True, 5_000, 120, marks=pytest.mark.radio),
        pytest.param(6, False, 20_000, 30, marks=pytest.mark.radio),
    ],
)
def test_setting_up_a_table(seats: int, star: bool, rate: int, seconds: int) -> None:  # noqa: FBT001
    room = Room(1, star=star, rate=rate)
    peers = sit(room, seats, play=False)
    assert room.run(60, lambda: all(peer.node.peers() for peer in peers))
    began = room.now
    assert room.run(4 * seconds, lambda: ready(peers)), [peer.log.height for peer in peers]
    took = room.now - began
    print(f"{seats} seats, star {star}, {rate} B/s: {took:.1f} s, {room.air} bytes of air")
    assert took <= seconds


@pytest.mark.parametrize("seats", [2, pytest.param(6, marks=pytest.mark.radio)])
def test_a_move_is_on_every_screen_within_a_second(seats: int) -> None:
    """From one complete height to the next on all devices, for 95 of 100 heights of play."""
    room = Room(2, star=True)
    peers = sit(room, seats, play=True)
    assert room.run(120, lambda: any(any(LEAD in due.kinds for due in peer.log.dues) for peer in peers))
    times: list[float] = []
    height = min(peer.log.height for peer in peers)
    while not all(peer.log.status is Status.FINISHED for peer in peers) and len(times) < 60:
        began = room.now
        height += 1
        assert room.run(30, partial(everybody_is_at, peers, height))
        times.append(room.now - began)
    slow = sorted(times)[int(len(times) * 0.95) - 1]
    middle = sorted(times)[len(times) // 2]
    print(f"{seats} seats: median {middle:.3f} s, p95 {slow:.3f} s of {len(times)} heights")
    assert slow <= 1.0


def test_coming_back_and_catching_up_takes_less_than_five_seconds() -> None:
    """A device that has nothing of the game, and only watches from now on."""
    room = Room(3, star=True)
    peers = sit(room, 3, play=True)
    assert room.run(200, lambda: all(len(peer.log.records()) > 30 for peer in peers))
    anna, watcher = peers[0], peers[2]
    records = anna.log.records()
    fresh = MemoryStore(anna.holder.store.genesis, None)  # type: ignore[attr-defined]
    watcher.crash()
    watcher.holder = Seated(fresh, random.Random(1), play=False)
    room.run(1.0)
    watcher.alive = True
    watcher.start()
    assert room.run(60, lambda: bool(watcher.node.peers()))
    began = room.now
    assert room.run(60, lambda: len(watcher.log.records()) >= len(records))
    print(f"{sum(map(len, records))} bytes in {room.now - began:.2f} s")
    assert sum(map(len, records)) > 15_000
    assert room.now - began <= 5.0
