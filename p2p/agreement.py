"""One genesis a round, on the host's side: composed, offered, agreed to by all, or cancelled.

A round ends in a game or is cancelled; either way its records are spent, because one seed serves one game id.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.errors import BadGenesis
from ledger.genesis import GameId, Genesis, SeatRecord
from ledger.identity import PublicKey
from p2p.lobby import LobbyError, Terms


class Agreement:
    """The round of one table. `genesis` is that of the game that runs, or ran last in this round."""

    def __init__(self) -> None:
        self.round = 1
        self.offer: Genesis | None = None
        self.genesis: Genesis | None = None
        self._agreed: set[PublicKey] = set()

    @property
    def gathering(self) -> bool:
        """Nothing is offered yet: people may come, go and change the terms."""
        return self.offer is None and self.genesis is None

    def resume(self, genesis: Genesis, round_number: int) -> None:
        """The game of an earlier start of the host runs."""
        self.genesis, self.round = genesis, round_number

    def propose(self, terms: Terms, records: tuple[SeatRecord, ...], own: Iterable[PublicKey]) -> Genesis:
        """What all but our `own` are to be asked. Raises `LobbyError` for what can be no genesis."""
        try:
            offer = Genesis(terms.rules, terms.options, terms.suite, records, terms.previous)
        except BadGenesis as error:
            raise LobbyError(error.reason) from error
        self.offer, self._agreed = offer, set(own)
        return offer

    def agrees(self, identity: PublicKey, game: GameId) -> bool:
        """Somebody's word; True if it is about what is offered."""
        if self.offer is None or game != self.offer.game_id:
            return False
        self._agreed.add(identity)
        return True

    def settle(self) -> Genesis | None:
        """The genesis, once all have agreed: the game runs."""
        offer = self.offer
        if offer is None or any(record.identity_key not in self._agreed for record in offer.seats):
            return None
        self.offer, self.genesis = None, offer
        return offer

    def next_round(self) -> None:
        self.offer = self.genesis = None
        self._agreed = set()
        self.round += 1
