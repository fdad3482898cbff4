"""Which action a tap on an own card meant, to ask the rules why it may not be. Decides nothing. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import actions
from game.cards import Card, Place

if TYPE_CHECKING:
    from game.actions import Action
    from game.view import View


def meant(view: View, place: int, attack: int | None) -> Action | None:
    """The play a person means with this card at this table; None if he does not hold it."""
    card = next((held.card for held in view.hand if held.place == place), None)
    if card is None:
        return None
    if not view.table:
        return actions.Lead((Place(place),), (card,))
    unbeaten = [pair.attack for pair in view.table if pair.beat is None]
    if view.defender == view.me and unbeaten and not view.taking:
        target = attack if attack in unbeaten else unbeaten[0]
        return actions.Beat(Card(target), Place(place), card)
    return actions.Throw(Place(place), card)
