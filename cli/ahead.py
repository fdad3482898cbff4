"""The next game, made ready while its people still look at the last one (shuffle-ahead).

A game is agreed, keyed and shuffled as soon as the last is over, and then held: no seat gives a token before
its person has said "again", so nobody can see a hand, nothing can be led, and whoever gets up has lost
nothing. The host's seat gives its tokens last of all; until then it may call the game off and gather anew.

Until all have dealt it lives in memory alone, its seed as well: a game nobody took up leaves nothing behind.
This keeps law L1 without a disk: after a crash the seed is gone, and with it every means to sign a second
body. What is signed after the deal stands on disk first, as ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.game_peer import GamePeer
from game.course import Course
from game.state import Stage
from ledger.entry import Entry, read_record
from ledger.errors import StoreError
from ledger.level import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.game_peer import Store
    from ledger.genesis import Genesis
    from ledger.identity import PublicKey

SHUFFLING = (Stage.JOIN, Stage.KEYS, Stage.SHUFFLE, Stage.ACK, Stage.DEAL)
"""What happens before anybody can see a card."""


class Provisional:
    """A store in memory: `cli.game_peer.Store`."""

    def __init__(self, genesis: Genesis, seed: bytes | None) -> None:
        self.genesis = genesis
        self.watches = self.read_only = ""
        self._seed = seed
        self._kept: list[bytes] = []

    def __repr__(self) -> str:
        return "Provisional(…)"

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(read_record(record) for record in self._kept)

    @property
    def may_sign(self) -> bool:
        return self._seed is not None

    def seed(self) -> bytes:
        if self._seed is None:
            raise StoreError("store.no-seed")
        return self._seed

    def append(self, record: bytes) -> bytes:
        self._kept.append(record)
        return record

    def append_received(self, *records: bytes) -> None:
        self._kept += records

    def keep_case(self, case: bytes) -> None:
        """Nothing of a held game is on the disk, a case neither: the log says it all again."""

    def delete_seed(self) -> None:
        self._seed = None

    def close(self) -> None:
        self._seed = None


class NextGame:
    """One held game. `round_number` is that of the lobby it was agreed in; `seed` is None for a watcher."""

    def __init__(self, genesis: Genesis, seed: bytes | None, course: Course, round_number: int) -> None:
        self.round = round_number
        self.game = GamePeer(Provisional(genesis, seed), course)
        self.game.held = True
        self.wanted = False
        self._seed = seed

    @property
    def begun(self) -> bool:
        """All have dealt, or something happened that people must see."""
        return self.game.log.status is not Status.OPEN or self.game.state.stage not in SHUFFLING

    @property
    def binding(self) -> bool:
        """Our tokens are given: others may have begun."""
        stage = self.game.state.stage
        return stage not in SHUFFLING or (
            stage is Stage.DEAL and self.game.seat not in self.game.log.waiting_for
        )

    def has(self, identity: PublicKey) -> bool:
        """Whether this person has a seat in it."""
        return any(record.identity_key == identity for record in self.game.genesis.seats)

    def release(self, *, hosting: bool) -> None:
        """Let go of the tokens if it is time: our person wants the game, and a host deals last of all."""
        others = [seat for seat in self.game.log.waiting_for if seat != self.game.seat]
        self.game.held = not self.wanted or (hosting and bool(others))

    def keep(self, create: Callable[[Genesis, bytes | None], Store]) -> GamePeer:
        """The game, moved from memory to disk; from here on it is like any other. Raises `StoreError`."""
        game = self.game
        store = create(game.genesis, self._seed)
        for entry in game.log.entries():
            if entry.seat == game.seat:
                store.append(entry.record)
            else:
                store.append_received(entry.record)
        game.store = store
        game.held = False
        return game
