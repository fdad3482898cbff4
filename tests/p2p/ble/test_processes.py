"""Separate processes on one emulated radio: real bleak calls, real GATT, virtual controllers."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from tests.radio.processes import Crowd, PeerProcess
from tests.radio.server import RadioServer

pytest.importorskip("bumble")

LENGTH = 65_536


async def mesh(peers: list[PeerProcess]) -> None:
    """Each dials those after it."""
    for one, other in itertools.combinations(peers, 2):
        one.tell("dial", other.name)
    for one, other in itertools.permutations(peers, 2):
        await one.wait_for("up", peer=other.name)


async def exchange(peers: list[PeerProcess], length: int, seconds: float = 60.0) -> None:
    """Each sends so many bytes to each."""
    for one, other in itertools.permutations(peers, 2):
        one.tell("send", other.name, length)
    await asyncio.gather(
        *(one.wait_for_bytes(other.name, length, seconds) for one, other in itertools.permutations(peers, 2))
    )


@pytest.mark.parametrize("count", [2, 3])
async def test_every_process_gets_64_kilobytes_from_each(count: int) -> None:
    async with RadioServer() as radio, Crowd(radio.name, count) as peers:
        await mesh(peers)
        await exchange(peers, LENGTH)
        assert not any(line["what"] in ("down", "quiet", "failed") for peer in peers for line in peer.said)


@pytest.mark.radio
async def test_six_processes_with_fifteen_links() -> None:
    async with RadioServer() as radio, Crowd(radio.name, 6) as peers:
        await mesh(peers)
        await exchange(peers, LENGTH)


@pytest.mark.radio
async def test_of_what_a_paced_radio_carries_85_percent_are_datagrams() -> None:
    """Both directions together: headers, acknowledgements and repeats are the rest. Time is the machine's."""
    async with RadioServer(rate=20_000, interval=0.03) as radio, Crowd(radio.name, 2) as (one, two):
        await mesh([one, two])
        before = radio.air.carried
        one.tell("send", two.name, 100_000)
        await two.wait_for_bytes(one.name, 100_000)
        share = 100_000 / (radio.air.carried - before)
        print(f"{share:.1%} of what the radio carried")
        assert share > 0.85


async def test_a_killed_process_is_missed_at_once_and_comes_back() -> None:
    async with RadioServer() as radio, Crowd(radio.name, 2) as (one, two):
        await mesh([one, two])
        two.kill()
        await one.wait_for("down", peer=two.name, why="link.gone", seconds=5)
        async with Crowd(radio.name, 1) as (again,):
            again.tell("dial", one.name)
            await again.wait_for("up", peer=one.name)
            await one.wait_for("up", peer=again.name)
            await exchange([one, again], 10_000)


@pytest.mark.radio
async def test_a_radio_frozen_for_five_seconds_delivers_everything_afterwards() -> None:
    async with RadioServer(rate=20_000, interval=0.03) as radio, Crowd(radio.name, 2) as (one, two):
        await mesh([one, two])
        one.tell("send", two.name, 30_000)
        await asyncio.sleep(0.5)
        radio.freeze(0, 5)
        await two.wait_for_bytes(one.name, 30_000)
        assert not any(line["what"] == "down" for line in one.said + two.said)


@pytest.mark.radio
async def test_a_radio_frozen_for_twenty_seconds_ends_the_link_and_a_new_one_comes_up() -> None:
    async with RadioServer() as radio, Crowd(radio.name, 2) as (one, two):
        await mesh([one, two])
        radio.freeze(0, 20)
        await two.wait_for("quiet", peer=one.name, seconds=10)
        await two.wait_for("down", peer=one.name, why="link.silent", seconds=15)
        await one.wait_for("down", peer=two.name, why="link.silent", seconds=15)
        await asyncio.sleep(6)
        one.tell("dial", two.name)
        await one.wait_for("up", peer=two.name)
        await two.wait_for("up", peer=one.name)
        await exchange([one, two], 10_000)
