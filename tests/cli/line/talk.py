"""One person at a table whose other seats decide by a fixed rule: the whole talk as a list of lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cli.line.conversation import Conversation, Reaction
from cli.line.voice import Voice
from cli.texts import CardStyle, load
from game import story
from game.actions import Action
from game.look import look
from game.seat import OwnSeat
from game.state import CourseState
from game.view import View
from ledger.engine import Seat
from tests.tables import Table

Chooser = Callable[[CourseState, OwnSeat, tuple[Action, ...]], Action]


def voice_at(table: Table, me: int | None, *, signs: bool = False) -> Voice:
    return Voice.at_table(
        CardStyle(load("en"), signs=signs), table.state.setup.names, None if me is None else Seat(me)
    )


class Talk:
    """`said` collects everything shown; `acted` every action the person's side signed."""

    def __init__(
        self,
        table: Table,
        others: Chooser,
        *,
        me: int = 0,
        auto_pass: bool | None = None,
        again: bool = False,
    ) -> None:
        self.table, self.others, self.me = table, others, me
        self.conversation = Conversation(voice_at(table, me), auto_pass=auto_pass, offer_again=again)
        self.said: list[str] = []
        self.acted: list[Action] = []
        self.left = self.again = False
        self._react(self.conversation.entered(self.view))

    @property
    def view(self) -> View:
        waiting = tuple(due.seat for due in self.table.course.expect(self.table.state))
        return look(self.table.state, waiting, self.table.own[self.me])

    def type(self, line: str) -> list[str]:
        """What is shown for one typed line, the others' moves after it included."""
        before = len(self.said)
        self._react(self.conversation.typed(line))
        return self.said[before:]

    def until_asked(self) -> list[str]:
        """Let the table go on until the person has to decide, or the game is over."""
        before = len(self.said)
        while not self.asked and self.table.course.expect(self.table.state):
            self._step(None)
        return self.said[before:]

    @property
    def asked(self) -> bool:
        return bool(self.view.legal)

    def _react(self, reaction: Reaction) -> None:
        self.said += reaction.lines
        self.left |= reaction.leave
        self.again |= reaction.again
        if reaction.action is not None:
            self.acted.append(reaction.action)
            self._step(reaction.action)

    def _step(self, mine: Action | None) -> None:
        def choose(state: CourseState, own: OwnSeat, legal: tuple[Action, ...]) -> Action:
            if own.seat != self.me:
                return self.others(state, own, legal)
            assert mine is not None
            return mine

        step = self.table.step(choose)
        events = story.tell(self.table.course, step.before, step.dues, step.met, step.after)
        self._react(self.conversation.happened(events, self.view))


def first_legal(state: CourseState, own: OwnSeat, legal: tuple[Action, ...]) -> Action:
    """The simplest opponent there is."""
    return legal[0]


def with_legal(view: View, *legal: Action) -> View:
    """The same view offering other actions."""
    return replace(view, legal=legal, my_turn=True)
