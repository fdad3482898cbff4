"""One height of a log as a referee notes it down, for people who know the game and no cryptography. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.chronicle import events_at
from cli.line import events as telling
from cli.line.faults import fault_note
from cli.line.replay import hands
from cli.line.said import acts, said
from cli.line.table import table_lines
from game import kinds, story
from game.look import look
from game.state import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.line.voice import Voice
    from game.course import Course
    from game.events import Event
    from game.state import CourseState
    from ledger.engine import Height
    from ledger.entry import Entry
    from ledger.genesis import Genesis
    from ledger.level import Level
    from ledger.log import Log

INDENT = "  "
FAR_BACK = 8
"""Heights to go back for the last thing that people would tell of."""


def explain(log: Log[CourseState], height: Height, course: Course, voice: Voice) -> Iterator[str]:
    """What came before, what the table looked like, who was asked what, what each signed and what came of it,
    and what was forbidden in it.

    Raises IndexError for a height that has not begun.
    """
    texts = voice.texts
    level = log.level(height)
    yield _title(log, height, voice)
    yield from (INDENT + line for line in table_lines(look(level.before, (), None), voice))
    if log.state.opened and level.before.position is not None:
        yield texts.say("explain.hands")
        yield from (INDENT + line for line in hands(level.before.position, log.state.opened, voice))
    for back in range(1, min(height, FAR_BACK) + 1):
        happened = _events(log, _moved(height, -back), course)
        if happened:
            yield texts.say("explain.before", height=height - back)
            yield from _told(happened, voice)
            break
    yield from _asked(level, voice)
    for entry in level.signed:
        yield _entry_line(entry, log.genesis, voice)
    faults = [fault for fault in log.faults if fault.height == height]
    answered = {entry.seat for fault in faults for entry in fault.entries}
    silent = [due.seat for due in level.unmet if due.seat not in answered]
    if silent:
        yield texts.say("explain.waits", names=voice.people(silent))
    happened = _events(log, height, course)
    if happened:
        yield texts.say("explain.happened")
        yield from _told(happened, voice)
    for fault in faults:
        yield texts.say("explain.fault")
        yield from (INDENT + line for line in fault_note(fault, voice, log.genesis, stands=log.result_stands))


def _title(log: Log[CourseState], height: Height, voice: Voice) -> str:
    level = log.level(height)
    bout = sum(entry.kind == kinds.LEAD for step in log.steps() if step.height < height for entry in step.met)
    bout += any(kinds.LEAD in due.kinds for due in level.dues)
    if level.before.stage not in (Stage.PLAY, Stage.REFILL):
        return voice.texts.say("explain.height", height=height, last=log.height)
    return voice.texts.say("explain.height.bout", height=height, last=log.height, bout=bout)


def _asked(level: Level[CourseState], voice: Voice) -> Iterator[str]:
    """Who was asked, and what; seats that were asked the same in one line."""
    if not level.dues:
        yield voice.texts.say("explain.nothing-due")
    for asked in dict.fromkeys(due.kinds for due in level.dues):
        names = voice.people(due.seat for due in level.dues if due.kinds == asked)
        yield voice.texts.say("explain.asked", names=names, acts=acts(asked, voice))


def _events(log: Log[CourseState], height: Height, course: Course) -> tuple[Event, ...]:
    """What came of a height: of a complete one, or of one at which a complete ABORT ended the game."""
    if log.abort is not None and log.abort.height == height and log.fault is None:
        return story.tell_abort(course, log.state)
    return events_at(log, height, course)


def _told(happened: tuple[Event, ...], voice: Voice) -> Iterator[str]:
    return (INDENT + line for event in happened for line in telling.tell(event, voice))


def _entry_line(entry: Entry, genesis: Genesis, voice: Voice) -> str:
    """Who signed what with which key."""
    return voice.texts.say(
        "explain.signed",
        name=voice.name(entry.seat),
        what=said(entry.kind, entry.payload, voice),
        key=genesis.seats[entry.seat].game_key.hex()[:16],
        entry=entry.id.hex()[:16],
    )


def _moved(height: Height, by: int) -> Height:
    return type(height)(height + by)
