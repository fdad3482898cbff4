"""Seats, keys and shuffled decks the tests start from: everything derived from a number, nothing random."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from game.mental_poker import deck as verbs
from game.mental_poker.deck import Context, MaskedDeck


def seed_bytes(label: str, number: int, length: int = 32) -> bytes:
    return hashlib.shake_256(f"{label} {number}".encode()).digest(length)


def seed_int(label: str, number: int) -> int:
    return int.from_bytes(seed_bytes(label, number, 40), "little")


@dataclass(frozen=True)
class Scene:
    """Seats with keys and the decks of their shuffles: `decks[0]` is the first, `decks[-1]` the final."""

    game: bytes
    secrets: tuple[verbs.DeckSecret, ...]
    keys: tuple[bytes, ...]
    joint: bytes
    decks: tuple[MaskedDeck, ...]
    proofs: tuple[bytes, ...]

    @property
    def final(self) -> MaskedDeck:
        return self.decks[-1]

    def context(self, height: int, seat: int) -> Context:
        return Context(self.game, height, seat)

    def tokens_for(self, place: int, without: int | None = None) -> tuple[bytes, ...]:
        """The tokens of all seats for `place`, or of all but one."""
        made = []
        for seat, (secret, X) in enumerate(zip(self.secrets, self.keys, strict=True)):
            if seat != without:
                context = self.context(20, seat)
                made.append(
                    verbs.make_tokens(context, "deal", secret.x, X, self.final, (place,), secret.proof_key)[0]
                )
        return tuple(made)


def scene(seats: int, cards: tuple[int, ...], number: int = 0) -> Scene:
    """A game up to its final deck; `number` chooses keys and so all shuffles."""
    secrets = tuple(
        verbs.DeckSecret(
            verbs.secret_from(seed_bytes(f"deck {number}", seat, 64)), seed_bytes(f"proof {number}", seat)
        )
        for seat in range(seats)
    )
    game = seed_bytes("game", number)
    keys = tuple(verbs.public_key(secret.x) for secret in secrets)
    joint = verbs.joint_key(keys)
    decks = [verbs.first_deck(cards)]
    proofs = []
    for seat, secret in enumerate(secrets):
        context = Context(game, 2 + seat, seat)
        out, proof = verbs.shuffle(context, joint, decks[-1], secret.proof_key)
        decks.append(out)
        proofs.append(proof)
    return Scene(game, secrets, keys, joint, tuple(decks), tuple(proofs))
