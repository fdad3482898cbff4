"""Seats of Durak itself for the simulator: honest ones that play any card, and one that shows two faces."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cli.game_peer import GamePeer
from game.actions import RESIGN, Action
from game.bots import Memory
from game.course import Course
from game.seat import OwnSeat
from game.state import CourseState
from ledger.entry import read_record, sign_entry
from ledger.identity import PublicKey, game_key
from ledger.log import Log
from ledger.outcome import Outcome
from p2p.messages import Entries, Message
from p2p.node import Node
from tests.memory_store import MemoryStore
from tests.open_deck import NUMBER, OpenDeckSuite

OPEN_COURSE = Course(OpenDeckSuite(), number=NUMBER)


class GameHolder:
    """A seat that plays any legal card at once, and forgets all but its store when it is restarted."""

    def __init__(self, store: MemoryStore, dice: random.Random, course: Course = OPEN_COURSE) -> None:
        self.store = store
        self.dice = dice
        self.game = GamePeer(store, course)

    @property
    def log(self) -> Log[CourseState]:
        return self.game.log

    def receive(self, record: bytes) -> Outcome:
        return self.game.receive(record)

    def advance(self) -> Sequence[bytes]:
        made: list[bytes] = []
        while True:
            made += self.game.advance()
            turn = self.game.turn(Memory(()))
            if turn is None:
                return made
            made.append(self.decide([action for action in turn.legal if action != RESIGN]))

    def decide(self, legal: Sequence[Action]) -> bytes:
        return self.game.decide(self.dice.choice(legal))

    def restarted(self) -> GameHolder:
        return type(self)(self.store, self.dice, self.game.course)


class TwoFacedHolder(GameHolder):
    """Signs two bodies as soon as there are two things to do; `faces` has the other by the one it keeps."""

    faces: dict[bytes, bytes]

    def decide(self, legal: Sequence[Action]) -> bytes:
        if self.faces or len(legal) < 2:
            return super().decide(legal)
        genesis, state, seat = self.game.genesis, self.game.state, self.game.seat
        assert seat is not None
        own = OwnSeat(self.game.course, genesis.game_id, seat, self.store.seed())
        kind, payload = own.write(state, legal[1])
        record = self.game.decide(legal[0])
        other = replace(read_record(record).body, kind=kind, payload=payload)
        self.faces[record] = sign_entry(game_key(self.store.seed()), other)
        return record


def two_faced(fooled: PublicKey) -> tuple[type[Node], type[GameHolder], dict[bytes, bytes]]:
    """A node and its holder: `fooled` is shown the other face; the faces there are by the end."""
    shown: dict[bytes, bytes] = {}

    class Holder(TwoFacedHolder):
        faces = shown

    class TwoFacedNode(Node):
        def _send(self, identity: PublicKey, message: Message) -> None:
            if isinstance(message, Entries) and identity == fooled:
                message = replace(message, records=tuple(shown.get(r, r) for r in message.records))
            super()._send(identity, message)

    return TwoFacedNode, Holder, shown
