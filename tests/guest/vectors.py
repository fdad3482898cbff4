"""Inside Pyodide: every backend of the browser against vectors and reference; prints "same"."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from game.mental_poker.group import backend
from ledger import edwards
from ledger.identity import COMPILED, SigningKey, check_key, verify
from p2p.errors import BadTag, HandshakeFailed
from p2p.primitives import Cipher, OwnKey
from tests.vectors import generate_degenerate, generate_links, generate_mental_poker

VECTORS = Path(generate_links.__file__).parent
TORSION = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


def main() -> None:
    """Raises AssertionError where the browser differs."""
    assert not COMPILED
    assert backend().name == "sodium-js"
    for name, text in (generate_mental_poker.build() | generate_degenerate.build()).items():
        assert (VECTORS / name).read_text("utf-8") == text, name
    assert json.loads(generate_links.VECTORS.read_text("utf-8")) == generate_links.vectors()
    _signatures()
    _channel()
    print("same")


def _signatures() -> None:
    key = SigningKey.from_seed32(bytes(range(32)))
    assert key.public == edwards.public_of(bytes(range(32)))
    check_key(key.public)
    for length in (0, 1, 700):
        message = bytes(length)
        signature = key.sign(message)
        assert signature == edwards.sign(bytes(range(32)), message)
        assert verify(key.public, signature, message)
        assert not verify(key.public, signature, message + b"!")
        for at in range(64):
            wrong = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
            assert not verify(key.public, wrong, message)
    assert not verify(key.public, _with_torsion(bytes(range(32)), b"m"), b"m")


def _with_torsion(seed: bytes, message: bytes) -> bytes:
    """What its own key could make so that the cofactored equation holds and ours does not."""
    secret = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    public, r = edwards.public_of(seed), 12345
    torsion = edwards.decompress(TORSION)
    base = edwards.decompress(bytes.fromhex("58" + 31 * "66"))
    assert torsion is not None
    assert base is not None
    R = edwards.compress(edwards.add(edwards.multiply(r, base), torsion))
    k = int.from_bytes(hashlib.sha512(R + public + message).digest(), "little") % edwards.L
    signature = R + ((r + k * secret) % edwards.L).to_bytes(32, "little")
    assert not edwards.verify(public, signature, message)
    return signature


def _channel() -> None:
    """RFC 7748 §6.1 and RFC 8439 §2.8.2 (the latter's nonce is not Noise's: only our own form here)."""
    alice = OwnKey(bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c6f7f9d2b0c9f5d7c1d0a1e8e5d2a"))
    bob = OwnKey(bytes(range(32)))
    shared = alice.agree(bob.public)
    assert shared == bob.agree(alice.public)
    for bad in (bytes(32), bytes(31), b"\x01" + bytes(31)):
        try:
            alice.agree(bad)
        except HandshakeFailed:
            continue
        raise AssertionError(bad)
    cipher = Cipher(shared)
    for length in (0, 1, 16_000):
        sealed = cipher.seal(7, b"head", bytes(length))
        assert cipher.unseal(7, b"head", sealed) == bytes(length)
        for wrong in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:-1], b"", sealed[:15]):
            try:
                cipher.unseal(7, b"head", wrong)
            except BadTag:
                continue
            raise AssertionError(length)
