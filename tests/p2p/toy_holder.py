"""A seat of the toy game that plays by itself, stores before it sends, and survives its process."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.engine import Kind, Payload, Seat
from ledger.entry import sign_entry
from ledger.genesis import Genesis
from ledger.identity import SigningKey, game_key
from ledger.log import Log
from ledger.outcome import Outcome
from tests.ledger.table import seed_of
from tests.ledger.toy import JOIN, RESULT, ROUND, TURN, Toy, ToyState


class ToyHolder:
    """`seat` None watches. `silent`: holds its seat and signs nothing."""

    def __init__(
        self, genesis: Genesis, seat: int | None, stored: Sequence[bytes] = (), *, silent: bool = False
    ) -> None:
        self.genesis = genesis
        self.seat = seat
        self.silent = silent
        self.stored: list[bytes] = []
        self.log: Log[ToyState] = Log(Toy(), genesis)
        self.key: SigningKey | None = None if seat is None else game_key(seed_of(seat))
        for record in stored:
            self.receive(record)

    def receive(self, record: bytes) -> Outcome:
        outcome = self.log.receive(record)
        self.stored.extend(entry.record for entry in outcome.kept)
        return outcome

    def advance(self) -> list[bytes]:
        made: list[bytes] = []
        while not self.silent and self.seat is not None and self.seat in self.log.waiting_for:
            assert self.key is not None
            record = sign_entry(self.key, self.log.draft(Seat(self.seat), *self.honest()))
            if not self.receive(record).kept:
                break
            made.append(record)
        return made

    def honest(self) -> tuple[Kind, Payload]:
        state = self.log.state
        assert self.seat is not None
        match state.phase:
            case "join":
                return JOIN, (bytes([self.seat]),)
            case "round":
                return ROUND, (Toy().proof(state),)
            case "result":
                return RESULT, (sum(state.numbers),)
        return TURN, (len(state.numbers) % 10,)

    def restarted(self) -> ToyHolder:
        return ToyHolder(self.genesis, self.seat, self.stored, silent=self.silent)
