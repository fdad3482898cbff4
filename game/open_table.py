"""A fully known game, for bots that imagine one, arenas and tests: the same rules, with every face at hand.

An `OpenGame` is a value: `play` gives the next one. `cards` mirrors `position.hands` as sets of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from game.actions import Action
from game.bout import without
from game.cards import Card, members
from game.moves import legal_actions, moves
from game.options import Options
from game.position import Phase, Position
from game.rules import apply, open_first_bout, settle, start
from game.rules import play as play_action

_REFILL: Final = Phase.REFILL
_new = tuple.__new__


class OpenGame(NamedTuple):
    """`faces[place]` is the card there, −1 where nobody will ever ask; `place_of[card]` the other way
    round."""

    position: Position
    faces: tuple[int, ...]
    place_of: tuple[int, ...]
    cards: tuple[int, ...]


def deal(options: Options, deck: Sequence[Card], leader: int | None = None) -> OpenGame:
    """A game with this shuffled deck, top first. Without `leader` the lowest trump leads, seat 0 if nobody
    has one."""
    position = start(options, deck[-1])
    hands = [deck[6 * seat : 6 * seat + 6] for seat in range(options.seats)]
    if leader is None:
        trumps = [
            (card, seat) for seat, hand in enumerate(hands) for card in hand if card // 13 == deck[-1] // 13
        ]
        leader = min(trumps)[1] if trumps else 0
    return of_position(open_first_bout(position, leader), deck)


def of_position(position: Position, faces: Sequence[int]) -> OpenGame:
    """A game in any position; `faces` must give the card at every place in a hand and in the talon."""
    place_of = [-1] * 52
    for place, card in enumerate(faces):
        if card >= 0:
            place_of[card] = place
    faces = tuple(faces)
    return OpenGame(position, faces, tuple(place_of), tuple(_cards(faces, hand) for hand in position.hands))


def _cards(faces: tuple[int, ...], places: int) -> int:
    cards = 0
    for place in members(places):
        cards |= 1 << faces[place]
    return cards


def hand_of(game: OpenGame, seat: int) -> dict[int, int]:
    """The face of each place this seat holds."""
    return {place: game.faces[place] for place in members(game.position.hands[seat])}


def moves_of(game: OpenGame) -> list[Action]:
    """The card plays, takes and passes of the seat that has the word; neither accusations nor resigning."""
    position = game.position
    return moves(position, game.cards[position.word], game.place_of)


def legal_of(game: OpenGame, seat: int) -> tuple[Action, ...]:
    """Everything legal for this seat."""
    return legal_actions(game.position, seat, hand_of(game, seat))  # type: ignore[arg-type]


def play(game: OpenGame, action: Action, height: int) -> OpenGame:
    """The game after an action of the seat that has the word; a bout that closes is settled at once."""
    position, faces, place_of, cards = game
    after = play_action(position, action, height)
    if after.phase is _REFILL:
        after = settle(after, height)
    hands = position.hands
    if after.hands is not hands:
        if len(after.plays) == len(position.plays) + 1:
            seat = position.word
            place = (after.hands[seat] ^ hands[seat]).bit_length() - 1
            cards = without(cards, seat, 1 << faces[place])
        else:
            cards = _turned_over(cards, faces, hands, after.hands)
    return _new(OpenGame, (after, faces, place_of, cards))


def play_round(game: OpenGame, met: tuple[tuple[int, Action], ...], height: int) -> OpenGame:
    """The game after a whole height: a challenge round, or one action."""
    if game.position.phase is not Phase.CHALLENGE:
        ((_, action),) = met
        return play(game, action, height)
    position, faces, place_of, cards = game
    after = apply(position, met, height)
    if after.phase is _REFILL:
        after = settle(after, height)
    return OpenGame(after, faces, place_of, _turned_over(cards, faces, position.hands, after.hands))


def _turned_over(
    cards: tuple[int, ...], faces: tuple[int, ...], old: tuple[int, ...], new: tuple[int, ...]
) -> tuple[int, ...]:
    """`cards`, after every place that came into or left a hand."""
    held = list(cards)
    for seat, hand in enumerate(new):
        changed = hand ^ old[seat]
        while changed:
            low = changed & -changed
            changed ^= low
            held[seat] ^= 1 << faces[low.bit_length() - 1]
    return tuple(held)
