"""A peer for programs: one JSON object per line on standard output; the end of standard input means: leave.

    {"event": "listening", "port": 4717}
    {"event": "game", "id": "…", "seat": 0, "names": ["…", …]}
    {"event": "height", "height": 12, "stage": "play", "kinds": ["Led"], "lines": ["…"]}
    {"event": "done", "status": "finished", "heights": 180, "entries": 260, "bytes": 61000, "log": "…"}

`stage` is that of the height told (`game.view.View.stage`); `lines` are for people, in the language chosen.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING

from cli.bot_face import BotFace
from cli.line import events as telling
from cli.line.presence import presence_lines
from cli.line.terminal import Stopped
from cli.line.voice import Voice
from ledger.folder import LOG

if TYPE_CHECKING:
    from pathlib import Path

    from cli.app import App
    from cli.line.terminal import Keyboard
    from cli.tables import AtTable
    from game.bots import Bot


class PorcelainFace:
    """A bot at a table, told to a program; satisfies `cli.evening.Face`. Plays `games`, then waits.

    `export`: a folder in which each finished game's export is left as `GAME-ID.durak`.
    """

    def __init__(self, app: App, keyboard: Keyboard, player: Bot, *, games: int, export: Path | None) -> None:
        self._app = app
        self._keyboard = keyboard
        self._player = player
        self._games = games
        self._export = export
        self._left = False

    def say(self, event: str, /, **what: object) -> None:
        """Print one object."""
        self._app.show([json.dumps({"event": event, **what}, ensure_ascii=False)])

    async def gathering(self, at: AtTable) -> bool:
        """Wait for the others, as long as whoever started us is there."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                await self._leave()
        return not self._left

    async def play(self, at: AtTable) -> bool:
        """One game; then another, unless those asked for are played or we are told to leave."""
        game = at.peer.game
        assert game is not None
        if self._games <= 1:
            at.peer.plays_no_more()
        voice = Voice.at_table(self._app.style, game.state.setup.names, None)
        self.say("game", id=game.genesis.game_id.hex(), seat=game.seat, names=list(voice.names))
        playing = [
            asyncio.create_task(BotFace(at.peer, self._player).play()),
            asyncio.create_task(self._watch(at, voice)),
        ]
        leaving = asyncio.create_task(self._leave())
        telling_all = asyncio.create_task(self._tell(at, voice))
        try:
            await asyncio.wait({telling_all, leaving, *playing[1:]}, return_when=asyncio.FIRST_COMPLETED)
            for task in (telling_all, *playing[1:]):
                if task.done():
                    task.result()
            if self._left:
                return False
            log = game.log.export()
            if self._export is not None:
                (self._export / f"{game.genesis.game_id.hex()}.durak").write_bytes(log)
            self.say(
                "done",
                status=game.log.status.value,
                heights=game.log.height,
                entries=len(game.log.records()),
                bytes=len(log),
                log=str(at.folder() / LOG),
            )
            self._games -= 1
            if self._games <= 0:
                await leaving
            return not self._left
        finally:
            for task in (leaving, telling_all, *playing):
                task.cancel()
            await asyncio.gather(leaving, telling_all, *playing, return_exceptions=True)

    async def _tell(self, at: AtTable, voice: Voice) -> None:
        """Every height with what happened."""
        game = at.peer.game
        assert game is not None
        told = 0
        while True:
            for height, events in game.events_from(told):
                lines = [line for event in events for line in telling.tell(event, voice)]
                kinds = [type(event).__name__ for event in events]
                stage = game.log.level(height).before.stage.name.lower()
                self.say("height", height=height, stage=stage, kinds=kinds, lines=lines)
            told = game.told
            if game.done or game is not at.peer.game:
                return
            await at.peer.changed()

    async def _watch(self, at: AtTable, voice: Voice) -> None:
        """Links lost and back; ends only with an error."""
        async for line in presence_lines(at.peer, voice):
            self.say("presence", lines=[line])

    async def _leave(self) -> None:
        """Return once standard input has ended or a signal came."""
        while not self._left:
            self._left = isinstance(await self._keyboard.next(), Stopped)
