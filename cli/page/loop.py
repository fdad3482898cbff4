"""What keeps a page and the table behind it in step: changes go to the page, its orders to the feed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from typing import TYPE_CHECKING, Final, assert_never

from cli.page.table import AskGoOn, AskHint, AskRematch, Do, InLobby, LetIn, ShowOut

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.page.feed import Feed
    from cli.page.table import Message, Order, PageTable

LOG: Final = logging.getLogger(__name__)


class PageLoop:
    """`send` gives messages to the page, wherever it is; `before` is called before each look at the feed."""

    def __init__(
        self,
        feed: Feed,
        table: PageTable,
        send: Callable[[list[Message]], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self._feed = feed
        self._table = table
        self._send = send
        self._before = before
        self._changed = asyncio.Event()

    def received(self) -> None:
        """The page has said something: there may be orders."""
        self._changed.set()

    async def run(self) -> None:
        """Never ends."""
        await asyncio.gather(self._follow(), self._think())

    async def _follow(self) -> None:
        """Pass on every change of the feed."""
        while True:
            self._before()
            self._send(self._table.changed(now()))
            self._changed.set()
            await self._feed.wait()

    async def _think(self) -> None:
        """Carry out orders, at once or when a slow intent's wait is over."""
        while True:
            self._changed.clear()
            for order in self._table.take_orders():
                self._send(await self._carry_out(order))
            deadline = self._table.deadline()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(
                    self._changed.wait(), None if deadline is None else max(0, deadline - now())
                )
            self._table.tick(now())

    async def _carry_out(self, order: Order) -> list[Message]:
        """What the page hears of it at once."""
        match order:
            case Do(height, action):
                try:
                    await self._feed.act(height, action)
                except Exception:  # whatever went wrong, the person must see it and can try again
                    LOG.exception("could not sign at height %d", height)
                    return self._table.failed(height)
            case AskRematch(on):
                await self._feed.rematch(on=on)
            case AskGoOn(on):
                await self._feed.go_on_without(on=on)
            case LetIn(guest, on):
                await self._feed.admit(guest, on=on)
            case ShowOut(person):
                refusal = await self._feed.show_out(person)
                return [] if refusal is None else self._table.refused(refusal)
            case AskHint():
                return self._table.hinted(await self._feed.hint())
            case InLobby(wish):
                refusal = await self._feed.lobby(wish)
                return [] if refusal is None else self._table.refused(refusal)
            case _:
                assert_never(order)
        return []


def framed(messages: list[Message]) -> str:
    """Messages as they travel: one JSON array."""
    return json.dumps(messages, ensure_ascii=False, separators=(",", ":"))


def now() -> float:
    """The clock of the page's waits."""
    return asyncio.get_running_loop().time()
