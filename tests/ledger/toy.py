"""A toy game for the ledger: a JOIN round, turns that count upwards, a round every third turn, then RESULT.

Seats take turns; a turn (kind 8) names a number from 0 to 9 that must differ from the one before (R9). With
`options = (turns, absent)` the game lasts `turns` turns; `absent` 1 makes a complete ABORT a loss (over), 0
void. JOIN (kind 0) carries bytes: if all seats send the same, the game is void. A round (kind 4) carries
the SHA-256 of the state's bytes, or it is I_PROOF. Kind 17 resigns. RESULT (kind 18) carries the sum of all
numbers. The number in `bug` makes `apply` fail as an engine never may.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

from ledger.codec import encode
from ledger.engine import Due, Kind, Payload, Seat
from ledger.errors import Forbidden, Unsupported
from ledger.genesis import Genesis

JOIN: Final = Kind(0)
ROUND: Final = Kind(4)
TURN: Final = Kind(8)
RESIGN: Final = Kind(17)
RESULT: Final = Kind(18)
RULES_ID: Final = sha256(b"toy").digest()


class ToyState(NamedTuple):
    seats: int
    turns: int
    absent: int
    phase: str
    numbers: tuple[int, ...]
    loser: int | None


class Toy:
    """The engine; stateless but for the planted bug."""

    def __init__(self, *, bug: int | None = None) -> None:
        self.bug = bug

    def start(self, genesis: Genesis) -> ToyState:
        if genesis.rules_id != RULES_ID:
            raise Unsupported("rules of another game")
        turns, absent = genesis.options
        return ToyState(len(genesis.seats), turns, absent, "join", (), None)

    def expect(self, state: ToyState) -> tuple[Due, ...]:
        everybody = tuple(Seat(seat) for seat in range(state.seats))
        match state.phase:
            case "join":
                return tuple(Due(seat, (JOIN,)) for seat in everybody)
            case "turn":
                return (Due(Seat(len(state.numbers) % state.seats), (TURN, RESIGN)),)
            case "round":
                return tuple(Due(seat, (ROUND,)) for seat in everybody)
            case "result":
                return tuple(Due(seat, (RESULT,)) for seat in everybody)
        return ()

    def check(self, state: ToyState, due: Due, kind: Kind, payload: Payload) -> None:
        match kind, payload:
            case (0, (bytes(),)) | (17, ()):
                return
            case 8, (int(number),) if type(number) is int and 0 <= number <= 9:
                if state.numbers and state.numbers[-1] == number:
                    raise Forbidden("I_RULE", rule="R9", reason="toy.same-number", number=number)
            case 4, (bytes(proof),):
                if proof != self.proof(state):
                    raise Forbidden("I_PROOF", reason="toy.proof")
            case 18, (int(total),) if type(total) is int:
                if total != sum(state.numbers):
                    raise Forbidden("I_RULE", rule="R29", reason="toy.result")
            case _:
                raise Forbidden("I_SHAPE", reason="toy.shape")

    def apply(self, state: ToyState, met: tuple[tuple[Kind, Payload], ...]) -> ToyState:
        kind, payload = met[0]
        match state.phase:
            case "join":
                same = all(each == payload for _, each in met)
                return state._replace(phase="void" if same else "turn")
            case "turn":
                if kind == RESIGN:
                    return state._replace(phase="result", loser=len(state.numbers) % state.seats)
                (number,) = payload
                assert type(number) is int
                if number == self.bug:
                    raise ZeroDivisionError("a planted bug")
                numbers = (*state.numbers, number)
                phase = "result" if len(numbers) == state.turns else "turn"
                if len(numbers) % 3 == 0 and phase == "turn":
                    phase = "round"
                return state._replace(numbers=numbers, phase=phase)
            case "round":
                return state._replace(phase="turn")
            case _:
                return state._replace(phase="done")

    def over(self, state: ToyState) -> bool:
        return state.phase in ("result", "done", "forfeit")

    def playing(self, state: ToyState) -> bool:
        return state.phase in ("turn", "round")

    def public_bytes(self, state: ToyState) -> bytes:
        return encode((state.seats, state.turns, state.phase.encode(), state.numbers, state.loser))

    def still_in(self, state: ToyState) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat in range(state.seats))

    def abort(self, state: ToyState, waiting_for: tuple[Seat, ...]) -> ToyState:
        return state._replace(phase="forfeit" if state.absent else "aborted", loser=waiting_for[0])

    def proof(self, state: ToyState) -> bytes:
        return sha256(self.public_bytes(state)).digest()
