"""Options that contradict each other, or that do nothing without another, are said and not passed over.

What was typed decides, not what it comes to: an option with its usual value is meant too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cli.exits import CommandError, Exit

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

NOT_TOGETHER: Final = (
    ("--text", "--page"),
    ("--porcelain", "--page"),
    ("--bot", "--page"),
    ("--bot", "--ask-all"),
    ("--porcelain", "--ask-all"),
    ("--all", "--auto"),
    ("--all", "--json"),
    ("--all", "--html"),
    ("--auto", "--json"),
    ("--auto", "--html"),
    ("--json", "--html"),
)
"""One of them shuts the other out, in whatever command has both."""
RADIO: Final = ("--ble", "--ble-adapter", "--ble-hci")
NEEDS: Final = (
    ("--guest-port", ("--guests",), ("host",)),
    ("--guest-folder", ("--guests",), ("host",)),
    ("--guest-folder", ("--guest-bundle",), ("doctor",)),
    ("--max-links", RADIO, ()),
    ("--export", ("--porcelain",), ("host", "join", "watch")),
    ("--games", ("--bot", "--porcelain"), ("host", "join", "watch")),
    ("--pace", ("--auto",), ()),
)
"""An option, those of which it needs one, and the commands this is about; () for all that have it."""


def refuse_contradictions(arguments: argparse.Namespace, words: Sequence[str]) -> None:
    """Raise CommandError (64) that says what contradicts what, and what to do.

    `words`: the command line that `arguments` were read from.
    """
    typed = typed_options(words)
    command = arguments.command
    radio = typed & {*RADIO} or any(word.startswith("ble:") for word in getattr(arguments, "where", ()))
    for one, other in NOT_TOGETHER:
        if {one, other} <= typed:
            raise CommandError(Exit.USAGE, "usage.not-together", one=one, other=other)
    if command == "watch" and "--bot" in typed:
        raise CommandError(Exit.USAGE, "usage.watch-bot")
    if "--no-lan" in typed and not radio:
        raise CommandError(Exit.USAGE, "usage.no-way")
    for option, needed, commands in NEEDS:
        met = radio if needed is RADIO else typed & {*needed}
        if option in typed and not met and (not commands or command in commands):
            raise CommandError(Exit.USAGE, "usage.needs", option=option, needed=needed[0])
    if getattr(arguments, "games", 1) < 1:
        raise CommandError(Exit.USAGE, "usage.games")
    if command in {"play", "host"}:
        _refuse_two_counts(arguments)
    if command == "games":
        _refuse_other_errands(arguments, typed)
    if command == "rules" and arguments.file:
        for option in ("--preset", "--option"):
            if option in typed:
                raise CommandError(Exit.USAGE, "usage.rules-of-log", option=option)


def typed_options(words: Sequence[str]) -> frozenset[str]:
    """The long options in a command line; what stands behind "--" is none."""
    end = words.index("--") if "--" in words else len(words)
    return frozenset(word.partition("=")[0] for word in words[:end] if word.startswith("--"))


def _refuse_two_counts(arguments: argparse.Namespace) -> None:
    """The number of seats said twice, each time another one."""
    said: dict[str, int] = {}
    for assignment in arguments.option:
        name, _, value = assignment.partition("=")
        if name.strip() == "seats" and value.strip().isascii() and value.strip().isdigit():
            said[f"--option {assignment}"] = int(value)
    if getattr(arguments, "seats", None) is not None:
        said[f"--seats {arguments.seats}"] = arguments.seats
    if arguments.command == "play" and arguments.bots is not None:
        said[f"--bots {arguments.bots}"] = arguments.bots + 1
    first = next(iter(said), "")
    for other, seats in said.items():
        if seats != said[first]:
            raise CommandError(
                Exit.USAGE, "usage.seats", one=first, seats=said[first], other=other, others=seats
            )


def _refuse_other_errands(arguments: argparse.Namespace, typed: frozenset[str]) -> None:
    """`durak games` does four things, and each option belongs to one."""
    errands = {"--out": "export", "--yes": "delete", "--page": "resume", "--text": "resume"}
    for option, errand in errands.items():
        if option in typed and arguments.what != errand:
            raise CommandError(Exit.USAGE, "usage.other-errand", option=option, errand=errand)
    if arguments.what == "list" and arguments.game:
        raise CommandError(Exit.USAGE, "usage.list-one", game=ascii(arguments.game)[1:-1])
