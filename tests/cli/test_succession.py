"""Which game a device writes to: the first, one after another, one that is stopped, one no disk takes."""

from __future__ import annotations

from cli.succession import Succession
from cli.wishes import Wishes
from ledger.errors import StoreError, Unsupported
from ledger.level import Status
from p2p.events import EntryArrived
from p2p.link import LinkId
from tests.desk import MemoryGames, Room
from tests.open_deck import NUMBER
from tests.tables import genesis_of, options_of, seed_of


def of_one_device(games: MemoryGames) -> Succession:
    room = Room(options_of(seats=2), auto_start=False)
    return Succession(room.seated[0].node, room.course, games, Wishes())


def test_another_game_takes_the_place_of_the_last_whose_files_are_given_back() -> None:
    games = MemoryGames()
    succession = of_one_device(games)
    for label in ("one", "two"):
        genesis = genesis_of(options_of(), suite=NUMBER, label=label)
        assert succession.agreed(genesis, seed_of(f"{label} 0"), 1, 0.0)
        assert succession.game is not None
        assert succession.game.genesis == genesis
    one, two = games.stores.values()
    assert (one.closed, two.closed) == (True, False)
    succession.close()
    assert two.closed


def test_a_game_that_cannot_be_kept_or_played_here_is_none() -> None:
    games = MemoryGames()
    succession = of_one_device(games)
    games.full = True
    assert not succession.agreed(genesis_of(options_of(), suite=NUMBER), seed_of("game 0"), 1, 0.0)
    assert isinstance(succession.trouble, StoreError)
    games.full = False
    assert not succession.agreed(genesis_of(options_of(), suite=NUMBER + 7), seed_of("game 0"), 1, 0.0)
    assert isinstance(succession.trouble, Unsupported)
    assert succession.game is None


def test_entries_of_another_game_are_nobodys() -> None:
    succession = of_one_device(MemoryGames())
    ours, other = (genesis_of(options_of(), suite=NUMBER, label=label) for label in ("one", "two"))
    succession.agreed(ours, seed_of("one 0"), 1, 0.0)
    assert not succession.receive(EntryArrived(other.game_id, b"whatever", LinkId(1)), 0.0)
    assert not succession.receive(EntryArrived(ours.game_id, b"whatever", LinkId(1)), 0.0)


async def test_who_is_stopped_signs_nothing_more() -> None:
    room = Room(options_of(seats=2))
    peer = room.seated[1].peer
    await room.play(until=lambda: peer.game is not None and peer.game.log.height > 12)
    peer.stop("trouble.store")
    before = len(peer.game.log.entries())
    assert not peer.view().legal
    await room.play()
    signed = [entry for entry in peer.game.log.entries()[before:] if entry.seat == 1]
    assert signed == []
    assert peer.game.log.status is Status.OPEN
