"""Structure-aware fuzzing of every decoder: one promised error, in bounded time and memory."""

from __future__ import annotations

import time
import tracemalloc
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2p.message_codec import decode_message
from p2p.messages import Message
from tests.fuzz.mutation import LARGEST, mutate
from tests.fuzz.targets import TARGETS

SLOWEST = 2.0
"""Seconds of CPU for 70 kB of anything, a whole game among it."""


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_accepted(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    assert len(seeds) >= 2
    assert all(target.run(seed) for seed in seeds)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_changed_bytes_give_the_one_promised_error(name: str, data: st.DataObject) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    number = data.draw(st.integers(0, len(seeds) - 1))
    spare = data.draw(st.integers(0, len(seeds) - 1))
    random = data.draw(st.randoms(use_true_random=False))
    wrong = mutate(seeds[number], random.randrange, spare=seeds[spare])
    began = time.process_time()
    target.run(wrong)
    assert time.process_time() - began < SLOWEST


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(noise=st.binary(max_size=300))
def test_noise_gives_the_one_promised_error(name: str, noise: bytes) -> None:
    TARGETS[name].run(noise)


HUGE = {
    "array of 2^64 - 1": b"\x9b" + b"\xff" * 8,
    "bytes of 2^63": b"\x5b\x7f" + b"\xff" * 7,
    "arrays in arrays": b"\x81" * LARGEST,
    "many small items": b"\x9a\0\1\0\0" + b"\0" * 65_536,
    "indefinite": b"\x9f" * LARGEST,
    "tags in tags": b"\xc2" * LARGEST,
    "maps in maps": b"\xa1\x00" * (LARGEST // 2),
    "nothing": bytes(LARGEST),
}


@pytest.mark.parametrize("bomb", HUGE)
@pytest.mark.parametrize("name", TARGETS)
def test_bombs_cost_little(name: str, bomb: str) -> None:
    target = TARGETS[name]
    target.run(HUGE[bomb])
    tracemalloc.start()
    try:
        target.run(HUGE[bomb])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20


def test_there_is_a_seed_for_every_message() -> None:
    assert {type(decode_message(seed)) for seed in TARGETS["message"].seeds()} == set(get_args(Message))
