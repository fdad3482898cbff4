"""A proven shuffle is one, and nothing else is proven (DEALING §1, §4; attacks 10, 11, 13, 17, 20, 22)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from game.mental_poker import deck as verbs
from game.mental_poker.backend import Backend, L
from game.mental_poker.deck import Context, MaskedDeck
from game.mental_poker.elgamal import Ciphertext, encrypt_zero
from game.mental_poker.errors import BadEncoding, MentalPokerError, ProofFailed
from game.mental_poker.group import base
from game.mental_poker.keys import key_point
from game.mental_poker.shuffle_argument import (
    ShuffleStatement,
    ShuffleWitness,
    prove_shuffle,
    refuse_degenerate,
    remask,
)
from game.mental_poker.transcript import Transcript
from tests.game.mental_poker.scenes import seed_bytes, seed_int

KEY = seed_bytes("proof", 0)
CONTEXT = Context(seed_bytes("game", 0), 4, 2)
x = seed_int("x", 0) % L


def shuffled(N: int) -> tuple[bytes, MaskedDeck, MaskedDeck, bytes]:
    """(joint key, a masked input deck, output deck, proof)."""
    X = verbs.public_key(x)
    before, _ = verbs.shuffle(Context(CONTEXT.game, 3, 1), X, verbs.first_deck(tuple(range(N))), KEY)
    after, proof = verbs.shuffle(CONTEXT, X, before, KEY)
    return X, before, after, proof


@pytest.mark.parametrize("N", [2, 3, 4, 7])
def test_complete(backend: Backend, N: int) -> None:
    X, before, after, proof = shuffled(N)
    assert len(after.to_bytes()) == 64 * N
    assert len(proof) == 32 * (3 * N + 6)
    assert verbs.verify_shuffle(CONTEXT, X, before, after.to_bytes(), proof) == after
    assert sorted(verbs.open_deck(after, [x])) == list(range(N))
    assert verbs.shuffle(CONTEXT, X, before, KEY) == (after, proof)


@pytest.mark.slow
@pytest.mark.parametrize("N", [24, 36, 52])
def test_complete_real_packs(backend: Backend, N: int) -> None:
    test_complete(backend, N)


def test_permutation_and_masks_depend_on_context_key_and_deck(backend: Backend) -> None:
    X = verbs.public_key(x)
    deck = verbs.first_deck(tuple(range(6)))

    def drawn(context: Context, X: bytes, deck: MaskedDeck, key: bytes) -> ShuffleWitness:
        return remask(Transcript.open(context, "shuffle"), key_point(X), deck, key)[1]

    witnesses = [
        drawn(CONTEXT, X, deck, KEY),
        drawn(CONTEXT._replace(height=5), X, deck, KEY),
        drawn(CONTEXT._replace(seat=1), X, deck, KEY),
        drawn(CONTEXT._replace(game=bytes(32)), X, deck, KEY),
        drawn(CONTEXT, verbs.public_key(x + 1), deck, KEY),
        drawn(CONTEXT, X, verbs.first_deck((0, 1, 2, 3, 4, 6)), KEY),
        drawn(CONTEXT, X, deck, bytes(32)),
    ]
    masks = [mask for witness in witnesses for mask in witness.rho]
    assert len(set(masks)) == len(masks)
    assert repr(witnesses[0]).count(str(masks[0])) == 0


@pytest.mark.parametrize("field", range(3 * 4 + 6))
def test_attack_16_every_proof_field_counts(backend: Backend, field: int) -> None:
    X, before, after, proof = shuffled(4)
    broken = bytearray(proof)
    broken[32 * field] ^= 2
    with pytest.raises((ProofFailed, BadEncoding)):
        verbs.verify_shuffle(CONTEXT, X, before, after.to_bytes(), bytes(broken))


def test_attack_17_another_context_key_or_deck(backend: Backend) -> None:
    X, before, after, proof = shuffled(3)
    out = after.to_bytes()
    other_deck, _ = verbs.shuffle(Context(CONTEXT.game, 3, 0), X, verbs.first_deck((0, 1, 2)), KEY)
    for context, key, deck in (
        (CONTEXT._replace(game=bytes(32)), X, before),
        (CONTEXT._replace(height=5), X, before),
        (CONTEXT._replace(seat=0), X, before),
        (CONTEXT, verbs.public_key(x + 1), before),
        (CONTEXT, X, other_deck),
    ):
        with pytest.raises(ProofFailed, match="e"):
            verbs.verify_shuffle(context, key, deck, out, proof)


# -- attack 20: an honest prover run on dishonest outputs ----------------------------------------


def swap(out: list[Ciphertext], X: bytes) -> list[Ciphertext]:
    return [out[1], out[0], *out[2:]]


def duplicate(out: list[Ciphertext], X: bytes) -> list[Ciphertext]:
    return [out[1] + encrypt_zero(key_point(X), 77), *out[1:]]


def foreign(out: list[Ciphertext], X: bytes) -> list[Ciphertext]:
    return [Ciphertext(base(5), base(6)), *out[1:]]


def offset(out: list[Ciphertext], X: bytes) -> list[Ciphertext]:
    return [Ciphertext(out[0].A, out[0].B + base(1)), *out[1:]]


def sum_preserving(out: list[Ciphertext], X: bytes) -> list[Ciphertext]:
    """What a verifier that looks at the sum of all ciphertexts alone accepts."""
    return [Ciphertext(out[0].A, out[0].B + base(9)), Ciphertext(out[1].A, out[1].B - base(9)), *out[2:]]


def remasked_behind_the_back(out: list[Ciphertext], X: bytes) -> list[Ciphertext]:
    return [out[0] + encrypt_zero(key_point(X), 3), *out[1:]]


@pytest.mark.parametrize(
    "cheat", [swap, duplicate, foreign, offset, sum_preserving, remasked_behind_the_back]
)
@pytest.mark.parametrize("N", [2, 5])
def test_attack_20_dishonest_outputs(
    backend: Backend, N: int, cheat: Callable[[list[Ciphertext], bytes], list[Ciphertext]]
) -> None:
    X, before, _, _ = shuffled(N)
    statement, witness = remask(Transcript.open(CONTEXT, "shuffle"), key_point(X), before, KEY)
    bad = MaskedDeck(cheat(list(statement.C_out.ciphertexts), X))
    lie = ShuffleStatement(statement.X, before, bad)
    proof = prove_shuffle(Transcript.open(CONTEXT, "shuffle"), lie, witness, KEY)
    with pytest.raises(ProofFailed, match="e"):
        verbs.verify_shuffle(CONTEXT, X, before, bad.to_bytes(), proof.to_bytes())


def test_attack_20_consistent_duplicate_with_a_witness_that_is_no_permutation(backend: Backend) -> None:
    X, before, _, _ = shuffled(3)
    rho = (11, 12, 13)
    for pi in ((1, 1, 3), (2, 2, 2), (3, 2, 3)):
        out = MaskedDeck(
            [before.ciphertexts[p - 1] + encrypt_zero(key_point(X), r) for p, r in zip(pi, rho, strict=True)]
        )
        lie = ShuffleStatement(key_point(X), before, out)
        proof = prove_shuffle(Transcript.open(CONTEXT, "shuffle"), lie, ShuffleWitness(pi, rho), KEY)
        with pytest.raises(ProofFailed, match="e"):
            verbs.verify_shuffle(CONTEXT, X, before, out.to_bytes(), proof.to_bytes())


@pytest.mark.parametrize("wrong", [((2, 3, 1), None), (None, (5, 6, 7))])
def test_wrong_witness(
    backend: Backend, wrong: tuple[tuple[int, ...] | None, tuple[int, ...] | None]
) -> None:
    X, before, _, _ = shuffled(3)
    statement, witness = remask(Transcript.open(CONTEXT, "shuffle"), key_point(X), before, KEY)
    pi, rho = wrong
    assert pi != witness.pi
    liar = ShuffleWitness(pi or witness.pi, rho or witness.rho)
    proof = prove_shuffle(Transcript.open(CONTEXT, "shuffle"), statement, liar, KEY)
    with pytest.raises(ProofFailed, match="e"):
        verbs.verify_shuffle(CONTEXT, X, before, statement.C_out.to_bytes(), proof.to_bytes())


# -- refusals ------------------------------------------------------------


def proven(before: MaskedDeck, X: bytes, pi: tuple[int, ...], rho: tuple[int, ...]) -> tuple[bytes, bytes]:
    """(output deck, a proof that is right but for the refusals)."""
    out = MaskedDeck(
        [before.ciphertexts[p - 1] + encrypt_zero(key_point(X), r) for p, r in zip(pi, rho, strict=True)]
    )
    statement = ShuffleStatement(key_point(X), before, out)
    proof = prove_shuffle(Transcript.open(CONTEXT, "shuffle"), statement, ShuffleWitness(pi, rho), KEY)
    return out.to_bytes(), proof.to_bytes()


def test_attack_10_and_22_identity_component_in_the_output(backend: Backend) -> None:
    X = verbs.public_key(x)
    first = verbs.first_deck((0, 1, 2))
    for rho in ((5, 0, 7), (0, 0, 0)):  # A' = O
        out, proof = proven(first, X, (2, 3, 1), rho)
        with pytest.raises(BadEncoding):
            verbs.verify_shuffle(CONTEXT, X, first, out, proof)
    odd = MaskedDeck([Ciphertext(base(9), -x * base(4)), *verbs.first_deck((0, 1)).ciphertexts])
    out, proof = proven(odd, X, (2, 1, 3), (5, 4, 7))  # B' = −4X + 4X = O
    assert out[64 + 32 : 128] == bytes(32)
    with pytest.raises(BadEncoding):
        verbs.verify_shuffle(CONTEXT, X, odd, out, proof)


def test_attack_22_equal_first_components(backend: Backend) -> None:
    X = verbs.public_key(x)
    first = verbs.first_deck((0, 1, 2))
    out, proof = proven(first, X, (2, 3, 1), (5, 6, 5))
    with pytest.raises(ProofFailed, match="equal A'"):
        verbs.verify_shuffle(CONTEXT, X, first, out, proof)


def test_attack_22_output_ciphertext_of_the_input(backend: Backend) -> None:
    X, before, _, _ = shuffled(3)
    for pi in ((1, 3, 2), (2, 3, 1)):
        out, proof = proven(before, X, pi, (0, 6, 7))
        with pytest.raises(ProofFailed, match="of the input"):
            verbs.verify_shuffle(CONTEXT, X, before, out, proof)


def test_attack_13_sizes(backend: Backend) -> None:
    X, before, after, proof = shuffled(3)
    out = after.to_bytes()
    for bad_out, bad_proof in (
        (out[:-1], proof),
        (out + b"\0", proof),
        (out + out[:64], proof),
        (out[:128], proof),
        (b"", proof),
        (out, proof[:-1]),
        (out, proof + b"\0"),
        (out, proof[:-32]),
        (out, proof + bytes(32)),
        (out, b""),
    ):
        with pytest.raises(BadEncoding):
            verbs.verify_shuffle(CONTEXT, X, before, bad_out, bad_proof)


@pytest.mark.parametrize("N", [0, 1, 53, 200])
def test_attack_13_decks_of_other_sizes(backend: Backend, N: int) -> None:
    data = b"".join(bytes(base(k)) for k in range(1, 2 * N + 1))
    with pytest.raises(BadEncoding, match="deck"):
        MaskedDeck.from_bytes(data)
    with pytest.raises(BadEncoding):
        verbs.first_deck(tuple(range(N)))


def test_attack_13_the_argument_itself_refuses_what_the_verbs_refuse_before_it(backend: Backend) -> None:
    """Decks of two sizes, and an identity component that no wire deck can hold."""
    _, before, after, _ = shuffled(3)
    _, smaller, _, _ = shuffled(2)
    for C, C_out, error in ((before, smaller, "deck"), (smaller, after, "deck")):
        with pytest.raises(BadEncoding, match=error):
            refuse_degenerate(C, C_out)
    refuse_degenerate(before, after)
    O = backend.identity  # noqa: E741
    for odd in (Ciphertext(O, base(7)), Ciphertext(base(7), O)):
        with pytest.raises(BadEncoding, match="identity component"):
            refuse_degenerate(before, MaskedDeck([*after.ciphertexts[:2], odd]))


@pytest.mark.parametrize("point", [0, 1, 2])
def test_attack_10_proof_points_refuse_the_identity(backend: Backend, point: int) -> None:
    X, before, after, proof = shuffled(3)
    broken = proof[: 32 * point] + bytes(32) + proof[32 * point + 32 :]
    with pytest.raises(BadEncoding):
        verbs.verify_shuffle(CONTEXT, X, before, after.to_bytes(), broken)


def test_attack_11_zero_or_non_canonical_challenge_and_answers(backend: Backend) -> None:
    X, before, after, proof = shuffled(3)
    out = after.to_bytes()
    zero_e = proof[:96] + bytes(32) + proof[128:]
    with pytest.raises(ProofFailed, match="e is zero"):
        verbs.verify_shuffle(CONTEXT, X, before, out, zero_e)
    for field in range(3, 3 * 3 + 6):
        value = int.from_bytes(proof[32 * field : 32 * field + 32], "little") + L
        alias = proof[: 32 * field] + value.to_bytes(32, "little") + proof[32 * field + 32 :]
        with pytest.raises(BadEncoding, match="scalar"):
            verbs.verify_shuffle(CONTEXT, X, before, out, alias)


def test_attack_9_non_canonical_points(backend: Backend) -> None:
    X, before, after, proof = shuffled(3)
    out = after.to_bytes()
    bad = b"\x01" + bytes(31)
    for start in (0, 32, 160):
        with pytest.raises(BadEncoding):
            verbs.verify_shuffle(CONTEXT, X, before, out[:start] + bad + out[start + 32 :], proof)
    for start in (0, 32, 64):
        with pytest.raises(BadEncoding):
            verbs.verify_shuffle(CONTEXT, X, before, out, proof[:start] + bad + proof[start + 32 :])


def test_a_joint_key_that_is_no_point(backend: Backend) -> None:
    _, before, after, proof = shuffled(3)
    for bad in (bytes(32), b"\x01" + bytes(31), b"short"):
        with pytest.raises(BadEncoding, match="X"):
            verbs.verify_shuffle(CONTEXT, bad, before, after.to_bytes(), proof)


def test_garbage_gives_one_tree_of_errors(backend: Backend) -> None:
    X, before, _, _ = shuffled(2)
    for number in range(30):
        with pytest.raises(MentalPokerError):
            verbs.verify_shuffle(
                CONTEXT, X, before, seed_bytes("out", number, 128), seed_bytes("proof", number, 384)
            )
