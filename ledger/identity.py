"""Who signs: Ed25519 keys, the pinned rule of verification, certificates, and derivation from one seed.

The only module of the ledger that imports `cryptography`. Where there is none, in a browser, the integers of
`ledger.edwards` do the work, or whatever `use_signatures` was given.

The rule (RFC 8032, narrowed until every backend agrees): S < L, keys canonical and in the prime-order group
(`check_key`, once per key, at genesis), R canonical and not of small order, cofactorless equation, never
in batches.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from hashlib import sha256
from typing import Final, NewType, Protocol

from ledger import edwards
from ledger.errors import BadGenesis

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:  # pragma: no cover - a browser
    COMPILED = False
else:
    COMPILED = True

PublicKey = NewType("PublicKey", bytes)
"""32 bytes."""
Signature = NewType("Signature", bytes)
"""64 bytes: R ‖ S."""

_CERTIFICATE_TAG: Final = b"durak-cert-1"


class Signatures(Protocol):
    """Ed25519 (RFC 8032) where `cryptography` is missing. Same bytes, same verdicts."""

    def public_of(self, seed: bytes) -> bytes:
        """The public key, 32 bytes, of 32 secret bytes."""

    def sign(self, seed: bytes, message: bytes) -> bytes:
        """64 bytes."""

    def verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
        """The cofactorless equation, for a key that passed `check_key`; the encodings have been looked at."""


_spare: Signatures = edwards


def use_signatures(chosen: Signatures) -> Signatures:
    """Use `chosen` where `cryptography` is missing, and return the one used before."""
    global _spare
    before, _spare = _spare, chosen
    return before


SMALL_ORDER: Final = frozenset(
    bytes.fromhex(text)
    for text in (
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    )
)
"""The eight points whose order divides 8, and two encodings of them with a wrong sign (y < p in all)."""


def tagged(tag: bytes, data: bytes) -> bytes:
    """H(T, data) = SHA-256(T ‖ data), 32 bytes. Every use has its own tag (DESIGN §2)."""
    return sha256(tag + data).digest()


def derive(seed: bytes, label: str, bound: bytes, length: int) -> bytes:
    """`length` bytes by HKDF-SHA512 (RFC 5869) without salt, info = label ‖ bound (DEALING §1)."""
    if not 0 < length <= 255 * 64:
        raise ValueError(f"HKDF can't give {length} bytes")
    key = hmac.digest(bytes(64), seed, "sha512")
    info = label.encode() + bound
    block, output, counter = b"", b"", 1
    while len(output) < length:
        block = hmac.digest(key, block + info + bytes([counter]), "sha512")
        output += block
        counter += 1
    return output[:length]


class SigningKey:
    """An Ed25519 private key. It never shows itself: not in repr, not in pickles, not in copies."""

    __slots__ = ("_private", "_seed", "public")

    public: PublicKey

    def __init__(self, seed: bytes) -> None:
        if len(seed) != 32:
            raise ValueError("a signing key is made from 32 bytes")
        self._seed = seed
        if COMPILED:
            self._private = Ed25519PrivateKey.from_private_bytes(seed)
            self.public = PublicKey(self._private.public_key().public_bytes_raw())
        else:  # pragma: no cover - a browser
            self.public = PublicKey(_spare.public_of(seed))

    @classmethod
    def from_seed32(cls, seed: bytes) -> SigningKey:
        """The key of 32 secret bytes."""
        return cls(seed)

    @classmethod
    def generate(cls, random_bytes: Callable[[int], bytes]) -> SigningKey:
        """A new key from the caller's randomness: `random_bytes(32)`."""
        return cls(random_bytes(32))

    def secret(self) -> bytes:
        """The 32 bytes, for the one file that keeps them."""
        return self._seed

    def sign(self, message: bytes) -> Signature:
        if COMPILED:
            return Signature(self._private.sign(message))
        return Signature(_spare.sign(self._seed, message))  # pragma: no cover - a browser

    def __repr__(self) -> str:
        return f"SigningKey(public={self.public.hex()[:16]}…)"

    def __reduce__(self) -> str:
        raise TypeError("a signing key is not copied")


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether `signature` stands under `message` by the pinned rule. Says False to all garbage.

    `public` must have passed `check_key` once: that check is dear and belongs to the genesis.
    """
    if len(signature) != 64 or len(public) != 32:
        return False
    R = signature[:32]
    if R in SMALL_ORDER or int.from_bytes(R, "little") & (2**255 - 1) >= edwards.P:
        return False
    if int.from_bytes(signature[32:], "little") >= edwards.L:
        return False
    if not COMPILED:  # pragma: no cover - a browser
        return _spare.verify(public, signature, message)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def check_key(public: bytes) -> PublicKey:
    """A key that binds its owner: canonical, in the prime-order subgroup. Raises `BadGenesis` otherwise.

    Under the identity point one signature fits every message, and `cryptography` alone would accept it.
    """
    if not edwards.binds(public):
        raise BadGenesis("genesis.key", public.hex())
    return PublicKey(public)


def game_key(seed: bytes) -> SigningKey:
    """The key that signs one game's entries, from the game's seed of 32 bytes (DEALING §1)."""
    return SigningKey(derive(seed, "sign", b"", 32))


def certify(identity: SigningKey, game_key_public: bytes, nonce: bytes) -> Signature:
    """The identity key vouches for a game key: signs `durak-cert-1` ‖ game key ‖ genesis nonce."""
    return identity.sign(_CERTIFICATE_TAG + game_key_public + nonce)


def check_certificate(identity: bytes, game_key_public: bytes, nonce: bytes, certificate: bytes) -> bool:
    """Whether `certificate` binds the game key and this genesis nonce to the identity key."""
    return verify(identity, certificate, _CERTIFICATE_TAG + game_key_public + nonce)
