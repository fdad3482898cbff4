"""The two things the secure channel needs of a cryptographic library: a key of ours, and a cipher.

This is the one module of the package that imports `cryptography`; a platform without it (Pyodide) supplies
the four functions of a `Channel` to `use_channel` before the first link. Hashing and HMAC come from the
standard library.
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


class OwnKey:
    """An X25519 key of ours (RFC 7748), from 32 private bytes; `public` has 32 bytes too."""

    __slots__ = ("_key", "_private", "public")

    def __init__(self, private: bytes) -> None:
        self._private = private
        if _channel is not None:
            self.public = _channel.public_of(private)
            return
        self._key = X25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def agree(self, public: bytes) -> bytes:
        """The shared secret, 32 bytes. Raises `HandshakeFailed` on a wrong length or a result of zeros."""
        if _channel is not None:
            shared = _channel.agree(self._private, public)
            if shared is None:
                raise HandshakeFailed("no shared secret with this key")
            return shared
        try:
            return self._key.exchange(X25519PublicKey.from_public_bytes(public))
        except ValueError as error:
            raise HandshakeFailed("no shared secret with this key") from error


class Cipher:
    """ChaCha20-Poly1305 (RFC 8439) with Noise's nonce: four zero bytes, then the counter little-endian."""

    __slots__ = ("_cipher", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        if _channel is None:
            self._cipher = ChaCha20Poly1305(key)

    def seal(self, counter: int, associated: bytes, plaintext: bytes) -> bytes:
        if _channel is not None:
            return _channel.seal(self._key, _nonce(counter), associated, plaintext)
        return self._cipher.encrypt(_nonce(counter), plaintext, associated)

    def unseal(self, counter: int, associated: bytes, sealed: bytes) -> bytes:
        """The inverse of `seal`. Raises `BadTag`."""
        if _channel is not None:
            plaintext = _channel.unseal(self._key, _nonce(counter), associated, sealed)
            if plaintext is None:
                raise BadTag("the tag does not match")
            return plaintext
        try:
            return self._cipher.decrypt(_nonce(counter), sealed, associated)
        except (InvalidTag, ValueError) as error:
            raise BadTag("the tag does not match") from error


def _nonce(counter: int) -> bytes:
    return bytes(4) + counter.to_bytes(8, "little")
