"""Every test here that names `backend` runs on both; sums and verdicts must not depend on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game.mental_poker import group, sodium
from game.mental_poker.backend import Backend
from game.mental_poker.pure import PURE


@pytest.fixture(params=["pure", "sodium"])
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """The backend in use for one test."""
    chosen = PURE if request.param == "pure" else sodium.find()
    if chosen is None:
        pytest.skip("no libsodium with ristretto255 on this machine")
    before = group.use_backend(chosen)
    yield chosen
    group.use_backend(before)
