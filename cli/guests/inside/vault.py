"""What the guest's browser keeps of a table: law L1 where writing takes a while.

A store here only notes what is to be written; `Journal.commit` writes it all in one transaction, and the
driver sends nothing that was made before that is through. The browser's transaction adds an own entry under
its due and refuses a second one there, and refuses everything once another tab has claimed the table: two
tabs with one seat cannot both sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from ledger.entry import read_record
from ledger.errors import StoreError
from ledger.genesis import GameId, Genesis

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from cli.seat_request import SeatRequest
    from ledger.entry import Entry

Kind: TypeAlias = Literal["identity", "seat", "genesis", "seed", "own", "record", "forget", "again"]
"""`seat` is what a seat was asked with, until a `genesis` takes it; `own` a record of ours under the key of
its due; `forget` deletes the seed of a game; `again` names the game after which another is wanted."""


class Write(NamedTuple):
    """One thing to write. `game`: its id in hexadecimal, "" for the identity; `due`: "" but for `own`."""

    kind: Kind
    game: str
    due: str
    data: bytes


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game as it was written: records in arrival order; `seed` b"" once forgotten."""

    genesis: bytes
    seed: bytes
    records: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is kept of this table; games oldest first. `seat`: a `SeatRequest`, or b""; `again`: the id of
    the last game after which another was wanted, or b""."""

    identity: bytes
    games: tuple[KeptGame, ...]
    seat: bytes = b""
    again: bytes = b""


class VaultError(Exception):
    """It was not written. "vault.other-tab": another tab has this table; "vault.failed": anything else."""


class Vault(Protocol):
    """The browser's database, of one table."""

    async def claim(self) -> Kept:
        """Take the table from whatever tab had it, and read what is kept."""

    def commit(self, writes: tuple[Write, ...]) -> Awaitable[None]:
        """Write all of it, durably, or nothing; begun when this returns. Raises `VaultError` when awaited."""


class Journal:
    """What is to be written before anything else is sent. `broken`: why nothing may be signed any more."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._pending: list[Write] = []
        self.broken = ""

    def __bool__(self) -> bool:
        return bool(self._pending)

    def note(self, *writes: Write) -> None:
        """Raises `StoreError` after a failure."""
        if self.broken:
            raise StoreError(self.broken)
        self._pending += writes

    def commit(self) -> Awaitable[None]:
        """Begin to write what was noted until now. Raises `VaultError` when awaited; after that nothing is
        signed or sent."""
        writes, self._pending = tuple(self._pending), []
        return self._committed(self._vault.commit(writes))

    async def _committed(self, writing: Awaitable[None]) -> None:
        try:
            await writing
        except VaultError as error:
            self.broken = str(error)
            raise


class BrowserStore:
    """One game; satisfies `cli.game_peer.Store`."""

    def __init__(
        self,
        journal: Journal,
        genesis: Genesis,
        seed: bytes,
        records: tuple[bytes, ...],
        *,
        keeps: bool = True,
    ) -> None:
        """`keeps`: False for a game somebody only looks on at: his browser keeps nothing of it."""
        self.genesis = genesis
        self._keeps = keeps
        self._journal = journal
        self._game = genesis.game_id.hex()
        self._seed = seed
        self._records = records

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(map(read_record, self._records))

    @property
    def may_sign(self) -> bool:
        return bool(self._seed) and not self._journal.broken

    @property
    def watches(self) -> str:
        return self._journal.broken

    @property
    def read_only(self) -> str:
        return self._journal.broken

    def seed(self) -> bytes:
        if not self.may_sign:
            raise StoreError(self._journal.broken or "store.no-seed")
        return self._seed

    def append(self, record: bytes) -> bytes:
        self._journal.note(Write("own", self._game, due_of(record), record))
        return record

    def append_received(self, *records: bytes) -> None:
        if self._keeps:
            self._journal.note(*(Write("record", self._game, "", record) for record in records))

    def keep_case(self, case: bytes) -> None:
        """A browser keeps no files: the log in the vault holds the evidence, and the page saves the case."""

    def delete_seed(self) -> None:
        if self._seed:
            self._seed = b""
            self._journal.note(Write("forget", self._game, "", b""))

    def close(self) -> None:
        """Nothing is held open."""


class BrowserGames:
    """Makes the stores of new games; satisfies `cli.keeping.Games`. `kept` are those read at the start."""

    def __init__(self, journal: Journal, kept: Kept) -> None:
        self._journal = journal
        self._kept = {Genesis.from_bytes(game.genesis).game_id: game for game in kept.games}
        self._again = kept.again

    def rehearse(self) -> None:
        """What the browser refuses it says when it is asked to commit; here only whether it has already."""
        if self._journal.broken:
            raise StoreError(self._journal.broken)

    def create(self, genesis: Genesis, seed: bytes) -> BrowserStore:
        game = genesis.game_id.hex()
        self._journal.note(Write("genesis", game, "", genesis.to_bytes()), Write("seed", game, "", seed))
        return BrowserStore(self._journal, genesis, seed, ())

    def watch(self, genesis: Genesis) -> BrowserStore:
        found = self.kept(genesis.game_id)
        return found or BrowserStore(self._journal, genesis, b"", (), keeps=False)

    def asked(self, request: SeatRequest) -> None:
        self._journal.note(Write("seat", "", "", request.to_bytes()))

    def held(self) -> None:
        """The request stays, and the next tab takes the game up: until all have dealt, the seed alone gives
        every entry of ours, byte for byte."""

    def given_up(self) -> None:
        self._journal.note(Write("seat", "", "", b""))

    def want_another(self, game_id: GameId, *, on: bool) -> None:
        """After this game its person wants one more, or no longer: so it is when the page is loaded again."""
        if on != self.wants_another(game_id) and not self._journal.broken:
            self._again = game_id if on else b""
            self._journal.note(Write("again", game_id.hex(), "", self._again))

    def wants_another(self, game_id: GameId) -> bool:
        return self._again == game_id

    def kept(self, game_id: bytes) -> BrowserStore | None:
        """A game of another start, None if it is not here."""
        game = self._kept.get(GameId(game_id))
        if game is None:
            return None
        return BrowserStore(self._journal, Genesis.from_bytes(game.genesis), game.seed, game.records)

    def unfinished(self) -> BrowserStore | None:
        """The last game, if its seed is still here."""
        found = [*self._kept][-1:]
        return self.kept(found[0]) if found and self._kept[found[0]].seed else None


def due_of(record: bytes) -> str:
    """The key under which one own entry may stand: height and lane, for ABORT whom it waits for (R30)."""
    body = read_record(record).body
    if body.lane == 0:
        return f"{body.height}"
    return f"{body.height} {body.lane} {body.payload!r}"
