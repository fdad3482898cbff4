"""What never leaves a device: every byte that reaches others is searched for it (DESIGN §5).

Messages are recorded in clear, as they come out of the secure channel of whoever receives them, so that
nothing hides behind encryption; all files of the other device are searched as well.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

import p2p.talk
from cli.game_folder import GameFolders
from cli.game_peer import GamePeer
from cli.home import Home
from cli.peer import Peer
from game import kinds, payloads, rules
from game.course import Course
from game.mental_poker import deck as real_suite
from game.state import Stage
from ledger.entry import read_record
from ledger.errors import Malformed
from ledger.genesis import Genesis
from ledger.identity import derive
from ledger.store import GameStore
from p2p.messages import Entries, Message
from tests.desk import MemoryGames, Room
from tests.tables import options_of, seed_of

VICTIM, SPY = 1, 0


@dataclass(frozen=True)
class Played:
    """A whole game of three, and everything that any peer received during it, in clear and in order."""

    game: GamePeer
    seed: bytes
    raw: list[bytes]
    heard: list[Message]
    folder: Path
    victim: Peer


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("secrets")
    raw: list[bytes] = []
    heard: list[Message] = []
    decode = p2p.talk.decode_message

    def listen(data: bytes) -> Message:
        message = decode(data)
        raw.append(data)
        heard.append(message)
        return message

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(p2p.talk, "decode_message", listen)
        seeds: list[bytes] = []

        class OnDisk(GameFolders):
            request = None

        class Kept(OnDisk):
            def create(self, genesis: Genesis, seed: bytes) -> GameStore:
                seeds.append(seed)
                return super().create(genesis, seed)

        class Bugged(Room):
            def new_games(self, number: int) -> MemoryGames | OnDisk:  # type: ignore[override]
                if number not in (SPY, VICTIM):
                    return super().new_games(number)
                return OnDisk(Home(folder / "spy")) if number == SPY else Kept(Home(folder / "victim"))

        room = Bugged(options_of(seats=3), label="secrets", course=Course(real_suite))
        spy, victim = room.seated[SPY].peer, room.seated[VICTIM].peer
        asyncio.run(room.play())
    assert spy.game is not None
    assert spy.game.state.stage is Stage.OVER
    for peer in (spy, victim):
        assert peer.game is not None
        assert isinstance(peer.game.store, GameStore)
        peer.game.store.close()
    return Played(spy.game, seeds[0], raw, heard, folder / "spy", victim)


def own_records(messages: list[Message], game: bytes, seat: int) -> list[bytes]:
    """The seat's records in the order in which they were first heard."""
    found: dict[bytes, None] = {}
    for message in messages:
        if isinstance(message, Entries):
            for record in message.records:
                try:
                    entry = read_record(record)
                except Malformed:
                    continue
                if entry.body.game_id == game and entry.seat == seat:
                    found[record] = None
    return list(found)


def test_seed_signing_key_and_identity_key_reach_nobody(played: Played) -> None:
    game_id = played.game.genesis.game_id
    secrets = {
        "seed": played.seed,
        "signing key": derive(played.seed, "sign", b"", 32),
        "identity key": seed_of(f"identity {VICTIM}"),
        "proof key": derive(played.seed, "proof", game_id, 64)[:32],
    }
    files = [path.read_bytes() for path in played.folder.rglob("*") if path.is_file()]
    assert len(played.raw) > 100
    assert any(game_id in data for data in files)
    for name, secret in secrets.items():
        assert not any(secret in data for data in played.raw), name
        assert not any(secret in data for data in files), name
        assert secret.hex() not in repr(vars(played.victim)), name


def test_the_deck_secret_leaves_only_in_the_own_secrets_entry(played: Played) -> None:
    game_id = played.game.genesis.game_id
    x = real_suite.secret_from(derive(played.seed, "deck", game_id, 64)).to_bytes(32, "little")
    carriers = [record for record in own_records(played.heard, game_id, VICTIM) if x in record]
    assert [read_record(record).kind for record in carriers] == [kinds.SECRETS]
    for other in range(3):
        if other != VICTIM:
            assert not any(x in record for record in own_records(played.heard, game_id, other))


def test_the_own_token_of_a_hidden_place_leaves_only_with_its_card(played: Played) -> None:
    game_id = played.game.genesis.game_id
    x = real_suite.secret_from(derive(played.seed, "deck", game_id, 64))
    masked = played.game.state.the_deck
    records = own_records(played.heard, game_id, VICTIM)
    held = [place for place in range(len(masked)) if held_once(played.game, place)]
    assert len(held) >= 6
    for place in held:
        token = bytes(x * masked.ciphertexts[place].A)
        carriers = [record for record in records if token in record]
        assert len(carriers) <= 1
        for record in carriers:
            assert place in opened_places(record)


def held_once(game: GamePeer, place: int) -> bool:
    """Whether the victim ever held this place with its face hidden."""
    for step in game.log.steps():
        position = step.before.position
        if (
            position is not None
            and place in rules.hand_places(position, VICTIM)
            and rules.face(position, place) is None
        ):
            return True
    return False


def opened_places(record: bytes) -> list[int]:
    """The places an entry opens with its cards."""
    entry = read_record(record)
    if entry.kind == kinds.OPEN:
        return [payloads.read_open(entry.payload).place]
    action, opening = payloads.read_action(entry.kind, entry.payload)
    return [place for place, _ in rules.cards_laid(action)] if opening is not None else []
