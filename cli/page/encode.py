"""View, legal actions and events as JSON values for the page (docs/page-protocol.md). Pure.

A view is written field by field, never by reflection: what is not named here does not reach a browser. A view
holds the own hand and public cards only, so that no hidden face of another seat can be in these messages.
Cards are ints 0 … 51, seats and places ints, as in the core; texts are message ids.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, TypeAlias, assert_never

from cli.page.bluff import is_bluff
from cli.texts import harmless
from cli.texts.names import told_apart
from game import actions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from cli.own_games import OwnGames
    from game.actions import Action
    from game.events import Event
    from game.options import Options
    from game.rules import Result
    from game.view import View
    from ledger.engine import Seat

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

OPTION_NAMES = (
    "deck",
    "seats",
    "variant",
    "show_transfer",
    "throwers",
    "lead",
    "first_limit",
    "throw_after_take",
    "next_first",
    "teams",
    "cheating",
    "absent",
    "open_after",
    "series",
    "clock",
)


def view(seen: View, bots: Collection[Seat] = ()) -> dict[str, Json]:
    """The body of a `view` message; `bots`: the seats known to have one."""
    return {
        "options": options(seen.options),
        "names": names(seen.names, bots),
        "me": seen.me,
        "height": seen.height,
        "stage": seen.stage,
        "waiting": [*seen.waiting_for],
        "myTurn": seen.my_turn,
        "trump": seen.trump,
        "talon": seen.talon,
        "discard": [*seen.discard],
        "counts": [*seen.counts],
        "hand": [{"place": held.place, "card": held.card, "public": held.public} for held in seen.hand],
        "known": [[*cards] for cards in seen.known],
        "table": [
            {
                "attack": pair.attack,
                "attacker": pair.attacker,
                "attackHeight": pair.attack_height,
                "beat": pair.beat,
                "beater": pair.beater,
                "beatHeight": pair.beat_height,
            }
            for pair in seen.table
        ],
        "leader": seen.leader,
        "head": seen.head,
        "defender": seen.defender,
        "word": seen.word,
        "taking": seen.taking,
        "passed": [*seen.passed],
        "marked": [*seen.marked],
        "capacity": seen.capacity,
        "out": [*seen.out],
        "result": None if seen.result is None else result(seen.result),
    }


def names(given: Iterable[str], bots: Collection[int] = ()) -> list[Json]:
    """Names fit to be shown: nothing that moves, reorders or hides text, equal ones told apart. `bots`: the
    places in `given` of those known to be bots."""
    shown = (harmless(name, otherwise=f"#{at + 1}", bot=at in bots) for at, name in enumerate(given))
    return [*told_apart(tuple(shown))]


def options(chosen: Options) -> dict[str, Json]:
    """Every option of the table under its own name."""
    return {name: getattr(chosen, name) for name in OPTION_NAMES}


def result(final: Result) -> dict[str, Json]:
    """R29: outcome "durak" or "draw", seats and cards."""
    return {
        "outcome": "draw" if final.outcome else "durak",
        "duraks": [*final.duraks],
        "out": [*final.order_out],
        "pogony": [*final.pogony],
    }


def legal(seen: View) -> dict[str, Json]:
    """The body of a `legal` message: what may be done at this height, each action with its id."""
    offered: list[Json] = [
        action(each) | ({"bluff": True} if is_bluff(seen, each) else {}) for each in seen.legal
    ]
    return {"height": seen.height, "actions": offered}


def action(decided: Action) -> dict[str, Json]:
    """One action: its id, its kind, and what the page needs to put it under the right finger."""
    named: dict[str, Json] = {"id": action_id(decided)}
    match decided:
        case actions.Lead(places, cards):
            return named | {"kind": "lead", "places": [*places], "cards": [*cards]}
        case actions.Beat(attack, place, card):
            return named | {"kind": "beat", "attack": attack, "places": [place], "cards": [card]}
        case actions.Transfer(place, card):
            return named | {"kind": "transfer", "places": [place], "cards": [card]}
        case actions.Show(place, card):
            return named | {"kind": "show", "places": [place], "cards": [card]}
        case actions.Throw(place, card):
            return named | {"kind": "throw", "places": [place], "cards": [card]}
        case actions.Take():
            return named | {"kind": "take"}
        case actions.Pass():
            return named | {"kind": "pass"}
        case actions.Resign():
            return named | {"kind": "resign"}
        case actions.Accuse(height):
            return named | {"kind": "accuse", "height": height}
        case actions.Challenge(height):
            return named | {"kind": "waive" if height is None else "challenge", "height": height}
        case _:
            assert_never(decided)


def action_id(decided: Action) -> str:
    """A short name, unique among the legal actions of one height, the same in every tab."""
    match decided:
        case actions.Lead(places, _):
            return "lead:" + ",".join(str(place) for place in places)
        case actions.Beat(attack, place, _):
            return f"beat:{attack}:{place}"
        case actions.Transfer(place, _):
            return f"transfer:{place}"
        case actions.Show(place, _):
            return f"show:{place}"
        case actions.Throw(place, _):
            return f"throw:{place}"
        case actions.Take():
            return "take"
        case actions.Pass():
            return "pass"
        case actions.Resign():
            return "resign"
        case actions.Accuse(height):
            return f"accuse:{height}"
        case actions.Challenge(height):
            return "waive" if height is None else f"challenge:{height}"
        case _:
            assert_never(decided)


def event(happened: Event) -> dict[str, Json]:
    """One event: its kebab-case name and its own fields, all of them public by the meaning of an event."""
    told: dict[str, Json] = {"event": event_name(type(happened))}
    for field in fields(happened):
        told[field.name] = _value(getattr(happened, field.name))
    return told


def event_name(kind: type) -> str:
    """`BoutTaken` is "bout-taken"."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def own_games(own: OwnGames) -> dict[str, Json]:
    """What the person's games on this device come to, names fit to be shown."""
    companions = own.most_played
    bots = [at for at, each in enumerate(companions, start=1) if each.bot]
    _, *shown = names((own.me, *(each.name for each in companions)), bots)
    return {
        "games": own.games,
        "unfinished": own.unfinished,
        "ended": own.ended,
        "durak": own.durak,
        "draws": own.draws,
        "pogony": own.pogony,
        "pogonyGiven": own.pogony_given,
        "places": [[place, times] for place, times in sorted(own.places.items())],
        "companions": [
            {"name": name, "games": each.games, "won": each.won, "lost": each.lost}
            for name, each in zip(shown, companions, strict=True)
        ],
    }


def parameters(given: dict[str, object]) -> dict[str, Json]:
    """Message parameters; what is neither number nor text is left to its `str`."""
    return {
        name: value if isinstance(value, (bool, int, str)) or value is None else str(value)
        for name, value in given.items()
    }


def _value(value: object) -> Json:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if hasattr(value, "order_out"):
        return result(value)  # type: ignore[arg-type]
    if isinstance(value, tuple):
        return [_value(each) for each in value]
    raise TypeError(f"an event holds {type(value).__name__}; is_dataclass: {is_dataclass(value)}")
