"""The engine and the reference game side by side: words for actions, and what must agree."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from game import open_table
from game.actions import Accuse, Action, Beat, Challenge, Lead, Pass, Resign, Show, Take, Throw, Transfer
from game.cards import bit_set
from game.position import Phase
from game.rules import dues, result

if TYPE_CHECKING:
    from game.open_table import OpenGame
    from tests.game.reference import ReferenceGame, Word


def word(action: Action) -> Word:
    """An action in the reference game's words: cards without places."""
    match action:
        case Lead(_, cards):
            return ("lead", *cards)
        case Beat(attack, _, card):
            return ("beat", attack, card)
        case Transfer(_, card):
            return ("transfer", card)
        case Show(_, card):
            return ("show", card)
        case Throw(_, card):
            return ("throw", card)
        case Take():
            return ("take",)
        case Pass():
            return ("pass",)
        case Resign():
            return ("resign",)
        case Accuse(height):
            return ("accuse", height)
        case Challenge(height):
            return ("challenge", height)


def assert_same(game: OpenGame, reference: ReferenceGame) -> None:
    """Everything both know must agree: who is asked, what is legal, where every card lies, how it ended."""
    position = game.position
    seats = tuple(seat for seat, _ in dues(position))
    assert list(seats) == reference.asked()
    assert list(game.cards) == [bit_set(tuple(hand)) for hand in reference.hands]
    assert position.setup.deck - position.next_place == len(reference.talon)
    assert position.discard == bit_set(tuple(reference.discard))
    assert [bool(position.marked >> seat & 1) for seat in range(reference.n)] == reference.marked
    assert [bool(position.seats_in >> seat & 1) for seat in range(reference.n)] == reference.is_in
    assert list(position.out) == reference.out
    assert (position.phase is Phase.OVER) == (reference.over is not None)
    if reference.over is not None:
        ended = result(position)
        assert ended is not None
        assert ended.outcome == (0 if reference.duraks else 1)
        assert list(ended.duraks) == reference.duraks
        assert list(ended.pogony) == reference.pogony
        assert position.ending.name.lower().replace("_", " ") == reference.over
        return
    assert position.limit == reference.limit()
    assert position.taking == reference.taking
    assert [laid.card for laid in position.plays] == [play["card"] for play in reference.table]
    assert [laid.height for laid in position.plays] == [play["height"] for play in reference.table]
    assert position.defender == reference.defender
    for seat in range(reference.n):
        offered = [word(action) for action in open_table.legal_of(game, seat)]
        assert len(set(offered)) == len(offered)
        assert set(offered) == reference.legal(seat)


def rounds(game: OpenGame) -> list[tuple[tuple[int, Action], ...]]:
    """Every way to complete the next height."""
    each = [[(seat, action) for action in open_table.legal_of(game, seat)] for seat, _ in dues(game.position)]
    return list(itertools.product(*each)) if each else []


def perft(game: OpenGame, height: int, depth: int) -> int:
    """How many ways there are to complete `depth` heights from here, counted by the engine."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(rounds(game))
    return sum(perft(open_table.play_round(game, met, height), height + 1, depth - 1) for met in rounds(game))


def reference_perft(reference: ReferenceGame, depth: int) -> int:
    """The same number, counted by the reference game."""
    if depth == 0:
        return 1
    seats = reference.asked()
    if not seats:
        return 0
    each = [[(seat, action) for action in sorted(reference.legal(seat), key=str)] for seat in seats]
    return sum(reference_perft(reference.after(dict(met)), depth - 1) for met in itertools.product(*each))
