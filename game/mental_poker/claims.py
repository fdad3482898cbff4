"""No lower trump: a hidden card is none of these cards (DEALING §6).

Plaintext inequality in the manner of Camenisch, Shoup, "Practical verifiable encryption and decryption of
discrete logarithms" (CRYPTO 2003) §6: blind the difference of plaintexts by a fresh r and show that it is not
the identity. Per pair (place, card) with D = Q − M_c: V = r (D − xA) = r (M − M_c).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from game.mental_poker.backend import L, Point
from game.mental_poker.errors import BadEncoding, CardIsHeld, ProofFailed
from game.mental_poker.group import base, msm, pieces, read_point, read_scalar, scalar_bytes
from game.mental_poker.hash_to_group import card_point
from game.mental_poker.transcript import Transcript, u8, u16


@dataclass(frozen=True, slots=True)
class NoLowerStatement:
    """With X = xG: no Q_i − xA_i is M_c for a card c of `cards`. Places and cards ascending, ≥ 1 each.

    `Q[i]` = B_i minus the other seats' tokens.
    """

    X: Point
    places: tuple[int, ...]
    A: tuple[Point, ...]
    Q: tuple[Point, ...]
    cards: tuple[int, ...]

    def absorb(self, transcript: Transcript) -> None:
        transcript.absorb_point("X", self.X)
        transcript.absorb("n", u16(len(self.places)))
        transcript.absorb("t", u16(len(self.cards)))
        for place, a, q in zip(self.places, self.A, self.Q, strict=True):
            transcript.absorb("place", u8(place) + bytes(a) + bytes(q))
        for card in self.cards:
            transcript.absorb("card", u8(card) + bytes(card_point(card)))

    def pairs(self) -> Iterator[tuple[int, int, Point, Point]]:
        """(place, card, A, D) in the order of the proof: places outer, cards inner."""
        for place, a, q in zip(self.places, self.A, self.Q, strict=True):
            for card in self.cards:
                yield place, card, a, q - card_point(card)


@dataclass(frozen=True, slots=True)
class NoLowerProof:
    """32 + 96·pairs bytes: c | per pair V | zr | zg."""

    c: int
    answers: tuple[tuple[Point, int, int], ...]

    def to_bytes(self) -> bytes:
        parts = (bytes(V) + scalar_bytes(zr) + scalar_bytes(zg) for V, zr, zg in self.answers)
        return scalar_bytes(self.c) + b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes, pairs: int) -> NoLowerProof:
        """Raises `BadEncoding`; V = O is refused here, which is what makes the inequality one."""
        if len(data) != 32 + 96 * pairs:
            raise BadEncoding("proof")
        c, *fields = pieces(data, "proof")
        answers = tuple(
            (read_point(V, "V"), read_scalar(zr, "zr"), read_scalar(zg, "zg"))
            for V, zr, zg in zip(fields[::3], fields[1::3], fields[2::3], strict=True)
        )
        return cls(read_scalar(c, "c"), answers)


def prove_no_lower(
    transcript: Transcript, statement: NoLowerStatement, x: int, proof_key: bytes
) -> NoLowerProof:
    """Raises `CardIsHeld` if the statement is false."""
    statement.absorb(transcript)
    secrets = transcript.secrets(proof_key)
    X = statement.X
    X.prepare()
    drawn = []
    for j, (place, card, A, D) in enumerate(statement.pairs()):
        r = secrets.nonce("r", j)
        V = msm([r, -r * x], [D, A])
        if V.is_identity:
            raise CardIsHeld(place, card)
        transcript.absorb_point("V", V)
        drawn.append((A, D, V, r, secrets.nonce("kr", j), secrets.nonce("kg", j)))
    for A, D, _, _, kr, kg in drawn:
        transcript.absorb_point("T1", msm([kr, -kg], [D, A]))
        transcript.absorb_point("T2", kr * X - base(kg))
    c = transcript.scalar("c")
    return NoLowerProof(c, tuple((V, (kr + c * r) % L, (kg + c * r * x) % L) for _, _, V, r, kr, kg in drawn))


def verify_no_lower(transcript: Transcript, statement: NoLowerStatement, proof: NoLowerProof) -> None:
    """Raises `ProofFailed`."""
    statement.absorb(transcript)
    X, c = statement.X, proof.c
    X.prepare()
    for V, _, _ in proof.answers:
        transcript.absorb_point("V", V)
    for (_, _, A, D), (V, zr, zg) in zip(statement.pairs(), proof.answers, strict=True):
        transcript.absorb_point("T1", msm([zr, -zg, -c], [D, A, V]))
        transcript.absorb_point("T2", zr * X - base(zg))
    if transcript.scalar("c") != c:
        raise ProofFailed("c")
