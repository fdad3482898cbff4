"""A whole table in one process, without ledger or links: seats fold their own entries into one course.

What every test that needs "a game" starts from. Dice are a `random.Random` with a fixed seed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from game.actions import RESIGN, Action
from game.course import Course
from game.options import RULES_ID, Options, encode
from game.seat import OwnSeat
from game.state import CourseState
from ledger.engine import Due, Kind, Payload, Seat
from ledger.genesis import Genesis, Previous, SeatRecord
from ledger.identity import SigningKey, certify, game_key
from tests.open_deck import NUMBER, OpenDeckSuite

Chooser = Callable[[CourseState, OwnSeat, tuple[Action, ...]], Action]


@dataclass(frozen=True)
class Step:
    """One height: the states around it, its dues and what met them."""

    before: CourseState
    dues: tuple[Due, ...]
    met: tuple[tuple[Kind, Payload], ...]
    after: CourseState


def seed_of(label: str) -> bytes:
    """A fixed 32-byte seed for tests."""
    return hashlib.sha256(label.encode()).digest()


def identity_of(seat: int) -> SigningKey:
    return SigningKey.from_seed32(seed_of(f"identity {seat}"))


def genesis_of(
    options: Options, *, suite: int = NUMBER, label: str = "game", previous: Previous | None = None
) -> Genesis:
    """A genesis of fixed keys: seat i has the identity key "identity i" and the seed "label i"."""
    records = []
    for seat in range(options.seats):
        key = game_key(seed_of(f"{label} {seat}"))
        nonce = seed_of(f"nonce {label} {seat}")
        certificate = certify(identity_of(seat), key.public, nonce)
        records.append(SeatRecord(key.public, identity_of(seat).public, nonce, certificate, f"Player {seat}"))
    return Genesis(RULES_ID, encode(options), suite, tuple(records), previous)


class Table:
    """All seats of one game and their common course."""

    def __init__(
        self,
        options: Options,
        *,
        label: str = "game",
        course: Course | None = None,
        previous: Previous | None = None,
    ) -> None:
        self.course = course or Course(OpenDeckSuite(), number=NUMBER)
        self.genesis = genesis_of(options, suite=self.course.number, label=label, previous=previous)
        self.state = self.course.start(self.genesis)
        self.own = [
            OwnSeat(self.course, self.genesis.game_id, Seat(seat), seed_of(f"{label} {seat}"))
            for seat in range(options.seats)
        ]

    def step(self, choose: Chooser) -> Step:
        """Meet every due of the next height; each entry passes the check first."""
        before = self.state
        dues = self.course.expect(before)
        met = []
        for due in dues:
            own = self.own[due.seat]
            said = own.owed(before)
            if said is None:
                said = own.write(before, choose(before, own, own.legal(before)))
            self.course.check(before, due, *said)
            assert said[0] in due.kinds
            met.append(said)
        self.state = self.course.apply(before, tuple(met))
        return Step(before, dues, tuple(met), self.state)

    def play(self, choose: Chooser) -> Iterator[Step]:
        """Step until nothing is due."""
        while self.course.expect(self.state):
            yield self.step(choose)


def chooser(seed: int) -> Chooser:
    """Any legal action but to resign, by fixed dice."""
    dice = random.Random(seed)

    def choose(state: CourseState, own: OwnSeat, legal: tuple[Action, ...]) -> Action:
        return dice.choice([action for action in legal if action != RESIGN])

    return choose


def options_of(**chosen: object) -> Options:
    return replace(Options(), **chosen)  # type: ignore[arg-type]
