"""Forks in every shape of a table: told early, late and fifty heights back, to one seat or some to each.

Every honest seat ends with the same proof against the same key, the game halts, and nobody honest is named.
"""

from __future__ import annotations

import pytest

from game import kinds
from game.state import Stage
from ledger.engine import Height
from ledger.entry import read_record
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import Recorded, recorded

SEATS = 4
CHEAT = 1
SHAPES = {
    "mesh": [(near, far) for near in range(SEATS) for far in range(near)],
    "star about an honest seat": [(seat, 0) for seat in range(1, SEATS)],
    "star about the cheat": [(seat, CHEAT) for seat in range(SEATS) if seat != CHEAT],
    "chain": [(seat, seat + 1) for seat in range(SEATS - 1)],
}


def game() -> Recorded:
    return recorded("forks", seats=SEATS, deck=36, dice=2)


def table(height: int, shape: str) -> Hall:
    hall = Hall(game(), height, cheats=(CHEAT,), linked=False)
    for near, far in SHAPES[shape]:
        hall.join(near, far)
    hall.settle()
    return hall


def other_body(cheat: Cheat, height: int) -> bytes:
    """Another answer of the cheat to something it answered long ago."""
    honest = next(
        read_record(record)
        for record in game().before(cheat.hall.first)
        if read_record(record).seat == CHEAT and read_record(record).height == height
    )
    kind = kinds.RESIGN if honest.kind in range(kinds.LEAD, kinds.RESIGN) else honest.kind
    payload = () if kind == kinds.RESIGN else (*honest.payload[:-1], bytes(32))
    return cheat.sign(kind, payload, height=Height(height))


def own_heights() -> list[int]:
    """Heights of play at which the cheat has signed."""
    first, last = game().turn(CHEAT, kinds.LEAD), game().at(Stage.RESULT)
    signed = [read_record(record) for record in game().before(last)]
    return [entry.height for entry in signed if entry.seat == CHEAT and entry.height >= first]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("age", ["of the first height", "fifty heights back", "of just before"])
def test_a_second_body_of_the_past_shown_to_one_neighbour_reaches_all(shape: str, age: str) -> None:
    heights = own_heights()
    now = game().at(Stage.RESULT)
    height = {
        "of the first height": 0,
        "fifty heights back": next(height for height in reversed(heights) if height <= now - 50),
        "of just before": heights[-1],
    }[age]
    hall = table(now, shape)
    neighbour = next(near + far - CHEAT for near, far in SHAPES[shape] if CHEAT in (near, far))
    hall.cheat.send(other_body(hall.cheat, height), to=[neighbour])
    hall.pass_time(20)
    hall.halted("F_FORK")


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "star about the cheat"])
def test_one_answer_for_some_and_another_for_the_rest(shape: str) -> None:
    hall = table(game().turn(CHEAT, kinds.LEAD), shape)
    one, two = hall.cheat.sign(*hall.cheat.owed()), hall.cheat.sign(kinds.RESIGN, ())
    near = [sum(pair) - CHEAT for pair in SHAPES[shape] if CHEAT in pair]
    hall.cheat.send(one, to=near[:1])
    hall.cheat.send(two, to=near[1:] or near[:1])
    hall.pass_time(20)
    hall.halted("F_FORK")


def test_a_crooked_hub_keeps_two_stories_apart_until_two_of_the_others_meet() -> None:
    """Nobody can prove what nobody was shown; the first link between two honest seats ends it."""
    hall = table(game().turn(CHEAT, kinds.LEAD), "star about the cheat")
    hall.cheat.silent()
    one, two = hall.cheat.sign(*hall.cheat.owed()), hall.cheat.sign(kinds.RESIGN, ())
    hall.cheat.send(one, to=[0, 2])
    hall.cheat.send(two, to=[3])
    hall.pass_time(20)
    for seat in hall.honest:
        assert hall.log(seat).faults == ()
    hall.join(2, 0)
    hall.join(3, 0)
    hall.pass_time(20)
    hall.halted("F_FORK")
