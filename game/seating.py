"""Who sits where: next seats, opponents, who may throw in and in which order (R10, R13, R22, R23).

Seats are ints, sets of seats bit sets. `team` gives each seat the number of its team (its own number without
teams).
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1024)
def next_seat(seat: int, seats_in: int, seats: int) -> int:
    """The next seat clockwise that is in; the same seat if no other is."""
    for step in range(1, seats):
        candidate = (seat + step) % seats
        if seats_in >> candidate & 1:
            return candidate
    return seat


@lru_cache(maxsize=1024)
def next_opponent(seat: int, seats_in: int, team: tuple[int, ...]) -> int:
    """R22: the next seat clockwise that is in and of another team."""
    seats = len(team)
    for step in range(1, seats):
        candidate = (seat + step) % seats
        if seats_in >> candidate & 1 and team[candidate] != team[seat]:
            return candidate
    raise ValueError("a bout needs two seats that are not partners")


@lru_cache(maxsize=8192)
def asking_order(
    team: tuple[int, ...], seats_in: int, able: int, head: int, defender: int, *, neighbours: bool
) -> tuple[int, ...]:
    """R10: the defender's opponents that are in, from the head clockwise.

    `neighbours`: only the head and the first seat after the defender that may throw; `able` is the set of
    seats that hold cards now, when the defender is fixed. Without `neighbours` it is not looked at.
    """
    seats = len(team)
    allowed = [
        seat
        for seat in ((head + step) % seats for step in range(seats))
        if seats_in >> seat & 1 and team[seat] != team[defender]
    ]
    if not neighbours:
        return tuple(allowed)
    after = ((defender + step) % seats for step in range(1, seats))
    first = next((seat for seat in after if seat in allowed and able >> seat & 1), head)
    return tuple(seat for seat in allowed if seat in (head, first))


@lru_cache(maxsize=2048)
def line_up(
    team: tuple[int, ...], seats_in: int, leader: int, *, neighbours: bool
) -> tuple[int, tuple[int, ...]]:
    """The defender and the asking order of a bout that begins: every seat that is in holds cards then."""
    defender = next_opponent(leader, seats_in, team)
    return defender, asking_order(team, seats_in, seats_in, leader, defender, neighbours=neighbours)


@lru_cache(maxsize=1024)
def drawing_order(seats: int, leader: int, defender: int) -> tuple[int, ...]:
    """R16: the leader, then clockwise, the defender last; seats that are out included."""
    around = [(leader + step) % seats for step in range(seats)]
    return (*(seat for seat in around if seat != defender), defender)


def teams_of(seats: int, team: tuple[int, ...]) -> int:
    """How many teams a set of seats belongs to."""
    return len({number for seat, number in enumerate(team) if seats >> seat & 1})


def able_seats(hands: tuple[int, ...]) -> int:
    """The set of seats that hold cards."""
    able = 0
    for seat, hand in enumerate(hands):
        if hand:
            able |= 1 << seat
    return able
