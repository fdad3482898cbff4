"""L1 where writing takes a while: what a tab keeps, under which key, and that a failed write ends signing."""

from __future__ import annotations

import pytest

from cli.guests.inside.vault import (
    BrowserGames,
    BrowserStore,
    Journal,
    Kept,
    KeptGame,
    VaultError,
    Write,
    due_of,
)
from ledger.entry import read_record
from ledger.errors import StoreError
from tests.recorded import play
from tests.tables import genesis_of, options_of, seed_of

OPTIONS = options_of(seats=2, deck=24)


class MemoryVault:
    """The browser's database in memory; `fails` is what the next commit raises."""

    def __init__(self) -> None:
        self.written: list[Write] = []
        self.fails = ""

    async def claim(self) -> Kept:
        return Kept(b"", ())

    async def commit(self, writes: tuple[Write, ...]) -> None:
        if self.fails:
            raise VaultError(self.fails)
        self.written += writes


async def test_a_new_game_and_its_seed_are_written_together_and_a_record_under_its_due() -> None:
    vault = MemoryVault()
    journal = Journal(vault)
    genesis = genesis_of(OPTIONS, suite=1)
    store = BrowserGames(journal, Kept(b"", ())).create(genesis, seed_of("game 0"))
    assert not vault.written
    assert journal
    await journal.commit()
    assert [write.kind for write in vault.written] == ["genesis", "seed"]
    record = play(OPTIONS, "game")[0].log.records()[0]
    assert store.append(record) == record
    await journal.commit()
    assert vault.written[-1] == Write("own", genesis.game_id.hex(), "0", record)
    store.delete_seed()
    await journal.commit()
    assert vault.written[-1].kind == "forget"
    assert not store.may_sign


async def test_after_a_failed_write_nothing_is_signed_any_more() -> None:
    vault = MemoryVault()
    journal = Journal(vault)
    store = BrowserGames(journal, Kept(b"", ())).create(genesis_of(OPTIONS, suite=1), seed_of("game 0"))
    vault.fails = "vault.other-tab"
    with pytest.raises(VaultError):
        await journal.commit()
    assert not store.may_sign
    assert store.watches == "vault.other-tab"
    with pytest.raises(StoreError):
        store.append(play(OPTIONS, "game")[0].log.records()[0])
    with pytest.raises(StoreError):
        store.seed()


def test_a_kept_game_comes_back_with_its_seed_and_records() -> None:
    peer = play(OPTIONS, "game")[0]
    records = tuple(peer.log.records())
    kept = Kept(bytes(32), (KeptGame(peer.genesis.to_bytes(), seed_of("game 0"), records),))
    games = BrowserGames(Journal(MemoryVault()), kept)
    found = games.unfinished()
    assert isinstance(found, BrowserStore)
    assert found.genesis == peer.genesis
    assert [entry.record for entry in found.entries] == list(records)
    over = Kept(bytes(32), (KeptGame(peer.genesis.to_bytes(), b"", records),))
    assert BrowserGames(Journal(MemoryVault()), over).unfinished() is None


def test_every_own_entry_of_a_game_has_a_due_of_its_own() -> None:
    peer = play(OPTIONS, "game")[0]
    own = [record for record in peer.log.records() if read_record(record).seat == 0]
    assert len({due_of(record) for record in own}) == len(own) > 10


async def test_nothing_is_kept_of_a_game_somebody_only_looks_on_at() -> None:
    peer = play(OPTIONS, "game")[0]
    journal = Journal(MemoryVault())
    store = BrowserGames(journal, Kept(b"", ())).watch(peer.genesis)
    store.append_received(*peer.log.records())
    store.delete_seed()
    assert not journal
    assert not store.may_sign
