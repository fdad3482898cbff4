"""What must hold in every position of every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.cards import bit_set, members
from game.position import Phase
from game.rules import dues

if TYPE_CHECKING:
    from game.open_table import OpenGame


def assert_sound(game: OpenGame) -> None:
    """Cards are conserved, limits kept, and somebody is due or the game is over."""
    position = game.position
    setup = position.setup
    table = [laid.place for laid in position.plays]
    places = [
        *table,
        *range(position.next_place, setup.deck),
        *(p for hand in position.hands for p in members(hand)),
    ]
    assert len(places) == len(set(places))
    gone = {game.faces[place] for place in set(range(setup.deck)) - set(places)}
    assert bit_set(tuple(gone)) == position.discard
    attacks = [laid for laid in position.plays if laid.on < 0]
    beaten = [laid.on for laid in position.plays if laid.on >= 0]
    assert len(attacks) == position.attacks <= position.limit
    assert position.unbeaten == bit_set(tuple(laid.card for laid in attacks if laid.card not in beaten))
    assert position.ranks == bit_set(tuple(laid.card % 13 for laid in position.plays))
    if position.plays and position.phase is not Phase.OVER:
        assert position.unbeaten.bit_count() <= position.hands[position.defender].bit_count()
    for place in range(setup.deck):
        face = position.faces >> 6 * place & 63
        assert face in (0, game.faces[place] + 1), "no face is ever wrong"
    public = {(position.faces >> 6 * place & 63) - 1 for place in range(setup.deck)} - {-1}
    assert position.seen == bit_set(tuple(public))
    assert position.discard & ~position.seen == 0
    assert (position.phase is Phase.OVER) != bool(dues(position))
    assert list(game.cards) == [
        bit_set(tuple(game.faces[p] for p in members(hand))) for hand in position.hands
    ]
