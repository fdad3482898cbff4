"""The run of an evening at one table, whatever the face: people gather, a game is played, perhaps another.

A face says what it wants; this file knows the order of things and what ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Protocol

from cli.exits import CommandError, Exit
from ledger.level import Status
from p2p.lobby import LobbyError
from p2p.reasons import NOT_MENDED, Refusal, Why

if TYPE_CHECKING:
    from cli.game_peer import GamePeer
    from cli.peer import Peer
    from cli.tables import AtTable

HOST_AWAY = 60.0
"""Seconds a guest waits in the lobby for a host whose link is lost."""
TWIN_TIME = 8.0
"""Seconds a host may need to find that a link of ours, cut without a word, leads nowhere any more."""
LAST_WORDS = 0.5
"""Seconds a peer stays after the end, so that its last entries reach everybody."""


class Face(Protocol):
    """How one person, bot or program takes part."""

    async def gathering(self, at: AtTable) -> bool:
        """Wait a moment for something to change or to be typed, and take it in. False: leave."""

    async def play(self, at: AtTable) -> bool:
        """One game, from wherever it stands to its end. True: another one, please."""


async def spend(at: AtTable, face: Face) -> Exit:
    """Gather, play, perhaps again. Returns when the face leaves or the table is closed."""
    played: GamePeer | None = None
    while True:
        if not await _gather(at, face, played):
            at.peer.leave()
            return Exit.OK
        played = at.peer.game
        assert played is not None
        at.keep_part()
        _remember(at, played)
        at.peer.wishes.seat = False
        again = await face.play(at)
        if at.peer.trouble is not None:
            raise at.peer.trouble
        if not again:
            if played.done:
                at.peer.leave()
            await _last_words(at.peer, played)
            return Exit.OK
        at.peer.sit_again()
        if at.peer.hosting and played.done:
            _prepare_next(at.peer)


async def _gather(at: AtTable, face: Face, played: GamePeer | None) -> bool:
    """Wait until a game begins that is not `played`, or our person wants none after all. False: the face
    left. CommandError if none will."""
    peer = at.peer
    while peer.game is None or (peer.game is played and (peer.wishes.seat or peer.wishes.watches)):
        if not await face.gathering(at):
            return False
        if peer.game is not None and peer.game is not played:
            break
        if peer.trouble is not None:  # all have agreed, but the game cannot be kept here
            raise peer.trouble
        begun = None if played is not None or peer.table is None else peer.table.game
        if begun is not None and not peer.wishes.watches:
            if not at.come_back(begun):
                raise CommandError(Exit.IO, _started(peer))
            break
        try:
            _check_hopes(peer)
        except CommandError:  # who was told to leave at the same moment has left, and nothing is wrong
            if (peer.host_closed or played is not None) and not await face.gathering(at):
                return False
            raise
    return True


def _check_hopes(peer: Peer) -> None:
    """Raise CommandError when this table will not have us."""
    if peer.trouble is not None:
        raise peer.trouble
    if peer.refused is not None:
        started = peer.refused is Refusal.STARTED
        raise CommandError(Exit.IO, _started(peer) if started else str(peer.refused))
    if peer.hosting:
        return
    closed, twin_since = peer.presence.closed, peer.presence.twin_since
    if twin_since is not None and asyncio.get_running_loop().time() < twin_since + TWIN_TIME:
        return
    if closed in NOT_MENDED and (closed is not Why.SAME_IDENTITY or twin_since is not None):
        raise CommandError(Exit.UNSUPPORTED if closed is Why.OTHER_VERSION else Exit.IO, str(closed))
    if peer.host_closed:
        raise CommandError(Exit.IO, str(Refusal.CLOSED))
    if (peer.host_away or 0.0) > HOST_AWAY:
        raise CommandError(Exit.IO, "lobby.host-gone")


def _started(peer: Peer) -> str:
    """What who comes too late for a seat may do instead."""
    may_watch = peer.table is not None and peer.table.may_watch
    return "lobby.started.watch" if may_watch else "lobby.started"


def _remember(at: AtTable, game: GamePeer) -> None:
    """Know the people of this table again. Bots of this device are nobody to remember."""
    if at.part.role == "play":
        return
    known = at.home.book().names
    for record in game.genesis.seats:
        if record.identity_key != at.peer.identity.public and known.get(record.identity_key) != record.name:
            at.home.remember(record.identity_key, record.name)


def _prepare_next(peer: Peer) -> None:
    """Offer another game with the same people; who left is waited for."""
    with contextlib.suppress(LobbyError):
        peer.rematch()


async def _last_words(peer: Peer, played: GamePeer) -> None:
    """Stay a moment after the end, as long as somebody is there to hear it."""
    until = asyncio.get_running_loop().time() + LAST_WORDS
    while played.log.status is not Status.OPEN and peer.presence.here:
        left = until - asyncio.get_running_loop().time()
        if left <= 0:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(left):
                await peer.changed()
