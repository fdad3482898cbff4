"""A log as a story in moments: the set-up, every bout, the end. Pure: a log in, lines out.

Hands are shown open where every seat has published its deck secret (RULES `open_after`), else as counts and
the cards everybody knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.chronicle import step_events
from cli.line import events as telling
from cli.line.faults import consequence, fault_line
from cli.line.table import pair_text, table_lines
from game import events as happened
from game import story
from game.cards import Card, members
from game.look import look
from game.position import known_cards, talon
from ledger.level import Status

if TYPE_CHECKING:
    from cli.line.voice import Voice
    from game.course import Course
    from game.events import Event
    from game.position import Position
    from game.state import CourseState
    from ledger.engine import Height
    from ledger.log import Log


@dataclass(frozen=True, slots=True)
class Told:
    """What people would tell of one height, the cards that lie after it, and the whole table then."""

    lines: tuple[str, ...]
    lying: tuple[str, ...] = ()
    table: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """One stretch of the story: `title`, the table at its start, what happened, at these heights."""

    title: str
    table: tuple[str, ...]
    told: tuple[Told, ...]
    first: Height
    last: Height

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(line for told in self.told for line in told.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """Everything to show for it."""
        return (self.title, *self.table, *self.events)


def moments(log: Log[CourseState], course: Course, voice: Voice) -> tuple[Moment, ...]:
    """The whole log. Never empty: the last moment says how it ends or whom it waits for."""
    told: list[Moment] = []
    opened = log.state.opened
    bout = 0
    start: CourseState | None = None
    stretch: list[Told] = []
    first: Height | None = None
    for step in log.steps():
        happening = step_events(step, course)
        if _opens(happening):
            told += _moment(voice, start, bout, stretch, first, step.height, opened)
            bout, start, stretch, first = bout + 1, step.before, [], step.height
        first = step.height if first is None else first
        lines = tuple(line for event in happening for line in telling.tell(event, voice))
        if lines:
            stretch.append(_told(lines, step.after, voice, opened))
    told += _moment(voice, start, bout, stretch, first, log.height, opened)
    ending = Told(tuple(how_it_stands(log, course, voice)))
    return (*told, Moment(voice.texts.say("replay.end"), (), (ending,), log.height, log.height))


def how_it_stands(log: Log[CourseState], course: Course, voice: Voice) -> list[str]:
    """How the log ends: finished, waiting for somebody, void, aborted, or halted and by which entry."""
    texts = voice.texts
    match log.status:
        case Status.FINISHED:
            result = log.state.result
            lines = [] if result is None else telling.tell_result(result, voice)
            if log.waiting_for:
                lines.append(texts.say("replay.unsigned", names=voice.people(log.waiting_for)))
            return lines
        case Status.OPEN:
            return [texts.say("replay.open", height=log.height, names=voice.people(log.waiting_for))]
        case Status.VOID:
            return [texts.say("event.deal-void")]
        case Status.ABORTED:
            return [
                line for event in story.tell_abort(course, log.state) for line in telling.tell(event, voice)
            ]
        case Status.HALTED:
            assert log.fault is not None
            return [fault_line(log.fault, voice), consequence(voice, stands=False)]


def _opens(happening: tuple[Event, ...]) -> bool:
    return any(isinstance(event, happened.Led) for event in happening)


def _moment(
    voice: Voice,
    start: CourseState | None,
    bout: int,
    stretch: list[Told],
    first: Height | None,
    after: Height,
    opened: tuple[Card, ...],
) -> list[Moment]:
    if first is None:
        return []
    if start is None:
        title = voice.texts.say("replay.set-up")
        table: tuple[str, ...] = ()
    else:
        title = voice.texts.say("replay.bout", number=bout)
        table = tuple(_table(start.the_position, voice, opened))
    return [Moment(title, table, tuple(stretch), first, after)]


def _told(lines: tuple[str, ...], after: CourseState, voice: Voice, opened: tuple[Card, ...]) -> Told:
    view = look(after, (), None)
    lying = [pair_text(pair, voice) for pair in view.table]
    shown = table_lines(view, voice)
    if opened and after.position is not None:
        shown += hands(after.position, opened, voice)
    return Told(
        lines, (voice.texts.say("table.lying", pairs="  ".join(lying)),) if lying else (), tuple(shown)
    )


def _table(position: Position, voice: Voice, opened: tuple[Card, ...]) -> list[str]:
    """One line a seat with its hand; the trump and the talon above."""
    texts, cards = voice.texts, voice.cards
    trump = position.setup.trump
    lines = [texts.say("replay.table", suit=cards.suit_name(trump // 13), talon=talon(position))]
    if opened:
        return lines + ["  " + line for line in hands(position, opened, voice)]
    for seat in range(position.setup.seats):
        known = cards.cards(sorted(known_cards(position, seat)))
        held = len(tuple(members(position.hands[seat])))
        lines.append("  " + texts.count("replay.closed-hand", held, name=voice.name(seat), known=known))
    return lines


def hands(position: Position, opened: tuple[Card, ...], voice: Voice) -> list[str]:
    """Every seat's cards, trumps last; `opened` has the card of every place."""
    trump = position.setup.trump // 13
    lines = []
    for seat in range(position.setup.seats):
        held = (opened[place] for place in members(position.hands[seat]))
        shown = voice.cards.cards(sorted(held, key=lambda card: (card // 13 == trump, card)))
        lines.append(voice.texts.say("replay.hand", name=voice.name(seat), cards=shown))
    return lines
