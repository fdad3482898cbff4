"""The four functions the secure channel needs of a cryptographic library.

This is the one module of the package that imports `cryptography`; a platform without it (Pyodide) supplies
the same four functions to `use_channel` before the first link. Hashing and HMAC come from the standard
library.
"""

from __future__ import annotations

from typing import Protocol

from p2p.errors import BadTag, HandshakeFailed

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
except ImportError:  # pragma: no cover - a browser
    COMPILED = False
else:
    COMPILED = True

KEY_BYTES = 32
TAG_BYTES = 16


class Channel(Protocol):
    """X25519 (RFC 7748) and ChaCha20-Poly1305 (RFC 8439) of another library, on raw bytes."""

    def public_of(self, private: bytes) -> bytes:
        """32 bytes of 32."""

    def agree(self, private: bytes, public: bytes) -> bytes | None:
        """The shared secret, 32 bytes; None for a wrong length or a result of zeros."""

    def seal(self, key: bytes, nonce: bytes, associated: bytes, plaintext: bytes) -> bytes:
        """Ciphertext and tag, for a nonce of 12 bytes."""

    def unseal(self, key: bytes, nonce: bytes, associated: bytes, sealed: bytes) -> bytes | None:
        """The inverse of `seal`; None if the tag does not match."""


_channel: Channel | None = None
"""Used instead of `cryptography` once given."""


def use_channel(chosen: Channel | None) -> Channel | None:
    """Use `chosen` from now on and return the one used before; None stands for `cryptography`."""
    global _channel
    before, _channel = _channel, chosen
    return before


def public_of(private: bytes) -> bytes:
    """The X25519 public key (RFC 7748) of 32 private bytes."""
    if _channel is not None:
        return _channel.public_of(private)
    public = X25519PrivateKey.from_private_bytes(private).public_key()
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(private: bytes, public: bytes) -> bytes:
    """The X25519 shared secret, 32 bytes. Raises `HandshakeFailed` on a wrong length or a result of zeros."""
    if _channel is not None:
        shared = _channel.agree(private, public)
        if shared is None:
            raise HandshakeFailed("no shared secret with this key")
        return shared
    try:
        own = X25519PrivateKey.from_private_bytes(private)
        return own.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise HandshakeFailed("no shared secret with this key") from error


def seal(key: bytes, counter: int, associated: bytes, plaintext: bytes) -> bytes:
    """ChaCha20-Poly1305 (RFC 8439) with Noise's nonce: four zero bytes, then the counter little-endian."""
    if _channel is not None:
        return _channel.seal(key, _nonce(counter), associated, plaintext)
    return ChaCha20Poly1305(key).encrypt(_nonce(counter), plaintext, associated)


def unseal(key: bytes, counter: int, associated: bytes, sealed: bytes) -> bytes:
    """The inverse of `seal`. Raises `BadTag`."""
    if _channel is not None:
        plaintext = _channel.unseal(key, _nonce(counter), associated, sealed)
        if plaintext is None:
            raise BadTag("the tag does not match")
        return plaintext
    try:
        return ChaCha20Poly1305(key).decrypt(_nonce(counter), sealed, associated)
    except (InvalidTag, ValueError) as error:
        raise BadTag("the tag does not match") from error


def _nonce(counter: int) -> bytes:
    return bytes(4) + counter.to_bytes(8, "little")
