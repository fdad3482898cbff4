"""A deck was permuted and remasked and nothing else: Bayer–Groth's argument with a one-row matrix.

Bayer, Groth, "Efficient zero-knowledge argument for correctness of a shuffle" (EUROCRYPT 2012): §4 shuffle
argument, §5.3 single value product argument (the upper half below), §6 multi-exponentiation argument with
m = 1 (the lower half), both answered to one challenge e, non-interactive in challenge form. DEALING §4 is the
norm, step by step; letters below are its letters with D for Delta and a trailing underscore for a tilde.
Lists are 0-based here, so `a[i]` is a_{i+1}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from game.mental_poker.backend import L, Point
from game.mental_poker.elgamal import Ciphertext, MaskedDeck, encrypt_zero, weighted_sum
from game.mental_poker.errors import BadEncoding, ProofFailed
from game.mental_poker.group import base, msm, pieces, read_point, read_scalar, scalar_bytes
from game.mental_poker.hash_to_group import MOST, generators
from game.mental_poker.transcript import Transcript, u16


@dataclass(frozen=True, slots=True)
class ShuffleStatement:
    """There are a permutation pi and masks rho with C_out[i] = C[pi(i)] + Enc_X(0; rho_i)."""

    X: Point
    C: MaskedDeck
    C_out: MaskedDeck


@dataclass(frozen=True, slots=True, repr=False)
class ShuffleWitness:
    """`pi[i]` in 1 … N is the place the card at output place i + 1 came from; `rho[i]` its mask."""

    pi: tuple[int, ...]
    rho: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """32·(3N + 6) bytes: A | B | Delta | e | r~ | s~ | u~ | t~ | a~_1..N | b~_2..N−1 | c~_1..N."""

    A: Point
    B: Point
    D: Point
    e: int
    r_: int
    s_: int
    u_: int
    t_: int
    a_: tuple[int, ...]
    b_: tuple[int, ...]
    c_: tuple[int, ...]

    def to_bytes(self) -> bytes:
        scalars = (self.e, self.r_, self.s_, self.u_, self.t_, *self.a_, *self.b_, *self.c_)
        return bytes(self.A) + bytes(self.B) + bytes(self.D) + b"".join(map(scalar_bytes, scalars))

    @classmethod
    def from_bytes(cls, data: bytes, N: int) -> ShuffleProof:
        """Raises `BadEncoding`: length, points (O refused), scalars (zero allowed)."""
        if len(data) != 32 * (3 * N + 6):
            raise BadEncoding("proof")
        A, B, D, *rest = pieces(data, "proof")
        e, r_, s_, u_, t_, *answers = (read_scalar(piece, "proof scalar") for piece in rest)
        return cls(
            read_point(A, "A"), read_point(B, "B"), read_point(D, "Delta"), e, r_, s_, u_, t_,
            tuple(answers[:N]), tuple(answers[N : 2 * N - 2]), tuple(answers[2 * N - 2 :]),
        )  # fmt: skip


def commit(values: Sequence[int], r: int) -> Point:
    """com(v_1 … v_n; r) = rG + sum v_i h_i, n ≤ 52."""
    return base(r) + msm(values, generators(len(values)))


def remask(
    transcript: Transcript, X: Point, C: MaskedDeck, proof_key: bytes
) -> tuple[ShuffleStatement, ShuffleWitness]:
    """Shuffle `C` by a permutation and masks drawn from the transcript after context, key and input deck."""
    _absorb_input(transcript, X, C)
    N = len(C)
    secrets = transcript.secrets(proof_key)
    pi = list(range(1, N + 1))
    for i in range(N - 1, 0, -1):  # Fisher–Yates
        j = secrets.secret("perm", i) % (i + 1)
        pi[i], pi[j] = pi[j], pi[i]
    rho = secrets.nonces("mask", range(N))
    X.prepare()
    before = C.ciphertexts
    out = [before[pi_i - 1] + encrypt_zero(X, rho_i) for pi_i, rho_i in zip(pi, rho, strict=True)]
    return ShuffleStatement(X, C, MaskedDeck(out)), ShuffleWitness(tuple(pi), tuple(rho))


def prove_shuffle(
    transcript: Transcript, statement: ShuffleStatement, witness: ShuffleWitness, proof_key: bytes
) -> ShuffleProof:
    """DEALING §4, prover steps 1 to 8."""
    _absorb_input(transcript, statement.X, statement.C)
    transcript.absorb("out", statement.C_out.to_bytes())
    N = len(statement.C)
    pi, rho = witness.pi, witness.rho
    secrets = transcript.secrets(proof_key)
    rA, rB, rw, sd, sD, rb, tb = (
        secrets.nonce(label) for label in ("rA", "rB", "rw", "sd", "sD", "rb", "tb")
    )
    w = secrets.nonces("w", range(N))
    be = secrets.nonces("be", range(N))
    dl = [w[0], *secrets.nonces("dl", range(1, N - 1)), 0]  # 5

    A = commit(pi, rA)  # 1
    transcript.absorb_point("A", A)
    x = transcript.scalar("x")

    b = [pow(x, pi_i, L) for pi_i in pi]  # 2
    B = commit(b, rB)
    transcript.absorb_point("B", B)
    y = transcript.scalar("y")
    z = transcript.scalar("z")

    d = [(y * pi_i + b_i - z) % L for pi_i, b_i in zip(pi, b, strict=True)]  # 3
    rD = y * rA + rB
    p = [d[0]]  # 4
    for d_i in d[1:]:
        p.append(p[-1] * d_i % L)

    W = commit(w, rw)  # 5
    V = commit([-dl[i] * w[i + 1] for i in range(N - 1)], sd)
    D = commit([dl[i + 1] - d[i + 1] * dl[i] - p[i] * w[i + 1] for i in range(N - 1)], sD)

    tau = -sum(rho_i * b_i for rho_i, b_i in zip(rho, b, strict=True))  # 6
    U = commit(be, rb)
    E = weighted_sum(be, statement.C_out.ciphertexts) + encrypt_zero(statement.X, tb)

    e = _challenge(transcript, D, W, V, U, E)  # 7
    return ShuffleProof(  # 8
        A, B, D, e,
        r_=(e * rD + rw) % L,
        s_=(e * sD + sd) % L,
        u_=(e * rB + rb) % L,
        t_=(e * tau + tb) % L,
        a_=tuple((e * d_i + w_i) % L for d_i, w_i in zip(d, w, strict=True)),
        b_=tuple((e * p[i] + dl[i]) % L for i in range(1, N - 1)),
        c_=tuple((e * b_i + be_i) % L for b_i, be_i in zip(b, be, strict=True)),
    )  # fmt: skip


def verify_shuffle(transcript: Transcript, statement: ShuffleStatement, proof: ShuffleProof) -> None:
    """DEALING §4, verifier steps 0 to 4. Raises `ProofFailed`."""
    X, C, C_out = statement.X, statement.C, statement.C_out
    A, B, D, e = proof.A, proof.B, proof.D, proof.e
    N = len(C)
    refuse_degenerate(C, C_out)  # 0
    if e == 0:
        raise ProofFailed("e is zero")

    _absorb_input(transcript, X, C)  # 1
    transcript.absorb("out", C_out.to_bytes())
    transcript.absorb_point("A", A)
    x = transcript.scalar("x")
    transcript.absorb_point("B", B)
    y = transcript.scalar("y")
    z = transcript.scalar("z")

    powers = [x]  # x^1 … x^N
    for _ in range(N - 1):
        powers.append(powers[-1] * x % L)
    P = 1  # 2
    for i, x_i in enumerate(powers, 1):
        P = P * (y * i + x_i - z) % L
    a_, c_ = proof.a_, proof.c_
    b_ = (a_[0], *proof.b_, e * P % L)  # b~_N = e P is what forbids anything but a permutation

    h = generators(N)  # 3
    W = base(proof.r_) + msm([a_i + e * z for a_i in a_] + [-e * y, -e], [*h, A, B])
    V = base(proof.s_) + msm([e * b_[i + 1] - b_[i] * a_[i + 1] for i in range(N - 1)] + [-e], [*h[:-1], D])
    U = base(proof.u_) + msm([*c_, -e], [*h, B])
    E = encrypt_zero(X, proof.t_)
    E += weighted_sum([*c_, *(-e * x_i for x_i in powers)], C_out.ciphertexts + C.ciphertexts)

    if _challenge(transcript, D, W, V, U, E) != e:  # 4
        raise ProofFailed("e")


def refuse_degenerate(C: MaskedDeck, C_out: MaskedDeck) -> None:
    """The refusals of DEALING §1 that need no proof. Raises `BadEncoding` or `ProofFailed`."""
    N = len(C_out)
    if not 2 <= N <= MOST or len(C) != N:
        raise BadEncoding("deck")
    identity = bytes(32)
    before = {C.encoded(place) for place in range(N)}
    masks = set()
    for place in range(N):
        encoded = C_out.encoded(place)
        if identity in (encoded[:32], encoded[32:]):
            raise BadEncoding("identity component")
        if encoded in before:
            raise ProofFailed("output ciphertext of the input")
        masks.add(encoded[:32])
    if len(masks) != N:
        raise ProofFailed("equal A'")


def _absorb_input(transcript: Transcript, X: Point, C: MaskedDeck) -> None:
    transcript.absorb_point("X", X)
    transcript.absorb("N", u16(len(C)))
    transcript.absorb("in", C.to_bytes())


def _challenge(transcript: Transcript, D: Point, W: Point, V: Point, U: Point, E: Ciphertext) -> int:
    for label, point in (("Delta", D), ("W", W), ("V", V), ("U", U), ("E1", E.A), ("E2", E.B)):
        transcript.absorb_point(label, point)
    return transcript.scalar("e")
