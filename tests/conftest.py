"""For every test: profiles for Hypothesis, quick while one works, thorough in `.ci/run`; what goes wrong
where nobody waits, in a task or a callback, fails the test all the same."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # as in a shell's background job; the programs under test would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


class Kept(logging.Handler):
    """What an event loop complained of."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.complaints: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.complaints.append(logging.Formatter().format(record))


@pytest.fixture(autouse=True)
def no_unheard_error() -> Iterator[None]:
    """An error in a task nobody waits for, or in a callback, is told to the log of asyncio alone."""
    kept = Kept()
    log = logging.getLogger("asyncio")
    log.addHandler(kept)
    yield
    log.removeHandler(kept)
    assert not kept.complaints, "\n".join(kept.complaints)
