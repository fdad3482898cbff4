"""Who is away, and whether the others go on without him (RULES R30).

Everybody is asked first, by hints that nobody signs; meanwhile the links keep trying to reach who is away. An
ABORT is signed only when every seat that has to sign has said so, for the very height and the very seats the
game waits for. A word given lapses as soon as the game moves on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.abort import outsiders
from ledger.engine import Seat
from ledger.errors import LedgerError
from ledger.level import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.peer import Peer
    from ledger.engine import Height
    from ledger.genesis import GameId
    from p2p.events import NoticeArrived

PATIENCE: Final = 20.0
"""Seconds somebody must be away before the others are offered to end the game without him."""
LONG_PATIENCE: Final = 60.0
"""The same where we had no link of our own to him and only see that nothing comes."""
GO_ON, WAIT = 1, 2
"""Codes of NOTICE: "I would end the game without these seats", "I would rather wait for them"."""


class Absence:
    """`peer` is whose table this is about; `clock` the one its presence goes by."""

    def __init__(self, peer: Peer, clock: Callable[[], float]) -> None:
        self._peer = peer
        self._clock = clock
        self._at: tuple[GameId, Height] | None = None
        self._since = clock()
        self._said: set[Seat] = set()

    def away(self, seat: int) -> float | None:
        """For how many seconds nobody at this table has reached a seat; None if somebody does."""
        self._follow()
        peer, now = self._peer, self._clock()
        assert peer.game is not None
        identity = peer.game.genesis.seats[seat].identity_key
        if identity == peer.identity.public or peer.node.reaches(identity, now):
            return None
        return max(0.0, now - peer.presence.lost_at.get(identity, self._since))

    def waited_for(self) -> tuple[tuple[Seat, float], ...]:
        """The seats the game waits for that are away, and since how many seconds."""
        game = self._peer.game
        if game is None or game.log.status is not Status.OPEN:
            return ()
        away = ((seat, self.away(seat)) for seat in game.log.waiting_for)
        return tuple((seat, seconds) for seat, seconds in away if seconds is not None)

    def may_go_on(self) -> bool:
        """All that are waited for have been away for a while, and our ABORT of them would stand."""
        self._follow()
        game = self._peer.game
        if game is None or game.seat is None or not game.course.playing(game.state):
            return False
        away = self.waited_for()
        if not away or len(away) != len(game.log.waiting_for):
            return False
        if any(seconds < self._patience(seat) for seat, seconds in away):
            return False
        try:
            game.log.draft_abort(game.seat)
        except LedgerError:
            return False
        return True

    @property
    def agreed(self) -> tuple[Seat, ...]:
        """The seats that would end the game without those it waits for now, ascending."""
        self._follow()
        game = self._peer.game
        if game is None or game.done:
            return ()
        waiting = game.log.waiting_for
        signed = {
            entry.seat
            for entry in game.log.level(game.log.height).aborts.values()
            if entry.payload == (waiting,)
        }
        return tuple(sorted(self._said | signed))

    def say(self, *, on: bool) -> None:
        """Our person would go on without those waited for, or rather wait. Signs once all have said so."""
        self._follow()
        game = self._peer.game
        if game is None or game.seat is None or (on and not self.may_go_on()):
            return
        if on:
            self._said.add(game.seat)
        else:
            self._said.discard(game.seat)
        self._peer.node.notice(game.genesis.game_id, GO_ON if on else WAIT, game.log.waiting_for)
        self._sign_if_all_agree()

    def repeat(self) -> None:
        """Hints get lost with a link: say again what stands."""
        self._follow()
        game = self._peer.game
        if game is not None and game.seat in self._said and not game.done:
            self._peer.node.notice(game.genesis.game_id, GO_ON, game.log.waiting_for)
            self._sign_if_all_agree()

    def noticed(self, event: NoticeArrived) -> None:
        """What somebody else would do."""
        self._follow()
        game = self._peer.game
        if game is None or game.genesis.game_id != event.game or event.seats != game.log.waiting_for:
            return
        if event.code == GO_ON:
            self._said.add(Seat(event.seat))
            self._sign_if_all_agree()
        elif event.code == WAIT:
            self._said.discard(Seat(event.seat))

    def _patience(self, seat: Seat) -> float:
        game = self._peer.game
        assert game is not None
        had_link = game.genesis.seats[seat].identity_key in self._peer.presence.lost_at
        return PATIENCE if had_link else LONG_PATIENCE

    def _follow(self) -> None:
        """Forget what was said of an earlier height."""
        game = self._peer.game
        at = None if game is None else (game.genesis.game_id, game.log.height)
        if at != self._at:
            self._at, self._since = at, self._clock()
            self._said.clear()

    def _sign_if_all_agree(self) -> None:
        game = self._peer.game
        if game is None or game.seat not in self._said or not self.may_go_on():
            return
        must = outsiders(game.course.still_in(game.state), game.log.waiting_for)
        if set(must) <= set(self.agreed):
            self._peer.abort()
