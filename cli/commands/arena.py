"""`durak arena`: bots against bots on paired deals, with the intervals a claim of strength needs."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from cli.arena import Plan, Tally, seatings, wilson
from cli.arena import run as play
from cli.exits import CommandError, Exit
from cli.options import difference, read_options
from game.options import Options

if TYPE_CHECKING:
    import argparse

    from cli.app import App

BAR = 30
NARROWEST_PAUSE = 0.1
"""Seconds between two drawings of the bar."""


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Play, show a bar on a terminal, print the result."""
    plan = plan_of(app, arguments)
    began = time.monotonic()
    tally = Tally()
    drawn = 0.0
    for number, deal in enumerate(play(plan), start=1):
        tally.add(deal)
        now = time.monotonic()
        if sys.stderr.isatty() and (now - drawn > NARROWEST_PAUSE or number == plan.games):
            drawn = now
            sys.stderr.write(
                "\r" + _bar(app, number, plan.games, tally) + ("\n" if number == plan.games else "")
            )
            sys.stderr.flush()
    if arguments.json:
        app.show([json.dumps(report(plan, tally, time.monotonic() - began), ensure_ascii=False)])
    else:
        app.show(_lines(app, plan, tally))
    return Exit.OK


def plan_of(app: App, arguments: argparse.Namespace) -> Plan:
    """What was asked for. Raises CommandError (64)."""
    options = read_options(arguments.preset, arguments.option, seats=arguments.seats, texts=app.texts)
    for name in ("games", "jobs", "ms"):
        if getattr(arguments, name) < 1:
            raise CommandError(Exit.USAGE, "arena.too-small", option=f"--{name}")
    return Plan(
        a=arguments.a,
        b=arguments.b,
        games=arguments.games,
        options=options,
        paired=arguments.paired,
        seed=arguments.seed,
        milliseconds=arguments.ms,
        nodes=arguments.nodes,
        jobs=arguments.jobs,
    )


def report(plan: Plan, tally: Tally, seconds: float) -> dict[str, object]:
    """The result as JSON: shares are of all games, intervals 95 % Wilson."""

    def share(count: int) -> dict[str, object]:
        low, high = wilson(count, tally.games)
        return {
            "count": count,
            "share": round(count / tally.games, 4),
            "wilson95": [round(low, 4), round(high, 4)],
        }

    return {
        "a": plan.a,
        "b": plan.b,
        "deals": plan.games,
        "games": tally.games,
        "paired": plan.paired,
        "options": difference(Options(), plan.options),
        "seats": plan.options.seats,
        "even_durak_share": round(1 / len(seatings(plan.options)), 4),
        "seed": plan.seed,
        "budget": {"nodes": plan.nodes} if plan.nodes else {"milliseconds": plan.milliseconds},
        "wins": share(tally.wins),
        "losses": share(tally.losses),
        "draws": share(tally.draws),
        "first_out": share(tally.firsts),
        "deals_won": sum(score > 0 for score in tally.by_deal.values()),
        "deals_lost": sum(score < 0 for score in tally.by_deal.values()),
        "milliseconds_per_move": {
            "mean": round(1000 * tally.spent / max(1, tally.moves), 2),
            "slowest": round(1000 * tally.slowest, 1),
            "late": tally.late,
            "moves": tally.moves,
        },
        "seconds": round(seconds, 1),
    }


def _lines(app: App, plan: Plan, tally: Tally) -> list[str]:
    say = app.texts.say
    lines = [
        say("arena.title", a=plan.a, b=plan.b, deals=plan.games, games=tally.games, seats=plan.options.seats)
    ]
    for message, count in (
        ("arena.wins", tally.wins),
        ("arena.losses", tally.losses),
        ("arena.draws", tally.draws),
        ("arena.first", tally.firsts),
    ):
        low, high = wilson(count, tally.games)
        lines.append(
            say(
                message,
                count=count,
                share=f"{100 * count / tally.games:.1f}",
                low=f"{100 * low:.1f}",
                high=f"{100 * high:.1f}",
            )
        )
    mean = 1000 * tally.spent / max(1, tally.moves)
    lines.append(say("arena.time", a=plan.a, mean=f"{mean:.1f}", slowest=f"{1000 * tally.slowest:.0f}"))
    return lines


def _bar(app: App, number: int, games: int, tally: Tally) -> str:
    full = BAR * number // games
    return app.texts.say(
        "arena.progress",
        bar="#" * full + "." * (BAR - full),
        done=number,
        deals=games,
        wins=tally.wins,
        losses=tally.losses,
        draws=tally.draws,
    )
