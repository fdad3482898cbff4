"""Ten forgeries, each with the one check that stops it taken out and put back (DEALING: load-bearing).

Every test builds the weakened verifier (or prover), shows that the forgery gets past it, and that the product
refuses the very same thing. A check that could be dropped without a forgery would prove nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from game.mental_poker import claims, hash_to_group, shuffle_argument, sigma
from game.mental_poker import deck as verbs
from game.mental_poker.backend import Backend, L, Point
from game.mental_poker.deck import Context, MaskedDeck
from game.mental_poker.elgamal import Ciphertext, encrypt_zero, weighted_sum
from game.mental_poker.errors import BadEncoding, NotACard, ProofFailed
from game.mental_poker.group import base, msm
from game.mental_poker.keys import key_point
from game.mental_poker.shuffle_argument import ShuffleProof, ShuffleStatement
from game.mental_poker.transcript import Secrets, Transcript
from tests.game.mental_poker import weakened
from tests.game.mental_poker.scenes import seed_bytes, seed_int
from tests.game.mental_poker.weakened import ALL, Checks, Forgery, Lie

CONTEXT = Context(seed_bytes("game", 0), 4, 2)
KEY = seed_bytes("proof", 0)
x_joint = seed_int("x", 0) % L
HALF = pow(2, -1, L)


@pytest.fixture(name="X")
def joint_point(backend: Backend) -> Point:
    return key_point(verbs.public_key(x_joint))


@pytest.fixture(name="C")
def four_cards(X: Point) -> MaskedDeck:
    """Four masked cards."""
    deck, _ = verbs.shuffle(Context(CONTEXT.game, 3, 1), bytes(X), verbs.first_deck((0, 1, 2, 3)), KEY)
    return deck


def combined(C: MaskedDeck, X: Point) -> tuple[MaskedDeck, list[int]]:
    """C' = (C_1 + C_2, C_2, C_3, C_4) under fresh masks: the first is no card. b = (x, x²−x, x³, x⁴)."""
    rho = [seed_int("rho", i) % L for i in range(4)]
    c = C.ciphertexts
    mixed = [c[0] + c[1], c[1], c[2], c[3]]
    return MaskedDeck([card + encrypt_zero(X, r) for card, r in zip(mixed, rho, strict=True)]), rho


def combined_b(x: int) -> list[int]:
    return [x, (x * x - x) % L, pow(x, 3, L), pow(x, 4, L)]


def is_garbage(deck: MaskedDeck) -> bool:
    try:
        verbs.open_deck(deck, [x_joint])
    except NotACard:
        return True
    return False


def passes_only_without(checks: Checks, X: Point, C: MaskedDeck, forgery: Forgery) -> None:
    """The forgery stands before the weakened verifier and falls before the full one and the product."""
    assert is_garbage(forgery.C_out)
    weakened.verify(checks, CONTEXT, X, C, forgery)
    with pytest.raises(ProofFailed, match="e"):
        weakened.verify(ALL, CONTEXT, X, C, forgery)
    with pytest.raises(ProofFailed, match="e"):
        verbs.verify_shuffle(CONTEXT, bytes(X), C, forgery.C_out.to_bytes(), forgery.proof.to_bytes())


def test_the_switchable_verifier_is_the_product_when_all_checks_are_on(X: Point, C: MaskedDeck) -> None:
    out, proof = verbs.shuffle(CONTEXT, bytes(X), C, KEY)
    parsed = ShuffleProof.from_bytes(proof, 4)
    weakened.verify(ALL, CONTEXT, X, C, Forgery(out, parsed, 0, 0, X))

    pi = (3, 1, 4, 2)
    rho = [seed_int("rho", i) % L for i in range(4)]
    moved = [C.ciphertexts[p - 1] + encrypt_zero(X, r) for p, r in zip(pi, rho, strict=True)]
    honest = Lie(
        out=lambda _: (MaskedDeck(moved), rho),
        a=lambda y, z: pi,
        b=lambda x: [pow(x, p, L) for p in pi],
    )
    made = weakened.prove(ALL, CONTEXT, X, C, honest)
    verbs.verify_shuffle(CONTEXT, bytes(X), C, made.C_out.to_bytes(), made.proof.to_bytes())
    dishonest = weakened.prove(
        ALL, CONTEXT, X, C, Lie(out=lambda _: combined(C, X), a=lambda y, z: (1, 2, 3, 4), b=combined_b)
    )
    with pytest.raises(ProofFailed):
        weakened.verify(ALL, CONTEXT, X, C, dishonest)


def test_forgery_1_without_b_last_is_fixed(X: Point, C: MaskedDeck) -> None:
    checks = Checks(last=False)
    lie = Lie(out=lambda _: combined(C, X), a=lambda y, z: (1, 2, 3, 4), b=combined_b)
    passes_only_without(checks, X, C, weakened.prove(checks, CONTEXT, X, C, lie))


def test_forgery_2_without_b_first_is_fixed(X: Point, C: MaskedDeck) -> None:
    """A first partial product of one's choice makes the last one P, whatever the factors are."""

    def p_1(d: Sequence[int], P: int) -> int:
        rest = 1
        for d_i in d[1:]:
            rest = rest * d_i % L
        return P * pow(rest, -1, L) % L

    checks = Checks(first=False)
    lie = Lie(out=lambda _: combined(C, X), a=lambda y, z: (1, 2, 3, 4), b=combined_b, p_1=p_1)
    passes_only_without(checks, X, C, weakened.prove(checks, CONTEXT, X, C, lie))


def test_forgery_3_without_one_b_for_both_halves(X: Point, C: MaskedDeck) -> None:
    """A true permutation for the product, another vector for the multi-exponentiation."""
    checks = Checks(one_b=False)
    lie = Lie(
        out=lambda _: combined(C, X),
        a=lambda y, z: (1, 2, 3, 4),
        b=combined_b,
        b_product=lambda x: [pow(x, i, L) for i in (1, 2, 3, 4)],
    )
    passes_only_without(checks, X, C, weakened.prove(checks, CONTEXT, X, C, lie))


def test_forgery_4_out_after_x(X: Point, C: MaskedDeck) -> None:
    """Who knows x first can give two cards errors that cancel: +E in one, −E/x in the next."""

    def out(x: int | None) -> tuple[MaskedDeck, list[int]]:
        rho = [seed_int("rho", i) % L for i in range(4)]
        cards = [card + encrypt_zero(X, r) for card, r in zip(C.ciphertexts, rho, strict=True)]
        if x is not None:
            error = base(77)
            cards[0] = Ciphertext(cards[0].A, cards[0].B + error)
            cards[1] = Ciphertext(cards[1].A, cards[1].B - pow(x, -1, L) * error)
        return MaskedDeck(cards), rho

    checks = Checks(out_before_x=False)
    lie = Lie(out=out, a=lambda y, z: (1, 2, 3, 4), b=lambda x: [pow(x, i, L) for i in (1, 2, 3, 4)])
    passes_only_without(checks, X, C, weakened.prove(checks, CONTEXT, X, C, lie))


def test_forgery_5_commitments_after_y_and_z(X: Point, C: MaskedDeck) -> None:
    """C' = (2 C_1, C_2 / 2, …) needs b = (x/2, 2x², …); who knows y and z first picks a so that
    (y a_1 + x/2 − z)(y a_2 + 2x² − z) = (y + x − z)(2y + x² − z) holds for every x."""
    rho = [seed_int("rho", i) % L for i in range(4)]
    c = C.ciphertexts
    scaled = [
        Ciphertext(2 * c[0].A, 2 * c[0].B), Ciphertext(HALF * c[1].A, HALF * c[1].B), c[2], c[3],
    ]  # fmt: skip
    deck = MaskedDeck([card + encrypt_zero(X, r) for card, r in zip(scaled, rho, strict=True)])

    def a(y: int | None, z: int | None) -> list[int]:
        if y is None or z is None:
            return [1, 2, 3, 4]
        by_y = pow(y, -1, L)
        return [(y + z) * HALF * by_y % L, (4 * y - z) * by_y % L, 3, 4]

    checks = Checks(commitments_before_y_z=False)
    lie = Lie(out=lambda _: (deck, rho), a=a, b=lambda x: [x * HALF, 2 * x * x, pow(x, 3, L), pow(x, 4, L)])
    passes_only_without(checks, X, C, weakened.prove(checks, CONTEXT, X, C, lie))


def test_forgery_6_a_zero_challenge(X: Point, C: MaskedDeck, monkeypatch: pytest.MonkeyPatch) -> None:
    """With e = 0 nothing is multiplied by the statement and any deck passes. The hash is made to give 0."""
    squeeze = Transcript.squeeze
    monkeypatch.setattr(
        Transcript, "squeeze", lambda self, label: bytes(64) if label == "e" else squeeze(self, label)
    )
    out = MaskedDeck([Ciphertext(base(k), base(k * k)) for k in (11, 12, 13, 14)])
    P = base(5)
    ones = (1, 1, 1, 1)
    forged = ShuffleProof(P, P, P, 0, 1, 1, 1, 1, ones, ones[:2], ones)
    forgery = Forgery(out, forged, 0, 0, P)
    assert is_garbage(out)
    with pytest.raises(ProofFailed, match="challenge e is zero"):
        weakened.verify(ALL, CONTEXT, X, C, forgery)
    with pytest.raises(ProofFailed, match="e is zero"):
        verbs.verify_shuffle(CONTEXT, bytes(X), C, out.to_bytes(), forged.to_bytes())
    monkeypatch.setattr(
        Transcript, "scalar", lambda self, label: int.from_bytes(self.squeeze(label), "little") % L
    )
    weakened.verify(ALL, CONTEXT, X, C, forgery)
    with pytest.raises(ProofFailed, match="e is zero"):
        verbs.verify_shuffle(CONTEXT, bytes(X), C, out.to_bytes(), forged.to_bytes())


def test_forgery_7_and_attack_24_generators_with_a_trapdoor(
    X: Point, C: MaskedDeck, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If h_i = k_i G with known k_i, commitments bind nothing: any answers get a fitting r~, s~, u~."""
    k = [seed_int("k", i) % L for i in range(4)]
    C_out, rho = combined(C, X)
    statement = ShuffleStatement(X, C, C_out)
    alpha, beta, delta, omega, nu, mu, tb = (seed_int(name, 2) % L for name in "ABDWVUE")
    be = [seed_int("be", i) % L for i in range(4)]
    t = weakened.opened(CONTEXT, X, C)
    t.absorb("out", C_out.to_bytes())
    t.absorb_point("A", base(alpha))
    x = t.scalar("x")
    t.absorb_point("B", base(beta))
    y, z = t.scalar("y"), t.scalar("z")
    E = weighted_sum(be, C_out.ciphertexts) + encrypt_zero(X, tb)
    e = weakened.challenge(t, base(delta), base(omega), base(nu), base(mu), E)
    b = combined_b(x)
    a_, b_inner = (5, 6, 7, 8), (9, 10)
    b_ = (a_[0], *b_inner, e * weakened.target(4, x, y, z) % L)
    c_ = tuple((e * b_i + be_i) % L for b_i, be_i in zip(b, be, strict=True))

    def dot(values: Sequence[int]) -> int:
        return sum(value * k_i for value, k_i in zip(values, k, strict=False))

    proof = ShuffleProof(
        base(alpha), base(beta), base(delta), e,
        r_=(omega + e * (y * alpha + beta - z * sum(k)) - dot(a_)) % L,
        s_=(nu + e * delta - dot([e * b_[i + 1] - b_[i] * a_[i + 1] for i in range(3)])) % L,
        u_=(mu + e * beta - dot(c_)) % L,
        t_=(tb - e * sum(r * b_i for r, b_i in zip(rho, b, strict=True))) % L,
        a_=a_, b_=b_inner, c_=c_,
    )  # fmt: skip
    assert is_garbage(C_out)
    with monkeypatch.context() as trapdoor:
        trapdoor.setattr(shuffle_argument, "generators", lambda n: [base(k_i) for k_i in k[:n]])
        shuffle_argument.verify_shuffle(Transcript.open(CONTEXT, "shuffle"), statement, proof)
    with pytest.raises(ProofFailed, match="e"):
        shuffle_argument.verify_shuffle(Transcript.open(CONTEXT, "shuffle"), statement, proof)
    assert shuffle_argument.generators is hash_to_group.generators


def test_forgery_8_weights_before_tokens(X: Point, C: MaskedDeck) -> None:
    """Who knows the weights gives two tokens errors that cancel in the weighted sum (attack 28)."""
    context = Context(CONTEXT.game, 9, 0)
    places = (0, 2)
    A = tuple(C.ciphertexts[place].A for place in places)

    def weights_first(statement: sigma.TokenStatement) -> tuple[Transcript, list[int]]:
        t = Transcript.open(context, "deal")
        weak = sigma.TokenStatement(statement.X, statement.places, statement.A, ())
        weak.absorb(t)
        w = weak.weights(t)
        for token in statement.S:
            t.absorb_point("S", token)
        return t, w

    honest = tuple(x_joint * a for a in A)
    _, w = weights_first(sigma.TokenStatement(X, places, A, ()))
    error = base(99)
    S = (honest[0] + error, honest[1] - w[0] * pow(w[1], -1, L) * error)
    statement = sigma.TokenStatement(X, places, A, S)
    t, w = weights_first(statement)
    k = seed_int("nonce", 0) % L
    t.absorb_point("T1", base(k))
    t.absorb_point("T2", k * msm(w, A))
    c = t.scalar("c")
    proof = sigma.SigmaProof(c, (k + c * x_joint) % L)

    t, w = weights_first(statement)
    t.absorb_point("T1", base(proof.s) - c * X)
    t.absorb_point("T2", proof.s * msm(w, A) - c * msm(w, S))
    assert t.scalar("c") == c
    tokens = b"".join(map(bytes, S))
    with pytest.raises(NotACard):
        verbs.face(C, 0, [tokens[:32]])
    with pytest.raises(ProofFailed, match="c"):
        verbs.verify_tokens(context, "deal", bytes(X), C, places, tokens, proof.to_bytes())
    full = sigma.prove_tokens(Transcript.open(context, "deal"), statement, x_joint, KEY)
    with pytest.raises(ProofFailed, match="c"):
        verbs.verify_tokens(context, "deal", bytes(X), C, places, tokens, full.to_bytes())


def test_forgery_9_and_attack_37_identity_as_blinded_difference(X: Point, C: MaskedDeck) -> None:
    """r = 0 gives V = O for a card one holds, with all equations true."""
    context = Context(CONTEXT.game, 12, 0)
    held = verbs.open_deck(C, [x_joint])[1]
    statement = claims.NoLowerStatement(X, (1,), (C.ciphertexts[1].A,), (C.ciphertexts[1].B,), (held,))
    ((_, _, A, D),) = statement.pairs()
    kr, kg = seed_int("kr", 0) % L, seed_int("kg", 0) % L
    O = 0 * X  # noqa: E741
    t = Transcript.open(context, "no-lower")
    statement.absorb(t)
    t.absorb_point("V", O)
    t.absorb_point("T1", msm([kr, -kg], [D, A]))
    t.absorb_point("T2", kr * X - base(kg))
    forged = claims.NoLowerProof(t.scalar("c"), ((O, kr, kg),))

    claims.verify_no_lower(Transcript.open(context, "no-lower"), statement, forged)  # all but the refusal
    with pytest.raises(BadEncoding, match="V"):
        verbs.verify_no_lower(context, bytes(X), C, (1,), ((),), (held,), forged.to_bytes())


def test_forgery_10_and_attack_23_nonces_without_context_give_the_key_away(
    X: Point, C: MaskedDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One statement in two contexts: with a nonce from label and statement alone, x = (s1 − s2)/(c1 − c2)."""
    contexts = [Context(CONTEXT.game, height, 0) for height in (9, 10)]

    def extract(prove: Callable[[Context], sigma.SigmaProof]) -> int:
        one, two = (prove(context) for context in contexts)
        return (one.s - two.s) * pow(one.c - two.c, -1, L) % L

    def prove(context: Context) -> sigma.SigmaProof:
        _, proof = verbs.make_tokens(context, "deal", x_joint, bytes(X), C, (0, 2), KEY)
        verbs.verify_tokens(context, "deal", bytes(X), C, (0, 2), _, proof)
        return sigma.SigmaProof.from_bytes(proof)

    def key_proof(context: Context) -> sigma.SigmaProof:
        t = Transcript.open(context, "key")
        return sigma.prove_key(t, sigma.KeyStatement(X), x_joint, KEY)

    for maker in (prove, key_proof):
        assert extract(maker) != x_joint
    monkeypatch.setattr(Transcript, "secrets", lambda self, key: Secrets(key, b"no context here"))
    for maker in (prove, key_proof):
        assert extract(maker) == x_joint
