"""Attacks 1 to 8: keys and identities."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.game_peer import GamePeer
from game import kinds
from game.course import Course
from game.mental_poker import deck as real_suite
from game.mental_poker.backend import L
from game.mental_poker.group import base, read_point
from game.state import Stage
from ledger.codec import decode, encode
from ledger.engine import Seat
from ledger.entry import sign_entry
from ledger.errors import BadGenesis, StoreError
from ledger.genesis import Genesis
from ledger.identity import certify, derive, game_key
from ledger.level import Status
from ledger.log import Log
from ledger.store import GameStore
from p2p.host import HostLobby
from p2p.loopback import LoopbackEnd
from p2p.messages import Cancel, Message, OfferGenesis
from p2p.reasons import Why
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import COURSE, recorded
from tests.desk import Room
from tests.memory_store import MemoryStore
from tests.tables import genesis_of, identity_of, options_of, seed_of


def commit_and_open(hall: Hall, cheat: Cheat, key: bytes, proof: bytes) -> None:
    """Commit to a key and its proof, hear everybody, open them."""
    nonce = seed_of("a cheat's nonce")
    game = hall.game.genesis.game_id
    commitment = real_suite.join_commitment(game, cheat.seat, key, proof, nonce)
    cheat.keep(cheat.say(kinds.JOIN, (commitment,)))
    assert cheat.state.stage is Stage.KEYS
    cheat.say(kinds.OPEN_KEYS, (key, proof, nonce))


def key_proof(cheat: Cheat, x: int, *, game: bytes = b"", seat: int | None = None) -> bytes:
    context = cheat.context(game=game, seat=seat)
    return real_suite.prove_key(context.game, context.seat, x, bytes(base(x)), cheat.proof_key)


def test_attack_01_no_key_is_shown_before_all_have_committed() -> None:
    game = recorded()
    hall = Hall(game, 0)
    for seat in hall.honest:
        assert [entry.kind for entry in hall.signed(seat)] == [kinds.JOIN]
    hall.waits_for(1)
    hall.goes_on()


def test_attack_01_a_rogue_key_that_cancels_the_others() -> None:
    """Known only after the commitment, it does not open it; committed to blindly, it has no proof."""
    game = recorded()
    hall = Hall(game, game.at(Stage.KEYS))
    others = [entry for entry in hall.log(0).met(hall.log(0).height) if entry.seat != 1]
    assert len(others) == 2
    rogue = base(77)
    for entry in others:
        rogue = rogue - read_point(bytes(entry.payload[0]))  # type: ignore[arg-type]
    _, proof, nonce = hall.cheat.owed()[1]
    hall.cheat.say(kinds.OPEN_KEYS, (bytes(rogue), proof, nonce))
    hall.halted("I_PROOF")

    hall = Hall(game, 0)
    commit_and_open(hall, hall.cheat, bytes(rogue), key_proof(hall.cheat, 77))
    hall.halted("I_PROOF")


@pytest.mark.parametrize("item", ["key", "proof", "nonce"])
def test_attack_02_opened_otherwise_than_committed(item: str) -> None:
    game = recorded()
    hall = Hall(game, game.at(Stage.KEYS))
    cheat = hall.cheat
    key, proof, nonce = cheat.owed()[1]
    others = {
        "key": (bytes(base(cheat.x + 1)), key_proof(cheat, cheat.x + 1), nonce),
        "proof": (key, key_proof(cheat, cheat.x, seat=2), nonce),
        "nonce": (key, proof, seed_of("a luckier nonce")),
    }
    cheat.say(kinds.OPEN_KEYS, others[item])
    hall.halted("I_PROOF")


def test_attack_03_the_proof_of_a_key_from_another_game() -> None:
    game, other = recorded(), recorded("another game")
    opened = other.states[other.at(Stage.SHUFFLE)]
    record = Log(COURSE, other.genesis)
    for each in other.before(other.at(Stage.SHUFFLE)):
        record.receive(each)
    _, proof, _ = record.met(opened.height - 1)[1].payload
    assert isinstance(proof, bytes)
    hall = Hall(game, 0)
    commit_and_open(hall, hall.cheat, opened.keys[1], proof)
    hall.halted("I_PROOF")


def test_attack_03_the_proof_of_a_key_from_another_seat() -> None:
    """Seat 2 lends seat 1 its key and its proof."""
    hall = Hall(recorded(), 0, cheats=(1, 2))
    lender = hall.cheats[2]
    lender.keep(lender.say(*lender.owed()))
    commit_and_open(hall, hall.cheats[1], bytes(lender.deck_key), key_proof(lender, lender.x))
    hall.halted("I_PROOF", by=1)


def test_attack_04_the_identity_as_key() -> None:
    hall = Hall(recorded(), 0)
    commit_and_open(hall, hall.cheat, bytes(32), bytes(64))
    hall.halted("I_PROOF")


def test_attack_04_keys_that_sum_to_the_identity_void_the_game() -> None:
    """Only all seats together can do it, so who is cheated is a watcher: nobody is blamed, nothing begins."""
    genesis = genesis_of(options_of(), suite=1, label="zero sum")
    watcher = GamePeer(MemoryStore(genesis, None), Course(real_suite))
    log = Log(COURSE, genesis)
    secrets = (5, L - 5)
    nonce = bytes(32)
    opened = []
    for seat, x in enumerate(secrets):
        key = bytes(base(x))
        proof = real_suite.prove_key(genesis.game_id, seat, x, key, bytes(64))
        opened.append((key, proof, nonce))
    for kind in (kinds.JOIN, kinds.OPEN_KEYS):
        for seat, opening in enumerate(opened):
            commitment = real_suite.join_commitment(genesis.game_id, seat, *opening)
            payload = opening if kind == kinds.OPEN_KEYS else (commitment,)
            record = sign_entry(game_key(seed_of(f"zero sum {seat}")), log.draft(Seat(seat), kind, payload))
            log.receive(record)
            watcher.receive(record)
    assert watcher.log.status is Status.VOID
    assert watcher.log.faults == ()
    assert watcher.done


def test_attack_05_one_key_for_two_seats_voids_the_game() -> None:
    """Each with a proof of its own that stands: nobody is blamed, no card is dealt."""
    hall = Hall(recorded(), 0, cheats=(1, 2))
    one, two = hall.cheats.values()
    x, game = one.x, hall.game.genesis.game_id
    for cheat in (one, two):
        proof = key_proof(cheat, x)
        commitment = real_suite.join_commitment(game, cheat.seat, bytes(one.deck_key), proof, bytes(32))
        cheat.keep(cheat.say(kinds.JOIN, (commitment,)))
    for cheat in (one, two):
        cheat.keep(cheat.say(kinds.OPEN_KEYS, (bytes(one.deck_key), key_proof(cheat, x), bytes(32))))
    assert hall.log(0).status is Status.VOID
    assert [entry.kind for entry in hall.signed(0)] == [kinds.JOIN, kinds.OPEN_KEYS]
    hall.waits_for()


def test_attack_06_one_seed_gives_another_key_for_every_game() -> None:
    seed = seed_of("one seed")
    keys = {
        real_suite.public_key(real_suite.secret_from(derive(seed, "deck", game, 64)))
        for game in (recorded().genesis.game_id, recorded("another game").genesis.game_id)
    }
    assert len(keys) == 2


def test_attack_06_one_seed_is_kept_for_one_game(tmp_path: Path) -> None:
    """The same key in a second genesis is refused before anything is signed for it."""
    first = genesis_of(options_of(), suite=1, label="a seed")
    second = replace(first, rules_id=bytes(32))
    seed = seed_of("a seed 0")
    GameStore.create(tmp_path / "one", first, seed).close()
    with pytest.raises(StoreError):
        GameStore.create(tmp_path / "two", second, seed)


async def test_attack_06_a_host_offers_the_key_of_the_last_game_again() -> None:
    room = Room(options_of(), auto_start=False)
    host, guest = (seated.peer for seated in room.seated)
    room.settle()
    host.start()
    await room.play()
    assert guest.game is not None
    spent = guest.game.genesis.seats[1]
    signed = len(guest.game.log.entries())
    lobby = host.node.lobby
    assert isinstance(lobby, HostLobby)
    host.rematch()
    room.settle()
    lobby._seating.chairs[1].record = spent
    offered = lobby.table.round
    lobby.start()
    room.settle()
    assert lobby.table.round == offered + 1, "the guest has called the offer off"
    assert guest.game.genesis.seats[1] == spent
    assert len(guest.game.log.entries()) == signed
    assert list(room.seated[1].games.stores) == [guest.game.genesis.game_id]


def twice_the_same_identity() -> bytes:
    """A genesis with one person on two seats, as its bytes would be."""
    value = decode(recorded().genesis.to_bytes(), limit=4096)
    assert isinstance(value, tuple)
    seats = value[4]
    assert isinstance(seats, tuple)
    key = game_key(seed_of("a second seat"))
    certificate = certify(identity_of(1), key.public, bytes(32))
    again = (key.public, identity_of(1).public, bytes(32), certificate, b"x")
    return encode((*value[:4], (*seats[:2], again), value[5]))


async def test_attack_07_one_identity_in_two_seats() -> None:
    with pytest.raises(BadGenesis, match="same-key"):
        Genesis.from_bytes(twice_the_same_identity())

    room = Room(options_of(seats=3))
    host = room.seated[0]
    twin = room.seated[2]
    twin.node._identity = identity_of(1)
    room.loopback.cut(room.links[2], room.now)
    near, _ = room.loopback.join(twin.pump, host.pump, room.now, is_host=True)
    room.settle()
    assert isinstance(near, LoopbackEnd)
    assert twin.peer.presence.closed is Why.SAME_IDENTITY
    table = host.peer.table
    assert table is not None
    assert [line.identity for line in table.roster].count(identity_of(1).public) == 1
    assert all(seated.peer.game is None for seated in room.seated)


async def test_attack_07_a_guest_refuses_a_genesis_with_one_identity_twice() -> None:
    room = Room(options_of(deck=24, seats=3), auto_start=False)
    host = room.seated[0]
    room.settle()
    offer = OfferGenesis(1, twice_the_same_identity())
    for guest in (1, 2):
        host.node._send(identity_of(guest).public, offer)
    seen: list[Message] = []
    lobby = host.node.lobby
    assert lobby is not None
    hear = lobby.message
    lobby.message = lambda identity, message: (seen.append(message), hear(identity, message))[1]  # type: ignore[method-assign]
    room.settle()
    assert [type(message) for message in seen] == [Cancel, Cancel]
    assert all(seated.peer.game is None for seated in room.seated)


@pytest.mark.parametrize("stage", [Stage.JOIN, Stage.ACK, Stage.DEAL, Stage.PLAY, Stage.RESULT])
def test_attack_08_a_deck_secret_shown_early(stage: Stage) -> None:
    """It opens the own hand only, and nothing a game asks for before its end: forbidden, by whoever it is."""
    game = recorded()
    hall = Hall(game, game.at(stage))
    hall.cheat.say(kinds.SECRETS, (hall.cheat.x.to_bytes(32, "little"),))
    hall.halted("I_TURN")
    for seat in hall.honest:
        assert kinds.SECRETS not in [entry.kind for entry in hall.signed(seat)]
