"""A table of toy seats that sign for real: what most tests of the ledger begin with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from ledger.engine import Kind, Payload, Seat
from ledger.entry import Body, sign_entry
from ledger.genesis import Genesis, Previous, SeatRecord
from ledger.identity import SigningKey, certify, game_key
from ledger.log import Log
from ledger.outcome import Outcome
from tests.ledger.toy import JOIN, RESULT, ROUND, RULES_ID, TURN, Toy, ToyState

NAMES = ("Olya", "Борис", "Ciro", "Dörte", "Ed", "Fay")


def fixed(text: str) -> bytes:
    """32 bytes that differ for every text."""
    return sha256(text.encode()).digest()


def seed_of(seat: int, game: str = "") -> bytes:
    return fixed(f"seed {seat} {game}")


def identity_of(seat: int) -> SigningKey:
    return SigningKey(fixed(f"identity {seat}"))


def seat_record(seat: int, game: str = "", **changes: object) -> SeatRecord:
    key = game_key(seed_of(seat, game)).public
    nonce = fixed(f"nonce {seat} {game}")
    record = SeatRecord(
        key, identity_of(seat).public, nonce, certify(identity_of(seat), key, nonce), NAMES[seat]
    )
    return replace(record, **changes)  # type: ignore[arg-type]


def genesis_of(
    seats: int = 3, *, turns: int = 6, absent: int = 0, game: str = "", previous: Previous | None = None
) -> Genesis:
    return Genesis(
        RULES_ID, (turns, absent), 0, tuple(seat_record(seat, game) for seat in range(seats)), previous
    )


@dataclass
class Table:
    """Keys of all seats and one log; `play` makes the honest entry that is due."""

    genesis: Genesis
    log: Log[ToyState]
    keys: tuple[SigningKey, ...]

    @classmethod
    def of(cls, seats: int = 3, *, turns: int = 6, absent: int = 0, game: str = "") -> Table:
        genesis = genesis_of(seats, turns=turns, absent=absent, game=game)
        keys = tuple(game_key(seed_of(seat, game)) for seat in range(seats))
        return cls(genesis, Log(Toy(), genesis), keys)

    def fresh(self) -> Log[ToyState]:
        """An empty log of the same game."""
        return Log(Toy(), self.genesis)

    def sign(self, signer: int, body: Body, **changes: object) -> bytes:
        return sign_entry(self.keys[signer], replace(body, **changes))  # type: ignore[arg-type]

    def body(self, seat: int, kind: Kind | None = None, payload: Payload | None = None) -> Body:
        """What `seat` would sign now, unchecked: also what it must not sign."""
        level = self.log.level(self.log.height)
        honest_kind, honest_payload = self.honest(seat)
        return Body(
            1,
            self.log.game_id,
            level.height,
            Seat(seat),
            level.prev,
            level.state,
            honest_kind if kind is None else kind,
            honest_payload if payload is None else payload,
        )

    def honest(self, seat: int) -> tuple[Kind, Payload]:
        state = self.log.level(self.log.height).before
        match state.phase:
            case "join":
                return JOIN, (bytes([seat]),)
            case "round":
                return ROUND, (Toy().proof(state),)
            case "result" | "done":
                return RESULT, (sum(state.numbers),)
        return TURN, (7 * len(state.numbers) % 10,)

    def record(self, seat: int, kind: Kind | None = None, payload: Payload | None = None) -> bytes:
        return self.sign(seat, self.body(seat, kind, payload))

    def act(self, seat: int, kind: Kind | None = None, payload: Payload | None = None) -> Outcome:
        return self.log.receive(self.record(seat, kind, payload))

    def abort(self, seat: int, *waiting_for: int) -> bytes:
        return self.record(seat, Kind(19), (tuple(waiting_for),))

    def play(self, heights: int = 1) -> list[bytes]:
        """Play so many heights honestly; the records, in due order."""
        records = []
        for _ in range(heights):
            for due in self.log.level(self.log.height).unmet:
                records.append(self.record(due.seat))
                outcome = self.log.receive(records[-1])
                assert outcome.kept, outcome
        return records

    def play_on(self) -> list[bytes]:
        """Play to the very end."""
        records = []
        while self.log.level(self.log.height).dues:
            records += self.play()
        return records
