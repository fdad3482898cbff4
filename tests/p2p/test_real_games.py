"""Durak itself over bad links: real rules, open deck, random play, crashes, partitions; one log for all."""

from __future__ import annotations

import random

import pytest

from game.options import Options
from ledger.genesis import Genesis
from ledger.level import Status
from tests.memory_store import MemoryStore
from tests.p2p.game_holder import GameHolder
from tests.simulator import Faults, Peer, World
from tests.tables import genesis_of, identity_of, options_of, seed_of


def seat_all(world: World, options: Options) -> list[Peer]:
    genesis: Genesis = genesis_of(options)
    holders = [
        GameHolder(MemoryStore(genesis, seed_of(f"game {seat}")), random.Random(f"{world.seed} {seat}"))
        for seat in range(options.seats)
    ]
    return world.sit(genesis, [identity_of(seat) for seat in range(options.seats)], holders)


def over(peers: list[Peer]) -> bool:
    return all(p.alive and p.log.status is Status.FINISHED and not p.log.dues for p in peers)


ROUGH = Faults(loss=0.005, truncate=0.002, flip=0.002, reorder=0.002, cut=0.002, slow=0.005, mtu=512)


@pytest.mark.parametrize(
    ("seats", "star", "chosen"),
    [
        (2, False, {"deck": 36}),
        (3, True, {"deck": 36, "variant": "transfer"}),
        (4, False, {"deck": 24}),
        (6, True, {"deck": 36}),
        pytest.param(6, False, {"deck": 52}, marks=pytest.mark.slow),
    ],
    ids=["36×2", "36×3 star, transfer", "24×4 mesh", "36×6 star", "52×6 mesh"],
)
def test_a_game_over_rough_links(seats: int, star: bool, chosen: dict[str, object]) -> None:  # noqa: FBT001
    world = World(seats, ROUGH, star=star)
    peers = seat_all(world, options_of(seats=seats, **chosen))
    assert world.run(1_800.0, lambda: over(peers)), [(p.log.height, p.log.waiting_for) for p in peers]
    assert len({p.log.export() for p in peers}) == 1
    assert all(p.log.fault is None for p in peers)


def test_a_game_with_crashes_and_a_parted_table() -> None:
    world = World(11, Faults(loss=0.002))
    peers = seat_all(world, options_of(seats=3))
    dice = random.Random(11)
    for _ in range(5):
        world.run(dice.uniform(0.05, 0.5))
        victim = dice.choice(peers)
        if victim.alive:
            victim.crash()
            world.after(dice.uniform(0.5, 3.0), victim.restart)
    world.run(5.0)
    world.part([0], [1, 2])
    world.run(30.0)
    world.heal()
    assert world.run(300.0, lambda: over(peers)), [(p.log.height, p.log.waiting_for) for p in peers]
    assert len({p.log.export() for p in peers}) == 1
    assert all(p.log.fault is None for p in peers)
