"""Proofs of knowledge of x: of a key (Schnorr) and of many tokens at once (batched Chaum–Pedersen).

Schnorr, "Efficient identification and signatures for smart cards" (CRYPTO '89); Chaum, Pedersen, "Wallet
databases with observers" (CRYPTO '92); batching by small exponents: Bellare, Garay, Rabin, "Fast batch
verification for modular exponentiation and digital signatures" (EUROCRYPT '98). Bytes: DEALING §3, §5.
Both in challenge form: c | s, commitments recomputed by the verifier.
"""

from __future__ import annotations

from dataclasses import dataclass

from game.mental_poker.backend import L, Point
from game.mental_poker.errors import BadEncoding, ProofFailed
from game.mental_poker.group import base, msm, read_scalar, scalar_bytes
from game.mental_poker.transcript import Transcript, u8, u16


@dataclass(frozen=True, slots=True)
class SigmaProof:
    """Challenge c and answer s, 64 bytes."""

    c: int
    s: int

    def to_bytes(self) -> bytes:
        return scalar_bytes(self.c) + scalar_bytes(self.s)

    @classmethod
    def from_bytes(cls, data: bytes) -> SigmaProof:
        """Raises `BadEncoding`."""
        if len(data) != 64:
            raise BadEncoding("proof")
        return cls(read_scalar(data[:32], "c"), read_scalar(data[32:], "s"))


@dataclass(frozen=True, slots=True)
class KeyStatement:
    """The prover knows x with X = xG."""

    X: Point


def prove_key(transcript: Transcript, statement: KeyStatement, x: int, proof_key: bytes) -> SigmaProof:
    """`x` is the witness; `proof_key` the HMAC key nonces are drawn with. Not checked that xG = X."""
    transcript.absorb_point("X", statement.X)
    k = transcript.secrets(proof_key).nonce("k")
    transcript.absorb_point("T", base(k))
    c = transcript.scalar("c")
    return SigmaProof(c, (k + c * x) % L)


def verify_key(transcript: Transcript, statement: KeyStatement, proof: SigmaProof) -> None:
    """Raises `ProofFailed`."""
    transcript.absorb_point("X", statement.X)
    transcript.absorb_point("T", base(proof.s) - proof.c * statement.X)
    if transcript.scalar("c") != proof.c:
        raise ProofFailed("c")


@dataclass(frozen=True, slots=True)
class TokenStatement:
    """S_i = x A_i for every i, with the x of X = xG. `places` ascending, all three equally long, ≥ 1."""

    X: Point
    places: tuple[int, ...]
    A: tuple[Point, ...]
    S: tuple[Point, ...]

    def absorb(self, transcript: Transcript) -> None:
        transcript.absorb_point("X", self.X)
        transcript.absorb("n", u16(len(self.places)))
        for place, a in zip(self.places, self.A, strict=True):
            transcript.absorb("place", u8(place) + bytes(a))
        for token in self.S:
            transcript.absorb_point("S", token)

    def weights(self, transcript: Transcript) -> list[int]:
        """Only after every S is absorbed: a cheater must not choose tokens knowing their weights."""
        return [transcript.weight() for _ in self.places]


def prove_tokens(transcript: Transcript, statement: TokenStatement, x: int, proof_key: bytes) -> SigmaProof:
    statement.absorb(transcript)
    k = transcript.secrets(proof_key).nonce("k")
    w = statement.weights(transcript)
    transcript.absorb_point("T1", base(k))
    transcript.absorb_point("T2", k * msm(w, statement.A))
    c = transcript.scalar("c")
    return SigmaProof(c, (k + c * x) % L)


def verify_tokens(transcript: Transcript, statement: TokenStatement, proof: SigmaProof) -> None:
    """Raises `ProofFailed`."""
    statement.absorb(transcript)
    w = statement.weights(transcript)
    c, s = proof.c, proof.s
    transcript.absorb_point("T1", base(s) - c * statement.X)
    scalars = [s * w_i for w_i in w] + [-c * w_i for w_i in w]
    transcript.absorb_point("T2", msm(scalars, statement.A + statement.S))
    if transcript.scalar("c") != c:
        raise ProofFailed("c")
