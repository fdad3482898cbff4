"""The shuffle argument once more, with every load-bearing check behind a switch, and a prover that may lie.

Written from DEALING §4 and apart from the product's code. With all checks on, `verify` is the product's
verifier (a test holds them against each other); with one off, a forgery passes, which is why it is there.

Liars know a matrix M with C' = M C + masks and M no permutation: an output deck that is garbage, found out
only when somebody's card opens to none. For the lower half of the argument they use b with b M = (x, x^2, …
x^N). A deck that lacks a card can't be forged even so: x^i C_i would be missing from every combination.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from game.mental_poker.backend import L, Point
from game.mental_poker.elgamal import Ciphertext, MaskedDeck, encrypt_zero, weighted_sum
from game.mental_poker.errors import ProofFailed
from game.mental_poker.group import base, msm
from game.mental_poker.hash_to_group import generators
from game.mental_poker.shuffle_argument import ShuffleProof
from game.mental_poker.transcript import Context, Transcript, u16
from tests.game.mental_poker.scenes import seed_int


@dataclass(frozen=True)
class Checks:
    """What a verifier insists on. All on is DEALING §4."""

    last: bool = True
    """b~_N is e P."""
    first: bool = True
    """b~_1 is a~_1."""
    one_b: bool = True
    """U is tied to the same B as W."""
    out_before_x: bool = True
    commitments_before_y_z: bool = True


ALL = Checks()


@dataclass(frozen=True)
class Forgery:
    """A proof, and what a weakened verifier would take from it."""

    C_out: MaskedDeck
    proof: ShuffleProof
    b_first: int
    b_last: int
    B2: Point


@dataclass
class Lie:
    """What the prover does at the points where he could lie; the defaults are honest for a permutation.

    `out(x)` gives the output deck and masks, x being None where it must be fixed earlier; `a(y, z)` the
    values committed in A, with None likewise; `b(x)` those for the multi-exponentiation; `b_product(x)` those
    for the product, if others; `p_1(d, P)` the first partial product, d_1 if honest.
    """

    out: Callable[[int | None], tuple[MaskedDeck, Sequence[int]]]
    a: Callable[[int | None, int | None], Sequence[int]]
    b: Callable[[int], Sequence[int]]
    b_product: Callable[[int], Sequence[int]] | None = None
    p_1: Callable[[Sequence[int], int], int] = field(default=lambda d, P: d[0])


def com(values: Sequence[int], r: int) -> Point:
    return base(r) + msm(values, generators(len(values)))


def target(N: int, x: int, y: int, z: int) -> int:
    P = 1
    for i in range(1, N + 1):
        P = P * (y * i + pow(x, i, L) - z) % L
    return P


def opened(context: Context, X: Point, C: MaskedDeck) -> Transcript:
    t = Transcript.open(context, "shuffle")
    t.absorb_point("X", X)
    t.absorb("N", u16(len(C)))
    t.absorb("in", C.to_bytes())
    return t


def prove(checks: Checks, context: Context, X: Point, C: MaskedDeck, lie: Lie) -> Forgery:
    """Run the prover against a verifier with these checks."""
    N = len(C)
    t = opened(context, X, C)
    y = z = None
    C_out = None
    rho: Sequence[int] = ()
    if checks.out_before_x:
        C_out, rho = lie.out(None)
        t.absorb("out", C_out.to_bytes())
    if not checks.commitments_before_y_z:
        y, z = t.scalar("y"), t.scalar("z")
    r = {name: seed_int(name, 1) for name in ("A", "B", "B2", "W", "V", "D", "U", "E")}
    a = lie.a(y, z)
    A = com(a, r["A"])
    t.absorb_point("A", A)
    x = t.scalar("x")
    b = [value % L for value in lie.b(x)]
    b_product = [value % L for value in (lie.b_product or lie.b)(x)]
    B = com(b_product, r["B"])
    B2 = com(b, r["B2"])
    t.absorb_point("B", B)
    if y is None or z is None:
        y, z = t.scalar("y"), t.scalar("z")
    if C_out is None:
        C_out, rho = lie.out(x)
        t.absorb("out", C_out.to_bytes())
    if not checks.one_b:
        t.absorb_point("B2", B2)

    d = [(y * a_i + b_i - z) % L for a_i, b_i in zip(a, b_product, strict=True)]
    p = [lie.p_1(d, target(N, x, y, z))]
    for d_i in d[1:]:
        p.append(p[-1] * d_i % L)
    w = [seed_int("w", i) % L for i in range(N)]
    be = [seed_int("be", i) % L for i in range(N)]
    dl = [w[0], *(seed_int("dl", i) % L for i in range(1, N - 1)), 0]
    W = com(w, r["W"])
    V = com([-dl[i] * w[i + 1] for i in range(N - 1)], r["V"])
    D = com([dl[i + 1] - d[i + 1] * dl[i] - p[i] * w[i + 1] for i in range(N - 1)], r["D"])
    r_b = r["B"] if checks.one_b else r["B2"]
    U = com(be, r["U"])
    E = weighted_sum(be, C_out.ciphertexts) + encrypt_zero(X, r["E"])
    e = challenge(t, D, W, V, U, E)
    tau = -sum(rho_i * b_i for rho_i, b_i in zip(rho, b, strict=True))
    proof = ShuffleProof(
        A, B, D, e,
        r_=(e * (y * r["A"] + r["B"]) + r["W"]) % L,
        s_=(e * r["D"] + r["V"]) % L,
        u_=(e * r_b + r["U"]) % L,
        t_=(e * tau + r["E"]) % L,
        a_=tuple((e * d_i + w_i) % L for d_i, w_i in zip(d, w, strict=True)),
        b_=tuple((e * p[i] + dl[i]) % L for i in range(1, N - 1)),
        c_=tuple((e * b_i + be_i) % L for b_i, be_i in zip(b, be, strict=True)),
    )  # fmt: skip
    return Forgery(C_out, proof, b_first=(e * p[0] + dl[0]) % L, b_last=e * p[-1] % L, B2=B2)


def verify(checks: Checks, context: Context, X: Point, C: MaskedDeck, forgery: Forgery) -> None:
    """DEALING §4 with these checks. Raises `ProofFailed`."""
    N, C_out, proof = len(C), forgery.C_out, forgery.proof
    e = proof.e
    t = opened(context, X, C)
    y = z = None
    if checks.out_before_x:
        t.absorb("out", C_out.to_bytes())
    if not checks.commitments_before_y_z:
        y, z = t.scalar("y"), t.scalar("z")
    t.absorb_point("A", proof.A)
    x = t.scalar("x")
    t.absorb_point("B", proof.B)
    if y is None or z is None:
        y, z = t.scalar("y"), t.scalar("z")
    if not checks.out_before_x:
        t.absorb("out", C_out.to_bytes())
    if not checks.one_b:
        t.absorb_point("B2", forgery.B2)
    b_first = proof.a_[0] if checks.first else forgery.b_first
    b_last = e * target(N, x, y, z) % L if checks.last else forgery.b_last
    b_ = (b_first, *proof.b_, b_last)

    h = generators(N)
    D_prime = y * proof.A + proof.B - msm([z] * N, h)
    W = com(proof.a_, proof.r_) - e * D_prime
    V = com([e * b_[i + 1] - b_[i] * proof.a_[i + 1] for i in range(N - 1)], proof.s_) - e * proof.D
    U = com(proof.c_, proof.u_) - e * (proof.B if checks.one_b else forgery.B2)
    powers = [-e * pow(x, i, L) for i in range(1, N + 1)]
    E = weighted_sum(proof.c_, C_out.ciphertexts) + weighted_sum(powers, C.ciphertexts)
    if challenge(t, proof.D, W, V, U, E + encrypt_zero(X, proof.t_)) != e:
        raise ProofFailed("e")


def challenge(t: Transcript, D: Point, W: Point, V: Point, U: Point, E: Ciphertext) -> int:
    for label, point in (("Delta", D), ("W", W), ("V", V), ("U", U), ("E1", E.A), ("E2", E.B)):
        t.absorb_point(label, point)
    return t.scalar("e")
