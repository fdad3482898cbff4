"""One height of a log as a referee notes it down, for people who know the game and no cryptography. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.line import events as telling
from cli.line.replay import fault_line
from cli.line.table import table_lines
from game import kinds, story
from game.look import look

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.line.voice import Voice
    from game.course import Course, CourseState
    from ledger.engine import Height
    from ledger.entry import Entry
    from ledger.log import Log


def explain(log: Log[CourseState], height: Height, course: Course, voice: Voice) -> Iterator[str]:
    """What the table looked like, who had to sign, what each signed, what it meant, what was wrong with it.

    Raises IndexError for a height that has not begun.
    """
    texts = voice.texts
    level = log.level(height)
    yield texts.say("explain.height", height=height)
    asked = tuple(due.seat for due in level.dues)
    yield from table_lines(look(level.before, asked, None), voice)
    if not level.dues:
        yield texts.say("explain.nothing-due")
        return
    yield texts.say("explain.asked", names=voice.people(asked))
    for entry in level.in_due_order:
        yield _entry_line(entry, log, voice)
    for due in level.unmet:
        yield texts.say("explain.waits", name=voice.name(due.seat))
    if not level.unmet:
        met = tuple((entry.kind, entry.payload) for entry in level.in_due_order)
        after = log.level(_next(height)).before
        for event in story.tell(course, level.before, level.dues, met, after):
            yield from ("  " + line for line in telling.tell(event, voice))
    for fault in log.faults:
        if fault.height == height:
            yield fault_line(fault, voice)
            yield texts.say("explain.evidence", count=len(fault.entries), key=_key(fault.entries[0], log))


def _entry_line(entry: Entry, log: Log[CourseState], voice: Voice) -> str:
    """Who signed what with which key."""
    kind = kinds.NAMES.get(entry.kind, str(entry.kind))
    name = voice.name(entry.seat)
    return voice.texts.say(
        "explain.signed", name=name, kind=kind, key=_key(entry, log), entry=entry.id.hex()[:16]
    )


def _key(entry: Entry, log: Log[CourseState]) -> str:
    return log.genesis.seats[entry.seat].game_key.hex()[:16]


def _next(height: Height) -> Height:
    return type(height)(height + 1)
