"""Lines about people and links during a game: who is away and since when, who would go on without him, who
watches. Nobody ever looks at a prompt that does nothing without knowing why."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from cli.line.lobby import roster_names

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from cli.line.voice import Voice
    from cli.peer import Peer
    from cli.texts import Texts
    from ledger.engine import Seat

LOOK_EVERY: Final = 1.0
GRACE: Final = 1.5
"""Seconds without a link that nobody need hear of: another link may be on its way."""
REMIND_AT: Final = (10, 30, 60, 120, 300)
REMIND_EVERY: Final = 600
"""When, in seconds since the link was lost, one is told again whom the game waits for."""


def waiting_for(peer: Peer, voice: Voice) -> str:
    """Who is waited for and away, and since when; "" if nobody is."""
    said = [
        voice.texts.say("presence.waiting.one", name=voice.name(seat), ago=ago(int(seconds), voice.texts))
        for seat, seconds in peer.absence.waited_for()
        if seconds >= GRACE
    ]
    return voice.texts.say("presence.waiting", who=voice.texts.listed(said)) if said else ""


def ago(seconds: int, texts: Texts) -> str:
    """A time span in words, rounded to what people count in."""
    if seconds < 120:
        return texts.count("time.seconds", seconds)
    if seconds < 7_200:
        return texts.count("time.minutes", seconds // 60)
    return texts.count("time.hours", seconds // 3_600)


async def presence_lines(
    peer: Peer, voice: Voice, door: Callable[[], Iterable[str]] = tuple
) -> AsyncIterator[str]:
    """A line whenever something about the people changes, until another game; `door` tells who asks to come.

    Raises the peer's trouble, and `StoreError` where the game's disk fails: nothing can be decided any more.
    """
    game = peer.game
    assert game is not None
    seen = _Seen(peer, voice)
    while peer.game is game:
        if peer.trouble is not None:
            raise peer.trouble
        if game.failure is not None:
            raise game.failure
        for line in (*seen.news(), *door()):
            yield line
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY):
                await peer.changed()


class _Seen:
    """What one person has been told."""

    def __init__(self, peer: Peer, voice: Voice) -> None:
        self._peer = peer
        self._voice = voice
        self._away: set[int] = set()
        self._reminded = 0
        self._agreed: tuple[Seat, ...] = ()
        self._offered = False
        self._watching = self._watchers()

    def news(self) -> Iterator[str]:
        yield from self._links()
        yield from self._waiting()
        yield from self._who_watches()

    def _links(self) -> Iterator[str]:
        game, texts = self._peer.game, self._voice.texts
        assert game is not None
        if game.done:
            return
        seats = range(len(game.genesis.seats))
        away = {seat for seat in seats if (self._peer.absence.away(seat) or 0.0) >= GRACE}
        for seat in sorted(away - self._away):
            yield texts.say("presence.lost", name=self._voice.name(seat))
        for seat in sorted(self._away - away):
            yield texts.say("presence.back", name=self._voice.name(seat))
        self._away = away

    def _waiting(self) -> Iterator[str]:
        absence, texts = self._peer.absence, self._voice.texts
        longest = max((seconds for _, seconds in absence.waited_for()), default=0.0)
        due = sum(longest >= moment for moment in REMIND_AT) + int(longest) // REMIND_EVERY
        if due > self._reminded:
            yield waiting_for(self._peer, self._voice)
        self._reminded = due
        agreed = absence.agreed
        others = [seat for seat in agreed if seat not in self._agreed and seat != self._voice.me]
        names = self._voice.people(seat for seat, _ in absence.waited_for())
        for seat in others:
            yield texts.say("abort.agreed", name=self._voice.name(seat), names=names)
        self._agreed = agreed
        offered = absence.may_go_on()
        if offered and not self._offered:
            yield texts.say("abort.offer", names=names)
        self._offered = offered

    def _who_watches(self) -> Iterator[str]:
        watching = self._watchers()
        for name in watching:
            if name not in self._watching:
                yield self._voice.texts.say("presence.watches", name=name)
        self._watching = watching

    def _watchers(self) -> tuple[str, ...]:
        table = self._peer.table
        if table is None:
            return ()
        names = roster_names(table, self._voice.texts)
        return tuple(names[line.identity] for line in table.roster if line.watching)
