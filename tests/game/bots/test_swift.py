"""The fast playout is the rules: both are walked side by side, every question, choice and ending compared."""

from __future__ import annotations

import random

import pytest

from game import open_table
from game.actions import PASS, TAKE, Action, Beat, Lead, Show, Throw, Transfer
from game.bots.swift import Habit, Table, habits_of, standing_of, stock_of
from game.bots.worth import Worth, worth_of
from game.cards import bit_set, deck_cards, members
from game.open_table import OpenGame, legal_of, moves_of
from game.options import Options
from game.position import Phase
from game.rules import check, over, result


class Shadow:
    """A game by the real rules that follows what the habits choose and checks what they are asked."""

    def __init__(self, game: OpenGame, dice: random.Random) -> None:
        self.game = game
        self.dice = dice
        self.worth: Worth = worth_of(game.position.setup)
        self.asked = 0
        self.declined = False

    def do(self, action: Action) -> None:
        check(self.game.position, self.game.position.word, action)
        game = open_table.play(self.game, action, 20)
        # R19 is left out of imagined games: they are cut off after a number of bouts.
        self.game = game._replace(position=game.position._replace(memory=()))

    def catch_up(self) -> None:
        """What is not asked because there is nothing to choose: a take or a pass."""
        while not over(self.game.position):
            position = self.game.position
            found = moves_of(self.game)
            if position.phase is Phase.DEFEND:
                hardest = max(self.worth.bit[card] for card in members(position.unbeaten))
                beats = any(
                    isinstance(move, Beat) and self.worth.bit[move.attack] == hardest for move in found
                )
                others = any(isinstance(move, Transfer | Show) for move in found)
                if beats or (others and not self.declined):
                    return
                self.declined = False
                self.do(TAKE)
            elif found == [PASS]:
                self.do(PASS)
            else:
                return

    def cards(self, bits: int) -> set[int]:
        return {self.worth.card[1 << bit] for bit in members(bits)}

    def place(self, bit: int) -> tuple[int, int]:
        card = self.worth.card[bit]
        return self.game.place_of[card], card

    def expect(self, seat: int, *phases: Phase) -> list[Action]:
        self.asked += 1
        self.catch_up()
        position = self.game.position
        assert position.word == seat
        assert position.phase in phases
        return moves_of(self.game)

    def pick(self, bits: int, *extra: int) -> int:
        return self.dice.choice([*(1 << bit for bit in members(bits)), *extra])

    def talk(self, seat: int, hand: int, left: int) -> None:
        position = self.game.position
        assert self.worth.bits(self.game.cards[seat]) == hand
        assert left == position.setup.deck - position.next_place

    def habit(self, seat: int) -> Habit:
        def lead(hand: int, left: int, foe: int) -> int:
            found = self.expect(seat, Phase.LEAD)
            self.talk(seat, hand, left)
            alone = {move.cards[0] for move in found if isinstance(move, Lead) and len(move.cards) == 1}
            assert alone == self.cards(hand)
            most = max(len(move.cards) for move in found if isinstance(move, Lead))
            if self.game.position.setup.several:
                assert most <= foe
            move = self.dice.choice(found)
            assert isinstance(move, Lead)
            self.do(move)
            return self.worth.bits(bit_set(move.cards))

        def beat(fits: int, attack: int, hand: int, ranks: int, left: int) -> int:
            found = self.expect(seat, Phase.DEFEND)
            self.declined = False
            self.talk(seat, hand, left)
            legal = {
                move.card
                for move in found
                if isinstance(move, Beat) and self.worth.bit[move.attack] == attack
            }
            assert legal == self.cards(fits)
            assert self.cards(ranks) & set(deck_cards(self.game.position.setup.deck)) == {
                card
                for card in deck_cards(self.game.position.setup.deck)
                if self.game.position.ranks >> card % 13 & 1
            }
            # Taking must stay rare, or random games never end.
            card = self.pick(fits) if self.dice.random() < 0.9 else 0
            self.do(
                Beat(self.worth.card[attack], *self.place(card))  # type: ignore[arg-type]
                if card
                else TAKE
            )
            return card

        def throw(fits: int, hand: int, left: int, foe: int, taking: bool) -> int:  # noqa: FBT001
            found = self.expect(seat, Phase.GIVE if taking else Phase.THROW)
            self.talk(seat, hand, left)
            assert {move.card for move in found if isinstance(move, Throw)} == self.cards(fits)
            position = self.game.position
            assert foe == position.hands[position.defender].bit_count()
            card = self.pick(fits, 0)
            self.do(Throw(*self.place(card)) if card else PASS)  # type: ignore[arg-type]
            return card

        def hand_on(fits: int, shown: int, unbeaten: int, hand: int, left: int) -> int:
            found = self.expect(seat, Phase.DEFEND)
            self.talk(seat, hand, left)
            assert self.cards(unbeaten) == set(members(self.game.position.unbeaten))
            assert {move.card for move in found if isinstance(move, Transfer)} == self.cards(fits)
            assert {move.card for move in found if isinstance(move, Show)} == self.cards(shown)
            card = self.pick(fits, 0, *([-1] if shown else []))
            if card:
                place, face = self.place(shown if card < 0 else card)
                kind = Show if card < 0 else Transfer
                self.do(kind(place, face))  # type: ignore[arg-type]
            self.declined = not card
            return card

        return Habit(lead, beat, throw, hand_on)


TABLES = (
    Options(),
    Options(deck=24, throw_after_take=False),
    Options(deck=52, first_limit=0),
    Options(seats=3, throwers="neighbours"),
    Options(seats=4, deck=24),
    Options(seats=5, lead="several"),
    Options(seats=6, deck=52, throwers="neighbours", lead="several"),
    Options(variant="transfer"),
    Options(variant="transfer", show_transfer=True, seats=3),
    Options(variant="transfer", show_transfer=True, seats=4, lead="several", throwers="neighbours"),
    Options(seats=4, teams="2v2"),
    Options(seats=6, teams="3v3", lead="several"),
    Options(seats=6, teams="2v2v2", deck=52, throwers="neighbours"),
)


def walk(options: Options, seed: int) -> int:
    """One random game both ways, from the deal or from some way into it. How many questions were asked."""
    dice = random.Random(seed)
    deck = list(deck_cards(options.deck))
    dice.shuffle(deck)
    game = open_table.deal(options, deck)
    for _ in range(dice.randrange(40) if seed % 2 else 0):
        after = open_table.play(game, dice.choice(moves_of(game)), 20)
        if over(after.position):
            break
        game = after
    shadow = Shadow(game, dice)
    position = game.position
    table = Table(position, shadow.worth)
    duraks = table.play_on(
        standing_of(position, shadow.worth),
        [shadow.worth.bits(cards) for cards in game.cards],
        stock_of(shadow.worth.bit[card] for card in deck[position.next_place :]),
        habits_of(shadow.habit(seat) for seat in range(options.seats)),
    )
    shadow.catch_up()
    outcome = result(shadow.game.position)
    if outcome is None:
        # Cut off as endless: a draw by count.
        assert duraks == 0
        assert shadow.asked > 80
    else:
        assert bit_set(outcome.duraks) == duraks
    assert legal_of(game, position.word)
    return shadow.asked


@pytest.mark.parametrize("options", TABLES, ids=range(len(TABLES)))
def test_every_question_and_ending_is_that_of_the_rules(options: Options) -> None:
    assert sum(walk(options, seed) for seed in range(60)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("options", TABLES, ids=range(len(TABLES)))
def test_the_same_over_many_more_games(options: Options) -> None:
    for seed in range(1000, 6000):
        walk(options, seed)
