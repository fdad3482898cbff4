"""The own games of a data folder, read for `own_games` to count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.exits import CommandError
from cli.kept_ending import ending_of
from cli.known_bots import house_bot_keys
from cli.logfile import read_bytes
from cli.own_games import OwnGames, count
from ledger.errors import LedgerError
from ledger.folder import LOG
from ledger.level import Status
from ledger.recovery import recover

if TYPE_CHECKING:
    from cli.home import Home


def kept(home: Home) -> OwnGames:
    """Those in the data folder. Damaged folders are left out."""
    found, ended = [], {}
    for folder in sorted(home.games.iterdir()) if home.games.is_dir() else ():
        try:
            recovered = recover(read_bytes(folder / LOG))
            found.append(((folder / LOG).stat().st_mtime, recovered))
            ending = ending_of(folder, recovered)
        except (OSError, LedgerError, CommandError):
            continue
        if ending.status not in (Status.OPEN, Status.FINISHED):
            ended[recovered.genesis.game_id] = ending.result
    found.sort(key=lambda each: each[0])
    games = ((each.genesis, each.entries) for _, each in found)
    return count(games, home.identity().public, house_bot_keys(home), ended)
