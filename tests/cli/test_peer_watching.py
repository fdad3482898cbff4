"""A watcher at a table of whole peers: game after game, without a hand, a seed or a signature."""

from __future__ import annotations

import random

import pytest

from cli.peer import Peer
from game.options import RULES_ID
from ledger.level import Status
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.node import Node
from p2p.pump import Pump
from p2p.session import Door
from tests.desk import MemoryGames, Room, Seated
from tests.tables import identity_of, options_of

WATCHER = 9


def watcher(room: Room) -> Seated:
    """One more device in the room, linked to the host, that only looks on."""
    seated = object.__new__(Seated)
    dice = random.Random("watcher")
    identity = identity_of(WATCHER)
    lobby = GuestLobby(identity.public, RULES_ID)
    seated.node = Node(identity=identity, door=Door(open=True), random=dice.randbytes, lobby=lobby)
    seated.pump = Pump(seated.node)
    seated.games = MemoryGames()
    seated.dice = dice
    seated.peer = Peer(
        identity=identity,
        name="Wanda",
        node=seated.node,
        course=room.course,
        games=seated.games,
        random=dice.randbytes,
        clock=lambda: room.now,
        wants_seat=False,
        watches=True,
    )
    seated.peer.flush = lambda: seated.pump.flush(room.now)
    room.seated.append(seated)
    room.loopback.join(seated.pump, room.seated[0].pump, room.now, is_host=True)
    return seated


@pytest.mark.parametrize("ahead", [False, True])
async def test_a_watcher_sees_game_after_game_and_holds_nothing(ahead: bool) -> None:  # noqa: FBT001
    room = Room(options_of(seats=3), label="watched")
    for seated in room.seated:
        seated.peer.deals_ahead = ahead
    host = room.seated[0]
    assert isinstance(host.peer.node.lobby, HostLobby)
    host.peer.node.lobby._may_watch = True
    await room.play(until=lambda: host.peer.game is not None and host.peer.game.log.height > 15)
    wanda = watcher(room)
    room.settle()
    assert wanda.peer.game is not None
    assert wanda.peer.view().me is None
    assert wanda.peer.view().hand == ()
    games = set()
    for _ in range(3):
        await room.play()
        room.pass_time(10)
        assert wanda.peer.game.log.status is Status.FINISHED
        assert host.peer.game is not None
        assert wanda.peer.game.log.export() == host.peer.game.log.export()
        games.add(wanda.peer.game.genesis.game_id)
        if not ahead:
            host.peer.rematch()
        for seated in room.seated[:3]:
            seated.peer.sit_again()
            room.settle()
    assert len(games) == 3
    assert all(not store.may_sign for store in wanda.games.stores.values())
