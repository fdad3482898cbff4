"""Table options as people type them on a command line: `deck=52`, `variant=transfer`, `first_limit=off`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cli.exits import CommandError, Exit
from game.errors import OptionError
from game.options import PRESETS, VALUES, Options, check

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.texts import Texts

SPOKEN = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def read_options(preset: str, assignments: Iterable[str], *, seats: int | None, texts: Texts) -> Options:
    """The options of a preset, then each `NAME=VALUE`, then the seats.

    Raises CommandError (64) with the reason and the nearest legal choice.
    """
    return changed(PRESETS[preset], assignments, seats=seats, texts=texts)


def changed(
    before: Options, assignments: Iterable[str], *, seats: int | None = None, texts: Texts
) -> Options:
    """Other options by `NAME=VALUE`. Raises as `read_options`."""
    chosen: dict[str, object] = {}
    for assignment in assignments:
        name, _, said = assignment.partition("=")
        name = name.strip().replace("-", "_")
        if name not in VALUES:
            raise CommandError(Exit.USAGE, "option.unknown", option=name, names=", ".join(VALUES))
        if not said.strip():
            raise CommandError(Exit.USAGE, "option.no-value", option=name, values=_all_values(name))
        chosen[name] = _value(name, said.strip().lower())
    if seats is not None:
        chosen["seats"] = seats
    options = replace(before, **chosen)  # type: ignore[arg-type]
    try:
        check(options)
    except OptionError as error:
        reason = texts.say(error.reason, **_said(error.params))
        nearest = ", ".join(difference(options, error.nearest))
        raise CommandError(Exit.USAGE, "option.refused", reason=reason, nearest=nearest) from error
    return options


def difference(before: Options, after: Options) -> list[str]:
    """What must be changed to get from one choice to another, as one would type it."""
    return [
        f"{name}={value_text(name, getattr(after, name))}"
        for name in VALUES
        if getattr(before, name) != getattr(after, name)
    ]


def value_text(name: str, value: object) -> str:
    """A value as one would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "off" if value == 0 and name in {"first_limit", "clock"} else str(value)


def _value(name: str, said: str) -> object:
    """The value `said` stands for; unknown ones raise CommandError with all there are."""
    values = VALUES[name]
    for value in values:
        if said == value_text(name, value):
            return value
    if isinstance(values[0], bool) and said in SPOKEN:
        return SPOKEN[said]
    raise CommandError(Exit.USAGE, "option.no-such-value", option=name, value=said, values=_all_values(name))


def _all_values(name: str) -> str:
    """What an option can be, as one would type it."""
    return "0 … 3600" if name == "clock" else ", ".join(value_text(name, value) for value in VALUES[name])


def _said(parameters: dict[str, object]) -> dict[str, object]:
    return {name: str(value) for name, value in parameters.items()}
