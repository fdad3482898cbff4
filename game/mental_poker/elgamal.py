"""ElGamal under the seats' joint key, and decks of it (DEALING §2, §4; Barnett, Smart, IMA 2003).

A ciphertext of M under X with mask r is (A, B) = (rG, M + rX); the identity of the pair group is Enc(0; 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from game.mental_poker.backend import Backend, Point
from game.mental_poker.errors import BadEncoding
from game.mental_poker.group import backend, base, identity, msm, pieces, read_point
from game.mental_poker.hash_to_group import MOST, card_point


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """One masked card."""

    A: Point
    B: Point

    def __add__(self, other: Ciphertext) -> Ciphertext:
        return Ciphertext(self.A + other.A, self.B + other.B)

    def __bytes__(self) -> bytes:
        return bytes(self.A) + bytes(self.B)


def encrypt_zero(X: Point, r: int) -> Ciphertext:
    """Enc(0; r) = (rG, rX)."""
    return Ciphertext(base(r), r * X)


def weighted_sum(scalars: Sequence[int], ciphertexts: Sequence[Ciphertext]) -> Ciphertext:
    """The sum of `scalars[i]` · `ciphertexts[i]`."""
    return Ciphertext(msm(scalars, [c.A for c in ciphertexts]), msm(scalars, [c.B for c in ciphertexts]))


class MaskedDeck:
    """N ciphertexts, 2 ≤ N ≤ 52; 64·N bytes on the wire, A_i | B_i. Immutable; equal if the bytes are."""

    __slots__ = ("_backend", "_ciphertexts", "_data")

    def __init__(self, ciphertexts: Sequence[Ciphertext]) -> None:
        self._ciphertexts = tuple(ciphertexts)
        self._backend: Backend = backend()
        self._data = b"".join(bytes(ciphertext) for ciphertext in ciphertexts)
        if not 2 <= len(ciphertexts) <= MOST:
            raise BadEncoding("deck")

    @classmethod
    def from_bytes(cls, data: bytes) -> MaskedDeck:
        """Raises `BadEncoding`: wrong length, a point that is not canonical, an identity component.

        The decks read last are remembered: one is read to be verified, to be dealt from, to be shuffled on.
        """
        if len(data) % 64 or not 2 <= len(data) // 64 <= MOST:
            raise BadEncoding("deck")
        return _read(backend(), bytes(data))

    def to_bytes(self) -> bytes:
        return self._data

    @property
    def ciphertexts(self) -> tuple[Ciphertext, ...]:
        """Decoded once; once more if another backend has come into use since."""
        if self._backend is not backend():
            now = backend()
            points = [now.decode(piece) for piece in pieces(self._data, "deck")]
            self._ciphertexts = tuple(
                Ciphertext(a, b) for a, b in zip(points[::2], points[1::2], strict=True)
            )
            self._backend = now
        return self._ciphertexts

    def encoded(self, place: int) -> bytes:
        """The 64 bytes at `place`."""
        return self._data[64 * place : 64 * place + 64]

    def __len__(self) -> int:
        return len(self._data) // 64

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MaskedDeck) and self._data == other._data

    def __hash__(self) -> int:
        return hash(self._data)

    def __repr__(self) -> str:
        return f"<MaskedDeck of {len(self)}>"


@lru_cache(maxsize=4)
def _read(_: Backend, data: bytes) -> MaskedDeck:
    points = [read_point(piece, "deck") for piece in pieces(data, "deck")]
    return MaskedDeck([Ciphertext(a, b) for a, b in zip(points[::2], points[1::2], strict=True)])


def first_deck(cards: tuple[int, ...]) -> MaskedDeck:
    """C_i = (O, M_c) for the cards in ascending id. Raises `BadEncoding` for anything else."""
    if any(low >= high for low, high in pairwise(cards)):
        raise BadEncoding("cards")
    if not cards or cards[0] < 0 or cards[-1] >= MOST:
        raise BadEncoding("cards")
    return MaskedDeck([Ciphertext(identity(), card_point(card)) for card in cards])
