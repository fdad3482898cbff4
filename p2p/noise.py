"""Noise_XX_25519_ChaChaPoly_SHA256 and Noise_XXpsk3_… : bytes in, bytes out.

Source: The Noise Protocol Framework, revision 34 (noiseprotocol.org), §5 processing rules, §7.5 the XX
pattern, §9 pre-shared keys. Names follow the paper: `ck` chaining key, `h` handshake hash, `s`/`e` own static
and ephemeral keys, `rs`/`re` the other side's.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
from typing import Final

from p2p.errors import BadTag, HandshakeFailed
from p2p.primitives import KEY_BYTES, TAG_BYTES, Cipher, OwnKey

MESSAGE_LIMIT: Final = 65_535
"""Bytes of one Noise message (§3)."""
COUNTER_LIMIT: Final = 2**64 - 1
"""The last counter is reserved (§5.1)."""


class Pattern(enum.Enum):
    """The handshakes we speak. `value` is the byte that names it in the first datagram."""

    XX = 0
    XXPSK3 = 1

    @property
    def protocol_name(self) -> bytes:
        return f"Noise_{'XX' if self is Pattern.XX else 'XXpsk3'}_25519_ChaChaPoly_SHA256".encode()


class CipherState:
    """A key and a counter (§5.1). The counter advances only when sealing or opening succeeded."""

    def __init__(self, key: bytes, *, counter: int = 0) -> None:
        self._key = key
        self._cipher = Cipher(key)
        self._counter = counter

    def seal(self, plaintext: bytes, associated: bytes = b"") -> bytes:
        """Raises `BadTag` when the counter is used up: the channel has to be opened anew."""
        self._check_counter()
        sealed = self._cipher.seal(self._counter, associated, plaintext)
        self._counter += 1
        return sealed

    def open(self, sealed: bytes, associated: bytes = b"") -> bytes:
        """Raises `BadTag`; the counter then stays where it was."""
        self._check_counter()
        plaintext = self._cipher.unseal(self._counter, associated, sealed)
        self._counter += 1
        return plaintext

    def beginning_at(self, counter: int) -> CipherState:
        """The same key from another counter on. The caller sees to it that no counter serves twice."""
        return CipherState(self._key, counter=counter)

    def _check_counter(self) -> None:
        if self._counter >= COUNTER_LIMIT:
            raise BadTag("the counter is used up")


class _SymmetricState:
    """§5.2."""

    def __init__(self, protocol_name: bytes) -> None:
        padded = protocol_name.ljust(32, b"\0")
        self.h = padded if len(padded) == 32 else hashlib.sha256(protocol_name).digest()
        self.ck = self.h
        self.cipher: CipherState | None = None

    def mix_hash(self, data: bytes) -> None:
        self.h = hashlib.sha256(self.h + data).digest()

    def mix_key(self, material: bytes) -> None:
        self.ck, key = _hkdf(self.ck, material, 2)
        self.cipher = CipherState(key)

    def mix_key_and_hash(self, material: bytes) -> None:
        self.ck, hashed, key = _hkdf(self.ck, material, 3)
        self.mix_hash(hashed)
        self.cipher = CipherState(key)

    def encrypt_and_hash(self, plaintext: bytes) -> bytes:
        sealed = plaintext if self.cipher is None else self.cipher.seal(plaintext, self.h)
        self.mix_hash(sealed)
        return sealed

    def decrypt_and_hash(self, sealed: bytes) -> bytes:
        plaintext = sealed if self.cipher is None else self.cipher.open(sealed, self.h)
        self.mix_hash(sealed)
        return plaintext

    def split(self) -> tuple[CipherState, CipherState]:
        first, second = _hkdf(self.ck, b"", 2)
        return CipherState(first), CipherState(second)


class Handshake:
    """One side of a handshake of three messages: initiator writes, responder writes, initiator writes.

    `static` and `ephemeral` are 32 random private bytes; an ephemeral serves one handshake. `psk` (32 bytes)
    is given exactly when the pattern asks for it.
    """

    def __init__(
        self,
        pattern: Pattern,
        *,
        initiator: bool,
        static: bytes,
        ephemeral: bytes,
        prologue: bytes = b"",
        psk: bytes | None = None,
    ) -> None:
        if (psk is not None) != (pattern is Pattern.XXPSK3):
            raise ValueError("a pre-shared key belongs to XXpsk3 and to nothing else")
        if psk is not None and len(psk) != KEY_BYTES:
            raise ValueError("a pre-shared key has 32 bytes")
        self._initiator = initiator
        self._s = OwnKey(static)
        self._e = OwnKey(ephemeral)
        self._psk = psk
        self._rs: bytes | None = None
        self._re: bytes | None = None
        self._step = 0
        self._failed = False
        self._symmetric = _SymmetricState(pattern.protocol_name)
        self._symmetric.mix_hash(prologue)

    def __repr__(self) -> str:
        return f"<Handshake step {self._step}>"

    @property
    def finished(self) -> bool:
        return self._step == 3 and not self._failed

    @property
    def handshake_hash(self) -> bytes:
        """`h`, 32 bytes: binds both ephemerals, both statics, prologue and code. Final when finished."""
        return self._symmetric.h

    @property
    def remote_static(self) -> bytes | None:
        return self._rs

    def write(self, payload: bytes = b"") -> bytes:
        """The next handshake message. Raises `HandshakeFailed` when it is the other side's turn."""
        self._take_turn(writing=True)
        symmetric, message = self._symmetric, b""
        for token in self._tokens:
            if token == "e":
                message += self._e.public
                symmetric.mix_hash(self._e.public)
                if self._psk is not None:
                    symmetric.mix_key(self._e.public)
            elif token == "s":
                message += symmetric.encrypt_and_hash(self._s.public)
            else:
                self._mix(token)
        message += symmetric.encrypt_and_hash(payload)
        if len(message) > MESSAGE_LIMIT:
            raise ValueError("payload too long")
        self._step += 1
        return message

    def read(self, message: bytes) -> bytes:
        """The payload of the other side's next message. `HandshakeFailed` is the end of the handshake."""
        self._take_turn(writing=False)
        try:
            payload = self._read_tokens(message)
        except (BadTag, HandshakeFailed) as error:
            self._failed = True
            raise HandshakeFailed(str(error)) from error
        self._step += 1
        return payload

    def split(self) -> tuple[CipherState, CipherState]:
        """(sending, receiving) ciphers of this side, once finished."""
        if not self.finished:
            raise HandshakeFailed("the handshake is not finished")
        first, second = self._symmetric.split()
        return (first, second) if self._initiator else (second, first)

    def _read_tokens(self, message: bytes) -> bytes:
        if len(message) > MESSAGE_LIMIT:
            raise HandshakeFailed("message too long")
        symmetric = self._symmetric
        for token in self._tokens:
            if token == "e":
                self._re, message = _cut(message, KEY_BYTES)
                symmetric.mix_hash(self._re)
                if self._psk is not None:
                    symmetric.mix_key(self._re)
            elif token == "s":
                sealed, message = _cut(message, KEY_BYTES + TAG_BYTES)
                self._rs = symmetric.decrypt_and_hash(sealed)
            else:
                self._mix(token)
        return symmetric.decrypt_and_hash(message)

    def _mix(self, token: str) -> None:
        """A DH token is named initiator's key first: "es" is the initiator's e with the responder's s."""
        if token == "psk":
            assert self._psk is not None
            self._symmetric.mix_key_and_hash(self._psk)
            return
        own, other = (0, 1) if self._initiator else (1, 0)
        private = self._e if token[own] == "e" else self._s
        public = self._re if token[other] == "e" else self._rs
        assert public is not None
        self._symmetric.mix_key(private.agree(public))

    def _take_turn(self, *, writing: bool) -> None:
        initiators_turn = self._step != 1
        if self._failed or self._step > 2 or (self._initiator == initiators_turn) != writing:
            raise HandshakeFailed("not this message now")

    @property
    def _tokens(self) -> tuple[str, ...]:
        tokens = _TOKENS[self._step]
        return tokens if self._psk is not None else tuple(token for token in tokens if token != "psk")


_TOKENS: Final = (("e",), ("e", "ee", "s", "es"), ("s", "se", "psk"))


def _cut(message: bytes, length: int) -> tuple[bytes, bytes]:
    if len(message) < length:
        raise HandshakeFailed("message too short")
    return message[:length], message[length:]


def _hkdf(ck: bytes, material: bytes, outputs: int) -> tuple[bytes, ...]:
    """§4.3: HMAC-SHA256 chained; two or three outputs of 32 bytes."""
    temporary = hmac.digest(ck, material, "sha256")
    blocks: list[bytes] = []
    for number in range(1, outputs + 1):
        blocks.append(hmac.digest(temporary, (blocks[-1] if blocks else b"") + bytes([number]), "sha256"))
    return tuple(blocks)
