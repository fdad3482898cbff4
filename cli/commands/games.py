"""`durak games`: what is kept on this device; go on with it, export it, delete it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cli.asking import agreed
from cli.exits import CommandError, Exit
from cli.kept_ending import ending_of
from cli.known_bots import bot_seats, house_bot_keys
from cli.logfile import read_bytes
from cli.texts.names import told_apart
from game.options import decode
from ledger.errors import LedgerError
from ledger.folder import CASE, LOG, SEED
from ledger.genesis import Genesis
from ledger.level import Status
from ledger.recovery import Recovered, recover
from ledger.store import delete

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from cli.home import Home


@dataclass(frozen=True, slots=True)
class Kept:
    """One game's folder and what its log says."""

    folder: Path
    recovered: Recovered
    changed: float

    @property
    def genesis(self) -> Genesis:
        return self.recovered.genesis

    @property
    def status(self) -> Status:
        """How the game stands. It may be played through for that: ask only where it matters."""
        return ending_of(self.folder, self.recovered).status

    @property
    def unfinished(self) -> bool:
        """Whether something may still be played or signed."""
        return self.status is Status.OPEN

    @property
    def ours(self) -> bool:
        """Whether we have a seat in it to go on with; who looked on has none, nor the secret of one."""
        return (self.folder / SEED).exists()

    @property
    def stands(self) -> str:
        """How it stands, as a message id."""
        status = self.status
        return f"games.{'unfinished' if status is Status.OPEN else status.value}"

    @property
    def short(self) -> str:
        """The id as listed."""
        return self.folder.name


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """List, or do what was asked to one game."""
    match arguments.what:
        case "list":
            return _list(app)
        case "resume":
            from cli.commands.resume import resume

            return resume(app, find(app.home, arguments.game), page=arguments.page)
        case "export":
            return _export(app, find(app.home, arguments.game), arguments.out)
        case _:
            return _delete(app, find(app.home, arguments.game), sure=arguments.yes)


def kept_games(home: Home) -> list[Kept]:
    """All games here whose log can be read, the last changed first. Damaged folders are left out."""
    if not home.games.is_dir():
        return []
    found = [_look(folder) for folder in sorted(home.games.iterdir()) if (folder / LOG).is_file()]
    return sorted((kept for kept in found if kept is not None), key=lambda kept: -kept.changed)


def find(home: Home, beginning: str) -> Kept:
    """The game whose id begins so; the only one if nothing is said. Raises CommandError (64)."""
    games = kept_games(home)
    fitting = [kept for kept in games if kept.short.startswith(beginning.lower())]
    if len(fitting) == 1:
        return fitting[0]
    if not games:
        raise CommandError(Exit.USAGE, "games.none")
    if not beginning:
        raise CommandError(Exit.USAGE, "games.which", count=len(games))
    message = "games.none-such" if not fitting else "games.several-such"
    raise CommandError(Exit.USAGE, message, beginning=beginning, count=len(fitting))


def _look(folder: Path) -> Kept | None:
    try:
        recovered: Recovered = recover(read_bytes(folder / LOG))
        changed = (folder / LOG).stat().st_mtime
    except (OSError, LedgerError, CommandError):
        return None
    return Kept(folder, recovered, changed)


def line_of(app: App, kept: Kept) -> str:
    """One game in one line."""
    bots = bot_seats(kept.genesis, house_bot_keys(app.home))
    names = app.texts.listed(
        told_apart(
            tuple(app.named(each.name, bot=seat in bots) for seat, each in enumerate(kept.genesis.seats))
        )
    )
    when = datetime.fromtimestamp(kept.changed).astimezone().strftime("%Y-%m-%d %H:%M")
    stands = app.texts.say(kept.stands)
    deck = decode(kept.genesis.options).deck
    entries = len(kept.recovered.entries)
    return app.texts.count(
        "games.line", entries, game=kept.short, names=names, when=when, stands=stands, deck=deck
    )


def _list(app: App) -> Exit:
    games = kept_games(app.home)
    app.show([line_of(app, kept) for kept in games] or [app.texts.say("games.none")])
    return Exit.OK


def _export(app: App, kept: Kept, out: str | None) -> Exit:
    from cli.logfile import new_file, read_game

    target = Path(out) if out else Path(f"{kept.short}.durak")
    if os.path.lexists(target):
        raise CommandError(Exit.IO, "games.exists", path=target)
    with new_file(target) as file:
        file.write(read_game(kept.folder).export())
    app.tell("games.exported", path=target)
    case = target.with_suffix(".durakcase")
    if (kept.folder / CASE).exists():
        with new_file(case) as file:
            file.write((kept.folder / CASE).read_bytes())
        app.tell("games.exported.case", path=case)
    return Exit.OK


def _delete(app: App, kept: Kept, *, sure: bool) -> Exit:
    if not sure:
        app.show([line_of(app, kept)])
        sure = agreed(app, "games.delete.sure")
    if not sure:
        app.tell("games.delete.kept")
        return Exit.OK
    if not delete(kept.folder):
        raise CommandError(Exit.IO, "resume.elsewhere")
    app.tell("games.deleted", game=kept.short)
    return Exit.OK
