"""Writes true proofs whose masks are all zero: `python -m tests.vectors.generate_degenerate`.

Every point a verifier recomputes is then the identity. Such a proof gives its maker away and nobody else; it
is true, so every implementation must let it pass, and refuse it with one bit changed. Two masks stay: the
blinds of "no lower trump", for V must not be O, and the one of Delta, which is a wire point.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from game.mental_poker import claims, shuffle_argument, sigma
from game.mental_poker import deck as verbs
from game.mental_poker.backend import L, Point
from game.mental_poker.elgamal import MaskedDeck, encrypt_zero
from game.mental_poker.group import base
from game.mental_poker.transcript import Context, Secrets, Transcript

HERE = Path(__file__).parent
CONTEXT = Context(bytes(range(32)), 7, 1)
KEY = bytes(32)
KEPT = ("r", "sD")
x = 1234567890123456789012345678901234567890


class _Unmasked(Secrets):
    def nonce(self, label: str, index: int = 0) -> int:
        return super().nonce(label, index) if label in KEPT else 0


class WithoutMasks(Transcript):
    """A transcript whose prover has no masks."""

    def secrets(self, key: bytes) -> Secrets:
        state = self._hash.copy()
        state.update(b"\x03")
        return _Unmasked(key, state.digest())


def degenerate() -> Mapping[str, Any]:
    X = base(x)
    deck = _masked(X, verbs.first_deck((1, 2, 3)), 100)
    out = _masked(X, MaskedDeck([deck.ciphertexts[place] for place in (2, 0, 1)]), 200)
    key = sigma.prove_key(WithoutMasks.open(CONTEXT._replace(height=0), "key"), sigma.KeyStatement(X), x, KEY)
    A = tuple(card.A for card in deck.ciphertexts)
    S = tuple(x * a for a in A)
    given = sigma.TokenStatement(X, (0, 1, 2), A, S)
    tokens = sigma.prove_tokens(WithoutMasks.open(CONTEXT, "deal"), given, x, KEY)
    rest = tuple(card.B for card in deck.ciphertexts)
    denied = claims.NoLowerStatement(X, (0, 1, 2), A, rest, (4, 5))
    no_lower = claims.prove_no_lower(WithoutMasks.open(CONTEXT, "no-lower"), denied, x, KEY)
    shuffle = shuffle_argument.prove_shuffle(
        WithoutMasks.open(CONTEXT, "shuffle"),
        shuffle_argument.ShuffleStatement(X, deck, out),
        shuffle_argument.ShuffleWitness((3, 1, 2), (200, 201, 202)),
        KEY,
    )
    return {
        "norm": "docs/protocol.md §7, suite durak-ristretto255-bg1-1",
        "game": CONTEXT.game.hex(),
        "height": CONTEXT.height,
        "seat": CONTEXT.seat,
        "X": bytes(X).hex(),
        "deck": deck.to_bytes().hex(),
        "key": key.to_bytes().hex(),
        "tokens": {"tokens": b"".join(map(bytes, S)).hex(), "proof": tokens.to_bytes().hex()},
        "no_lower": {"cards": [4, 5], "proof": no_lower.to_bytes().hex()},
        "shuffle": {"out": out.to_bytes().hex(), "proof": shuffle.to_bytes().hex()},
    }


def _masked(X: Point, deck: MaskedDeck, first: int) -> MaskedDeck:
    """The same cards in the same order, masked by `first`, `first` + 1, …"""
    return MaskedDeck(
        [card + encrypt_zero(X, (first + place) % L) for place, card in enumerate(deck.ciphertexts)]
    )


def build() -> dict[str, str]:
    """File name to text."""
    return {"degenerate.json": json.dumps(degenerate(), indent=1) + "\n"}


if __name__ == "__main__":
    for file_name, text in build().items():
        (HERE / file_name).write_text(text, "utf-8")
