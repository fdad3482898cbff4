"""Whole games of suite 1, signed by every seat's real key, from which a table can be set up at any height.

A game is played once per process and kept as records. What the engine said about a payload is remembered
(checks and steps are pure functions of state and payload), so that honest history is not proven again for
every table; whatever a cheat says is new and goes through the whole check.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from game.course import Course
from game.mental_poker import deck as real_suite
from game.mental_poker import group
from game.options import Options
from game.seat import OwnSeat
from game.state import CourseState, Stage
from ledger import codec
from ledger.engine import Due, Kind, Payload, Seat
from ledger.entry import sign_entry
from ledger.genesis import Genesis
from ledger.identity import game_key
from ledger.log import Log
from tests.tables import Chooser, chooser, genesis_of, options_of, seed_of

Met = tuple[tuple[Kind, Payload], ...]


class Remembering(Course):
    """Suite 1, with a memory of every payload that has passed and of every step that was made."""

    def __init__(self) -> None:
        super().__init__(real_suite)
        self._remembered: set[tuple[object, ...]] = set()
        self._steps: dict[tuple[object, ...], CourseState] = {}
        self.checked = 0
        """Payloads that had to be looked at."""

    def check(self, state: CourseState, due: Due, kind: Kind, payload: Payload) -> None:
        key = (self._name(state), due, kind, codec.encode(payload))
        if key not in self._remembered:
            self.checked += 1
            super().check(state, due, kind, payload)
            self._remembered.add(key)

    def apply(self, state: CourseState, met: Met) -> CourseState:
        key = (self._name(state), met)
        if key not in self._steps:
            self._steps[key] = super().apply(state, met)
        return self._steps[key]

    def _name(self, state: CourseState) -> tuple[object, ...]:
        return (group.backend().name, state.setup.game_id, self.public_bytes(state))


COURSE = Remembering()
"""Shared by all tables of a process."""


@dataclass(frozen=True)
class Recorded:
    """One whole game. `states[h]` is what was public before height h."""

    options: Options
    label: str
    genesis: Genesis
    records: tuple[bytes, ...]
    heights: tuple[int, ...]
    """Of the records, in canonical order."""
    states: tuple[CourseState, ...]

    def seed(self, seat: int) -> bytes:
        return seed_of(f"{self.label} {seat}")

    def before(self, height: int) -> tuple[bytes, ...]:
        """The records of all earlier heights."""
        return tuple(record for record, at in zip(self.records, self.heights, strict=True) if at < height)

    def at(self, stage: Stage, *, nth: int = 0) -> int:
        """The nth height of a stage."""
        return [state.height for state in self.states if state.stage is stage][nth]

    def turn(self, seat: int, kind: Kind, *, nth: int = 0) -> int:
        """The nth height at which this seat alone is asked and may answer with this kind."""
        return [
            state.height
            for state in self.states
            if [due.seat for due in COURSE.expect(state)] == [seat] and kind in COURSE.expect(state)[0].kinds
        ][nth]

    def has(self, stage: Stage) -> bool:
        return any(state.stage is stage for state in self.states)


@cache
def recorded(label: str = "attacks", *, dice: int = 1, **chosen: object) -> Recorded:
    """The game of these keys and dice, played to its end."""
    options = options_of(**{"deck": 24, "seats": 3, **chosen})
    genesis = genesis_of(options, suite=1, label=label)
    return _play(genesis, options, label, chooser(dice))


def _play(genesis: Genesis, options: Options, label: str, choose: Chooser) -> Recorded:
    log = Log(COURSE, genesis)
    seeds = [seed_of(f"{label} {seat}") for seat in range(options.seats)]
    owns = [OwnSeat(COURSE, genesis.game_id, Seat(seat), seed) for seat, seed in enumerate(seeds)]
    states = [log.state]
    while log.dues:
        for due in log.dues:
            own, state = owns[due.seat], log.state
            said = own.owed(state) or own.write(state, choose(state, own, own.legal(state)))
            log.receive(sign_entry(game_key(seeds[due.seat]), log.draft(due.seat, *said)))
        states.append(log.state)
    entries = log.entries()
    heights = tuple(entry.height for entry in entries)
    return Recorded(options, label, genesis, log.records(), heights, tuple(states))
