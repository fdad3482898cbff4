from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import store as store_module
from ledger.engine import Kind
from ledger.entry import read_record
from ledger.errors import Malformed, NotKept, StoreError, Unsupported
from ledger.log import HEADER
from ledger.store import GameStore, delete, rehearse
from tests.ledger.faulty_disk import FaultyDisk
from tests.ledger.table import Table, fixed, seed_of


@pytest.fixture(autouse=True)
def _new_process() -> None:
    """What a process remembers about failed folders and used seeds."""
    store_module._failed_folders.clear()
    store_module._seeds_used.clear()


@pytest.fixture
def table() -> Table:
    return Table.of(2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "game"


def make(table: Table, folder: Path) -> GameStore:
    return GameStore.create(folder, table.genesis, seed_of(0))


def played(table: Table, folder: Path, heights: int = 5) -> list[bytes]:
    """A closed folder with some heights, seat 0's own records among them."""
    records = table.play(heights)
    with make(table, folder) as store:
        for record in records:
            if read_record(record).seat == 0:
                store.append(record)
            else:
                store.append_received(record)
    return records


def test_what_is_appended_is_there_when_it_is_opened_again(table: Table, folder: Path) -> None:
    records = played(table, folder)
    with GameStore.open(folder) as store:
        assert store.may_sign
        assert store.seat == 0
        assert [entry.record for entry in store.entries] == records
        assert store.seed() == seed_of(0)
        assert (folder / "log.durak").read_bytes() == HEADER + table.genesis.to_bytes() + b"".join(records)


def test_the_seed_is_private_bound_to_its_game_and_comes_first(table: Table, folder: Path) -> None:
    disk = FaultyDisk()
    GameStore.create(folder, table.genesis, seed_of(0), disk=disk).close()
    assert disk.calls[:4] == ["make_folder", "create", "write", "sync"]
    assert stat.S_IMODE((folder / "seed").stat().st_mode) == 0o600
    assert (folder / "seed").read_bytes().endswith(bytes(table.genesis.game_id))
    assert seed_of(0) not in (folder / "log.durak").read_bytes() + (folder / "instance").read_bytes()


def test_one_seed_serves_one_game(table: Table, tmp_path: Path) -> None:
    make(table, tmp_path / "one").close()
    other = Table.of(3)
    with pytest.raises(StoreError, match="another game"):
        GameStore.create(tmp_path / "two", other.genesis, seed_of(0))
    with pytest.raises(StoreError, match="no seat"):
        GameStore.create(tmp_path / "two", table.genesis, fixed("a stranger's seed"))
    with pytest.raises(StoreError, match="already"):
        make(table, tmp_path / "one")


def test_the_same_body_again_is_the_record_stored_first(table: Table, folder: Path) -> None:
    record = table.record(0)
    with make(table, folder) as store:
        assert store.append(record) == record
        size = (folder / "log.durak").stat().st_size
        assert store.append(record) == record
        assert (folder / "log.durak").stat().st_size == size
    with GameStore.open(folder) as store:
        assert store.append(record) == record


def test_another_body_for_the_same_due_is_refused_also_after_a_restart(table: Table, folder: Path) -> None:
    with make(table, folder) as store:
        store.append(table.record(0))
        with pytest.raises(StoreError, match="another body"):
            store.append(table.record(0, Kind(0), (b"other",)))
        assert store.may_sign
    with GameStore.open(folder) as store, pytest.raises(StoreError, match="another body"):
        store.append(table.record(0, Kind(0), (b"other",)))


def test_only_own_records_of_this_game_are_appended_as_own(table: Table, folder: Path) -> None:
    with make(table, folder) as store:
        for record in (table.record(1), Table.of(2, game="x").record(0), b"", table.record(0)[:-1]):
            with pytest.raises(Malformed):
                store.append(record)
        assert store.may_sign


def test_a_game_that_is_being_played_is_not_removed(table: Table, folder: Path) -> None:
    with make(table, folder) as store:
        store.append(table.record(0))
        assert not delete(folder)
        assert store.may_sign
    with GameStore.open(folder) as store:
        assert [entry.record for entry in store.entries] == [table.record(0)]
    (folder / "put here").mkdir()
    assert delete(folder)
    assert not folder.exists()


def test_every_own_record_is_synced_and_read_back_before_it_is_given_out(table: Table, folder: Path) -> None:
    disk = FaultyDisk()
    with GameStore.create(folder, table.genesis, seed_of(0), disk=disk) as store:
        del disk.calls[:]
        store.append(table.record(0))
        assert disk.calls[:3] == ["write", "sync", "read"]
        del disk.calls[:]
        store.append_received(table.record(1))
        assert disk.calls == ["write"]


@pytest.mark.parametrize("fault", [errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("call", [1, 2, 3])
def test_attack_64_a_failing_disk_ends_signing_for_good_in_this_process(
    table: Table, folder: Path, fault: int, call: int
) -> None:
    disk = FaultyDisk()
    store = GameStore.create(folder, table.genesis, seed_of(0), disk=disk)
    before = (folder / "log.durak").read_bytes()
    disk.at, disk.fault = len(disk.calls) + call, fault
    with pytest.raises(StoreError):
        store.append(table.record(0))
    assert not store.may_sign
    assert (folder / "log.durak").read_bytes() == before
    with pytest.raises(StoreError):
        store.append(table.record(0))
    with pytest.raises(StoreError):
        store.append_received(table.record(1))
    store.close()
    with GameStore.open(folder) as again:
        assert again.watches == "store.failed"
        with pytest.raises(StoreError):
            again.append(table.record(0))
    store_module._failed_folders.clear()
    with GameStore.open(folder) as next_process:
        assert next_process.append(table.record(0))


def test_a_short_write_goes_on_and_a_lying_disk_is_caught(table: Table, folder: Path) -> None:
    disk = FaultyDisk()
    with GameStore.create(folder, table.genesis, seed_of(0), disk=disk) as store:
        disk.at, disk.fault = len(disk.calls) + 1, "short"
        record = store.append(table.record(0))
        assert disk.calls[-6:-4] == ["write", "write"] or disk.calls.count("write") >= 5
    assert (folder / "log.durak").read_bytes().endswith(record)

    class Liar(FaultyDisk):
        def read(self, handle: int, offset: int, length: int) -> bytes:
            data = super().read(handle, offset, length)
            return data if offset == 0 else data[:-1] + bytes([data[-1] ^ 1])

    table.act(0)
    table.act(1)
    with GameStore.open(folder, disk=Liar()) as store:
        store.append_received(table.record(1, Kind(8), (1,)))
        with pytest.raises(StoreError, match="read back"):
            store.append(table.record(0))


def test_received_records_that_fail_to_be_written_end_signing_too(table: Table, folder: Path) -> None:
    disk = FaultyDisk()
    with GameStore.create(folder, table.genesis, seed_of(0), disk=disk) as store:
        disk.at, disk.fault = len(disk.calls) + 1, errno.ENOSPC
        with pytest.raises(StoreError):
            store.append_received(table.record(1))
        assert not store.may_sign


def test_attack_61_a_torn_tail_is_saved_aside_and_cut_whatever_its_length(table: Table, folder: Path) -> None:
    """Truncate at every byte of the last two records, and before them at every seventh."""
    records = played(table, folder)
    whole = (folder / "log.durak").read_bytes()
    start = len(whole) - sum(map(len, records))
    ends = [start + sum(map(len, records[:count])) for count in range(len(records) + 1)]
    for cut in [*range(start, ends[-3], 7), *range(ends[-3], len(whole))]:
        (folder / "instance").write_bytes(bytes(8) + (folder / "instance").read_bytes()[8:])
        (folder / "log.durak").write_bytes(whole[:cut])
        last = max(end for end in ends if end <= cut)
        with GameStore.open(folder, disk=FaultyDisk()) as store:
            assert store.may_sign
            assert len(store.entries) == ends.index(last)
        assert (folder / "log.durak").read_bytes() == whole[:last]
        torn = list(folder.glob("log.durak.torn-*"))
        assert [path.read_bytes() for path in torn] == ([whole[last:cut]] if cut > last else [])
        for path in torn:
            path.unlink()


@pytest.mark.parametrize("zeros", [1, 2, 3, 66, 511, 4096])
def test_attack_62_a_zero_filled_tail_is_torn(table: Table, folder: Path, zeros: int) -> None:
    records = played(table, folder)
    with open(folder / "log.durak", "ab") as file:
        file.write(records[-1][:20] + bytes(zeros))
    with GameStore.open(folder) as store:
        assert store.may_sign
        assert len(store.entries) == len(records)
    assert (folder / "log.durak.torn-1").read_bytes() == records[-1][:20] + bytes(zeros)


def test_attack_63_a_flipped_bit_in_the_middle_is_corruption_and_never_cut(
    table: Table, folder: Path
) -> None:
    records = played(table, folder)
    whole = (folder / "log.durak").read_bytes()
    start = len(whole) - sum(map(len, records))
    for place in range(start, len(whole) - len(records[-1]), 5):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        (folder / "log.durak").write_bytes(damaged)
        with GameStore.open(folder) as store:
            assert (store.watches, store.read_only) == ("store.corrupt", "store.corrupt")
            assert not store.may_sign
            with pytest.raises(StoreError):
                store.append_received(records[-1])
        assert (folder / "log.durak").read_bytes() == damaged
    assert not list(folder.glob("*.torn-*"))


def test_a_damaged_beginning_is_no_game(table: Table, folder: Path) -> None:
    played(table, folder)
    whole = (folder / "log.durak").read_bytes()
    for damaged in (b"", whole[:5], b"\0" + whole[1:], whole[:100]):
        (folder / "log.durak").write_bytes(damaged)
        with pytest.raises(Malformed):
            GameStore.open(folder)
    (folder / "log.durak").write_bytes(HEADER[:-1] + b"\x02" + whole[len(HEADER) :])
    with pytest.raises(Unsupported):
        GameStore.open(folder)
    with GameStore.rebuild(folder, table.genesis) as store:
        assert store.watches == "store.copied"


def test_a_corrupt_log_is_rebuilt_aside_and_only_watched(table: Table, folder: Path) -> None:
    records = played(table, folder)
    damaged = bytearray((folder / "log.durak").read_bytes())
    damaged[-len(records[-1]) - 3] ^= 1
    (folder / "log.durak").write_bytes(damaged)
    with GameStore.rebuild(folder, table.genesis) as store:
        store.append_received(*records)
        assert not store.may_sign
    with GameStore.open(folder) as store:
        assert store.watches == "store.copied"
        assert len(store.entries) == len(records)
    assert (folder / "log.durak.corrupt-1").read_bytes() == damaged


def test_attack_65_a_second_process_only_reads(table: Table, folder: Path) -> None:
    records = played(table, folder)
    script = (
        "import sys; from pathlib import Path; from ledger.store import GameStore\n"
        "store = GameStore.open(Path(sys.argv[1]))\n"
        "print(store.watches, store.read_only, len(store.entries))\n"
    )
    command = [sys.executable, "-c", script, str(folder)]
    with GameStore.open(folder) as first:
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        assert answer.stdout.split() == ["store.locked", "store.locked", str(len(records))]
        with GameStore.open(folder) as second:
            assert second.read_only == "store.locked"
            with pytest.raises(StoreError):
                second.append(table.record(0))
        assert first.may_sign
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == [str(len(records))]


def test_a_reader_never_cuts_what_the_writer_is_just_writing(table: Table, folder: Path) -> None:
    records = played(table, folder)
    with GameStore.open(folder):
        with open(folder / "log.durak", "ab") as file:
            file.write(records[-1][:30])
        with GameStore.open(folder) as reader:
            assert len(reader.entries) == len(records)
        assert (folder / "log.durak").read_bytes().endswith(records[-1][:30])


def test_attack_66_a_copied_folder_only_watches(table: Table, folder: Path, tmp_path: Path) -> None:
    records = played(table, folder)
    shutil.copytree(folder, tmp_path / "copy", copy_function=shutil.copy2)
    with GameStore.open(tmp_path / "copy") as copy:
        assert copy.watches == "store.copied"
        assert copy.read_only == ""
        with pytest.raises(StoreError, match="copied"):
            copy.append(table.record(0))
        with pytest.raises(StoreError):
            copy.seed()
        copy.append_received(*records)
    with GameStore.open(folder) as original:
        assert original.may_sign


def test_attack_66_a_folder_restored_into_its_own_place_only_watches(
    table: Table, folder: Path, tmp_path: Path
) -> None:
    """The inodes may be the very same ones again; the time of change is not."""
    played(table, folder, 2)
    shutil.copytree(folder, tmp_path / "backup")
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "backup", folder)
    with GameStore.open(folder) as restored:
        assert restored.watches == "store.copied"


def test_attack_66_an_older_log_written_over_the_log_only_watches(table: Table, folder: Path) -> None:
    """Same inodes, same seed: what tells is that our last own record is missing."""
    with make(table, folder) as store:
        store.append(table.record(0))
        old = (folder / "log.durak").read_bytes()
        table.act(0)
        table.act(1)
        store.append(table.record(0))
    (folder / "log.durak").write_bytes(old)
    with GameStore.open(folder) as store:
        assert store.watches == "store.copied"


def test_moving_the_folder_is_no_copy(table: Table, folder: Path, tmp_path: Path) -> None:
    played(table, folder)
    (tmp_path / "elsewhere").mkdir()
    folder.rename(tmp_path / "elsewhere" / "game")
    with GameStore.open(tmp_path / "elsewhere" / "game") as store:
        assert store.may_sign


def test_attack_67_a_deleted_log_with_the_seed_kept_only_watches(table: Table, folder: Path) -> None:
    played(table, folder)
    (folder / "log.durak").unlink()
    with pytest.raises(StoreError):
        GameStore.open(folder)
    with pytest.raises(StoreError):
        make(table, folder)
    with GameStore.rebuild(folder, table.genesis) as store:
        assert store.watches == "store.copied"


@pytest.mark.parametrize("name", ["instance", "seed"])
@pytest.mark.parametrize("content", [None, b"", bytes(80)])
def test_without_a_sound_instance_or_seed_it_only_watches(
    table: Table, folder: Path, name: str, content: bytes | None
) -> None:
    played(table, folder)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with GameStore.open(folder) as store:
        assert not store.may_sign
        assert store.watches in ("store.copied", "store.no-seed", "store.other-seed")


def test_a_seed_of_another_game_signs_nothing(table: Table, folder: Path, tmp_path: Path) -> None:
    played(table, folder)
    other = Table.of(2, game="other")
    GameStore.create(tmp_path / "other", other.genesis, seed_of(0, "other")).close()
    (folder / "seed").write_bytes((tmp_path / "other" / "seed").read_bytes())
    with GameStore.open(folder) as store:
        assert store.watches == "store.other-seed"


def test_attack_68_a_seed_others_may_read_is_made_private(table: Table, folder: Path) -> None:
    """Changing its mode changes its time of change too: the first opening is taken for a copy by design."""
    played(table, folder)
    disk = FaultyDisk()

    class Open(FaultyDisk):
        def mark(self, handle: int):  # type: ignore[no-untyped-def]
            return super().mark(handle)._replace(private="make_private" in self.calls)

    disk = Open()
    with GameStore.open(folder, disk=disk) as store:
        assert store.may_sign
    assert "make_private" in disk.calls
    with GameStore.open(folder) as store:
        assert store.may_sign


def test_the_seed_is_deleted_and_the_log_stays(table: Table, folder: Path) -> None:
    records = played(table, folder)
    with GameStore.open(folder) as store:
        store.delete_seed()
        assert not (folder / "seed").exists()
        assert not store.may_sign
        with pytest.raises(StoreError):
            store.append(table.record(0))
        store.append_received(*table.play())
        store.sync()
        store.delete_seed()
    with GameStore.open(folder) as store:
        assert store.watches == "store.no-seed"
        assert store.read_only == ""
        assert len(store.entries) > len(records)


@pytest.mark.parametrize("name", ["log.durak", "seed"])
@pytest.mark.parametrize("what", ["link", "fifo", "folder"])
def test_attack_70_links_fifos_and_folders_in_place_of_files_are_refused(
    table: Table, folder: Path, name: str, what: str
) -> None:
    played(table, folder)
    (folder / name).rename(folder / "real")
    if what == "link":
        (folder / name).symlink_to(folder / "real")
    elif what == "fifo":
        os.mkfifo(folder / name)
    else:
        (folder / name).mkdir()
    with pytest.raises(StoreError):
        GameStore.open(folder)


def test_a_store_never_shows_its_secrets(table: Table, folder: Path) -> None:
    with make(table, folder) as store:
        text = f"{store!r} {store.key!r} {vars(store)['genesis']!r}"
        assert seed_of(0).hex() not in text
        assert repr(seed_of(0)) not in text
        store.append_received(table.record(1))
        store.append(table.record(0))
        with pytest.raises(StoreError) as caught:
            store.append(table.record(0, Kind(0), (b"x",)))
        assert seed_of(0).hex() not in str(caught.value)


def test_a_rehearsal_meets_what_a_new_game_would_and_leaves_nothing(table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    (tmp_path / "new.trial").mkdir()  # an earlier one was cut off
    rehearse(folder)
    assert not [*tmp_path.iterdir()]
    asked = FaultyDisk()
    rehearse(folder, disk=asked)
    for call in range(1, len(asked.calls) + 1):
        with pytest.raises(NotKept):
            rehearse(folder, disk=FaultyDisk(call, errno.ENOSPC))
        assert not [*tmp_path.iterdir()], asked.calls[call - 1]
    with pytest.raises(NotKept):
        GameStore.create(folder, table.genesis, seed_of(0), disk=FaultyDisk(1, errno.ENOSPC))


def test_a_folder_that_cannot_be_written_is_read_and_not_said_to_be_open_elsewhere(
    table: Table, folder: Path
) -> None:
    records = played(table, folder)
    disk = FaultyDisk(1, errno.EROFS)
    with GameStore.open(folder, disk=disk) as store:
        assert disk.calls[0] == "lock"
        assert store.read_only == store.watches == "store.unwritable"
        assert store.refusal == os.strerror(errno.EROFS)
        assert len(store.entries) == len(records)
        with pytest.raises(StoreError):
            store.append(table.record(0))
    with GameStore.open(folder) as store:
        assert (store.may_sign, store.refusal) == (True, "")
