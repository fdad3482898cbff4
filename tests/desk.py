"""Peers of one table in one process, over links in memory and with a clock that stands still unless told.

Everything but the disk, the dice and the sockets is the product's own: node, lobby, sync, log, game.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from cli.peer import Peer
from cli.seat_request import SeatRequest
from game.actions import RESIGN, Action
from game.course import Course
from game.options import RULES_ID, Options, encode
from ledger.errors import StoreError
from ledger.genesis import Genesis
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import Terms
from p2p.loopback import Loopback, LoopbackEnd
from p2p.node import Node
from p2p.pump import Pump
from p2p.session import Door
from tests.memory_store import MemoryStore
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import identity_of

Lobby = HostLobby | GuestLobby


class MemoryGames:
    """`cli.keeping.Games` without a disk."""

    def __init__(self) -> None:
        self.stores: dict[bytes, MemoryStore] = {}
        self.request: SeatRequest | None = None
        self.full = False

    def rehearse(self) -> None:
        if self.full:
            raise StoreError("no room")

    def create(self, genesis: Genesis, seed: bytes) -> MemoryStore:
        if self.full:
            raise StoreError("no room")
        self.request = None
        assert genesis.game_id not in self.stores
        return self.stores.setdefault(genesis.game_id, MemoryStore(genesis, seed))

    def watch(self, genesis: Genesis) -> MemoryStore:
        return self.stores.setdefault(genesis.game_id, MemoryStore(genesis, None))

    def asked(self, request: SeatRequest) -> None:
        self.request = request

    def held(self) -> None:
        self.request = None

    given_up = held


class Seated:
    """One device: its peer, its pump, its memory, and the dice it plays by."""

    def __init__(self, room: Room, number: int, lobby: Lobby, games: MemoryGames) -> None:
        dice = random.Random(f"{room.label} {number} {room.starts}")
        identity = identity_of(number)
        self.node = Node(identity=identity, door=Door(open=True), random=dice.randbytes, lobby=lobby)
        self.pump = Pump(self.node)
        self.games = games
        self.peer = Peer(
            identity=identity,
            name=f"Player {number}",
            node=self.node,
            course=room.course,
            games=games,
            random=dice.randbytes,
            clock=lambda: room.now,
            auto_start=room.auto_start and number == 0,
            request=games.request,
        )
        self.peer.flush = lambda: self.pump.flush(room.now)
        self.dice = dice

    def choice(self) -> Action | None:
        if self.peer.game is None:
            return None
        legal = [action for action in self.peer.view().legal if action != RESIGN]
        return self.dice.choice(legal) if legal else None


class Room:
    """A table of `options.seats` devices; seat 0 hosts. `links` are those of guests to the host."""

    auto_start = True
    """Whether the host begins as soon as all are ready."""

    def __init__(
        self, options: Options, *, label: str = "room", course: Course | None = None, auto_start: bool = True
    ) -> None:
        self.options = options
        self.auto_start = auto_start
        self.label = label
        self.course = course or Course(OpenDeckSuite(), number=NUMBER)
        self.now = 0.0
        self.starts = 0
        self.loopback = Loopback()
        self.links: dict[int, LoopbackEnd] = {}
        self.seated: list[Seated] = []
        for number in range(options.seats):
            self.seated.append(Seated(self, number, self.new_lobby(number), self.new_games(number)))
        self.seated[0].peer.sit()
        for number in range(1, options.seats):
            self.link(number)

    def new_lobby(self, number: int) -> Lobby:
        own = identity_of(number).public
        if number:
            return GuestLobby(own, RULES_ID)
        terms = Terms(RULES_ID, encode(self.options), self.course.number, self.options.seats)
        return HostLobby(own, terms)

    def new_games(self, number: int) -> MemoryGames:
        return MemoryGames()

    def link(self, number: int) -> None:
        near, _ = self.loopback.join(self.seated[number].pump, self.seated[0].pump, self.now, is_host=True)
        self.links[number] = near

    def settle(self) -> None:
        """Let everybody hear everything, without time going by."""
        moved = True
        while moved:
            moved = False
            for seated in self.seated:
                seated.pump.flush(self.now)
                for event in seated.node.take_events():
                    seated.peer.take(event)
                    moved = True
            moved = self.loopback.deliver(self.now) or moved

    def pass_time(self, seconds: float) -> None:
        """Let time go by in small steps."""
        for _ in range(int(seconds * 4)):
            self.now += 0.25
            for seated in self.seated:
                seated.node.tick(self.now)
            self.settle()

    async def play(self, *, until: Callable[[], bool] = lambda: False, most: int = 5_000) -> None:
        """Everybody takes part by dice until the game is done or `until` says so."""
        self.settle()
        for _ in range(most):
            if until():
                return
            acted = False
            for seated in self.seated:
                action = seated.choice()
                if action is not None:
                    await seated.peer.act(action)
                    acted = True
                    self.settle()
            if not acted:
                return
        raise AssertionError("the game does not end")

    def restart(self, number: int) -> None:
        """Kill a device without a good-bye and start it again from its store."""
        old = self.seated[number]
        assert old.peer.game is not None
        genesis = old.peer.game.genesis
        cut = self.links if number == 0 else {number: self.links[number]}
        for end in cut.values():
            self.loopback.cut(end, self.now)
        self.starts += 1
        own = identity_of(number).public
        lobby: Lobby = (
            GuestLobby(own, RULES_ID, playing=genesis.game_id) if number else HostLobby.resumed(own, genesis)
        )
        self.seated[number] = Seated(self, number, lobby, old.games)
        self.seated[number].peer.resume(old.games.stores[genesis.game_id])
        for again in [*cut]:
            self.link(again)
        self.settle()
