"""One game after another: the one our people look at, and the next, shuffled ahead of time (`cli.ahead`).

The law of this file: at any moment one game is written to, but for a held one, which no disk knows. No links,
no waiting; the time comes from the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.ahead import NextGame
from cli.game_peer import GamePeer
from ledger.errors import BadGenesis, LedgerError, StoreError, Unsupported
from ledger.level import Status

if TYPE_CHECKING:
    from cli.game_peer import Store
    from cli.keeping import Games
    from cli.wishes import Wishes
    from game.course import Course
    from ledger.genesis import Genesis
    from p2p.events import EntryArrived
    from p2p.node import Node


class Succession:
    """The games of one peer. `node` shares their logs, `games` keeps them, `wishes` are its person's."""

    def __init__(self, node: Node, course: Course, games: Games, wishes: Wishes) -> None:
        self.game: GamePeer | None = None
        self.next: NextGame | None = None
        """Shuffled while people look at the last one; `game` as soon as all have dealt."""
        self.trouble: LedgerError | None = None
        """What stopped our seat, for faces to raise."""
        self._node = node
        self._course = course
        self._games = games
        self._wishes = wishes

    @property
    def may_deal_ahead(self) -> bool:
        """Our seat's game is over, by the rules, and the next may be shuffled while people look at it."""
        game = self.game
        return (
            self._wishes.deals_ahead
            and game is not None
            and game.done
            and game.seat is not None
            and game.log.status is Status.FINISHED
        )

    # a game begins

    def agreed(self, genesis: Genesis, seed: bytes | None, round_number: int | None, now: float) -> bool:
        """All have agreed: to the first game, or to the next one. With a seed a seat in it is ours.

        False, and `trouble` says why, if it can't be kept or played here.
        """
        ahead = self._wishes.watches or (seed is not None and self._wishes.deals_ahead)
        if ahead and self.game is not None and round_number is not None:
            self._hold(NextGame(genesis, seed, self._course, round_number), now)
            return True
        try:
            self.resume(self._store_of(genesis, seed), now)
        except (StoreError, Unsupported, BadGenesis) as error:
            self.trouble = error
            return False
        return True

    def resume(self, store: Store, now: float) -> None:
        """The game of this store is the game now. Raises as `GamePeer` does."""
        game = GamePeer(store, self._course)
        self._end_last()
        self.game = game
        self._node.attach(game.log, now)

    def _hold(self, coming: NextGame, now: float) -> None:
        self.drop_next()
        self._games.held()
        self.next = coming
        self._node.attach(coming.game.log, now)
        coming.wanted = self._wishes.seat or self._wishes.watches

    def drop_next(self) -> None:
        """The next game comes to nothing."""
        if self.next is not None:
            self._node.detach(self.next.game.genesis.game_id)
            self.next = None

    # a game goes on

    def receive(self, event: EntryArrived, now: float) -> bool:
        """Judge a record from a link; True if it was kept."""
        kept = False
        for game in self._all():
            if game.genesis.game_id == event.game:
                outcome = game.receive(event.record)
                self._node.judged(event.link, event.game, outcome, now)
                kept = bool(outcome.kept)
        return kept

    def advance(self, *, hosting: bool) -> bool:
        """Sign what our seat owes without deciding, and send it. False if it can't: `trouble` says why."""
        if self.next is not None:
            self.next.release(hosting=hosting)
        for game in self._all():
            try:
                records = game.advance()
            except LedgerError as error:
                self.trouble = error
                return False
            if records:
                self._node.push(game.genesis.game_id, records)
        return not self._begin_next() or self.advance(hosting=hosting)

    def _begin_next(self) -> bool:
        """All have dealt: the prepared game is the game now."""
        coming = self.next
        if coming is None or not (coming.begun and coming.wanted):
            return False
        try:
            game = coming.keep(self._store_of)
        except StoreError as error:
            self.trouble = error
            self.drop_next()
            return False
        self._end_last()
        self.game, self.next = game, None
        self._wishes.seat = False  # "again" was said of this one
        return True

    # a game ends

    def stop(self, why: str) -> None:
        """Sign nothing more, for a reason that faces show (a message id)."""
        for game in self._all():
            game.trouble = why

    def close(self) -> None:
        """Give the files back."""
        self.drop_next()
        if self.game is not None:
            self.game.store.close()

    def _end_last(self) -> None:
        """Another game takes the place of ours: nothing more is written to the old one."""
        if self.game is not None:
            self._node.detach(self.game.genesis.game_id)
            self.game.store.close()

    def _all(self) -> tuple[GamePeer, ...]:
        both = (self.game, None if self.next is None else self.next.game)
        return tuple(game for game in both if game is not None)

    def _store_of(self, genesis: Genesis, seed: bytes | None) -> Store:
        """Where a new game is kept: with a seed ours to play. Raises `StoreError`."""
        return self._games.watch(genesis) if seed is None else self._games.create(genesis, seed)
