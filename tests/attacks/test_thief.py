"""A thief of the identity key: what it signs, and what it does not open."""

from __future__ import annotations

import pytest

from ledger.entry import signed_bytes
from ledger.identity import SigningKey, game_key
from p2p.session import CHANNEL_TAG
from tests.desk import Room
from tests.tables import identity_of, options_of


async def test_identity_keys_sign_certificates_and_handshakes_and_game_keys_sign_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A whole game and the lobby before it, every signature that any device makes."""
    made: list[tuple[bytes, bytes]] = []
    sign = SigningKey.sign

    def noting(self: SigningKey, message: bytes) -> bytes:
        made.append((self.public, message))
        return sign(self, message)

    monkeypatch.setattr(SigningKey, "sign", noting)
    room = Room(options_of(deck=24, seats=3))
    await room.play()
    identities = {identity_of(seat).public for seat in range(3)}
    game = room.seated[0].peer.game
    assert game is not None
    entries = {signed_bytes(entry.body.to_bytes()) for entry in game.log.entries()}
    by_identity = {message for key, message in made if key in identities}
    by_others = {message for key, message in made if key not in identities}
    assert any(message.startswith(CHANNEL_TAG) for message in by_identity)
    for message in by_identity:
        assert message.startswith((b"durak-cert-1", CHANNEL_TAG)), message[:20]
    assert by_others == entries
    assert {key for key, _ in made} - identities == {record.game_key for record in game.genesis.seats}


async def test_the_keys_of_a_game_do_not_follow_from_the_identity() -> None:
    """Two evenings of the same people: game keys, and with them seeds and hands, come from fresh dice."""
    seeds = []
    for label in ("one evening", "another evening"):
        room = Room(options_of(deck=24, seats=3), label=label)
        room.settle()
        for seat, seated in enumerate(room.seated):
            (store,) = seated.games.stores.values()
            seeds.append(store.seed())
            assert store.genesis.seats[seat].identity_key == identity_of(seat).public
            assert store.genesis.seats[seat].game_key == game_key(store.seed()).public
    assert len(set(seeds)) == 6
