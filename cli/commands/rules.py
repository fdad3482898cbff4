"""`durak rules`: the rules of a table in plain words, with the questions people ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.exits import Exit
from cli.options import read_options

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App
    from cli.texts import Texts
    from game.options import Options


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Print the rules of a preset with options, or of a log file."""
    if arguments.file:
        from cli.logfile import read_log

        options = read_log(arguments.file, app.texts).state.setup.options
    else:
        options = read_options(arguments.preset, arguments.option, seats=None, texts=app.texts)
    said = app.texts
    app.show([*aim(said), "", *table_lines(options, said), "", *answers(options, said)])
    return Exit.OK


def aim(texts: Texts) -> Iterator[str]:
    """What the game is, for somebody who has never seen it."""
    yield texts.say("rules.aim")
    yield texts.say("rules.bout")


def table_lines(options: Options, texts: Texts) -> Iterator[str]:
    """A table in a few lines: what everybody should see before it starts."""
    yield texts.say("rules.cards", deck=options.deck, seats=options.seats)
    yield texts.say(f"rules.variant.{options.variant}")
    if options.show_transfer:
        yield texts.say("rules.show-transfer")
    if options.teams != "off":
        yield texts.say("rules.teams", teams=options.teams)
    yield texts.say(f"rules.throwers.{options.throwers}")
    if options.lead == "several":
        yield texts.say("rules.several")
    yield texts.say("rules.limit.first" if options.first_limit else "rules.limit")
    yield texts.say("rules.after-take.on" if options.throw_after_take else "rules.after-take.off")
    yield texts.say(f"rules.next-first.{options.next_first}")
    if options.cheating:
        yield texts.say("rules.cheating")
    yield texts.say(f"rules.absent.{options.absent}")
    yield texts.say("rules.open-after.on" if options.open_after else "rules.open-after.off")
    if options.series:
        yield texts.say("rules.series")
    if options.clock:
        yield texts.count("rules.clock", options.clock)


def answers(options: Options, texts: Texts) -> Iterator[str]:
    """The questions people ask, answered for this table."""
    yield texts.say("rules.question.beat")
    yield texts.say("rules.question.how-many.first" if options.first_limit else "rules.question.how-many")
    yield texts.say("rules.question.who-starts")
    yield texts.say("rules.question.refill")
    yield texts.say("rules.question.draw")
    if options.seats == 2:
        transfer = options.variant == "transfer"
        yield texts.say("rules.question.for-two.transfer" if transfer else "rules.question.for-two")
    if options.teams != "off":
        yield texts.say("rules.question.teams")
    if options.cheating:
        yield texts.say("rules.question.accuse")
    if 6 * options.seats == options.deck:
        yield texts.say("rules.question.no-talon")
    yield texts.say("rules.question.pogony", rank={24: "9", 36: "6", 52: "2"}[options.deck])
    yield texts.say("rules.question.pass")
