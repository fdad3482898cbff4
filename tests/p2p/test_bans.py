"""Bans: how long each lasts, and how many are remembered."""

from __future__ import annotations

from p2p.bans import FIRST_BAN, LONGEST_BAN, MOST_BANS, Bans
from tests.ledger.table import identity_of

ONE, OTHER = identity_of(1).public, identity_of(2).public


def test_a_ban_ends_and_the_next_one_lasts_twice_as_long_up_to_an_hour() -> None:
    bans, now, last = Bans(), 10.0, FIRST_BAN
    for _ in range(10):
        bans.ban(ONE, now)
        assert bans.holds(ONE, now + last - 0.1)
        assert not bans.holds(ONE, now + last)
        assert not bans.holds(OTHER, now)
        now, last = now + last, min(2 * last, LONGEST_BAN)
    assert last == LONGEST_BAN


def test_of_too_many_the_oldest_is_forgotten() -> None:
    bans = Bans()
    keys = [identity_of(number).public for number in range(MOST_BANS + 1)]
    for key in keys:
        bans.ban(key, 0.0)
    assert bans.identities == frozenset(keys[1:])
