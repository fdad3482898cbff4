"""One table as the page sees it: intents in, messages out, sans IO. Every tab gets the same messages.

Nothing is kept in the page: a tab that opens, reloads or comes back gets all of it again from `welcome`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from cli.page import asking, decode, encode, standing
from game.cards import Place
from ledger.engine import Height

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.page.encode import Json
    from cli.page.feed import Feed, Guest, Lobby, Refusal, Situation, Told
    from game.actions import Action
    from game.view import View

Message: TypeAlias = "dict[str, Json]"

PROTOCOL: Final = 1
SHORTEST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 3.0
PRACTICE_WAIT: Final = 0.6
"""Seconds before "pass for me" passes (notes: the wait must not tell that nothing fitted)."""


@dataclass(frozen=True, slots=True)
class Do:
    """Sign this at this height."""

    height: Height
    action: Action


@dataclass(frozen=True, slots=True)
class AskRematch:
    on: bool


@dataclass(frozen=True, slots=True)
class AskGoOn:
    on: bool


@dataclass(frozen=True, slots=True)
class LetIn:
    guest: str
    on: bool


@dataclass(frozen=True, slots=True)
class ShowOut:
    person: str


@dataclass(frozen=True, slots=True)
class InLobby:
    wish: decode.LobbyWish


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask a bot what it would do."""


Order: TypeAlias = Do | AskRematch | AskGoOn | LetIn | ShowOut | InLobby | AskHint


class PageTable:
    """`wait` gives the seconds of one random wait, between SHORTEST_WAIT and LONGEST_WAIT. Against bots alone
    nothing has to be hidden, and PRACTICE_WAIT is enough to see what happens."""

    def __init__(self, feed: Feed, wait: Callable[[], float]) -> None:
        self._feed = feed
        self._wait = wait
        self._view = feed.view()
        self._situation = feed.situation()
        self._told = feed.history()
        self._standing = _fresh(self._view)
        self._acted: tuple[Height, int] | None = None
        self._slow: tuple[float, Height] | None = None
        self._orders: list[Order] = []

    def welcome(self) -> list[Message]:
        """All a tab needs that knows nothing."""
        return [
            {"type": "hello", "protocol": PROTOCOL},
            situation_message(self._situation),
            *_view_messages(self._view, self._situation),
            standing_message(self._standing),
            events_message(self._told, 0),
        ]

    def changed(self, now: float) -> list[Message]:
        """Read the feed again; the messages for all tabs, `[]` if nothing is new."""
        messages: list[Message] = []
        before, known = self._view, self._standing
        situation, view, told = self._feed.situation(), self._feed.view(), self._feed.history()
        new_game = situation.game != self._situation.game or (before is None) != (view is None)
        if new_game:
            self._standing = _fresh(view)
        if situation != self._situation:
            messages.append(situation_message(situation))
        if view != before or new_game or situation.bots != self._situation.bots:
            messages += _view_messages(view, situation)
        if new_game or len(told) < len(self._told):
            messages.append(events_message(told, 0))
        elif len(told) > len(self._told):
            messages.append(events_message(told[len(self._told) :], len(self._told)))
        self._view, self._situation, self._told = view, situation, told
        if view is not None:
            self._standing = standing.after(self._standing, view)
            self._stand(view, now)
        if self._standing != known:
            messages.append(standing_message(self._standing))
        return messages

    def receive(self, intent: decode.Intent, now: float) -> tuple[list[Message], list[Message]]:
        """Messages for the tab that spoke, and for all tabs."""
        view = self._view
        match intent:
            case decode.Act(height, action):
                return ([] if view is None else self._act(view, height, action)), []
            case decode.Why():
                return ([] if view is None else [self._why(view, intent)]), []
            case decode.Arm(what, on):
                if view is None:
                    return [], []
                return [], self._set(view, standing.arm(self._standing, view, what, on=on), now)
            case decode.Queue(place, on):
                if view is None:
                    return [], []
                return [], self._set(view, standing.queue(self._standing, view, Place(place), on=on), now)
            case decode.Rematch(on):
                self._orders.append(AskRematch(on))
                return [], []
            case decode.GoOnWithout(on):
                self._orders.append(AskGoOn(on))
                return [], []
            case decode.Admit(guest, on):
                self._orders.append(LetIn(guest, on))
                return [], []
            case decode.ShowOut(person):
                self._orders.append(ShowOut(person))
                return [], []
            case decode.InLobby(wish):
                self._orders.append(InLobby(wish))
                return [], []
            case decode.Hint():
                if self._situation.mode == "practice":
                    self._orders.append(AskHint())
                return [], []
            case _:
                assert_never(intent)

    def take_orders(self) -> list[Order]:
        """What the owner must do with the feed now."""
        orders, self._orders = self._orders, []
        return orders

    def failed(self, height: Height) -> list[Message]:
        """The feed could not sign at this height: let the person try again."""
        if self._acted == (height, self._situation.game):
            self._acted = None
        return [
            {"type": "refused", "height": height, "reason": "page.refused.not-signed", "params": {}},
            *_view_messages(self._view, self._situation),
        ]

    def refused(self, refusal: Refusal) -> list[Message]:
        """Something outside a game was not done."""
        params = encode.parameters(dict(refusal.params))
        return [{"type": "refused", "height": 0, "reason": refusal.reason, "params": params}]

    def hinted(self, action: Action | None) -> list[Message]:
        """What the bot said; nothing where it is not legal any more."""
        view = self._view
        if view is None or action is None or action not in view.legal:
            return []
        return [{"type": "hint", "height": view.height, "action": encode.action_id(action)}]

    def deadline(self) -> float | None:
        """When `tick` must be called next."""
        return None if self._slow is None else self._slow[0]

    def tick(self, now: float) -> None:
        """A slow intent's wait is over."""
        if self._slow is None or now < self._slow[0]:
            return
        height, view = self._slow[1], self._view
        self._slow = None
        if view is None or height != view.height:
            return
        found = standing.wanted(self._standing, view)
        if found is not None:
            self._do(height, found.action)

    # The parts --------------------------------------------------------------------------------------------

    def _act(self, view: View, height: int, wanted: str) -> list[Message]:
        if self._has_acted(view) or height < view.height:
            return []
        for action in view.legal:
            if height == view.height and encode.action_id(action) == wanted:
                self._do(view.height, action)
                return []
        return [{"type": "refused", "height": height, "reason": "page.refused.not-legal", "params": {}}]

    def _why(self, view: View, question: decode.Why) -> Message:
        action = asking.meant(view, question.place, question.attack)
        fault = None if action is None else self._feed.refusal(action)
        answer: Message = {"type": "why", "ask": question.ask, "place": question.place}
        if fault is None:
            return answer | {"rule": None, "reason": "page.why.nothing", "params": {}}
        return answer | {
            "rule": fault.rule,
            "reason": fault.reason,
            "params": encode.parameters(dict(fault.params)),
        }

    def _set(self, view: View, changed: standing.Standing, now: float) -> list[Message]:
        if changed == self._standing:
            return []
        self._standing = changed
        self._slow = None
        self._stand(view, now)
        return [standing_message(self._standing)]

    def _stand(self, view: View, now: float) -> None:
        """Do at once, or after a wait, what a standing intent wants at this height."""
        found = None if self._has_acted(view) else standing.wanted(self._standing, view)
        if found is None:
            self._slow = None
        elif not found.slow:
            self._do(view.height, found.action)
        elif self._slow is None or self._slow[1] != view.height:
            wait = PRACTICE_WAIT if self._situation.mode == "practice" else self._wait()
            self._slow = (now + wait, view.height)

    def _do(self, height: Height, action: Action) -> None:
        self._slow = None
        self._acted = (height, self._situation.game)
        self._orders.append(Do(height, action))

    def _has_acted(self, view: View) -> bool:
        return self._acted == (view.height, self._situation.game)


def _fresh(view: View | None) -> standing.Standing:
    return standing.Standing(pass_for_me=False) if view is None else standing.at_table(view.options)


def situation_message(now: Situation) -> Message:
    """The `table` message."""
    fault: Json = None
    if now.fault is not None:
        fault = {
            "seat": now.fault.seat,
            "kind": now.fault.kind,
            "height": now.fault.height,
            "rule": now.fault.rule,
            "reason": now.fault.reason,
            "params": encode.parameters(dict(now.fault.params)),
            "details": [[label, value] for label, value in now.fault.details],
        }
    return {
        "type": "table",
        "mode": now.mode,
        "presence": [*now.presence],
        "programs": [*now.programs],
        "fault": fault,
        "wins": [*now.wins],
        "losses": [*now.losses],
        "game": now.game,
        "file": now.file,
        "canRematch": now.can_rematch,
        "rematch": [*now.rematch],
        "mayTakeBack": now.may_take_back,
        "goOn": now.go_on,
        "agreed": [*now.agreed],
        "trouble": now.trouble,
        "asking": asking_guests(now.asking),
        "lobby": None if now.lobby is None else lobby(now.lobby),
    }


def lobby(before: Lobby) -> Json:
    """The `lobby` of a `table` message."""
    bots = [at for at, person in enumerate(before.people) if person.bot]
    names = encode.names((person.name for person in before.people), bots)
    people: list[Json] = [
        {
            "name": name,
            "ready": person.ready,
            "bot": person.bot,
            "me": person.me,
            "program": person.program,
            "id": person.id,
            "away": person.away,
            "mayShowOut": person.may_show_out,
        }
        for name, person in zip(names, before.people, strict=True)
    ]
    return {
        "options": encode.options(before.options),
        "people": people,
        "addresses": [*before.ways.addresses],
        "code": before.ways.code,
        "hosting": before.hosting,
        "mayStart": before.may_start,
        "maySeatBot": before.may_seat_bot,
        "apart": before.apart or None,
        "maySit": before.may_sit,
        "mayWatch": before.may_watch,
        "qr": [*before.ways.qr],
        "guests": {
            "addresses": [*before.ways.guests],
            "qr": [*before.ways.guest_qr],
            "hint": before.ways.guest_hint or None,
        },
    }


def asking_guests(guests: tuple[Guest, ...]) -> Json:
    """The `asking` of a `table` message."""
    names = encode.names(guest.name for guest in guests)
    return [
        {"id": guest.id, "name": name, "watching": guest.watching}
        for guest, name in zip(guests, names, strict=True)
    ]


def standing_message(now: standing.Standing) -> Message:
    """The `standing` message: every intent that stands."""
    return {
        "type": "standing",
        "passUntilNewRank": now.passing is not None,
        "passForMe": now.pass_for_me,
        "waiveForMe": now.waive_for_me,
        "resign": now.resign,
        "queue": [*now.queue],
    }


def events_message(told: tuple[Told, ...], first: int) -> Message:
    """The `events` message: `first` is the number of the first one in this game; 0 starts the list again."""
    listed: list[Json] = [{"at": each.height} | encode.event(each.event) for each in told]
    return {"type": "events", "first": first, "events": listed}


def _view_messages(view: View | None, now: Situation) -> list[Message]:
    if view is None:
        return []
    return [{"type": "view"} | encode.view(view, now.bots), {"type": "legal"} | encode.legal(view)]
