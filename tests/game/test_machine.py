"""A machine that plays any game action by action, engine and reference game side by side, and shrinks what
differs."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from game import open_table
from game.actions import Resign
from game.cards import deck_cards
from game.errors import OptionError
from game.open_table import deal, legal_of
from game.options import VALUES, Options
from game.options import check as check_options
from game.rules import check, dues
from tests.game.compare import assert_same, word
from tests.game.reference import ReferenceGame
from tests.game.sound import assert_sound


def _legal(options: Options) -> Options:
    try:
        check_options(options)
    except OptionError as refused:
        return refused.nearest
    return options


ANY_OPTIONS = st.builds(Options, **{name: st.sampled_from(values) for name, values in VALUES.items()}).map(
    _legal
)


class AnyGame(RuleBasedStateMachine):
    """Every rule is one height; choices are indices into what is legal."""

    @initialize(options=ANY_OPTIONS, data=st.data())
    def begin(self, options: Options, data: Any) -> None:
        deck = data.draw(st.permutations(deck_cards(options.deck)))
        leader = data.draw(st.integers(0, options.seats - 1))
        self.game = deal(options, deck, leader)
        self.reference = ReferenceGame(options, list(deck), leader, 20)
        self.height = 20

    @precondition(lambda self: bool(dues(self.game.position)))
    @rule(picks=st.lists(st.integers(0, 255), min_size=6, max_size=6))
    def complete_a_height(self, picks: list[int]) -> None:
        met = []
        for (seat, kinds), pick in zip(dues(self.game.position), picks, strict=False):
            legal = legal_of(self.game, seat)
            if pick < 250 and len(legal) > 1:
                legal = tuple(action for action in legal if not isinstance(action, Resign))
            action = legal[pick % len(legal)]
            assert type(action) in kinds
            check(self.game.position, seat, action)
            met.append((int(seat), action))
        self.game = open_table.play_round(self.game, tuple(met), self.height)
        self.reference = self.reference.after({seat: word(action) for seat, action in met})
        self.height += 1

    @precondition(lambda self: not dues(self.game.position))
    @rule()
    def stay_over(self) -> None:
        assert self.reference.over is not None

    @invariant()
    def both_agree(self) -> None:
        if hasattr(self, "game"):
            assert_sound(self.game)
            assert_same(self.game, self.reference)


AnyGame.TestCase.settings = settings(
    max_examples=40, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyGame = AnyGame.TestCase
