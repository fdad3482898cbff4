"""Where a peer's games are kept: what `cli.succession` and `cli.sitting` ask of a disk, or of a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cli.game_peer import Store
    from cli.seat_request import SeatRequest
    from ledger.genesis import Genesis


class Games(Protocol):
    """Where the games of this device are kept."""

    def rehearse(self) -> None:
        """Find out whether `create` could keep a game now, before others wait for it. Raises `StoreError`."""

    def create(self, genesis: Genesis, seed: bytes) -> Store:
        """A new game with a seat of ours. Raises `StoreError`; then nothing may be signed."""

    def watch(self, genesis: Genesis) -> Store:
        """A game we only look at. Raises `StoreError`."""

    def asked(self, request: SeatRequest) -> None:
        """A seat is about to be asked for: keep with what, until `create`. Raises `StoreError`."""

    def held(self) -> None:
        """The game begun with what was asked last is kept in memory until all have dealt."""

    def given_up(self) -> None:
        """The seat asked for last is wanted no more, and the host hears so."""
