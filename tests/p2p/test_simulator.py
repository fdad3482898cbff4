"""Whole tables over bad links: all honest peers end with the same log, whatever the wires do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from ledger.entry import read_record, sign_entry
from ledger.identity import PublicKey, game_key
from ledger.level import Status
from p2p.link import LinkId
from p2p.messages import Entries, Message
from p2p.node import Node
from p2p.outbox import Outbox
from p2p.reasons import Why
from p2p.session import Door
from tests.ledger.table import genesis_of, identity_of, seed_of
from tests.ledger.toy import TURN
from tests.p2p.toy_holder import ToyHolder
from tests.simulator import Faults, Peer, World

ROUGH = Faults(loss=0.01, duplicate=0.005, reorder=0.005, truncate=0.005, flip=0.005, cut=0.005, slow=0.01)
LOSSY = Faults(loss=0.05, delay=(0.01, 0.2))
GOOD = Faults()


def seat_all(world: World, seats: int, *, turns: int = 9, **nodes: Callable[..., Node]) -> list[Peer]:
    genesis = genesis_of(seats, turns=turns)
    keys = [identity_of(seat) for seat in range(seats)]
    return world.sit(genesis, keys, [ToyHolder(genesis, seat) for seat in range(seats)], **nodes)


class UnfairOutbox(Outbox):
    """A hub's: drops three in ten of the entries, sends some twice, some later, and cuts some short."""

    dice = random.Random(0)
    withheld: frozenset[int] = frozenset()
    cuts = 0.0

    def put(self, message: Message) -> None:
        if not isinstance(message, Entries):
            super().put(message)
            return
        records = [r for r in message.records if self.dice.random() > 0.3 and self.fair(r)]
        records += [record for record in records if self.dice.random() < 0.2]
        records = [
            r[: self.dice.randrange(1, len(r))] if self.dice.random() < self.cuts else r for r in records
        ]
        self.dice.shuffle(records)
        if records:
            super().put(Entries(message.game, tuple(records), more=message.more))

    def fair(self, record: bytes) -> bool:
        return read_record(record).seat not in self.withheld


class UnfairHub(Node):
    """Carries for others as it likes."""

    outbox: type[UnfairOutbox] = UnfairOutbox

    def link_up(self, link: LinkId, **how: object) -> None:  # type: ignore[override]
        super().link_up(link, **how)  # type: ignore[arg-type]
        if link in self._talks:
            self._talks[link].outbox = self.outbox()


class WithholdingOutbox(UnfairOutbox):
    withheld = frozenset((2,))


class WithholdingHub(UnfairHub):
    outbox = WithholdingOutbox


class CuttingOutbox(UnfairOutbox):
    cuts = 0.02


class CuttingHub(UnfairHub):
    outbox = CuttingOutbox


def two_faced(liar: int, fooled: set[int]) -> type[Node]:
    """A node that shows the fooled seats other turns of its own than the rest."""
    key, fooled_keys = game_key(seed_of(liar)), {identity_of(seat).public for seat in fooled}

    def other_face(record: bytes) -> bytes:
        entry = read_record(record)
        if entry.seat != liar or entry.kind != TURN:
            return record
        (number,) = entry.payload
        assert type(number) is int
        return sign_entry(key, replace(entry.body, payload=((number + 5) % 10,)))

    class TwoFaced(Node):
        def _send(self, identity: PublicKey, message: Message) -> None:
            if isinstance(message, Entries) and identity in fooled_keys:
                message = replace(message, records=tuple(map(other_face, message.records)))
            super()._send(identity, message)

    return TwoFaced


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
def test_a_mesh_costs_little_more_than_a_star(star: bool) -> None:  # noqa: FBT001
    """Five copies are needed; the rest is frames, heads and names. Passing all on to all would be thirty."""
    world = World(6, star=star)
    peers = seat_all(world, 6, turns=60)
    world.run(2.0, lambda: peers[0].log.height > 2)
    carried, known = world.carried, len(peers[0].log.export())
    assert world.run(10.0, lambda: finished(peers))
    grown = len(peers[0].log.export()) - known
    assert world.carried - carried < (9 if star else 13) * grown


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


@pytest.mark.parametrize("hub", [UnfairHub, CuttingHub])
@pytest.mark.parametrize("star", [True, False], ids=["star", "mesh"])
def test_attack_54_a_hub_that_drops_repeats_shuffles_and_cuts(hub: type[Node], star: bool) -> None:  # noqa: FBT001
    world = World(54, star=star)
    peers = seat_all(world, 4, turns=24, seat_0=hub)
    assert world.run(900.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)
    assert peers[1].log.fault is None


def test_attack_53_a_hub_that_withholds_a_seat_stops_a_star_and_no_mesh() -> None:
    world = World(53)
    peers = seat_all(world, 4, seat_0=WithholdingHub)
    assert world.run(300.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)
    world = World(53, star=True)
    peers = seat_all(world, 4, seat_0=WithholdingHub)
    assert not world.run(120.0, lambda: finished(peers))
    assert [p.log.waiting_for for p in peers[1::2]] == [(2,), (2,)]
    assert all(p.log.fault is None for p in peers)


@pytest.mark.parametrize("star", [True, False], ids=["star", "mesh"])
@pytest.mark.parametrize("seed", range(3))
def test_attack_24_two_faces_halt_every_honest_peer_with_one_case(seed: int, star: bool) -> None:  # noqa: FBT001
    world = World(seed, Faults(loss=0.01), star=star)
    liar = 0 if star else seed % 4
    fooled = {(liar + 1) % 4}
    peers = seat_all(world, 4, turns=60, **{f"seat_{liar}": two_faced(liar, fooled)})

    def halted() -> bool:
        return all(p.log.status is Status.HALTED for p in peers if p.number != liar)

    assert world.run(300.0, halted), [(p.log.height, p.log.status) for p in peers]
    faults = {p.log.fault.case_id(p.log.game_id) for p in peers if p.log.fault and p.number != liar}
    assert len(faults) == 1
    assert {p.log.fault.seat for p in peers if p.log.fault} == {liar}


def test_p2p_36_what_was_said_to_somebody_away_reaches_him_when_he_comes_back() -> None:
    world = World(36)
    peers = seat_all(world, 3, turns=30)
    peers[2].holder.silent = True  # type: ignore[attr-defined]
    world.run(5.0)
    peers[2].crash()
    world.run(30.0)
    peers[2].restart()
    peers[2].holder.silent = False  # type: ignore[attr-defined]
    peers[2].act()
    assert world.run(60.0, lambda: finished(peers)), [p.log.height for p in peers]
    assert same_file(peers)


def test_p2p_38_a_handshake_that_fails_is_tried_ever_more_slowly() -> None:
    world = World(38)
    peers = seat_all(world, 2, seat_1=with_another_code)
    world.run(60.0)
    assert peers[0].log.height == 0
    assert {*peers[0].closed, *peers[1].closed} <= {Why.CODE_WRONG, Why.GONE}
    assert len(peers[0].closed) + len(peers[1].closed) <= 2 * 2 * 9


def with_another_code(**how: object) -> Node:
    return Node(**{**how, "door": Door(b"w" * 32)})  # type: ignore[arg-type]
