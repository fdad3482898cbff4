"""The talk with one person at one table, as a pure object: typed lines, views and events in; lines and
actions out.

It never waits, prints or decides legality, so a whole game can be tested as a conversation. What is typed
before the word arrives is kept as an unsigned intent (DESIGN §3) and said aloud; it is signed only when the
word comes and the view calls it legal, and can be taken back until then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cli.line import events as telling
from cli.line.choices import (
    Chosen,
    NotPossible,
    NotUnderstood,
    Several,
    choices,
    laid,
    read,
    read_cards,
)
from cli.line.help import DECIDING, help_lines, situation
from cli.line.plans import Plan, first, nothing_fits
from cli.line.table import hand_line, table_lines, waiting_line
from game import actions
from game import events as happened
from game.errors import IllegalMove

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cli.line.voice import Voice
    from game.actions import Action
    from game.cards import Card
    from game.errors import GameError
    from game.events import Event
    from game.view import View
    from ledger.errors import LedgerError

ENDED = frozenset({"over", "void", "aborted"})
"""Stages in which nothing is due any more."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """What follows: `lines` to show, `action` to sign, `leave` the table (the game is saved), `again`:
    another game, `go_on_without` those the game waits for (R30), `let_in` who asks the host, or not.

    `hide_thinking`: the action came without a person; act after a pause that looks like one where that could
    tell something about a hand.
    """

    lines: tuple[str, ...] = ()
    action: Action | None = None
    hide_thinking: bool = False
    leave: bool = False
    again: bool = False
    go_on_without: bool = False
    let_in: bool | None = None


class Conversation:
    """One person at one table. `auto_pass`: pass when nothing fits (never at cheating tables unless asked
    for). `waiting` says who is waited for and away, "" for nobody; `may_go_on`: whether that may be ended;
    `guest_asks`: whether somebody wants to be let in."""

    def __init__(
        self,
        voice: Voice,
        *,
        auto_pass: bool | None = None,
        offer_again: bool = False,
        why_not: Callable[[tuple[Card, ...]], IllegalMove | None] | None = None,
        waiting: Callable[[], str] = lambda: "",
        may_go_on: Callable[[], bool] = lambda: False,
        guest_asks: Callable[[], bool] = lambda: False,
    ) -> None:
        self._voice = voice
        self._texts = voice.texts
        self._auto_pass = auto_pass
        self._offer_again = offer_again
        self._why_not = why_not
        self._waiting = waiting
        self._may_go_on = may_go_on
        self._guest_asks = guest_asks
        self._view: View | None = None
        self._asked_height: int | None = None
        self._acted_height: int | None = None
        self._plan = Plan()
        self._question = ""

    def happened(self, events: Iterable[Event], view: View) -> Reaction:
        """A height is complete (or the table was just entered: no events). Tell it, then ask if it is our
        word."""
        self._view = view
        lines: list[str] = []
        for event in events:
            lines += telling.tell(event, self._voice)
            if isinstance(event, happened.BoutBeaten | happened.BoutTaken | happened.RolledBack):
                self._plan.bout_ended()
        if view.stage in ENDED:
            return self._end(lines)
        return self._word_came(view, lines) if self._has_word(view) else Reaction(tuple(lines))

    def entered(self, view: View) -> Reaction:
        """The first look at the table, at its start or after a return."""
        reaction = self.happened((), view)
        if self._asked_height == view.height:
            return reaction
        return replace(reaction, lines=(*table_lines(view, self._voice), *reaction.lines))

    def refused(self, error: GameError | LedgerError) -> Reaction:
        """The own action was not accepted; nothing was signed. Ask again."""
        self._acted_height = None
        return Reaction((self._because(error) or self._texts.say("answer.refused.plain"), *self._ask()))

    @property
    def asking(self) -> bool:
        """Whether a question is open that no update of the table answers."""
        return bool(self._question)

    def typed(self, line: str) -> Reaction:
        """One line from the person, without its end."""
        words = line.split()
        spoken = " ".join(words).casefold()
        if self._question:
            return self._answer(spoken)
        if not words:
            return Reaction(self._ask())
        let_in = self._texts.yes_or_no(spoken)
        if let_in is not None and self._guest_asks():
            return Reaction(let_in=let_in)
        command = self._command(words, spoken)
        if command is not None:
            return command
        view = self._view
        if view is None or view.me is None:
            return self._say("answer.not-understood")
        if not self._has_word(view):
            return self._make_plan(words, spoken, view)
        return self._choose(line, view)

    def interrupted(self) -> Reaction:
        """Ctrl-C or the end of input."""
        message = "leave.ended" if self._view is not None and self._view.stage in ENDED else "leave.saved"
        return Reaction((self._texts.say(message),), leave=True)

    # Commands, understood at any time.

    def _command(self, words: list[str], spoken: str) -> Reaction | None:
        if words[0].startswith("?") or self._texts.means("help", words[0].casefold()):
            return self._explain(" ".join(words)[1:].split() if words[0].startswith("?") else words[1:])
        if self._texts.means("table", spoken):
            return Reaction(tuple(table_lines(self._view, self._voice)) if self._view else ())
        if self._texts.means("quit", spoken):
            return self.interrupted()
        if self._texts.means("auto", spoken):
            self._auto_pass = not self._passes_alone()
            return self._say("auto.on" if self._auto_pass else "auto.off")
        if self._texts.means("undo", spoken):
            message = "plan.dropped" if self._plan else "plan.none"
            self._plan.drop()
            return self._say(message)
        if self._texts.means("abort", spoken):
            return self._propose_to_go_on()
        if self._texts.means("resign", spoken) and self._view is not None and self._view.stage in DECIDING:
            self._question = "resign"
            return self._say("resign.sure")
        return None

    def _explain(self, words: list[str]) -> Reaction:
        view = self._view
        if view is None:
            return self._say("help.waiting")
        if words and view.me is not None:
            cards = read_cards(words, view, self._voice)
            if cards is not None:
                return Reaction(self._not_possible(cards, view) or (self._texts.say("help.possible"),))
        return Reaction(tuple(help_lines(view, self._voice, has_word=self._has_word(view))))

    # Our word.

    def _has_word(self, view: View) -> bool:
        return (
            view.my_turn and view.stage in DECIDING and bool(view.legal) and view.height != self._acted_height
        )

    def _word_came(self, view: View, lines: list[str]) -> Reaction:
        planned = self._plan.due(view)
        if planned is not None:
            return self._act(planned, (*lines, self._texts.say("plan.now")))
        if self._passes_alone() and nothing_fits(view):
            return self._act(first(view, actions.Pass), tuple(lines), hide_thinking=True)
        return Reaction((*lines, *self._ask()))

    def _ask(self) -> tuple[str, ...]:
        """The question, with everything there is to choose; or who is waited for."""
        view = self._view
        if view is None:
            return ()
        if self._question:
            abort = self._question == "abort"
            return (self._texts.say("question.yes-or-no" if abort else f"{self._question}.sure"),)
        if not self._has_word(view):
            return (self._wait_line(view),)
        numbered = [
            self._texts.say("choice.line", number=number, text=choice.text)
            for number, choice in enumerate(choices(view, self._voice), start=1)
        ]
        header = (
            table_lines(view, self._voice)
            if self._asked_height != view.height
            else [hand_line(view, self._voice)]
        )
        self._asked_height = view.height
        return (*header, self._texts.say(f"ask.{situation(view)}"), *numbered)

    def _wait_line(self, view: View) -> str:
        return self._waiting() or waiting_line(view, self._voice)

    def _choose(self, line: str, view: View) -> Reaction:
        match read(line, view, self._voice):
            case Chosen(action):
                return self._act(action, ())
            case Several(fitting):
                numbers = {
                    choice.action: number for number, choice in enumerate(choices(view, self._voice), start=1)
                }
                which = (
                    self._texts.say("choice.line", number=numbers.get(choice.action, "-"), text=choice.text)
                    for choice in fitting
                )
                return Reaction((self._texts.say("answer.several"), *which))
            case NotPossible(cards):
                return Reaction((*self._not_possible(cards, view), self._possible(view)))
            case NotUnderstood():
                return Reaction((self._texts.say("answer.not-understood"), self._possible(view)))

    def _act(self, action: Action | None, lines: tuple[str, ...], *, hide_thinking: bool = False) -> Reaction:
        if self._view is not None and action is not None:
            self._acted_height = self._view.height
        return Reaction(lines, action=action, hide_thinking=hide_thinking)

    def _not_possible(self, cards: tuple[Card, ...], view: View) -> tuple[str, ...]:
        """Why these cards cannot be laid now, or () if they can."""
        own = {held.card for held in view.hand}
        shown = self._voice.cards.cards(cards)
        if not set(cards) <= own:
            return (self._texts.say("answer.not-yours", cards=shown),)
        if any(sorted(laid(action)) == sorted(cards) for action in view.legal):
            return ()
        refusal = self._why_not(cards) if self._why_not is not None else None
        because = self._because(refusal) if refusal is not None else ""
        return (self._texts.say("answer.not-possible", cards=shown), *((because,) if because else ()))

    def _because(self, error: GameError | LedgerError) -> str:
        """The reason of a refusal with its rule, "" if there are no words for it."""
        if not isinstance(error, IllegalMove) or not self._texts.knows(error.reason):
            return ""
        return self._texts.say(
            "answer.because", rule=error.rule, why=self._voice.reason(error.reason, error.params)
        )

    def _possible(self, view: View) -> str:
        listed = choices(view, self._voice)
        return self._texts.count("answer.possible", len(listed))

    # Not our word: plans.

    def _make_plan(self, words: list[str], spoken: str, view: View) -> Reaction:
        if view.stage != "play" or view.me == view.defender or view.me in view.out:
            return Reaction((self._wait_line(view),))
        if self._texts.means("pass", spoken):
            self._plan.pass_until_new_rank(view)
            return self._say("plan.pass")
        cards = read_cards(words, view, self._voice)
        if cards is None:
            return Reaction((self._texts.say("answer.not-understood"), self._wait_line(view)))
        if not set(cards) <= {held.card for held in view.hand}:
            return self._say("answer.not-yours", cards=self._voice.cards.cards(cards))
        self._plan.throw(cards)
        return self._say("plan.throw", cards=self._voice.cards.cards(self._plan.cards))

    def _passes_alone(self) -> bool:
        if self._auto_pass is not None:
            return self._auto_pass
        return self._view is not None and not self._view.options.cheating

    # Questions with yes and no, and the end.

    def _answer(self, spoken: str) -> Reaction:
        question, self._question = self._question, ""
        yes = self._texts.means("yes", spoken)
        if question == "again":
            if yes:
                return Reaction(again=True)
            if self._texts.means("no", spoken) or self._texts.means("quit", spoken):
                return self.interrupted()
            self._question = question
            return self._say("again.sure")
        if question == "abort":
            if yes and self._may_go_on():
                return Reaction((self._texts.say("abort.said"),), go_on_without=True)
            return Reaction((self._texts.say("abort.kept"), *self._ask()))
        if not yes:
            return Reaction((self._texts.say("resign.kept"), *self._ask()))
        return self._resign()

    def _propose_to_go_on(self) -> Reaction:
        if self._view is None or not self._may_go_on():
            return self._say("abort.not-now")
        self._question = "abort"
        means = self._texts.say(f"abort.means.{self._view.options.absent}")
        return self._say("abort.sure", names=self._voice.people(self._view.waiting_for), means=means)

    def _resign(self) -> Reaction:
        self._plan.resigning = True
        if self._view is None or not self._has_word(self._view):
            return self._say("resign.later")
        return self._act(self._plan.due(self._view), ())

    def _end(self, lines: list[str]) -> Reaction:
        if not self._offer_again:
            return Reaction(tuple(lines), leave=True)
        self._question = "again"
        return Reaction((*lines, self._texts.say("again.sure")))

    def _say(self, message: str, /, **parameters: object) -> Reaction:
        return Reaction((self._texts.say(message, **parameters),))
