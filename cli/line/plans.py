"""What a person said before having the word: an unsigned intent, kept here until the word comes (DESIGN §3,
R10, R28).

A plan decides nothing: it picks, from what the view calls legal, what the person already asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import actions

if TYPE_CHECKING:
    from game.actions import Action
    from game.cards import Card
    from game.view import View


class Plan:
    """Cards to throw in, in their order; a pass that lasts until a new rank lies; resigning. Empty at
    first."""

    def __init__(self) -> None:
        self.cards: list[Card] = []
        self.passing: frozenset[int] | None = None
        self.resigning = False

    def __bool__(self) -> bool:
        return bool(self.cards) or self.passing is not None or self.resigning

    def throw(self, cards: tuple[Card, ...]) -> None:
        """Throw these in too, when the word comes."""
        self.passing = None
        self.cards = [*dict.fromkeys((*self.cards, *cards))]

    def pass_until_new_rank(self, view: View) -> None:
        """Pass as long as only ranks lie that lie now."""
        self.cards = []
        self.passing = ranks_on_table(view)

    def bout_ended(self) -> None:
        """Cards and passes were meant for the bout that is over; resigning was not."""
        self.cards, self.passing = [], None

    def drop(self) -> None:
        """Take everything back."""
        self.cards, self.passing, self.resigning = [], None, False

    def due(self, view: View) -> Action | None:
        """The planned action now that the word is here, None if the person must be asked. What no longer
        fits is dropped."""
        if self.resigning:
            return first(view, actions.Resign)
        while self.cards:
            card = self.cards.pop(0)
            for action in view.legal:
                if isinstance(action, actions.Throw) and action.card == card:
                    return action
        if self.passing is not None and ranks_on_table(view) <= self.passing:
            return first(view, actions.Pass)
        self.passing = None
        return None


def first(view: View, kind: type[Action]) -> Action | None:
    """The first legal action of a kind, if there is one."""
    return next((action for action in view.legal if isinstance(action, kind)), None)


def nothing_fits(view: View) -> bool:
    """Whether passing is all that could be done, resigning aside."""
    kinds = {type(action) for action in view.legal}
    return kinds in ({actions.Pass}, {actions.Pass, actions.Resign})


def ranks_on_table(view: View) -> frozenset[int]:
    """The ranks of all cards that lie (R10)."""
    lying = [pair.attack for pair in view.table] + [pair.beat for pair in view.table if pair.beat is not None]
    return frozenset(card % 13 for card in lying)
