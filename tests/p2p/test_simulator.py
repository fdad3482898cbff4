"""Whole tables over bad links: all honest peers end with the same log, whatever the wires do."""

from __future__ import annotations

import random

import pytest

from ledger.level import Status
from p2p.reasons import Why
from tests.ledger.table import genesis_of, identity_of
from tests.p2p.toy_holder import ToyHolder
from tests.simulator import Faults, Peer, World

ROUGH = Faults(loss=0.01, duplicate=0.005, reorder=0.005, truncate=0.005, flip=0.005, cut=0.005, slow=0.01)
LOSSY = Faults(loss=0.05, delay=(0.01, 0.2))
GOOD = Faults()


def seat_all(world: World, seats: int, *, turns: int = 9) -> list[Peer]:
    genesis = genesis_of(seats, turns=turns)
    keys = [identity_of(seat) for seat in range(seats)]
    return world.sit(genesis, keys, [ToyHolder(genesis, seat) for seat in range(seats)])


def finished(peers: list[Peer]) -> bool:
    return all(p.alive and p.log.status is Status.FINISHED and not p.log.dues for p in peers)


def same_file(peers: list[Peer]) -> bool:
    return len({p.log.export() for p in peers}) == 1


@pytest.mark.parametrize("star", [True, False], ids=["star", "mesh"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_game_over_good_links_takes_no_repair(seats: int, star: bool) -> None:  # noqa: FBT001
    world = World(seats, star=star)
    peers = seat_all(world, seats)
    assert world.run(10.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)
    assert not any(why is not Why.DUPLICATE for p in peers for why in p.closed)


@pytest.mark.parametrize("star", [True, False], ids=["star", "mesh"])
@pytest.mark.parametrize("seed", range(6))
def test_rough_wires(seed: int, star: bool) -> None:  # noqa: FBT001
    world = World(seed, ROUGH, star=star)
    peers = seat_all(world, 2 + seed % 5)
    assert world.run(900.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)


@pytest.mark.parametrize("seed", range(3))
def test_lossy_wires(seed: int) -> None:
    world = World(100 + seed, LOSSY)
    peers = seat_all(world, 4)
    assert world.run(900.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)


@pytest.mark.parametrize("mtu", [128, 185, 16_384])
def test_small_and_large_datagrams(mtu: int) -> None:
    world = World(mtu, Faults(mtu=mtu, loss=0.002))
    peers = seat_all(world, 3)
    assert world.run(900.0, lambda: finished(peers))
    assert same_file(peers)


@pytest.mark.parametrize("seed", range(4))
def test_a_parted_table_goes_on_when_it_meets_again(seed: int) -> None:
    dice = random.Random(seed)
    world = World(seed)
    peers = seat_all(world, 4, turns=40)
    world.run(1.0, lambda: peers[0].log.height > 10)
    group = dice.sample(range(4), 2)
    world.part(group, [n for n in range(4) if n not in group])
    assert not world.run(60.0, lambda: finished(peers))
    heights = [p.log.height for p in peers]
    assert max(heights) - min(heights) <= 1
    world.heal()
    assert world.run(120.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)


def test_a_partition_is_noticed_by_silence() -> None:
    """p2p 15: a frozen radio looks healthy; only the heartbeat tells."""
    world = World(1)
    peers = seat_all(world, 2, turns=1000)
    world.run(1.0)
    world.part([0], [1])
    world.run(20.0)
    assert Why.SILENT in peers[0].closed
    assert Why.SILENT in peers[1].closed
    assert peers[0].node.peers() == ()


@pytest.mark.parametrize("seed", range(4))
def test_peers_that_crash_and_come_back(seed: int) -> None:
    dice = random.Random(seed)
    world = World(seed, Faults(loss=0.005))
    peers = seat_all(world, 4, turns=60)
    for _ in range(8):
        world.run(dice.uniform(0.2, 3.0))
        victim = dice.choice(peers)
        if victim.alive:
            victim.crash()
            world.after(dice.uniform(0.1, 5.0), victim.restart)
        elif victim.number == 0:
            world.run(6.0)
    assert world.run(300.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)
    assert peers[0].log.fault is None


def test_the_host_of_a_star_comes_back() -> None:
    world = World(5, star=True)
    peers = seat_all(world, 3, turns=200)
    world.run(0.5)
    peers[0].crash()
    world.run(20.0)
    before = [p.log.height for p in peers]
    world.run(5.0)
    assert [p.log.height for p in peers[1:]] == before[1:]
    peers[0].restart()
    assert world.run(120.0, lambda: finished(peers))
    assert same_file(peers)


def test_the_same_seed_is_the_same_run() -> None:
    def run() -> tuple[int, float, list[bytes]]:
        world = World(42, ROUGH)
        peers = seat_all(world, 3)
        world.run(900.0, lambda: finished(peers))
        return world.datagrams, world.now, [p.log.export() for p in peers]

    assert run() == run()


def test_after_the_game_the_table_is_quiet() -> None:
    world = World(7)
    peers = seat_all(world, 4)
    assert world.run(30.0, lambda: finished(peers))
    world.run(10.0)
    before = world.datagrams
    world.run(60.0)
    # Six links, both ways: a heartbeat every two seconds and heads every thirty.
    assert world.datagrams - before <= 12 * (60 / 2 + 60 / 30 + 2)
