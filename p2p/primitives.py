"""The four functions the secure channel needs of a cryptographic library.

This is the one module of the package that imports `cryptography`; a platform without it (Pyodide) supplies
another module with these names. Hashing and HMAC come from the standard library.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from p2p.errors import BadTag, HandshakeFailed

KEY_BYTES = 32
TAG_BYTES = 16


def public_of(private: bytes) -> bytes:
    """The X25519 public key (RFC 7748) of 32 private bytes."""
    public = X25519PrivateKey.from_private_bytes(private).public_key()
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(private: bytes, public: bytes) -> bytes:
    """The X25519 shared secret, 32 bytes. Raises `HandshakeFailed` on a wrong length or a result of zeros."""
    try:
        own = X25519PrivateKey.from_private_bytes(private)
        return own.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise HandshakeFailed("no shared secret with this key") from error


def seal(key: bytes, counter: int, associated: bytes, plaintext: bytes) -> bytes:
    """ChaCha20-Poly1305 (RFC 8439) with Noise's nonce: four zero bytes, then the counter little-endian."""
    return ChaCha20Poly1305(key).encrypt(_nonce(counter), plaintext, associated)


def unseal(key: bytes, counter: int, associated: bytes, sealed: bytes) -> bytes:
    """The inverse of `seal`. Raises `BadTag`."""
    try:
        return ChaCha20Poly1305(key).decrypt(_nonce(counter), sealed, associated)
    except (InvalidTag, ValueError) as error:
        raise BadTag("the tag does not match") from error


def _nonce(counter: int) -> bytes:
    return bytes(4) + counter.to_bytes(8, "little")
