"""The attacks run on libsodium where this machine has it; what is marked `pure` on plain Python.

Whatever an attack asserts itself: after it no honest seat of its tables is named anywhere, and no secret of
one has left its device.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game.mental_poker import group, sodium
from game.mental_poker.pure import PURE
from tests.attacks.hall import Hall


@pytest.fixture(autouse=True)
def fastest_backend() -> Iterator[None]:
    before = group.use_backend(sodium.find() or PURE)
    yield
    group.use_backend(before)


@pytest.fixture
def pure_backend(fastest_backend: None) -> None:
    """For one test: plain Python."""
    group.use_backend(PURE)


@pytest.fixture(autouse=True)
def honest_seats_are_safe(fastest_backend: None) -> Iterator[None]:
    Hall.of_this_test.clear()
    yield
    for hall in Hall.of_this_test:
        hall.nobody_honest_is_named()
        hall.secrets_stay()
    Hall.of_this_test.clear()
