"""Deck keys, their proofs, the joint key and the lot (DEALING §1, §3; attacks 1–5)."""

from __future__ import annotations

from hashlib import sha256

import pytest

from game.mental_poker import deck as verbs
from game.mental_poker.backend import Backend, L
from game.mental_poker.errors import BadEncoding, Degenerate, ProofFailed
from game.mental_poker.group import base
from tests.game.mental_poker.scenes import seed_bytes, seed_int

GAME = seed_bytes("game", 0)
KEY = seed_bytes("proof", 0)


def test_secret_from() -> None:
    assert verbs.secret_from((5 + 3 * L).to_bytes(64, "little")) == 5
    with pytest.raises(Degenerate):
        verbs.secret_from((3 * L).to_bytes(64, "little"))
    with pytest.raises(ValueError, match="64"):
        verbs.secret_from(bytes(32))


def test_secrets_are_not_printed() -> None:
    secret = verbs.DeckSecret(123456789, b"k" * 32)
    assert repr(secret) == str(secret) == "<DeckSecret>"


def test_proof_of_key_and_what_it_is_bound_to(backend: Backend) -> None:
    x = seed_int("x", 0) % L
    X = verbs.public_key(x)
    proof = verbs.prove_key(GAME, 2, x, X, KEY)
    assert len(proof) == 64
    verbs.verify_key(GAME, 2, X, proof)
    assert verbs.prove_key(GAME, 2, x, X, KEY) == proof
    for game, seat, key in (  # attack 3: a proof replayed from another game or seat, or for another key
        (seed_bytes("game", 1), 2, X),
        (GAME, 1, X),
        (GAME, 2, verbs.public_key(x + 1)),
    ):
        with pytest.raises(ProofFailed):
            verbs.verify_key(game, seat, key, proof)
    for index in range(64):
        broken = bytearray(proof)
        broken[index] ^= 1
        with pytest.raises((ProofFailed, BadEncoding)):
            verbs.verify_key(GAME, 2, X, bytes(broken))


def test_attack_11_key_proof_scalars_are_canonical(backend: Backend) -> None:
    x = 7
    X = verbs.public_key(x)
    proof = verbs.prove_key(GAME, 0, x, X, KEY)
    c, s = (int.from_bytes(half, "little") for half in (proof[:32], proof[32:]))
    for forged in ((c + L, s), (c, s + L)):
        with pytest.raises(BadEncoding):
            verbs.verify_key(GAME, 0, X, b"".join(value.to_bytes(32, "little") for value in forged))
    for length in (0, 63, 65, 96):
        with pytest.raises(BadEncoding):
            verbs.verify_key(GAME, 0, X, (proof + proof)[:length])


def test_attack_1_rogue_key_has_no_proof(backend: Backend) -> None:
    """X_m = Y − X_1 would make the joint key Y = yG; its maker knows y and not the logarithm of X_m."""
    y, X_1 = 42, base(seed_int("x", 1))
    rogue = bytes(base(y) - X_1)
    assert verbs.joint_key([bytes(X_1), rogue]) == verbs.public_key(y)
    with pytest.raises(ProofFailed):
        verbs.verify_key(GAME, 1, rogue, verbs.prove_key(GAME, 1, y, rogue, KEY))


def test_attack_4_identity_as_key_or_sum(backend: Backend) -> None:
    with pytest.raises(BadEncoding, match="X"):
        verbs.verify_key(GAME, 0, bytes(32), bytes(64))
    with pytest.raises(BadEncoding, match="X"):
        verbs.joint_key([verbs.public_key(1), bytes(32)])
    with pytest.raises(Degenerate, match="joint"):
        verbs.joint_key([verbs.public_key(5), verbs.public_key(3), verbs.public_key(L - 8)])


def test_attack_5_repeated_keys(backend: Backend) -> None:
    with pytest.raises(Degenerate, match="repeat"):
        verbs.joint_key([verbs.public_key(5), verbs.public_key(6), verbs.public_key(5)])


def test_joint_key_is_the_sum(backend: Backend) -> None:
    assert verbs.joint_key([verbs.public_key(k) for k in (5, 6, 7)]) == verbs.public_key(18)


def test_attack_2_commitment_binds_every_part() -> None:
    parts = [GAME, b"\2", b"X" * 32, b"p" * 64, b"n" * 32]
    commitment = verbs.join_commitment(GAME, 2, parts[2], parts[3], parts[4])
    assert commitment == sha256(b"durak-1-join" + b"".join(parts)).digest()
    others = {
        verbs.join_commitment(seed_bytes("game", 1), 2, parts[2], parts[3], parts[4]),
        verbs.join_commitment(GAME, 3, parts[2], parts[3], parts[4]),
        verbs.join_commitment(GAME, 2, b"Y" * 32, parts[3], parts[4]),
        verbs.join_commitment(GAME, 2, parts[2], b"q" * 64, parts[4]),
        verbs.join_commitment(GAME, 2, parts[2], parts[3], b"m" * 32),
    }
    assert len(others | {commitment}) == 6
    with pytest.raises(ValueError, match="length"):
        verbs.join_commitment(GAME, 2, parts[2] + b"X", parts[3][1:], parts[4])


def test_beacon_lot() -> None:
    nonces = [seed_bytes("nonce", seat) for seat in range(5)]
    digest = sha256(b"durak-1-beacon" + GAME + b"".join(nonces)).digest()
    assert verbs.beacon_lot(GAME, nonces, 5) == int.from_bytes(digest, "big") % 5
    seats = {verbs.beacon_lot(seed_bytes("game", number), nonces, 5) for number in range(60)}
    assert seats == set(range(5))
    with pytest.raises(ValueError, match="length"):
        verbs.beacon_lot(GAME, [b"short"], 2)


def test_published_secret(backend: Backend) -> None:
    x = seed_int("x", 3) % L
    X = verbs.public_key(x)
    assert verbs.check_secret(X, x.to_bytes(32, "little")) == x
    with pytest.raises(ProofFailed):
        verbs.check_secret(X, (x + 1).to_bytes(32, "little"))
    for bad in (bytes(32), L.to_bytes(32, "little"), (x + L).to_bytes(32, "little"), bytes(31)):
        with pytest.raises(BadEncoding, match="secret"):
            verbs.check_secret(X, bad)
