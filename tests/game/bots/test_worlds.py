"""Imagined worlds: consistent with everything public, hints followed softly, no look at hidden cards."""

from __future__ import annotations

import random

import pytest

from game import open_table
from game.bots import START, Memory, Turn, remember
from game.bots.worlds import Worlds
from game.bots.worth import worth_of
from game.cards import Card, Place, deck_cards, members
from game.open_table import OpenGame, hand_of, legal_of, moves_of
from game.options import Options
from game.rules import over


def positions(options: Options, seed: int) -> list[tuple[OpenGame, Memory]]:
    """Positions of a random game, one in seven."""
    dice = random.Random(seed)
    deck = list(deck_cards(options.deck))
    dice.shuffle(deck)
    game, memory, found = open_table.deal(options, deck), START, []
    while not over(game.position):
        if dice.random() < 1 / 7:
            found.append((game, memory))
        move = dice.choice(moves_of(game))
        memory = remember(memory, game.position, ((game.position.word, move),))
        game = open_table.play(game, move, 20)
    return found


def turn_at(game: OpenGame, memory: Memory) -> Turn:
    seat = game.position.word
    hand = {Place(place): Card(card) for place, card in hand_of(game, seat).items()}
    return Turn(game.position, seat, hand, legal_of(game, seat), memory)


@pytest.mark.parametrize(
    "options", [Options(), Options(seats=4), Options(deck=24, seats=4), Options(seats=3, deck=52)]
)
def test_r33_worlds_agree_with_everything_public(options: Options) -> None:
    tried = 0
    for seed in range(12):
        for game, memory in positions(options, seed):
            position = game.position
            turn = turn_at(game, memory)
            worth = worth_of(position.setup)
            worlds = Worlds(turn, worth, random.Random(seed).getrandbits)
            for _ in range(4):
                world = worlds.imagine()
                for place, card in turn.hand.items():
                    assert world[place] == worth.bit[card]
                for number in range(position.setup.deck):
                    if position.faces >> 6 * number & 63:
                        assert world[number] == worth.bit[(position.faces >> 6 * number & 63) - 1]
                assert sorted(world) == sorted(worth.bit[card] for card in deck_cards(options.deck))
                tried += 1
    assert tried > 20


def test_r33_never_another_hand_never_the_deck() -> None:
    """Swap all hidden cards of a game: the same question, so the same worlds from the same dice."""
    for seed in range(10):
        for game, memory in positions(Options(seats=3), seed):
            turn = turn_at(game, memory)
            position = game.position
            hidden = [
                place
                for place in range(36)
                if not position.faces >> 6 * place & 63 and place not in turn.hand
            ]
            faces = list(game.faces)
            for here, there in zip(hidden, [*hidden[1:], *hidden[:1]], strict=True):
                faces[here] = game.faces[there]
            swapped = turn_at(open_table.of_position(position, faces), memory)
            assert swapped == turn


def test_unlikely_cards_are_rare_but_not_ruled_out() -> None:
    game, _ = positions(Options(), 3)[0]
    turn = turn_at(game, START)
    position = game.position
    place = next(
        place for place in members(position.hands[1 - turn.seat]) if not position.faces >> 6 * place & 63
    )
    worth = worth_of(position.setup)
    plain = sum(
        1 << card for card in deck_cards(36) if card % 13 < 10 and card // 13 != position.setup.trump_suit
    )
    doubts = Memory(tuple(plain if other == place else 0 for other in range(36)))

    def share(memory: Memory) -> int:
        worlds = Worlds(turn_at(game, memory), worth, random.Random(1).getrandbits)
        return sum(bool(worlds.imagine()[place] & worth.bits(plain)) for _ in range(1000))

    assert share(START) > 350
    assert 10 < share(doubts) < 250


def test_dice_decide_the_worlds() -> None:
    game, memory = positions(Options(), 5)[0]
    turn = turn_at(game, memory)
    worth = worth_of(game.position.setup)
    one, other = (Worlds(turn, worth, random.Random(seed).getrandbits) for seed in (1, 2))
    assert [one.imagine() for _ in range(3)] != [other.imagine() for _ in range(3)]
