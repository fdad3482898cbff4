"""Suite 0, the open deck: the same verbs and sizes as suite 1, and no secrets at all.

For volume alone: thousands of simulated tables. It lives in the tests and the product refuses its genesis.
A card at a place is written in the clear; a token is empty, a proof is zeros.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from game.mental_poker.deck import Context
from game.mental_poker.errors import CardIsHeld, Degenerate, NotACard, ProofFailed

NUMBER = 0
BLANK = bytes(32)


@dataclass(frozen=True)
class OpenDeck:
    """N cards in the clear, written in 64 bytes each."""

    cards: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.cards)

    def to_bytes(self) -> bytes:
        return b"".join(bytes([card]).ljust(64, b"\0") for card in self.cards)


class OpenDeckSuite:
    """`game.suite.Suite` without cryptography."""

    def secret_from(self, okm: bytes) -> int:
        return int.from_bytes(okm[:31], "little") + 1

    def public_key(self, x: int) -> bytes:
        return hashlib.sha256(b"open-deck" + x.to_bytes(32, "little")).digest()

    def prove_key(self, game: bytes, seat: int, x: int, public: bytes, proof_key: bytes) -> bytes:
        return bytes(64)

    def verify_key(self, game: bytes, seat: int, public: bytes, proof: bytes) -> None:
        if proof != bytes(64):
            raise ProofFailed("key")

    def join_commitment(self, game: bytes, seat: int, public: bytes, proof: bytes, nonce: bytes) -> bytes:
        return hashlib.sha256(b"open-join" + game + bytes([seat]) + public + proof + nonce).digest()

    def joint_key(self, keys: tuple[bytes, ...]) -> bytes:
        if len(set(keys)) != len(keys):
            raise Degenerate("equal keys")
        return hashlib.sha256(b"".join(keys)).digest()

    def beacon_lot(self, game: bytes, nonces: tuple[bytes, ...], seats: int) -> int:
        beacon = hashlib.sha256(b"open-beacon" + game + b"".join(nonces)).digest()
        return int.from_bytes(beacon, "big") % seats

    def first_deck(self, cards: tuple[int, ...]) -> OpenDeck:
        return OpenDeck(tuple(cards))

    def masked_deck(self, data: bytes) -> OpenDeck:
        return OpenDeck(tuple(data[::64]))

    def shuffle(
        self, context: Context, joint: bytes, deck: OpenDeck, proof_key: bytes
    ) -> tuple[OpenDeck, bytes]:
        cards = list(deck.cards)
        state = hashlib.sha256(proof_key + joint + bytes([context.seat]) + deck.to_bytes()).digest()
        for last in range(len(cards) - 1, 0, -1):
            state = hashlib.sha256(state).digest()
            pick = int.from_bytes(state[:8], "big") % (last + 1)
            cards[last], cards[pick] = cards[pick], cards[last]
        return OpenDeck(tuple(cards)), bytes(32 * (3 * len(cards) + 6))

    def verify_shuffle(
        self, context: Context, joint: bytes, deck: OpenDeck, out: bytes, proof: bytes
    ) -> OpenDeck:
        shuffled = self.masked_deck(out)
        if any(proof) or shuffled.to_bytes() != out or sorted(shuffled.cards) != sorted(deck.cards):
            raise ProofFailed("shuffle")
        return shuffled

    def make_tokens(
        self,
        context: Context,
        purpose: str,
        x: int,
        public: bytes,
        deck: OpenDeck,
        places: tuple[int, ...],
        proof_key: bytes,
    ) -> tuple[bytes, bytes]:
        return BLANK * len(places), bytes(64)

    def verify_tokens(
        self,
        context: Context,
        purpose: str,
        public: bytes,
        deck: OpenDeck,
        places: tuple[int, ...],
        tokens: bytes,
        proof: bytes,
    ) -> None:
        if any(tokens) or any(proof) or len(tokens) != 32 * len(places):
            raise ProofFailed("tokens")

    def face(self, deck: OpenDeck, place: int, tokens: Sequence[bytes]) -> int:
        if any(token != BLANK for token in tokens):
            raise NotACard("face")
        return deck.cards[place]

    def own_face(self, deck: OpenDeck, place: int, other_tokens: Sequence[bytes], x: int) -> int:
        return self.face(deck, place, other_tokens)

    def prove_no_lower(
        self,
        context: Context,
        x: int,
        public: bytes,
        deck: OpenDeck,
        places: tuple[int, ...],
        other_tokens: Sequence[Sequence[bytes]],
        cards: tuple[int, ...],
        proof_key: bytes,
    ) -> bytes:
        if any(deck.cards[place] in cards for place in places):
            raise CardIsHeld("no-lower")
        return bytes(32 + 96 * len(places) * len(cards))

    def verify_no_lower(
        self,
        context: Context,
        public: bytes,
        deck: OpenDeck,
        places: tuple[int, ...],
        other_tokens: Sequence[Sequence[bytes]],
        cards: tuple[int, ...],
        proof: bytes,
    ) -> None:
        if any(proof) or any(deck.cards[place] in cards for place in places):
            raise ProofFailed("no-lower")

    def check_secret(self, public: bytes, secret: bytes) -> int:
        x = int.from_bytes(secret, "little")
        if self.public_key(x) != public:
            raise ProofFailed("secret")
        return x

    def open_deck(self, deck: OpenDeck, secrets: Sequence[int]) -> tuple[int, ...]:
        return deck.cards
