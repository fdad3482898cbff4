"""What a course asks of a way of dealing. The product has one, suite 1: `game.mental_poker.deck` (DEALING).

Tests bring suite 0, the open deck, which proves nothing; the product refuses its genesis by number.
Verbs that check raise `MentalPokerError`; the course turns that into `Forbidden("I_PROOF")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game.mental_poker.deck import Context, MaskedDeck


class Suite(Protocol):
    """The verbs of dealing; places and cards are plain ints, points and scalars 32 bytes."""

    def secret_from(self, okm: bytes, /) -> int:
        """The deck secret x from 64 derived bytes; never zero."""

    def public_key(self, x: int, /) -> bytes: ...

    def prove_key(self, game: bytes, seat: int, x: int, public: bytes, proof_key: bytes, /) -> bytes: ...

    def verify_key(self, game: bytes, seat: int, public: bytes, proof: bytes, /) -> None: ...

    def join_commitment(
        self, game: bytes, seat: int, public: bytes, proof: bytes, nonce: bytes, /
    ) -> bytes: ...

    def joint_key(self, keys: tuple[bytes, ...], /) -> bytes:
        """The sum of the keys. Raises `Degenerate` for equal keys or a zero sum."""

    def beacon_lot(self, game: bytes, nonces: tuple[bytes, ...], seats: int, /) -> int: ...

    def first_deck(self, cards: tuple[int, ...], /) -> MaskedDeck: ...

    def masked_deck(self, data: bytes, /) -> MaskedDeck:
        """A deck of 64·N bytes that has been verified before."""

    def shuffle(
        self, context: Context, joint: bytes, deck: MaskedDeck, proof_key: bytes, /
    ) -> tuple[MaskedDeck, bytes]: ...

    def verify_shuffle(
        self, context: Context, joint: bytes, deck: MaskedDeck, out: bytes, proof: bytes, /
    ) -> MaskedDeck: ...

    def make_tokens(
        self,
        context: Context,
        purpose: str,
        x: int,
        public: bytes,
        deck: MaskedDeck,
        places: tuple[int, ...],
        proof_key: bytes,
        /,
    ) -> tuple[bytes, bytes]: ...

    def verify_tokens(
        self,
        context: Context,
        purpose: str,
        public: bytes,
        deck: MaskedDeck,
        places: tuple[int, ...],
        tokens: bytes,
        proof: bytes,
        /,
    ) -> None: ...

    def face(self, deck: MaskedDeck, place: int, tokens: Sequence[bytes], /) -> int:
        """The card at a place from every seat's token. Raises `NotACard`."""

    def own_face(self, deck: MaskedDeck, place: int, other_tokens: Sequence[bytes], x: int, /) -> int:
        """The same for the holder, who makes his own token."""

    def prove_no_lower(
        self,
        context: Context,
        x: int,
        public: bytes,
        deck: MaskedDeck,
        places: tuple[int, ...],
        other_tokens: Sequence[Sequence[bytes]],
        cards: tuple[int, ...],
        proof_key: bytes,
        /,
    ) -> bytes: ...

    def verify_no_lower(
        self,
        context: Context,
        public: bytes,
        deck: MaskedDeck,
        places: tuple[int, ...],
        other_tokens: Sequence[Sequence[bytes]],
        cards: tuple[int, ...],
        proof: bytes,
        /,
    ) -> None: ...

    def check_secret(self, public: bytes, secret: bytes, /) -> int:
        """The scalar x of a published deck secret. Raises when x·G is not the key."""

    def open_deck(self, deck: MaskedDeck, secrets: Sequence[int], /) -> tuple[int, ...]:
        """The card at every place, from every seat's secret."""
