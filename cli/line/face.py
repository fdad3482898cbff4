"""Line mode at a running table: a person, or a bot whose play is told; satisfies `cli.evening.Face`."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from cli.bot_face import BotFace
from cli.line import events as telling
from cli.line.again import Again
from cli.line.conversation import Conversation
from cli.line.door import Door
from cli.line.gathering import Gathering
from cli.line.help import situation
from cli.line.presence import presence_lines, waiting_for
from cli.line.replay import how_it_stands
from cli.line.terminal import Keyboard, Stopped, Typed, sit
from cli.line.voice import voice_for
from game import actions
from ledger.folder import CASE
from ledger.level import Status

if TYPE_CHECKING:
    from cli.app import App
    from cli.game_peer import GamePeer
    from cli.line.voice import Voice
    from cli.tables import AtTable
    from game.actions import Action
    from game.bots import Bot
    from game.cards import Card
    from game.errors import IllegalMove

THINKING = (1.0, 3.0)
"""Seconds before a pass nobody had to think about, so that it does not tell that nothing fitted."""


class LineFace:
    """A person at a terminal. `alone`: all others are bots, so no pass needs a disguise."""

    def __init__(self, app: App, keyboard: Keyboard, *, ask_all: bool, alone: bool) -> None:
        self._app = app
        self._keyboard = keyboard
        self._ask_all = ask_all
        self._alone = alone
        self._door = Door(app)
        self._others = Again(app)
        self._lobby = Gathering(app, keyboard, self._door, self._others, alone=alone)

    async def gathering(self, at: AtTable) -> bool:
        """Tell who is there, and do in the lobby what the person types."""
        return await self._lobby.step(at)

    async def play(self, at: AtTable) -> bool:
        """One game with this person."""
        game = at.peer.game
        assert game is not None
        if not game.store.may_sign and not game.done and not at.peer.wishes.watches:
            self._app.tell(game.store.watches or "store.no-seed")
        voice = voice_for(self._app, at, game)
        talk = Conversation(
            voice,
            auto_pass=False if self._ask_all else None,
            offer_again=not at.peer.wishes.watches,
            why_not=lambda cards: why_not(game, cards),
            waiting=lambda: waiting_for(at.peer, voice),
            may_go_on=at.peer.absence.may_go_on,
            guest_asks=lambda: bool(at.peer.asking),
        )
        again = await sit(
            at.peer,
            talk,
            self._keyboard,
            tell=self._app.show,
            notices=presence_lines(at.peer, voice, lambda: (*self._door.news(at), *self._others.news(at))),
            let_in=lambda admit: self._door.answer(at, admit=admit),
            pause=lambda: 0.0 if self._alone else random.uniform(*THINKING),
            since=None if game.state.led else 0,
        )
        if game.log.status is Status.HALTED:
            self._app.show(how_it_stands(game.log, game.course, voice))
            case = self._app.home.game(game.genesis.game_id) / CASE
            if case.exists():
                self._app.tell("fault.case", path=case)
        return again or (at.peer.wishes.watches and (game.done or at.peer.game is not game))


class ToldBotFace:
    """A bot decides; the person at the terminal reads along from its seat and may leave.

    `games`: how many to play before leaving.
    """

    def __init__(self, app: App, keyboard: Keyboard, player: Bot, *, games: int = 1) -> None:
        self._app = app
        self._keyboard = keyboard
        self._player = player
        self._games = games
        self._door = Door(app)
        self._lobby = Gathering(app, keyboard, self._door, Again(app), alone=True)

    async def gathering(self, at: AtTable) -> bool:
        """As for a person."""
        return await self._lobby.step(at)

    async def play(self, at: AtTable) -> bool:
        """One game; then another, unless those asked for are played or somebody wants us to leave."""
        game = at.peer.game
        assert game is not None
        self._games -= 1
        if self._games <= 0:
            at.peer.plays_no_more()
        voice = voice_for(self._app, at, game)
        story = asyncio.create_task(self._tell(at, game, voice))
        leaving = asyncio.create_task(self._left(at))
        beside = (BotFace(at.peer, self._player).play(), self._tell_links(at, voice))
        tasks = {story, leaving, *map(asyncio.create_task, beside)}
        running = set(tasks)
        try:
            while not (story.done() or leaving.done()):
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            if leaving.done():
                self._app.tell("leave.ended" if game.done else "leave.saved")
            return self._games > 0 and not leaving.done()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _tell(self, at: AtTable, game: GamePeer, voice: Voice) -> None:
        async for _, events in at.peer.updates(since=None if game.state.led else 0):
            for event in events:
                self._app.show(telling.tell(event, voice))

    async def _tell_links(self, at: AtTable, voice: Voice) -> None:
        """Raises what keeps this device from playing on."""
        async for line in presence_lines(at.peer, voice, lambda: self._door.news(at)):
            self._app.show([line])

    async def _left(self, at: AtTable) -> None:
        """Return once the person is gone; what he may say is who comes in."""
        while not isinstance(item := await self._keyboard.next(), Stopped):
            if not isinstance(item, Typed) or not at.peer.asking:
                continue
            admit = self._app.texts.yes_or_no(item.line.strip().casefold())
            if admit is None:
                self._door.again(at)
            else:
                self._door.answer(at, admit=admit)


def why_not(game: GamePeer, cards: tuple[Card, ...]) -> IllegalMove | None:
    """Why these own cards cannot be laid now, as the rules say it; None if they can or nothing is asked."""
    view = game.view()
    place_of = {held.card: held.place for held in view.hand}
    unbeaten = [pair.attack for pair in view.table if pair.beat is None]
    action: Action
    if situation(view) == "lead":
        action = actions.Lead(tuple(place_of[card] for card in sorted(cards)), tuple(sorted(cards)))
    elif unbeaten and view.me == view.defender:
        action = actions.Beat(unbeaten[0], place_of[cards[0]], cards[0])
    else:
        action = actions.Throw(place_of[cards[0]], cards[0])
    return game.refusal(action)
