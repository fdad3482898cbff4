"""What the page may say, as a closed union; every other text raises `BadMessage` and nothing else. Pure.

An intent names the height it was made for: one that comes late, twice or from a second tab meets a later
height and is dropped, so that a double click never plays two cards.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

LONGEST: Final = 2048
"""Characters in one message from the page."""

Standing: TypeAlias = Literal["pass-until-new-rank", "pass-for-me", "waive-for-me", "resign"]
LobbyWish: TypeAlias = Literal["ready", "not-ready", "start", "seat-bot", "sit", "watch"]
LOBBY_WISHES: Final[tuple[LobbyWish, ...]] = ("ready", "not-ready", "start", "seat-bot", "sit", "watch")
STANDINGS: Final[tuple[Standing, ...]] = ("pass-until-new-rank", "pass-for-me", "waive-for-me", "resign")


class BadMessage(ValueError):
    """The text is not a message of this protocol."""


@dataclass(frozen=True, slots=True)
class Act:
    """Do the legal action of this id at this height."""

    height: int
    action: str


@dataclass(frozen=True, slots=True)
class Why:
    """Why may this own card not be played now (onto `attack`, if given)? `ask` comes back with the answer."""

    ask: int
    place: int
    attack: int | None


@dataclass(frozen=True, slots=True)
class Arm:
    """Set or revoke a standing intent."""

    what: Standing
    on: bool


@dataclass(frozen=True, slots=True)
class Queue:
    """Throw this own card in as soon as the word comes, or take that back."""

    place: int
    on: bool


@dataclass(frozen=True, slots=True)
class Rematch:
    """Ready for another game of this table, or not."""

    on: bool


@dataclass(frozen=True, slots=True)
class GoOnWithout:
    """Ask the others to end the game without the seats it waits for (R30), or withdraw that."""

    on: bool


@dataclass(frozen=True, slots=True)
class Admit:
    """Let somebody who asks at our table in, or decline. `guest` is the id the lobby gave him."""

    guest: str
    on: bool


@dataclass(frozen=True, slots=True)
class ShowOut:
    """Take a seat of our table back before the game. `person` is the id the lobby gave him."""

    person: str


@dataclass(frozen=True, slots=True)
class InLobby:
    """Agree to the table, take that back, start the game, seat a bot, ask for a seat or to watch."""

    wish: LobbyWish


@dataclass(frozen=True, slots=True)
class Hint:
    """What would a bot do?"""


Intent: TypeAlias = Act | Why | Arm | Queue | Rematch | GoOnWithout | Admit | ShowOut | InLobby | Hint


def read(text: str) -> Intent:
    """The intent in a text from the page. Raises BadMessage."""
    if len(text) > LONGEST:
        raise BadMessage("too long")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("no JSON") from None
    if not isinstance(value, dict):
        raise BadMessage("no object")
    match value.get("intent"):
        case "act":
            _keys(value, "height", "action")
            return Act(_number(value["height"]), _text(value["action"]))
        case "why":
            _keys(value, "ask", "place", "attack")
            attack = None if value["attack"] is None else _number(value["attack"])
            return Why(_number(value["ask"]), _number(value["place"]), attack)
        case "arm":
            _keys(value, "what", "on")
            if value["what"] not in STANDINGS:
                raise BadMessage("no such standing intent")
            return Arm(cast("Standing", value["what"]), _truth(value["on"]))
        case "queue":
            _keys(value, "place", "on")
            return Queue(_number(value["place"]), _truth(value["on"]))
        case "rematch":
            _keys(value, "on")
            return Rematch(_truth(value["on"]))
        case "go-on-without":
            _keys(value, "on")
            return GoOnWithout(_truth(value["on"]))
        case "admit":
            _keys(value, "guest", "on")
            return Admit(_text(value["guest"]), _truth(value["on"]))
        case "show-out":
            _keys(value, "person")
            return ShowOut(_text(value["person"]))
        case "hint":
            _keys(value)
            return Hint()
        case "lobby":
            _keys(value, "wish")
            if value["wish"] not in LOBBY_WISHES:
                raise BadMessage("no such wish")
            return InLobby(cast("LobbyWish", value["wish"]))
        case _:
            raise BadMessage("no such intent")


def _keys(value: dict[str, object], *names: str) -> None:
    if value.keys() != {"intent", *names}:
        raise BadMessage("wrong keys")


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 1 << 31:
        raise BadMessage("no number")
    return value


def _truth(value: object) -> bool:
    if type(value) is not bool:
        raise BadMessage("no truth value")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 64:
        raise BadMessage("no short text")
    return value
