"""Standing intents: what a person decided before the word came. Unsigned, visible, revocable. Pure.

- pass until a new rank: passes while the ranks on the table, the defender and "taking" stay the same
- queued throws: laid when the word comes and they fit; what is legal says the view alone
- pass for me: passes when nothing can be thrown in, after a short random wait, so that it does not tell
- waive for me: answers a challenge round with nothing
- resign: said when the word comes (R28)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from game import actions

if TYPE_CHECKING:
    from cli.page.decode import Standing as Name
    from game.actions import Action
    from game.cards import Place
    from game.options import Options
    from game.view import View

Bout: TypeAlias = "tuple[frozenset[int], int | None, bool]"
"""What a pass was decided on: the ranks on the table, the defender, whether he takes."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The intents of one seat. `passing` is the bout as it was when "pass until a new rank" was set."""

    pass_for_me: bool
    waive_for_me: bool = False
    resign: bool = False
    passing: Bout | None = None
    queue: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """An action a standing intent asks for now; `slow`: after a random wait."""

    action: Action
    slow: bool


def at_table(options: Options) -> Standing:
    """What stands at the start: pass for me, but not where any card may be thrown in (R24)."""
    return Standing(pass_for_me=not options.cheating)


def arm(standing: Standing, view: View, name: Name, *, on: bool) -> Standing:
    """Set or revoke one intent."""
    match name:
        case "pass-for-me":
            return replace(standing, pass_for_me=on)
        case "waive-for-me":
            return replace(standing, waive_for_me=on)
        case "resign":
            return replace(standing, resign=on)
        case "pass-until-new-rank":
            armed = on and view.stage == "play" and bool(view.table) and view.defender != view.me
            return replace(standing, passing=bout(view) if armed else None)


def queue(standing: Standing, view: View, place: Place, *, on: bool) -> Standing:
    """Put an own card in the queue, or take it back. Only while a bout of somebody else's defence is on."""
    rest = tuple(each for each in standing.queue if each != place)
    held = any(each.place == place for each in view.hand)
    may = on and held and view.stage == "play" and bool(view.table) and view.defender != view.me
    return replace(standing, queue=(*rest, place) if may else rest)


def after(standing: Standing, view: View) -> Standing:
    """What still stands at this view: a pass ends with what it was decided on, the queue with the bout."""
    passing = standing.passing if standing.passing == bout(view) and view.table else None
    playing = view.stage in {"play", "challenge"} and bool(view.table) and view.defender != view.me
    held = {each.place for each in view.hand}
    waiting = tuple(place for place in standing.queue if place in held) if playing else ()
    resign = standing.resign and view.stage not in {"result", "secrets", "over", "void", "aborted"}
    return replace(standing, passing=passing, queue=waiting, resign=resign)


def wanted(standing: Standing, view: View) -> Wanted | None:
    """The action to take now without asking, None where the person is asked. Always one of the legal ones."""
    if not view.legal:
        return None
    if standing.resign and actions.RESIGN in view.legal:
        return Wanted(actions.RESIGN, slow=False)
    throws = {action.place: action for action in view.legal if isinstance(action, actions.Throw)}
    for place in standing.queue:
        if place in throws:
            return Wanted(throws[place], slow=False)
    if actions.PASS in view.legal:
        if standing.passing is not None:
            return Wanted(actions.PASS, slow=False)
        if standing.pass_for_me and not throws:
            return Wanted(actions.PASS, slow=True)
    if standing.waive_for_me and actions.NO_CHALLENGE in view.legal:
        return Wanted(actions.NO_CHALLENGE, slow=True)
    return None


def bout(view: View) -> Bout:
    """What a pass is decided on."""
    ranks = {pair.attack % 13 for pair in view.table}
    ranks |= {pair.beat % 13 for pair in view.table if pair.beat is not None}
    return frozenset(ranks), view.defender, view.taking
