"""The thin shell around a conversation: standard input and output on one side, a table's updates on the
other.

Standard input is read by a thread that uses the file descriptor itself, because pipes, terminals, files and
every operating system then behave alike, and because a thread inside `sys.stdin` cannot be left behind at
exit.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from cli.stopping import when_told_to_stop
from game.errors import GameError
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from cli.line.conversation import Conversation
    from game.actions import Action
    from game.events import Event
    from game.view import View


class Table(Protocol):
    """What line mode needs of a peer."""

    def updates(self, since: int | None = None) -> AsyncIterator[tuple[View, tuple[Event, ...]]]:
        """The view now with no events, then one item per change; ends when nothing more can come.

        With `since`, what happened from that height on comes first instead.
        """

    async def act(self, action: Action) -> None:
        """Sign and send an action. Raises `GameError` or `LedgerError` if it is not possible; nothing is
        signed then."""

    async def go_on_without(self, *, on: bool = True) -> None:
        """Say that the game may end without those it waits for (R30)."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A line from the person, without its end."""

    line: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """The table moved on."""

    view: View
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Noticed:
    """A line about the links."""

    line: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The person is gone: end of input, Ctrl-C, a closed terminal."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing more can come from the table."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The table cannot go on here."""

    error: Exception


Item: TypeAlias = Typed | Arrived | Noticed | Stopped | Ended | Failed

LONGEST_LINE = 1000
"""Bytes of one typed line that are looked at; the rest of a longer one is dropped."""
CHUNK = 4096
"""Bytes of input read ahead of who reads the lines."""


class Keyboard:
    """Lines of standard input as items of a queue. One per process: what was read ahead belongs to the next
    reader. Once input has ended or a signal came it says `Stopped` for ever, so that no reader can miss it.
    Input without end waits where it comes from: no more is read while a chunk's lines are unread.

    A signal ends the program whatever it waits for: what is signed is on disk. A second one ends it at once.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._queue: asyncio.Queue[Item] = asyncio.Queue()
        self._stopped = False
        self.input_ended = False
        """Nothing more can be typed: that, and no signal, is why it says `Stopped`."""
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(1)
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()
        when_told_to_stop(self._stop)

    async def next(self) -> Item:
        """The next line or the end."""
        await asyncio.sleep(0)  # lines that are there already must not keep the rest of the program waiting
        if self._stopped:
            return Stopped()
        item = await self._queue.get()
        self._stopped = self._stopped or isinstance(item, Stopped)
        if self._queue.empty():
            self._room.release()
        return item

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")(errors="replace")
        rest = ""
        while True:
            self._room.acquire()
            try:
                chunk = os.read(self._descriptor, CHUNK)
            except OSError:
                chunk = b""
            *lines, rest = (rest + decoder.decode(chunk, final=not chunk)).split("\n")
            rest = rest[:LONGEST_LINE]
            if not chunk and rest:
                lines.append(rest)
            items: list[Item] = [Typed(line[:LONGEST_LINE].rstrip("\r")) for line in lines]
            if not chunk:
                items.append(Stopped())
            try:
                self._loop.call_soon_threadsafe(self._put, items)
            except RuntimeError:
                return
            if not chunk:
                return

    def _put(self, items: list[Item]) -> None:
        for item in items:
            self.input_ended = self.input_ended or isinstance(item, Stopped)
            self._queue.put_nowait(item)
        if self._queue.empty():
            self._room.release()

    def _stop(self) -> None:
        """A signal: it does not wait behind what was typed before."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(Stopped())


def show(lines: Iterable[str]) -> None:
    """Print lines at once. Raises BrokenPipeError when nobody reads any more."""
    for line in lines:
        print(line)
    sys.stdout.flush()


async def sit(
    table: Table,
    conversation: Conversation,
    keyboard: Keyboard,
    *,
    pause: Callable[[], float] = lambda: 0.0,
    tell: Callable[[Iterable[str]], None] = show,
    notices: AsyncIterator[str] | None = None,
    let_in: Callable[[bool], None] = lambda _: None,
    since: int | None = None,
) -> bool:
    """Let the person play until the end or until he leaves. True: he wants another game.

    `since`: tell what happened from that height on, as for a new game; else show where the table stands.

    `pause` gives the seconds before an action nobody had to think about; `notices` are lines of their own,
    about links; `let_in` hears the word about who asks to come in. Raises what `updates` and `notices` raise.
    """
    queue: asyncio.Queue[Item] = asyncio.Queue(maxsize=1)
    feeds = [
        asyncio.create_task(_typing(keyboard, queue)),
        asyncio.create_task(_arriving(table, since, queue)),
    ]
    if notices is not None:
        feeds.append(asyncio.create_task(_noticing(notices, queue)))
    try:
        return await _talk(queue, table, conversation, pause, tell, let_in, entered=since is not None)
    finally:
        for feed in feeds:
            feed.cancel()
        await asyncio.gather(*feeds, return_exceptions=True)


async def _typing(keyboard: Keyboard, queue: asyncio.Queue[Item]) -> None:
    while True:
        item = await keyboard.next()
        await queue.put(item)
        if isinstance(item, Stopped):
            return


async def _arriving(table: Table, since: int | None, queue: asyncio.Queue[Item]) -> None:
    try:
        async for view, events in table.updates(since):
            await queue.put(Arrived(view, events))
    except (OSError, LedgerError, GameError) as error:
        await queue.put(Failed(error))
    else:
        await queue.put(Ended())


async def _noticing(notices: AsyncIterator[str], queue: asyncio.Queue[Item]) -> None:
    try:
        async for line in notices:
            await queue.put(Noticed(line))
    except (OSError, LedgerError, GameError) as error:
        await queue.put(Failed(error))


async def _talk(
    queue: asyncio.Queue[Item],
    table: Table,
    conversation: Conversation,
    pause: Callable[[], float],
    tell: Callable[[Iterable[str]], None],
    let_in: Callable[[bool], None],
    *,
    entered: bool,
) -> bool:
    while True:
        match await queue.get():
            case Typed(line):
                reaction = conversation.typed(line)
            case Arrived(view, events):
                reaction = conversation.happened(events, view) if entered else conversation.entered(view)
                entered = True
            case Noticed(line):
                tell([line])
                continue
            case Failed(error):
                raise error
            case Ended():
                if conversation.asking:
                    continue
                return False
            case Stopped():
                reaction = conversation.interrupted()
        tell(reaction.lines)
        if reaction.action is not None:
            if reaction.hide_thinking:
                await asyncio.sleep(pause())
            try:
                await table.act(reaction.action)
            except (GameError, LedgerError) as error:
                tell(conversation.refused(error).lines)
        if reaction.let_in is not None:
            let_in(reaction.let_in)
        if reaction.go_on_without:
            await table.go_on_without()
        if reaction.again or reaction.leave:
            return reaction.again
