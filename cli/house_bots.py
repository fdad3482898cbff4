"""Bots on free seats of a table of ours: processes of this device with keys of their own, by the protocol
people use.

They get the join code through the environment, which other users of a machine can't read, and leave with us.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.children import Child, child
from cli.home import Home
from p2p.host import HostLobby

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cli.app import App
    from cli.tables import AtTable
    from game.bots import Level
    from ledger.identity import PublicKey

CODE = "DURAK_CODE"
"""The environment may hold the join code: other users of a machine can read command lines."""
NAMES = ("Olya", "Boris", "Clara", "Dima", "Eva")
LOOPBACK = "127.0.0.1"
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")


class HouseBots:
    """The bots of one table. `level` where none is said.

    Who sits here is part of what is kept beside the log, so that a game gone on with has its bots back.
    """

    def __init__(self, app: App, at: AtTable, stack: AsyncExitStack, level: Level) -> None:
        self._app = app
        self._at = at
        self._stack = stack
        self._level = level
        self._running: dict[PublicKey, Child] = {}

    def __len__(self) -> int:
        return len(self._running)

    async def seat(self, level: Level | None = None) -> None:
        """One more bot asks for a seat."""
        number = next(number for number in range(1, 100) if self._key(number) not in self._running)
        await self._seat(number, level or self._level)

    async def seat_again(self) -> None:
        """The bots kept beside the log take their seats in this game again."""
        game = self._at.peer.game
        seats = () if game is None else tuple(seat.identity_key for seat in game.genesis.seats)
        for number, level in self._at.part.bots:
            if self._key(number) in seats:
                await self._seat(number, bot_level(level))

    async def _seat(self, number: int, level: Level) -> None:
        key = self._key(number)
        name = self._app.texts.say("bot.name", name=NAMES[(number - 1) % len(NAMES)])
        words = [
            "join", f"{self._at.part.listen or LOOPBACK}:{self._at.driver.port}", "--listen", LOOPBACK,
            "--bot", level, "--porcelain", "--games", "1000000", "--name", name,
        ]  # fmt: skip
        if isinstance(self._at.peer.node.lobby, HostLobby):
            self._at.peer.node.lobby.expect_bots([key])
        bot = await self._stack.enter_async_context(
            child(self._home(number).folder, words, {CODE: self._at.part.code})
        )
        self._running[key] = bot
        self._keep({**dict(self._at.part.bots), number: level})
        self._stack.push_async_callback(_hush, asyncio.create_task(_listen(bot)))

    def dismiss(self, identity: PublicKey) -> None:
        """Let a bot go, if it is one of these."""
        bot = self._running.pop(identity, None)
        if bot is not None:
            bot.dismiss()
            bots = dict(self._at.part.bots)
            self._keep({number: bots[number] for number in bots if self._key(number) != identity})

    def dismiss_all(self) -> None:
        """Let all go at once: each takes a moment to leave."""
        for bot in self._running.values():
            bot.dismiss()

    def _keep(self, levels: dict[int, str]) -> None:
        """These sit here, whatever game is begun or gone on with."""
        self._at.part = replace(self._at.part, bots=tuple(sorted(levels.items())))

    def _home(self, number: int) -> Home:
        return Home(self._app.home.folder / "bots" / str(number))

    def _key(self, number: int) -> PublicKey:
        return self._home(number).identity().public


@asynccontextmanager
async def house_bots(
    app: App, at: AtTable, level: Level, *, count: int = 0, again: bool = False
) -> AsyncIterator[None]:
    """So many bots of this level at a table of ours, or, `again`, those its game had; all leave with the
    context."""
    async with AsyncExitStack() as stack:
        at.bots = HouseBots(app, at, stack, level)
        for _ in range(count):
            await at.bots.seat()
        if again:
            await at.bots.seat_again()
        try:
            yield
        finally:
            at.bots.dismiss_all()


def bot_level(said: str) -> Level:
    """A level that was kept in a file."""
    return next((level for level in LEVELS if level == said), "easy")


async def _listen(bot: Child) -> None:
    """Read what a bot says, so that it never waits for us; nothing of it is shown."""
    async for _ in bot.said():
        pass


async def _hush(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
