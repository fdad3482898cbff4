"""Waiting before dialling again."""

from __future__ import annotations

from p2p.backoff import LONGEST_PAUSE, Backoff


def test_p2p_23_twice_as_long_each_time_and_from_the_start_once_it_worked() -> None:
    backoff = Backoff()
    assert [backoff.failed(1.0) for _ in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert backoff.failed(0.0) == LONGEST_PAUSE / 2
    backoff.worked()
    assert backoff.failed(0.5) == 0.375
