from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import edwards
from ledger.errors import BadGenesis
from ledger.identity import (
    COMPILED,
    SMALL_ORDER,
    SigningKey,
    certify,
    check_certificate,
    check_key,
    derive,
    game_key,
    verify,
)
from tests.ledger.table import Table, fixed

# RFC 8032 §7.1, TEST 2: secret, public, message, signature
RFC_8032 = (
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
)


def torsion() -> Iterator[edwards.Point]:
    """The eight points of small order, from a point of order 8 found by trying y = 2, 3, …"""
    y = 2
    while True:
        point = edwards.decompress(y.to_bytes(32, "little"))
        small = point and edwards.multiply(edwards.L, point)
        if small and not edwards.is_neutral(edwards.multiply(4, small)):
            break
        y += 1
    for times in range(8):
        yield edwards.multiply(times, small)


def test_rfc_8032_vector_on_both_backends() -> None:
    secret, public, message, signature = map(bytes.fromhex, RFC_8032)
    key = SigningKey(secret)
    assert COMPILED
    assert key.public == edwards.public_of(secret) == public
    assert key.sign(message) == edwards.sign(secret, message) == signature
    assert verify(public, signature, message)
    assert edwards.verify(public, signature, message)
    assert not edwards.verify(public, signature, message + b"x")


def test_hkdf_sha512_against_an_independent_implementation() -> None:
    from cryptography.hazmat.primitives.hashes import SHA512
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    for length in (1, 32, 64, 65, 200):
        theirs = HKDF(SHA512(), length, None, b"deck" + bytes(32)).derive(fixed("seed"))
        assert derive(fixed("seed"), "deck", bytes(32), length) == theirs
    with pytest.raises(ValueError, match="HKDF"):
        derive(b"", "deck", b"", 255 * 64 + 1)


def test_derivations_differ_by_label_and_by_what_they_are_bound_to() -> None:
    seed = fixed("seed")
    outputs = [derive(seed, label, bound, 32) for label in ("sign", "deck") for bound in (b"", bytes(32))]
    assert len(set(outputs)) == 4
    assert game_key(seed).public == SigningKey(derive(seed, "sign", b"", 32)).public


def test_the_small_order_table_is_exactly_the_torsion_and_its_wrong_signs() -> None:
    canonical = {edwards.compress(point) for point in torsion()}
    assert len(canonical) == 8
    wrong = SMALL_ORDER - canonical
    assert canonical <= SMALL_ORDER
    assert all(edwards.decompress(encoded) is None for encoded in wrong)
    assert {encoded[:31] + bytes([encoded[31] & 127]) for encoded in wrong} <= canonical


def bad_keys() -> dict[str, bytes]:
    base = edwards.BASE
    small = list(torsion())
    return {
        "identity": edwards.compress(edwards.NEUTRAL),
        "order 2": edwards.compress(small[4]),
        "order 8": edwards.compress(small[1]),
        "mixed order": edwards.compress(edwards.add(base, small[1])),
        "non-canonical y": (edwards.P + 1).to_bytes(32, "little"),
        "x = 0 with a sign": bytes([1] + [0] * 30 + [0x80]),
        "not on the curve": (2).to_bytes(32, "little"),
        "too short": bytes(31),
    }


@pytest.mark.parametrize("name", bad_keys())
def test_a_key_that_does_not_bind_its_owner_is_refused(name: str) -> None:
    with pytest.raises(BadGenesis, match=r"genesis\.key"):
        check_key(bad_keys()[name])


def test_an_ordinary_key_passes() -> None:
    public = SigningKey(fixed("key")).public
    assert check_key(public) == public


def test_a_signature_with_a_small_or_non_canonical_r_fails_even_if_its_owner_made_it() -> None:
    seed, message = fixed("key"), b"message"
    a, _ = edwards._expand(seed)
    public = edwards.public_of(seed)
    for encoded in (*sorted(SMALL_ORDER), (edwards.P + 1).to_bytes(32, "little")):
        k = edwards._scalar(encoded, public, message)
        forged = encoded + (k * a % edwards.L).to_bytes(32, "little")
        assert not verify(public, forged, message)


def test_malleated_and_mangled_signatures_fail() -> None:
    key = SigningKey(fixed("key"))
    signature = key.sign(b"message")
    S = int.from_bytes(signature[32:], "little")
    malleated = signature[:32] + (S + edwards.L).to_bytes(32, "little")
    assert not verify(key.public, malleated, b"message")
    assert not edwards.verify(key.public, malleated, b"message")
    for wrong in (b"", signature[:63], signature + b"\0", bytes(64)):
        assert not verify(key.public, wrong, b"message")
    assert not verify(key.public[:31], signature, b"message")


def test_both_backends_agree_on_random_signatures() -> None:
    for number in range(12):
        key = SigningKey(fixed(f"key {number}"))
        signature = key.sign(bytes([number]))
        assert edwards.sign(fixed(f"key {number}"), bytes([number])) == signature
        assert edwards.verify(key.public, signature, bytes([number]))
        broken = bytes([signature[0] ^ 1 << number % 8]) + signature[1:]
        assert not edwards.verify(key.public, broken, bytes([number]))
        assert not verify(key.public, broken, bytes([number]))


def test_a_certificate_binds_one_game_key_and_one_nonce() -> None:
    identity, other = SigningKey(fixed("identity")), SigningKey(fixed("other"))
    game, nonce = game_key(fixed("seed")).public, fixed("nonce")
    certificate = certify(identity, game, nonce)
    assert check_certificate(identity.public, game, nonce, certificate)
    assert not check_certificate(other.public, game, nonce, certificate)
    assert not check_certificate(identity.public, game, fixed("another nonce"), certificate)
    assert not check_certificate(identity.public, other.public, nonce, certificate)
    assert verify(identity.public, certificate, b"durak-cert-1" + game + nonce)


def test_a_signing_key_never_shows_itself() -> None:
    seed = fixed("key")
    key = SigningKey.from_seed32(seed)
    assert seed.hex() not in repr(key)
    assert repr(seed) not in f"{key!s} {key!r}"
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(TypeError):
        copy.deepcopy(key)
    assert SigningKey.generate(lambda length: bytes(length)).public == SigningKey(bytes(32)).public
    with pytest.raises(ValueError, match="32 bytes"):
        SigningKey(b"short")


WITHOUT = """
import sys
sys.modules["cryptography"] = None
from ledger import identity
assert not identity.COMPILED
from tests.ledger.table import Table
table = Table.of(2, turns=1)
table.play_on()
sys.stdout.buffer.write(table.log.export())
"""


def test_without_compiled_cryptography_the_same_bytes_and_the_same_verdicts() -> None:
    """As in a browser: signing and checking with integers alone."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, check=True, cwd=Path(__file__).parents[2]
    )
    table = Table.of(2, turns=1)
    table.play_on()
    assert done.stdout == table.log.export()


VECTORS = os.environ.get("DURAK_PUBLIC_VECTORS", "")


@pytest.mark.skipif(not VECTORS, reason="DURAK_PUBLIC_VECTORS names no folder of public vectors")
def test_wycheproof_ed25519() -> None:
    """Every valid signature passes and every invalid one fails, on both backends."""
    suite = json.loads((Path(VECTORS) / "wycheproof_ed25519_test.json").read_text())
    checked = 0
    for group in suite["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            message, signature = bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"])
            expected = case["result"] == "valid"
            assert verify(public, signature, message) is expected, case
            if len(signature) == 64:
                assert edwards.verify(public, signature, message) is expected, case
            checked += 1
    assert checked == suite["numberOfTests"] == 151
