"""After a game: who wants another one, and for whose word it waits. Said whenever that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.known_bots import bot_seats, bots_at
from cli.line.voice import Voice, voice_for
from ledger.engine import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.app import App
    from cli.tables import AtTable
    from ledger.genesis import GameId


class Again:
    """What one person has been told of the others' wishes. Bots want what their people want."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._voice: Voice | None = None
        self._of: GameId | None = None
        self._people: tuple[Seat, ...] = ()
        self._wanting: frozenset[Seat] = frozenset()
        self._waits: tuple[Seat, ...] = ()

    def news(self, at: AtTable) -> Iterator[str]:
        """Lines for what has changed since the last call; none before the game is over, none for watchers."""
        game = at.peer.game
        if game is None or not game.done or game.seat is None:
            return
        if self._voice is None or game.genesis.game_id != self._of:
            self._voice = voice_for(self._app, at, game)
            self._of, self._wanting, self._waits = game.genesis.game_id, frozenset(), ()
            bots = bot_seats(game.genesis, bots_at(at)) | {game.seat}
            seats = map(Seat, range(len(game.genesis.seats)))
            self._people = tuple(seat for seat in seats if seat not in bots)
        wanting = frozenset(at.peer.encore.wanting)
        voice, texts = self._voice, self._app.texts
        for seat in self._people:
            if seat in wanting and seat not in self._wanting:
                yield texts.say("again.wants", name=voice.name(seat))
        waits = tuple(seat for seat in self._people if seat not in wanting) if at.peer.wishes.seat else ()
        if waits and waits != self._waits:
            yield texts.say("again.waits", names=voice.people(waits))
        self._wanting, self._waits = wanting, waits
