"""What the ledger asks of a game: a pure function of all earlier heights (DESIGN §2).

The ledger never looks inside a payload and the engine never sees a signature. Everything here must give the
same answer on every device: no clock, dice, floats or set order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from ledger.genesis import Genesis

Seat = NewType("Seat", int)
"""A place at the table, 0 … n−1, clockwise."""
Height = NewType("Height", int)
"""Position in the log, 0 … 4095."""
Kind = NewType("Kind", int)
"""What an entry says (DESIGN §3), 0 … 31."""

Value: TypeAlias = "int | bytes | bool | tuple[Value, ...] | None"
"""One item of the CBOR subset. Arrays are tuples, so payloads are hashable and immutable."""
Payload: TypeAlias = "tuple[Value, ...]"

ABORT = Kind(19)
"""The one kind of lane 1 (RULES R30). Its payload is `((seat, …),)`, the seats waited for, ascending."""


class Due(NamedTuple):
    """One entry the game waits for: whose, and of which kinds."""

    seat: Seat
    kinds: tuple[Kind, ...]


State = TypeVar("State")


class Engine(Protocol[State]):
    """The game as the ledger sees it. `State` is an immutable value."""

    def start(self, genesis: Genesis) -> State:
        """The state before height 0. Raises `ledger.errors.Unsupported` or `ledger.errors.BadGenesis`."""

    def expect(self, state: State) -> tuple[Due, ...]:
        """The dues of the next height, ascending by seat; `()` when nothing is due any more."""

    def check(self, state: State, due: Due, kind: Kind, payload: Payload) -> None:
        """Raise `ledger.errors.Forbidden` unless this payload may meet this due."""

    def apply(self, state: State, met: tuple[tuple[Kind, Payload], ...]) -> State:
        """The state after a complete height; `met` is in due order and has passed `check`."""

    def over(self, state: State) -> bool:
        """Play is over and has a result (durak or draw). False for a void game."""

    def playing(self, state: State) -> bool:
        """From the first lead until play is over: where ABORT may be signed (R30)."""

    def public_bytes(self, state: State) -> bytes:
        """All that is public, as bytes; hashed into every entry."""

    def still_in(self, state: State) -> tuple[Seat, ...]:
        """The seats that are in (R17), ascending."""

    def abort(self, state: State, waiting_for: tuple[Seat, ...]) -> State:
        """The state after a complete ABORT: nothing is due; `over` tells `durak` from `void`."""
