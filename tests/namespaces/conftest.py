"""A room of its own for each test; where there can be none the tests say why they are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.namespaces.rooms import Room, why_not


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    opened = Room(tmp_path)
    try:
        yield opened
    finally:
        opened.close()
