"""The options of a table, top to bottom as in docs/rules.md, and their form in the genesis (DESIGN §2).

Every option stands in the genesis; the defaults below serve people who set a table up, never a replay.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from typing import Final, Literal, TypeAlias, cast

from game.errors import OptionError

RULES_ID: Final = hashlib.sha256(b"durak-rules-1").digest()
"""Names this version of the rules in a genesis; 32 bytes."""

Variant: TypeAlias = Literal["throw-in", "transfer"]
Throwers: TypeAlias = Literal["all", "neighbours"]
LeadSize: TypeAlias = Literal["one", "several"]
NextFirst: TypeAlias = Literal["against-durak", "winner", "lowest-trump"]
Teams: TypeAlias = Literal["off", "2v2", "3v3", "2v2v2"]
Absent: TypeAlias = Literal["void", "durak"]


@dataclass(frozen=True, slots=True)
class Options:
    """One field per row of the table in docs/rules.md, in its order. `first_limit` is 5 or 0 (off); `clock`
    seconds, 0 = off."""

    deck: int = 36
    seats: int = 2
    variant: Variant = "throw-in"
    show_transfer: bool = False
    throwers: Throwers = "all"
    lead: LeadSize = "one"
    first_limit: int = 5
    throw_after_take: bool = True
    next_first: NextFirst = "against-durak"
    teams: Teams = "off"
    cheating: bool = False
    absent: Absent = "void"
    open_after: bool = True
    series: bool = False
    clock: int = 0


LONGEST_CLOCK: Final = 3600

NUMBERS: Final = ("deck", "seats", "clock")
"""Options written as their own number; every other one as the index of its value."""

VALUES: Final[dict[str, tuple[object, ...]]] = {
    "deck": (36, 24, 52),
    "seats": (2, 3, 4, 5, 6),
    "variant": ("throw-in", "transfer"),
    "show_transfer": (False, True),
    "throwers": ("all", "neighbours"),
    "lead": ("one", "several"),
    "first_limit": (5, 0),
    "throw_after_take": (True, False),
    "next_first": ("against-durak", "winner", "lowest-trump"),
    "teams": ("off", "2v2", "3v3", "2v2v2"),
    "cheating": (False, True),
    "absent": ("void", "durak"),
    "open_after": (True, False),
    "series": (False, True),
    "clock": tuple(range(LONGEST_CLOCK + 1)),
}
"""What each option may be, the default first, in genesis order. Screens offer these."""

TEAM_SEATS: Final[dict[Teams, int]] = {"2v2": 4, "3v3": 6, "2v2v2": 6}

PRESETS: Final[dict[str, Options]] = {
    "local": Options(),
    "browser": Options(seats=2, first_limit=0, next_first="winner"),
    "club": Options(first_limit=0, next_first="lowest-trump", series=True),
}


def encode(options: Options) -> tuple[int, ...]:
    """The options as genesis ints, top to bottom."""
    return tuple(
        getattr(options, name) if name in NUMBERS else _index(VALUES[name], getattr(options, name))
        for name in VALUES
    )


def decode(numbers: tuple[int, ...]) -> Options:
    """Read genesis ints. Raises `OptionError` for a wrong count, an unknown value or options that do not go
    together."""
    if len(numbers) != len(VALUES):
        raise OptionError("option.count", Options(), expected=len(VALUES), got=len(numbers))
    chosen: dict[str, object] = {}
    for name, number in zip(VALUES, numbers, strict=True):
        values = VALUES[name]
        legal = range(len(values))
        if type(number) is not int or (number not in values if name in NUMBERS else number not in legal):
            raise OptionError("option.unknown-value", Options(), option=name, value=number)
        chosen[name] = number if name in NUMBERS else values[number]
    options = Options(**chosen)  # type: ignore[arg-type]
    check(options)
    return options


def check(options: Options) -> None:
    """Raise `OptionError` unless a table may have these options. Names the first fault; `nearest` mends all
    of them."""
    fault = _first_fault(options)
    if fault is None:
        return
    reason, mended, params = fault
    while (next_fault := _first_fault(mended)) is not None:
        mended = next_fault[1]
    raise OptionError(reason, mended, **params)


_Fault: TypeAlias = "tuple[str, Options, dict[str, object]]"


def _first_fault(options: Options) -> _Fault | None:
    """The first thing wrong, the options with just that mended, and the message's parameters."""
    for field in fields(options):
        value = getattr(options, field.name)
        if _index(VALUES[field.name], value) < 0:
            mended = replace(options, **{field.name: _nearest_value(field.name, value)})  # type: ignore[arg-type]
            return "option.unknown-value", mended, {"option": field.name, "value": value}
    if 6 * options.seats > options.deck:
        most = options.deck // 6
        return "option.too-many-seats", replace(options, seats=most), {"deck": options.deck, "most": most}
    if options.show_transfer and options.variant != "transfer":
        return "option.show-needs-transfer", replace(options, show_transfer=False), {}
    if options.lead == "several" and options.cheating:
        return "option.several-not-with-cheating", replace(options, lead="one"), {}
    if options.teams != "off":
        seats = TEAM_SEATS[options.teams]
        if options.seats != seats:
            return (
                "option.teams-need-seats",
                replace(options, teams="off"),
                {"teams": options.teams, "seats": seats},
            )
        if options.variant == "transfer":
            return "option.teams-not-with-transfer", replace(options, teams="off"), {}
    return None


def _index(values: tuple[object, ...], value: object) -> int:
    """Where the value stands, −1 if nowhere. True is not 1."""
    for index, known in enumerate(values):
        if type(known) is type(value) and known == value:
            return index
    return -1


def _nearest_value(name: str, value: object) -> object:
    values = VALUES[name]
    if name in NUMBERS and type(value) is int:
        numbers = cast("tuple[int, ...]", values)
        return min(numbers, key=lambda number: (abs(number - value), number))
    return values[0]
