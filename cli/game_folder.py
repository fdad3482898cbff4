"""The games of this device as folders of the data folder: what a peer asks of a disk."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ledger.errors import NotKept
from ledger.folder import LOG
from ledger.store import GameStore, rehearse

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.home import Home
    from cli.seat_request import SeatRequest
    from ledger.genesis import Genesis


class GameFolders:
    """Makes the stores of new games under `home.games`; satisfies `cli.keeping.Games`.

    `beside` puts into the folder of a new game what else belongs there, before anything of it is sent: a
    process that is killed from then on can come back.
    """

    def __init__(self, home: Home, beside: Callable[[Genesis], None] = lambda _: None) -> None:
        self._home = home
        self._beside = beside

    def rehearse(self) -> None:
        """Raises `StoreError` where a game could not be kept now."""
        self._make()
        rehearse(self._home.games / "new")

    def create(self, genesis: Genesis, seed: bytes) -> GameStore:
        """A game with a seat of ours. Raises `StoreError`."""
        self._make()
        folder = self._home.game(genesis.game_id)
        store = GameStore.create(folder, genesis, seed)
        self._beside(genesis)
        self._home.forget_request()
        return store

    def watch(self, genesis: Genesis) -> GameStore:
        """A game we bring no new seed for: ours where it is kept here, for we come back; else to look at.

        Raises `StoreError`.
        """
        self._make()
        folder = self._home.game(genesis.game_id)
        if (folder / LOG).exists():
            return GameStore.open(folder)
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise NotKept(f"creating {folder.name}: {error.strerror}") from error
        return GameStore.rebuild(folder, genesis)

    def asked(self, request: SeatRequest) -> None:
        with suppress(OSError):  # a comfort too
            self._home.keep_request(request)

    def held(self) -> None:
        """The seed of a game that may come to nothing must not outlive this process (`cli.ahead`)."""
        self._home.forget_request()

    def given_up(self) -> None:
        """Whoever comes back asks anew, by the name he has then."""
        self._home.forget_request()

    def _make(self) -> None:
        """The folder the games are in. Raises `NotKept`."""
        try:
            self._home.make()
            self._home.games.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise NotKept(f"creating {self._home.games}: {error.strerror}") from error
