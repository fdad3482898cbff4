"""How much a peer may ask of us."""

from __future__ import annotations

from p2p.bucket import Bucket


def test_a_burst_then_a_rate() -> None:
    bucket = Bucket(rate=2.0, burst=3.0, now=0.0)
    assert [bucket.take(1, 0.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(1, 0.4)
    assert bucket.take(1, 0.5)
    assert [bucket.take(1, 100.0) for _ in range(4)] == [True, True, True, False]


def test_what_is_too_much_takes_nothing() -> None:
    bucket = Bucket(rate=1.0, burst=10.0, now=0.0)
    assert not bucket.take(11, 0.0)
    assert bucket.take(10, 0.0)


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = Bucket(rate=1.0, burst=1.0, now=100.0)
    assert bucket.take(1, 100.0)
    assert not bucket.take(1, 50.0)
    assert not bucket.take(1, 100.5)
    assert bucket.take(1, 101.0)
