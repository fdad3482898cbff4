"""One folder per game: the log, the seed it is signed from, and what tells it from a copy (DESIGN §5).

The law: never sign two bodies for one due. An own record is written, synced, read back and verified before
anybody sees it; after a crash the stored bytes are sent again, never signed again. Whatever makes the
folder's history doubtful (a failed write, a copied or restored folder, damage in the middle, no lock) ends
signing, not watching.

    log.durak    header, genesis, records in arrival order
    seed         CBOR [h'durak-seed', 1, seed 32, game id 32], mode 0600, written and synced before all else
    instance     8 bytes: where the last own record ends; then CBOR [h'durak-instance', 1, inode of log.durak,
                 inode of seed, time of change of seed in ns]
    lock         held by the one process that writes
"""

from __future__ import annotations

import contextlib
import shutil
from hashlib import sha256
from pathlib import Path

from ledger.codec import encode
from ledger.disk import Disk, Mark
from ledger.engine import Seat
from ledger.entry import Entry, EntryId, read_record
from ledger.errors import LedgerError, Malformed, NotKept, StoreError
from ledger.fault import Key, key_of
from ledger.folder import (
    CASE,
    COUNTER,
    INSTANCE,
    LOCK,
    LOG,
    SEED,
    Instance,
    close,
    decode_or_none,
    free_name,
    mark_of,
    read_file,
    write_new,
)
from ledger.genesis import GameId, Genesis
from ledger.identity import SigningKey, game_key
from ledger.log import HEADER
from ledger.recovery import Recovered, Tail, recover

TRIAL = 4096
"""Bytes each file of a game takes when nobody has played yet: a block of most disks."""

_failed_folders: dict[str, str] = {}
"""Folders in which this process failed to write: it signs there no more, however often it opens them."""
_seeds_used: dict[bytes, GameId] = {}
"""Hashes of the seeds this process has put to use: one seed serves one game id (DEALING §1)."""


class GameStore:
    """An open game. Made by `create`, `open` or `rebuild`; `close` it, or use it as a context manager."""

    def __init__(self, folder: Path, disk: Disk, lock: int | None, recovered: Recovered) -> None:
        """Use `create` or `open`."""
        self.folder = folder
        self.genesis: Genesis = recovered.genesis
        self.key: SigningKey | None = None
        self.seat: Seat | None = None
        self.entries: tuple[Entry, ...] = recovered.entries
        """What the file held when it was opened, in arrival order."""
        self._tail = recovered.tail
        self._seed = b""
        self._disk = disk
        self._lock = lock
        self._log: int | None = None
        self._end = recovered.end
        self._own: dict[Key, EntryId] = {}
        self._stored: dict[EntryId, bytes] = {entry.id: entry.record for entry in recovered.entries}
        self.watches: str = ""
        """Why nothing may be signed here, as a message id; "" where signing is allowed."""
        self.read_only: str = ""
        """Why nothing may be written here, as a message id; "" where writing is allowed."""
        self.refusal = ""
        """What the operating system says where the folder cannot be written (`store.unwritable`)."""

    # making and opening

    @classmethod
    def create(cls, folder: Path, genesis: Genesis, seed: bytes, *, disk: Disk | None = None) -> GameStore:
        """A new game's folder, complete or not there at all. Raises `StoreError`, `NotKept` where the disk
        said no; then nothing may be signed.

        The seed is written and synced with its game id before anything else.
        """
        disk = disk or Disk()
        _bind_seed(seed, genesis)
        making = folder.with_name(folder.name + ".making")
        try:
            if folder.exists():
                raise StoreError("this game has a folder already")
            if making.exists():  # cut off before its name was final: nothing was ever signed there
                shutil.rmtree(making)
            disk.make_folder(making)
            seed_mark = write_new(disk, making / SEED, encode((b"durak-seed", 1, seed, genesis.game_id)))
            log_mark = write_new(disk, making / LOG, HEADER + genesis.to_bytes())
            instance = Instance(0, log_mark.inode, seed_mark.inode, seed_mark.changed)
            write_new(disk, making / INSTANCE, instance.to_bytes())
            disk.sync_folder(making)
            disk.rename(making, folder)
            disk.sync_folder(folder.parent)
        except OSError as error:
            raise NotKept(f"creating {folder.name}: {error.strerror}") from error
        return cls.open(folder, disk=disk)

    @classmethod
    def open(cls, folder: Path, *, disk: Disk | None = None) -> GameStore:
        """An existing game, to write where that is safe, else to read: see `watches` and `read_only`.

        Raises `StoreError` when there is no readable log, `Malformed`, `BadGenesis` or `Unsupported` when its
        beginning is none of ours.
        """
        disk = disk or Disk()
        lock = store = None
        refusal = ""
        try:
            lock = disk.lock(folder / LOCK)
        except OSError as error:  # a read-only medium: then we read
            refusal = error.strerror or str(error)
        try:
            data, mark = read_file(disk, folder / LOG)
            store = cls(folder, disk, lock, recover(data))
            store.refusal = refusal
            store._begin(data, mark)
        except (OSError, LedgerError) as error:
            close(disk, store._log if store is not None else None)
            close(disk, lock)
            if isinstance(error, OSError):
                raise StoreError(f"opening {folder.name}: {error.strerror}") from error
            raise
        return store

    @classmethod
    def rebuild(cls, folder: Path, genesis: Genesis, *, disk: Disk | None = None) -> GameStore:
        """Put a damaged or missing log aside and begin a new one to fill from peers. It only ever watches."""
        disk = disk or Disk()
        lock = None
        try:
            lock = disk.lock(folder / LOCK)
            if lock is None:
                raise StoreError("another process has this game open")
            with contextlib.suppress(FileNotFoundError):
                disk.remove(folder / INSTANCE)
            if (folder / LOG).exists():
                disk.rename(folder / LOG, free_name(folder, "corrupt"))
            write_new(disk, folder / LOG, HEADER + genesis.to_bytes())
            disk.sync_folder(folder)
        except OSError as error:
            raise StoreError(f"rebuilding {folder.name}: {error.strerror}") from error
        finally:
            close(disk, lock)
        return cls.open(folder, disk=disk)

    def _begin(self, data: bytes, mark: Mark) -> None:
        if self.refusal:
            self.read_only = self.watches = "store.unwritable"
        elif self._lock is None:
            self.read_only = self.watches = "store.locked"
        elif self._tail is Tail.CORRUPT:
            self.read_only = self.watches = "store.corrupt"
        elif str(self.folder.resolve()) in _failed_folders:
            self.read_only = self.watches = "store.failed"
        else:
            self._log = self._disk.open(self.folder / LOG, write=True)
            if self._tail is Tail.TORN:
                self._set_aside(data)
        self._take_seed(mark)

    def _set_aside(self, data: bytes) -> None:
        """Save what was cut off, then cut it: the next record must not end up behind it."""
        assert self._log is not None
        write_new(self._disk, free_name(self.folder, "torn"), data[self._end :])
        self._disk.truncate(self._log, self._end)
        self._disk.sync(self._log)
        self._disk.sync_folder(self.folder)

    def _take_seed(self, log_mark: Mark) -> None:
        """Find out whether we may sign, and with which key; never louder than `watches`."""
        try:
            data, seed_mark = read_file(self._disk, self.folder / SEED)
        except FileNotFoundError:
            self.watches = self.watches or "store.no-seed"
            return
        match decode_or_none(data):
            case (b"durak-seed", 1, bytes(seed), bytes(game_id)) if game_id == self.genesis.game_id:
                key = game_key(seed)
            case _:
                self.watches = self.watches or "store.other-seed"
                return
        seats = [Seat(n) for n, seat in enumerate(self.genesis.seats) if seat.game_key == key.public]
        if not seats:
            self.watches = self.watches or "store.other-seed"
            return
        self.seat = seats[0]
        own = [entry for entry in self.entries if entry.seat == self.seat]
        self._own = {key_of(entry): entry.id for entry in own}
        instance = self._instance()
        if instance is None or not instance.is_of(log_mark, seed_mark) or instance.own_end > self._end:
            self.watches = self.watches or "store.copied"
        if self.watches or instance is None:
            return
        if not seed_mark.private:
            self._disk.make_private(self.folder / SEED)
            seed_mark = mark_of(self._disk, self.folder / SEED)
            self._write_instance(
                Instance(instance.own_end, log_mark.inode, seed_mark.inode, seed_mark.changed)
            )
        self.key, self._seed = key, seed
        if own:
            self._write_again(own[-1])

    def _write_again(self, last: Entry) -> None:
        """The last own record may have been written and not synced: make it durable before sending again."""
        assert self._log is not None
        start = self._end
        for entry in reversed(self.entries):
            start -= len(entry.record)
            if entry is last:
                break
        tail = self._disk.read(self._log, start, self._end - start)
        self._put(start, tail)
        self._disk.sync(self._log)

    def _instance(self) -> Instance | None:
        try:
            data, _ = read_file(self._disk, self.folder / INSTANCE)
        except FileNotFoundError:
            return None
        return Instance.from_bytes(data)

    def _write_instance(self, instance: Instance) -> None:
        handle = self._disk.open(self.folder / INSTANCE, write=True)
        try:
            self._disk.write(handle, 0, instance.to_bytes())
            self._disk.sync(handle)
        finally:
            self._disk.close(handle)

    # writing

    @property
    def may_sign(self) -> bool:
        return not self.watches and self.key is not None

    def seed(self) -> bytes:
        """The game's 32 secret bytes. Raises `StoreError` where nothing may be signed."""
        if not self.may_sign:
            raise StoreError(self.watches)
        return self._seed

    def append(self, record: bytes) -> bytes:
        """Make one own record durable: write, sync, read back, verify. Only what this returns may be sent.

        The same body again gives the record stored first. Raises `StoreError` where nothing may be signed,
        where another body answers this due already, and when the disk fails; after that nothing is signed
        here by this process. Raises `Malformed` for what is no record of this seat.
        """
        if self.watches or self.key is None or self._log is None:
            raise StoreError(self.watches or "store.no-seed")
        entry = read_record(record)
        if entry.body.game_id != self.genesis.game_id or not entry.signed_by(self.key.public):
            raise Malformed("E_SIG", "not an own record of this game")
        if entry.seat != self.seat:
            raise Malformed("E_SEAT", "not the own seat")
        known = self._own.get(key_of(entry))
        if known is not None and known != entry.id:
            raise StoreError("another body is signed for this due")
        if known is not None:
            return self._stored[known]
        start = self._end
        try:
            self._write(record)
            self._disk.sync(self._log)
            back = self._disk.read(self._log, start, len(record))
            if back != record or not read_record(back).signed_by(self.key.public):
                raise OSError(0, "what was read back is not what was written")
        except (OSError, Malformed) as error:
            self._end = start
            raise self._fail(error) from error
        self._own[key_of(entry)] = entry.id
        self._stored[entry.id] = record
        self._note_own_end()
        return record

    def append_received(self, *records: bytes) -> None:
        """Write records of others in the order in which the log kept them; unsynced, for peers have them.

        Raises `StoreError` where nothing may be written, and when the disk fails.
        """
        if self.read_only or self._log is None:
            raise StoreError(self.read_only)
        for record in records:
            entry = read_record(record)
            if entry.id in self._stored:
                continue
            try:
                self._write(record)
            except OSError as error:
                raise self._fail(error) from error
            self._stored[entry.id] = record

    def _write(self, record: bytes) -> None:
        """Put a record at the end."""
        self._put(self._end, record)
        self._end += len(record)

    def _put(self, offset: int, data: bytes) -> None:
        assert self._log is not None
        done = 0
        while done < len(data):
            written = self._disk.write(self._log, offset + done, data[done:])
            if written <= 0:
                raise OSError(0, "nothing was written")
            done += written

    def _note_own_end(self) -> None:
        """The high-water mark: an older log put in its place is shorter. Unsynced: it may lag, never lead."""
        with contextlib.suppress(OSError):
            handle = self._disk.open(self.folder / INSTANCE, write=True)
            try:
                self._disk.write(handle, 0, self._end.to_bytes(COUNTER, "big"))
            finally:
                self._disk.close(handle)

    def _fail(self, error: Exception) -> StoreError:
        """Signing ends for good in this process. What may not be durable is cut off: it was not sent."""
        self.watches = self.read_only = "store.failed"
        _failed_folders[str(self.folder.resolve())] = str(error)
        if self._log is not None:
            with contextlib.suppress(OSError):
                self._disk.truncate(self._log, self._end)
                self._disk.sync(self._log)
        return StoreError(f"writing {self.folder.name}: {error}")

    def sync(self) -> None:
        """Make received records durable too. Raises `StoreError`."""
        if self.read_only or self._log is None:
            raise StoreError(self.read_only)
        try:
            self._disk.sync(self._log)
        except OSError as error:
            raise self._fail(error) from error

    def keep_case(self, case: bytes) -> None:
        """Write a case (DESIGN §7) beside the log, whole or not at all; a graver one takes its place.

        Raises `StoreError`; signing has ended anyway. Where nothing may be written nothing is.
        """
        if self.read_only:
            return
        making = self.folder / f".{CASE}"
        try:
            with contextlib.suppress(FileNotFoundError):
                self._disk.remove(making)
            write_new(self._disk, making, case)
            self._disk.rename(making, self.folder / CASE)
            self._disk.sync_folder(self.folder)
        except OSError as error:
            raise StoreError(f"writing {CASE}: {error.strerror}") from error

    def delete_seed(self) -> None:
        """When all is signed: overwrite the seed, remove it, forget the key. The log stays; signing ends."""
        self.key, self._seed = None, b""
        self.watches = self.watches or "store.no-seed"
        path = self.folder / SEED
        try:
            handle = self._disk.open(path, write=True)
            try:
                self._disk.write(handle, 0, bytes(self._disk.mark(handle).size))
                self._disk.sync(handle)
            finally:
                self._disk.close(handle)
            self._disk.remove(path)
            self._disk.sync_folder(self.folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(f"deleting the seed: {error.strerror}") from error

    def close(self) -> None:
        """Release the lock. The store is of no use afterwards."""
        self.watches = self.read_only = "store.closed"
        self.key, self._seed = None, b""
        for handle in (self._log, self._lock):
            close(self._disk, handle)
        self._log = self._lock = None

    def __enter__(self) -> GameStore:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"GameStore({self.folder.name}, watches={self.watches!r})"


def rehearse(folder: Path, *, disk: Disk | None = None) -> None:
    """Ask the disk for what `GameStore.create` would ask it for at `folder`, and take it back at once.

    For who is about to make others wait for a game. Raises `NotKept` where it would; what the disk has room
    for now may be gone a moment later.
    """
    disk = disk or Disk()
    trial = folder.with_name(folder.name + ".trial")
    try:
        if trial.exists():
            shutil.rmtree(trial)
        disk.make_folder(trial)
        for name in (SEED, LOG, INSTANCE):
            write_new(disk, trial / name, bytes(TRIAL))
        disk.sync_folder(trial)
    except OSError as error:
        raise NotKept(f"creating a game: {error.strerror}") from error
    finally:
        shutil.rmtree(trial, ignore_errors=True)


def delete(folder: Path, *, disk: Disk | None = None) -> bool:
    """Remove a game from this device, with its seed. False, and nothing is removed, while a process plays it.

    Raises OSError.
    """
    disk = disk or Disk()
    lock = disk.lock(folder / LOCK)
    if lock is None:
        return False
    try:
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path.name != LOCK:
                disk.remove(path)
    finally:
        close(disk, lock)
    shutil.rmtree(folder)
    return True


def _bind_seed(seed: bytes, genesis: Genesis) -> None:
    if len(seed) != 32:
        raise StoreError("a seed is 32 bytes")
    public = game_key(seed).public
    if all(seat.game_key != public for seat in genesis.seats):
        raise StoreError("this seed has no seat in this game")
    bound = _seeds_used.setdefault(sha256(b"durak-seed" + seed).digest(), genesis.game_id)
    if bound != genesis.game_id:
        raise StoreError("this seed serves another game")
