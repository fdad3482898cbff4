"""The data folder of one person on one device: settings, identity key, known identities, games.

    settings.json   name, language, how cards are written
    identity        the long-lived identity key, 32 bytes, readable by its owner alone
    request         what a seat was asked for with last, until that game begins (`cli.seat_request`)
    page-port       the port of the table page, tried first at the next start
    known           identity keys met before and the name each gave (trust on first use)
    games/<first 16 hex digits of the game id>/   one game's store (`ledger.store`)

`DURAK_HOME` names another folder: for several peers on one machine, and for tests.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from cli.exits import CommandError, Exit
from cli.seat_request import SeatRequest
from cli.whole_file import replace_whole
from ledger.identity import PublicKey, SigningKey
from p2p.errors import BadMessage
from p2p.known import Book

if TYPE_CHECKING:
    from collections.abc import Mapping

SHORT_ID = 16
"""Hex digits of a game id that name its folder; unique enough for one device's games."""
SEED = 32


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person has chosen. Empty: not chosen yet. `cards`: "auto", "letters" or "signs"."""

    name: str = ""
    language: str = ""
    cards: str = "auto"


@dataclass(frozen=True, slots=True)
class Home:
    """One data folder. Nothing in it is made before it is needed."""

    folder: Path

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Home:
        """The folder of `DURAK_HOME`, else the place this operating system keeps such data."""
        chosen = environment.get("DURAK_HOME")
        return cls(Path(chosen) if chosen else platformdirs.user_data_path("durak", appauthor=False))

    @property
    def games(self) -> Path:
        """Where the game folders are."""
        return self.folder / "games"

    def game(self, game_id: bytes) -> Path:
        """The folder of one game."""
        return self.games / game_id.hex()[:SHORT_ID]

    def settings(self) -> Settings:
        """The saved settings; what is missing has its default. Raises CommandError if the file is damaged."""
        found = self._read_json("settings.json")
        known = {field.name for field in fields(Settings)}
        return replace(Settings(), **{key: value for key, value in found.items() if key in known})

    def save(self, settings: Settings) -> None:
        """Keep the settings."""
        self._write("settings.json", json.dumps(asdict(settings), ensure_ascii=False, indent=1).encode())

    def book(self) -> Book:
        """The identities met before (trust on first use). Raises CommandError if the file is damaged."""
        path = self.folder / "known"
        try:
            return Book.from_bytes(path.read_bytes())
        except FileNotFoundError:
            return Book()
        except BadMessage as error:
            raise CommandError(Exit.IO, "home.known-damaged", path=path) from error

    def remember(self, identity: bytes, name: str) -> None:
        """Remember an identity key under the name it came with."""
        self._write("known", self.book().with_one(PublicKey(identity), name).to_bytes())

    def identity(self) -> SigningKey:
        """The identity key, made on first use. Raises CommandError if its file is damaged."""
        path = self.folder / "identity"
        if not path.exists():
            self._write(path.name, secrets.token_bytes(SEED))
        seed = path.read_bytes()
        if len(seed) != SEED:
            raise CommandError(Exit.IO, "home.identity-damaged", path=path)
        return SigningKey.from_seed32(seed)

    def request(self) -> SeatRequest | None:
        """What a seat was asked for with, where the game has not begun yet."""
        try:
            return SeatRequest.from_bytes((self.folder / "request").read_bytes())
        except OSError:
            return None

    def keep_request(self, request: SeatRequest) -> None:
        """Keep it, instead of the last one. Raises OSError."""
        self._write("request", request.to_bytes())

    def forget_request(self) -> None:
        """Nothing is asked for any more."""
        (self.folder / "request").unlink(missing_ok=True)

    def page_port(self) -> int:
        """The port the page was served at last, 0 for none."""
        try:
            kept = (self.folder / "page-port").read_bytes()[:6]
        except OSError:
            return 0
        return int(kept) if kept.isdigit() and int(kept) < 65_536 else 0

    def keep_page_port(self, port: int) -> None:
        """Keep it for the next start. Raises OSError."""
        if port != self.page_port():
            self._write("page-port", b"%d" % port)

    def make(self) -> None:
        """Make the folder, private to its owner."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def _read_json(self, name: str) -> dict[str, str]:
        path = self.folder / name
        try:
            found = json.loads(path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise CommandError(Exit.IO, "home.settings-damaged", path=path) from error
        if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
            raise CommandError(Exit.IO, "home.settings-damaged", path=path)
        return found

    def _write(self, name: str, data: bytes) -> None:
        """Replace a file whole; its owner alone reads it."""
        self.make()
        replace_whole(self.folder / name, data)
