"""The attacks run on libsodium where this machine has it; what is marked `pure` on plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game.mental_poker import group, sodium
from game.mental_poker.pure import PURE


@pytest.fixture(autouse=True)
def fastest_backend() -> Iterator[None]:
    before = group.use_backend(sodium.find() or PURE)
    yield
    group.use_backend(before)


@pytest.fixture
def pure_backend(fastest_backend: None) -> None:
    """For one test: plain Python."""
    group.use_backend(PURE)
