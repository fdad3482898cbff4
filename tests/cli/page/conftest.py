"""Hand-made tables for the page's tests, and a feed that records what it is asked to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cli.page.feed import Refusal, Situation, Told
from game import actions, events
from game.cards import Card, Place, parse_card
from game.errors import IllegalMove
from game.options import Options
from game.view import HandCard, Pair, View
from ledger.engine import Height, Seat

if TYPE_CHECKING:
    from game.actions import Action

ViewMaker = Callable[..., View]


def hand(text: str, *, first: int = 6) -> tuple[HandCard, ...]:
    """ "6S TD" as own cards at places `first`, `first` + 1 …"""
    return tuple(
        HandCard(Place(first + index), parse_card(each), public=False)
        for index, each in enumerate(text.split())
    )


def pairs(text: str, *, attacker: int = 0, defender: int = 1, height: int = 20) -> tuple[Pair, ...]:
    """ "8S 8D/JD" as pairs on the table, laid one entry after the other."""
    table = []
    for each in text.split():
        attack, _, beat = each.partition("/")
        beaten = parse_card(beat) if beat else None
        table.append(
            Pair(
                parse_card(attack),
                Seat(attacker),
                Height(height),
                beaten,
                Seat(defender) if beat else None,
                Height(height + 1) if beat else None,
            )
        )
        height += 2
    return tuple(table)


def make_view(**changes: object) -> View:
    """Three seats, seat 1 is us and defends against 8S; trump hearts."""
    cards = hand("6S TS JD 9D QH AC")
    base = View(
        options=Options(seats=3),
        names=("Anna", "Boris", "Chen"),
        me=Seat(1),
        height=Height(24),
        stage="play",
        waiting_for=(Seat(1),),
        my_turn=True,
        trump=parse_card("9H"),
        talon=11,
        discard=(),
        counts=(5, 6, 6),
        hand=cards,
        known=((), (), ()),
        table=pairs("8S 8D/JD"),
        leader=Seat(0),
        head=Seat(0),
        defender=Seat(1),
        word=Seat(1),
        taking=False,
        passed=(),
        marked=(),
        capacity=4,
        out=(),
        result=None,
        legal=(
            actions.Beat(parse_card("8S"), Place(7), parse_card("TS")),
            actions.Beat(parse_card("8S"), Place(10), parse_card("QH")),
            actions.TAKE,
            actions.RESIGN,
        ),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def throwing(**changes: object) -> View:
    """Seat 0 leads against seat 2, all is beaten, we (seat 1) are asked to throw in."""
    base = make_view(
        table=pairs("8S/TS", attacker=0, defender=2),
        defender=Seat(2),
        hand=hand("8C 9D QH"),
        counts=(5, 3, 5),
        legal=(actions.Throw(Place(6), parse_card("8C")), actions.PASS, actions.RESIGN),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


class RecordingFeed:
    """A feed of given views: `show` changes what it says, `acted` is what it was asked to sign."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._situation = Situation("practice", ("bot", "me", "bot")[: len(view.names)])
        self._told: tuple[Told, ...] = ()
        self._signal = asyncio.Event()
        self.acted: list[tuple[Height, Action]] = []
        self.wishes: list[str] = []
        self.case: bytes | None = None
        self.fails = False

    def show(
        self, view: View | None = None, *happened: events.Event, situation: Situation | None = None
    ) -> None:
        self._view = self._view if view is None else view
        self._situation = self._situation if situation is None else situation
        self._told += tuple(Told(self._view.height, event) for event in happened)
        self._signal.set()

    def view(self) -> View:
        return self._view

    def history(self) -> tuple[Told, ...]:
        return self._told

    def situation(self) -> Situation:
        return self._situation

    def refusal(self, action: Action) -> IllegalMove | None:
        if action in self._view.legal:
            return None
        if isinstance(action, actions.Beat):
            return IllegalMove("R9", "illegal.does-not-beat", attack=action.attack, card=action.card)
        return IllegalMove("R10", "illegal.not-your-word")

    async def wait(self) -> None:
        await self._signal.wait()
        self._signal.clear()

    async def act(self, height: Height, action: Action) -> None:
        if self.fails:
            raise OSError("no space left on device")
        self.acted.append((height, action))

    async def rematch(self, *, on: bool) -> None:
        self.wishes.append(f"rematch {on}")

    async def go_on_without(self, *, on: bool) -> None:
        self.wishes.append(f"go on {on}")

    async def hint(self) -> Action | None:
        return self._view.legal[0]

    async def lobby(self, wish: str) -> Refusal | None:
        self.wishes.append(wish)
        return Refusal("lobby.away", {"name": "Boris"}) if wish == "start" else None

    async def admit(self, guest: str, *, on: bool) -> None:
        self.wishes.append(f"admit {guest} {on}")

    async def show_out(self, person: str) -> Refusal | None:
        self.wishes.append(f"show out {person}")
        return Refusal("refused.started") if person == "late" else None

    def log_file(self) -> bytes:
        return b"the log"

    def case_file(self) -> bytes | None:
        return self.case


@pytest.fixture(name="view_of")
def _view_of() -> ViewMaker:
    return make_view


@pytest.fixture(name="throwing")
def _throwing() -> ViewMaker:
    return throwing


@pytest.fixture(name="hand_of")
def _hand_of() -> Callable[..., tuple[HandCard, ...]]:
    return hand


@pytest.fixture(name="pairs_of")
def _pairs_of() -> Callable[..., tuple[Pair, ...]]:
    return pairs


@pytest.fixture(name="feed_of")
def _feed_of() -> Callable[[View], RecordingFeed]:
    return RecordingFeed


@pytest.fixture(name="every_event")
def _every_event() -> tuple[events.Event, ...]:
    """One of each event."""
    from game.position import Result

    seat, card, cards = Seat(0), Card(4), (Card(4), Card(17))
    final = Result(0, (1,), (0, 2), cards)
    return (
        events.Joined(),
        events.KeysOpened(),
        events.DealVoid(),
        events.Shuffled(seat, 1, 3),
        events.Dealt(card, 18),
        events.Claimed(seat, 4),
        events.TrumpOpened(seat, card),
        events.LeaderFixed(seat, "lot"),
        events.Led(seat, Seat(1), cards),
        events.Beaten(seat, card, card),
        events.Transferred(seat, card, Seat(1)),
        events.Shown(seat, card, Seat(1)),
        events.Thrown(seat, card, taking=False),
        events.TakeDeclared(seat),
        events.Passed(seat),
        events.Accused(seat, Seat(1), Height(9), card, upheld=True),
        events.RolledBack(Height(9)),
        events.BoutBeaten(seat, cards),
        events.BoutTaken(seat, cards),
        events.Drew(seat, 2, 11),
        events.WentOut(seat, 1),
        events.Resigned(seat),
        events.GameOver(final),
        events.ResultSigned(),
        events.HandsOpened(cards),
        events.Aborted((seat,), durak=True),
    )
