"""From entries to events: the story is told of kinds and payloads, a log holds entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import story
from ledger.engine import Height
from ledger.level import Step

if TYPE_CHECKING:
    from game.course import Course
    from game.events import Event
    from game.state import CourseState
    from ledger.log import Log


def step_events(step: Step[CourseState], course: Course) -> tuple[Event, ...]:
    """What happened at one complete height."""
    met = tuple((entry.kind, entry.payload) for entry in step.met)
    return story.tell(course, step.before, step.dues, met, step.after)


def events_at(log: Log[CourseState], height: Height, course: Course) -> tuple[Event, ...]:
    """The same of a height of this log, () if it is not complete."""
    level = log.level(height)
    if level.unmet or not level.dues:
        return ()
    after = log.level(Height(height + 1)).before
    return step_events(Step(height, level.before, level.dues, level.in_due_order, after), course)
