"""Zero answers and sums that are the identity: ordinary values inside equations, on both backends alike.

libsodium refuses both, so a wrapper that forgets one of them would part two honest peers over one entry. True
proofs with such values are made here on purpose: with masks of zero every recomputed commitment is O; with a
challenge that is known beforehand answers can be zero. A proof without masks gives its maker away and nobody
else; that it stands is what the equations say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from game.mental_poker import claims, group, shuffle_argument, sigma
from game.mental_poker import deck as verbs
from game.mental_poker.backend import Backend, L
from game.mental_poker.deck import Context, MaskedDeck
from game.mental_poker.errors import MentalPokerError, ProofFailed
from game.mental_poker.pure import PURE
from game.mental_poker.shuffle_argument import ShuffleStatement, ShuffleWitness
from game.mental_poker.transcript import Secrets, Transcript
from tests.game.mental_poker.scenes import seed_bytes, seed_int

CONTEXT = Context(seed_bytes("game", 0), 4, 2)
KEY = seed_bytes("proof", 0)
x = seed_int("x", 0) % L
N = 4
ZERO = bytes(32)
CHALLENGE = 4711


@dataclass(frozen=True)
class Proven:
    """A proof and how a peer checks it: everything as bytes, so that it goes from one backend to another."""

    proof: bytes
    verify: Callable[[bytes], object]


def key() -> Proven:
    X = verbs.public_key(x)
    made = verbs.prove_key(CONTEXT.game, 2, x, X, KEY)
    return Proven(made, lambda proof: verbs.verify_key(CONTEXT.game, 2, X, proof))


def masked() -> MaskedDeck:
    """Four masked cards, made without the patches of a test."""
    X = group.base(x)
    return MaskedDeck(
        [
            card + shuffle_argument.encrypt_zero(X, seed_int("mask", i) % L)
            for i, card in enumerate(verbs.first_deck((0, 1, 2, 3)).ciphertexts)
        ]
    )


def tokens() -> Proven:
    X, deck = verbs.public_key(x), masked()
    given, made = verbs.make_tokens(CONTEXT, "deal", x, X, deck, (0, 2), KEY)
    return Proven(made, lambda proof: verbs.verify_tokens(CONTEXT, "deal", X, deck, (0, 2), given, proof))


def no_lower() -> Proven:
    """The blinds r stay as they are: V = O is refused."""
    X, deck = verbs.public_key(x), masked()
    places, others, cards = (0, 1), ((), ()), (6, 7)
    made = verbs.prove_no_lower(CONTEXT, x, X, deck, places, others, cards, KEY)
    return Proven(made, lambda proof: verbs.verify_no_lower(CONTEXT, X, deck, places, others, cards, proof))


def shuffle() -> Proven:
    """Masks of the cards stay as they are, those of the proof are the test's business."""
    X, before = group.base(x), masked()
    pi, rho = (3, 1, 4, 2), tuple(seed_int("rho", i) % L for i in range(N))
    out = MaskedDeck(
        [
            before.ciphertexts[p - 1] + shuffle_argument.encrypt_zero(X, r)
            for p, r in zip(pi, rho, strict=True)
        ]
    )
    made = shuffle_argument.prove_shuffle(
        Transcript.open(CONTEXT, "shuffle"),
        ShuffleStatement(X, before, out),
        ShuffleWitness(pi, rho),
        KEY,
    )
    joint, data = bytes(X), out.to_bytes()
    return Proven(made.to_bytes(), lambda proof: verbs.verify_shuffle(CONTEXT, joint, before, data, proof))


ARGUMENTS = [key, tokens, no_lower, shuffle]
RECOMPUTED = {"T", "T1", "T2", "W", "V", "U", "E1", "E2"}
"""Points no proof carries, but for the V of no lower trump."""


def absorbed(proven: Proven, proof: bytes, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes]]:
    """What a verifier hashes, and last of all its verdict."""
    seen: list[tuple[str, bytes]] = []
    absorb = Transcript.absorb

    def noting(self: Transcript, label: str, data: bytes) -> None:
        seen.append((label, data))
        absorb(self, label, data)

    with monkeypatch.context() as patch:
        patch.setattr(Transcript, "absorb", noting)
        try:
            proven.verify(proof)
        except MentalPokerError as error:
            return [*seen, (repr(error), b"")]
    return [*seen, ("stands", b"")]


def without_masks(self: Secrets, label: str, index: int = 0) -> int:
    """Every mask of a proof zero, but for what no proof may do without: the blinds of no lower trump, and the
    one that keeps Delta from being O."""
    return self.secret(label, index) % L if label in ("r", "sD") else 0


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_a_true_proof_whose_sums_are_all_the_identity_stands(
    backend: Backend, argument: Callable[[], Proven], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Secrets, "nonce", without_masks)
        proven = argument()
    seen = absorbed(proven, proven.proof, monkeypatch)
    assert seen[-1][0] == "stands"
    own = [data for label, data in seen if label in RECOMPUTED and (label != "V" or argument is shuffle)]
    assert own
    assert set(own) == {ZERO}


@pytest.mark.parametrize("argument", [key, tokens, no_lower])
def test_a_true_proof_whose_answers_are_zero_stands(
    backend: Backend, argument: Callable[[], Proven], monkeypatch: pytest.MonkeyPatch
) -> None:
    """k = −c x where c is known beforehand; for no lower trump kr = −c r and kg = −c r x."""
    monkeypatch.setattr(Transcript, "scalar", lambda self, label: CHALLENGE)

    def nonce(self: Secrets, label: str, index: int = 0) -> int:
        r = self.secret("r", index) % L
        return {"k": -CHALLENGE * x, "r": r, "kr": -CHALLENGE * r, "kg": -CHALLENGE * r * x}[label] % L

    with monkeypatch.context() as patch:
        patch.setattr(Secrets, "nonce", nonce)
        proven = argument()
    answers = [proven.proof[at : at + 32] for at in range(32, len(proven.proof), 32)]
    if argument is no_lower:
        answers = [answer for number, answer in enumerate(answers) if number % 3]
    assert set(answers) == {ZERO}
    proven.verify(proven.proof)


def test_a_shuffle_whose_answers_are_zero_stands(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that come from masks alone: every one but e, with all challenges known beforehand."""
    monkeypatch.setattr(Transcript, "scalar", lambda self, label: CHALLENGE + ord(label))
    X, before = group.base(x), masked()
    e, y, z, x_ = (CHALLENGE + ord(label) for label in "eyzx")
    pi, rho = (3, 1, 4, 2), tuple(seed_int("rho", i) % L for i in range(N))
    b = [pow(x_, p, L) for p in pi]
    d = [(y * p + b_i - z) % L for p, b_i in zip(pi, b, strict=True)]
    partial = [d[0]]
    for d_i in d[1:]:
        partial.append(partial[-1] * d_i % L)
    masks = {
        **{("w", i): -e * d[i] for i in range(N)},
        **{("be", i): -e * b[i] for i in range(N)},
        **{("dl", i): -e * partial[i] for i in range(1, N - 1)},
        ("rA", 0): 5, ("rB", 0): 6, ("sD", 0): 7, ("rw", 0): -e * (5 * y + 6), ("sd", 0): -e * 7,
        ("rb", 0): -e * 6, ("tb", 0): e * sum(r * b_i for r, b_i in zip(rho, b, strict=True)),
    }  # fmt: skip
    monkeypatch.setattr(Secrets, "nonce", lambda self, label, index=0: masks[label, index] % L)
    out = MaskedDeck(
        [
            before.ciphertexts[p - 1] + shuffle_argument.encrypt_zero(X, r)
            for p, r in zip(pi, rho, strict=True)
        ]
    )
    statement = ShuffleStatement(X, before, out)
    proof = shuffle_argument.prove_shuffle(
        Transcript.open(CONTEXT, "shuffle"), statement, ShuffleWitness(pi, rho), KEY
    )
    answers = (proof.r_, proof.s_, proof.u_, proof.t_, *proof.a_, *proof.b_, *proof.c_)
    assert set(answers) == {0}
    verbs.verify_shuffle(CONTEXT, bytes(X), before, out.to_bytes(), proof.to_bytes())


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_zeros_in_a_proof_are_judged_alike_by_both_backends(
    backend: Backend, argument: Callable[[], Proven], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every scalar zero in turn, then all: the same bytes are hashed and the same is said."""
    before = group.use_backend(PURE)
    made = argument().proof
    group.use_backend(before)
    first = {key: 0, tokens: 0, no_lower: 0, shuffle: 96}[argument]
    fields = range(first, len(made), 32)
    bent = [made[:at] + ZERO + made[at + 32 :] for at in fields]
    if argument is shuffle:
        bent.append(made[:128] + bytes(len(made) - 128))
    elif argument is not no_lower:
        bent.append(bytes(64))
    for proof in bent:
        said = []
        for each in (PURE, backend):
            used = group.use_backend(each)
            said.append(absorbed(argument(), proof, monkeypatch))
            group.use_backend(used)
        assert said[0] == said[1]
        assert said[0][-1][0] != "stands"


def test_a_token_statement_with_the_identity_among_its_points(backend: Backend) -> None:
    """Never on the wire, an ordinary value in the argument: S = x O = O."""
    O = backend.identity  # noqa: E741
    A = (O, backend.base(3))
    for S, true in ((tuple(x * a for a in A), True), ((backend.base(1), x * A[1]), False)):
        statement = sigma.TokenStatement(backend.base(x), (0, 1), A, S)
        proof = sigma.prove_tokens(Transcript.open(CONTEXT, "deal"), statement, x, KEY)
        if true:
            sigma.verify_tokens(Transcript.open(CONTEXT, "deal"), statement, proof)
        else:
            with pytest.raises(ProofFailed):
                sigma.verify_tokens(Transcript.open(CONTEXT, "deal"), statement, proof)


def test_no_lower_trump_with_the_identity_as_what_is_left(backend: Backend) -> None:
    """Q = O: the place holds the plaintext −x A, which is no card either."""
    O = backend.identity  # noqa: E741
    statement = claims.NoLowerStatement(backend.base(x), (1,), (backend.base(2),), (O,), (3,))
    proof = claims.prove_no_lower(Transcript.open(CONTEXT, "no-lower"), statement, x, KEY)
    claims.verify_no_lower(Transcript.open(CONTEXT, "no-lower"), statement, proof)


def test_a_proof_of_zeros_is_none(backend: Backend) -> None:
    """All bytes zero, of the right length, for every argument: refused before or by the equations."""
    for argument in ARGUMENTS:
        proven = argument()
        with pytest.raises(MentalPokerError):
            proven.verify(bytes(len(proven.proof)))
