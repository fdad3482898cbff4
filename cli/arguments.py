"""The command line: which commands there are and what each takes. Every text comes from the catalogue."""

from __future__ import annotations

import argparse
import difflib
from typing import TYPE_CHECKING, NoReturn

from cli.exits import CommandError, Exit
from game.options import PRESETS, VALUES
from p2p.address import DEFAULT_PORT

if TYPE_CHECKING:
    from cli.texts import Texts

LEVELS = ("easy", "normal", "hard")


class _Parser(argparse.ArgumentParser):
    """Ends with 64 and one sentence instead of argparse's own exit 2."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(Exit.USAGE, "usage.wrong", problem=message, usage=self.format_usage().strip())

    def _check_value(self, action: argparse.Action, value: str) -> None:
        """As `argparse` does, but a command there is not is named with the nearest there is."""
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            near = difflib.get_close_matches(value, action.choices, n=1)
            message = "usage.no-command-near" if near else "usage.no-command"
            raise CommandError(Exit.USAGE, message, word=ascii(value)[1:-1], near="".join(near))
        super()._check_value(action, value)


def parser(texts: Texts, version: str) -> argparse.ArgumentParser:
    """The parser; `command` in its result is "" when none was given."""
    top = _Parser(prog="durak", description=texts.say("command.durak"), allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"durak {version}")
    top.add_argument("--lang", default="", metavar="LANG", help=texts.say("option-help.lang"))
    top.set_defaults(command="")
    commands = top.add_subparsers(title=texts.say("command.title"), metavar="")

    def add(name: str) -> argparse.ArgumentParser:
        said = texts.say(f"command.{name}")
        command = commands.add_parser(name, help=said, description=said, allow_abbrev=False)
        command.add_argument(
            "--lang", default=argparse.SUPPRESS, metavar="LANG", help=texts.say("option-help.lang")
        )
        command.set_defaults(command=name)
        return command

    play = add("play")
    play.add_argument("--bots", type=int, default=None, metavar="1-5", help=texts.say("option-help.bots"))
    play.add_argument("--level", choices=LEVELS, default="easy", help=texts.say("option-help.level"))
    _table_options(play, texts)
    _person_options(play, texts)

    host = add("host")
    host.add_argument("--seats", type=int, default=None, metavar="2-6", help=texts.say("option-help.seats"))
    host.add_argument("--open", action="store_true", help=texts.say("option-help.open"))
    host.add_argument("--watch", action="store_true", help=texts.say("option-help.may-watch"))
    host.add_argument("--bots", type=int, default=0, metavar="0-5", help=texts.say("option-help.house-bots"))
    host.add_argument("--level", choices=LEVELS, default="easy", help=texts.say("option-help.level"))
    host.add_argument("--port", type=int, default=DEFAULT_PORT, help=texts.say("option-help.port"))
    host.add_argument("--guests", action="store_true", help=texts.say("option-help.guests"))
    host.add_argument("--guest-port", type=int, default=8765, help=texts.say("option-help.guest-port"))
    host.add_argument("--guest-folder", default="", metavar="DIR", help=texts.say("option-help.guest-folder"))
    _table_options(host, texts)
    _peer_options(host, texts)
    _radio_options(host, texts)
    _person_options(host, texts)

    for going in ("join", "watch"):
        join = add(going)
        join.add_argument("where", nargs="*", help=texts.say("option-help.where"))
        _peer_options(join, texts)
        _radio_options(join, texts)
        _person_options(join, texts)

    tables = add("tables")
    _radio_options(tables, texts)

    demo = add("demo")
    demo.add_argument("--seats", type=int, default=4, metavar="2-6", help=texts.say("option-help.seats"))
    demo.add_argument("--deck", type=int, default=36, metavar="24|36|52", help=texts.say("option-help.deck"))
    demo.add_argument("--level", choices=LEVELS, default="easy", help=texts.say("option-help.level"))
    demo.add_argument("--out", metavar="DIR", help=texts.say("option-help.out"))

    verify = add("verify")
    verify.add_argument("file", help=texts.say("option-help.log"))
    verify.add_argument("--previous", metavar="FILE", help=texts.say("option-help.previous"))
    verify.add_argument("--json", action="store_true", help=texts.say("option-help.json"))

    diff = add("diff")
    diff.add_argument("left", help=texts.say("option-help.left"))
    diff.add_argument("right", help=texts.say("option-help.right"))
    diff.add_argument("--json", action="store_true", help=texts.say("option-help.json"))

    merge = add("merge")
    merge.add_argument("left", help=texts.say("option-help.left"))
    merge.add_argument("right", help=texts.say("option-help.right"))
    merge.add_argument("-o", "--out", required=True, metavar="FILE", help=texts.say("option-help.merged"))
    merge.add_argument("--json", action="store_true", help=texts.say("option-help.json"))

    explain = add("explain")
    explain.add_argument("file", help=texts.say("option-help.log"))
    explain.add_argument(
        "--height", type=int, default=None, metavar="N", help=texts.say("option-help.height")
    )
    explain.add_argument("--json", action="store_true", help=texts.say("option-help.json"))

    audit = add("audit")
    audit.add_argument("folder", help=texts.say("option-help.folder"))
    audit.add_argument(
        "--jobs", type=int, default=None, metavar="N", help=texts.say("option-help.audit-jobs")
    )
    audit.add_argument("--json", action="store_true", help=texts.say("option-help.json"))

    replay = add("replay")
    replay.add_argument("file", help=texts.say("option-help.log"))
    replay.add_argument("--all", action="store_true", help=texts.say("option-help.all"))
    replay.add_argument("--auto", action="store_true", help=texts.say("option-help.auto"))
    replay.add_argument("--pace", type=float, default=2.0, metavar="S", help=texts.say("option-help.pace"))
    replay.add_argument("--html", default="", metavar="FILE", help=texts.say("option-help.html"))
    replay.add_argument("--json", action="store_true", help=texts.say("option-help.json"))

    games = add("games")
    games.add_argument(
        "what",
        nargs="?",
        choices=("list", "resume", "export", "delete"),
        default="list",
        help=texts.say("option-help.games"),
    )
    games.add_argument("game", nargs="?", default="", help=texts.say("option-help.game"))
    games.add_argument("--out", metavar="FILE", help=texts.say("option-help.export"))
    games.add_argument("--yes", action="store_true", help=texts.say("option-help.yes"))
    _face_options(games, texts)

    name = add("name")
    name.add_argument("name", nargs="*", help=texts.say("option-help.name"))

    add("stats")

    rules = add("rules")
    rules.add_argument("file", nargs="?", default="", help=texts.say("option-help.log"))
    _table_options(rules, texts)

    arena = add("arena")
    levels = (*LEVELS, "random")
    arena.add_argument("--a", choices=levels, default="hard", help=texts.say("option-help.arena-a"))
    arena.add_argument("--b", choices=levels, default="normal", help=texts.say("option-help.arena-b"))
    arena.add_argument("--games", type=int, default=100, metavar="N", help=texts.say("option-help.deals"))
    arena.add_argument(
        "--paired", action=argparse.BooleanOptionalAction, default=True, help=texts.say("option-help.paired")
    )
    arena.add_argument("--jobs", type=int, default=1, metavar="N", help=texts.say("option-help.jobs"))
    arena.add_argument("--seats", type=int, default=None, metavar="2-6", help=texts.say("option-help.seats"))
    arena.add_argument("--ms", type=int, default=50, metavar="N", help=texts.say("option-help.ms"))
    arena.add_argument("--nodes", type=int, default=0, metavar="N", help=texts.say("option-help.nodes"))
    arena.add_argument("--seed", type=int, default=1, metavar="N", help=texts.say("option-help.seed"))
    arena.add_argument("--json", action="store_true", help=texts.say("option-help.json"))
    _table_options(arena, texts)

    doctor = add("doctor")
    doctor.add_argument(
        "--guest-bundle", default="", metavar="URL", help=texts.say("option-help.guest-bundle")
    )
    doctor.add_argument(
        "--guest-folder", default="", metavar="DIR", help=texts.say("option-help.guest-folder")
    )
    _radio_options(doctor, texts)
    return top


def _table_options(command: argparse.ArgumentParser, texts: Texts) -> None:
    command.add_argument(
        "--preset", choices=sorted(PRESETS), default="local", help=texts.say("option-help.preset")
    )
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=texts.say("option-help.option", names=", ".join(VALUES)),
    )


def _peer_options(command: argparse.ArgumentParser, texts: Texts) -> None:
    command.add_argument("--bot", choices=LEVELS, default=None, help=texts.say("option-help.bot"))
    command.add_argument("--listen", default="", metavar="ADDRESS", help=texts.say("option-help.bind"))
    command.add_argument("--export", default="", metavar="DIR", help=texts.say("option-help.out"))
    command.add_argument("--porcelain", action="store_true", help=texts.say("option-help.porcelain"))
    command.add_argument(
        "--games", type=int, default=1, metavar="N", help=texts.say("option-help.games-in-a-row")
    )


def _radio_options(command: argparse.ArgumentParser, texts: Texts) -> None:
    command.add_argument("--ble", action="store_true", help=texts.say("option-help.ble"))
    command.add_argument("--no-lan", action="store_true", help=texts.say("option-help.no-lan"))
    command.add_argument("--ble-adapter", default="", metavar="hci0", help=texts.say("option-help.adapter"))
    command.add_argument("--ble-hci", default="", metavar="TRANSPORT", help=texts.say("option-help.hci"))
    command.add_argument(
        "--max-links",
        type=int,
        choices=range(1, 8),
        default=0,
        metavar="1-7",
        help=texts.say("option-help.links"),
    )


def _person_options(command: argparse.ArgumentParser, texts: Texts) -> None:
    command.add_argument("--name", default="", help=texts.say("option-help.name"))
    command.add_argument("--ask-all", action="store_true", help=texts.say("option-help.ask-all"))
    _face_options(command, texts)


def _face_options(command: argparse.ArgumentParser, texts: Texts) -> None:
    command.add_argument(
        "--page", dest="page", action="store_true", default=None, help=texts.say("option-help.page")
    )
    command.add_argument("--text", dest="page", action="store_false", help=texts.say("option-help.text"))
