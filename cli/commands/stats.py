"""`durak stats`: what the games on this device come to; counted here and told to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.exits import Exit
from cli.kept_results import kept
from cli.texts.names import told_apart

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App
    from cli.own_games import OwnGames

MOST_COMPANIONS = 20


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Print them."""
    app.show(lines(app, kept(app.home)))
    return Exit.OK


def lines(app: App, own: OwnGames) -> Iterator[str]:
    """The numbers, then the people most played with."""
    say = app.texts.say
    if not own.games:
        yield say("stats.none")
        return
    yield app.texts.count("stats.games", own.games, unfinished=own.unfinished)
    if own.ended:
        yield app.texts.count("stats.ended", own.ended)
    yield say("stats.durak", durak=own.durak, draws=own.draws, worn=own.pogony, given=own.pogony_given)
    for place, times in sorted(own.places.items()):
        yield say("stats.place", place=place, times=times)
    companions = own.most_played[:MOST_COMPANIONS]
    shown = (app.named(each.name, bot=each.bot) for each in companions)
    _, *names = told_apart((app.named(own.me), *shown))
    for name, each in zip(names, companions, strict=True):
        yield say("stats.with", name=name, games=each.games, won=each.won, lost=each.lost)
    yield say("stats.here")
