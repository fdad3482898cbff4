"""The published vectors: regenerated without a difference, and judged alike by both backends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game.mental_poker import deck as verbs
from game.mental_poker import group as active
from game.mental_poker.backend import Backend
from game.mental_poker.deck import Context, MaskedDeck
from game.mental_poker.errors import BadEncoding, ProofFailed
from game.mental_poker.hash_to_group import card_point, generators
from game.mental_poker.transcript import Transcript
from tests.vectors import generate_degenerate, generate_mental_poker

VECTORS = Path(__file__).parents[2] / "vectors"
REFUSED = (BadEncoding, ProofFailed)


def load(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


def context(vector: Any) -> Context:
    return Context(bytes.fromhex(vector["game"]), vector["height"], vector["seat"])


def unhex(values: list[str]) -> list[bytes]:
    return [bytes.fromhex(value) for value in values]


def test_regeneration_changes_nothing(backend: Backend) -> None:
    for name, text in (generate_mental_poker.build() | generate_degenerate.build()).items():
        assert (VECTORS / name).read_text("utf-8") == text, name


def test_group(backend: Backend) -> None:
    vector = load("group")
    assert [bytes(point).hex() for point in generators(52)] == vector["generators"]
    assert [bytes(card_point(card)).hex() for card in range(52)] == vector["cards"]
    for case in vector["base"]:
        assert bytes(active.base(int(case["scalar"]))).hex() == case["product"]
    for case in vector["map"]:
        assert bytes(backend.from_uniform(bytes.fromhex(case["uniform"]))).hex() == case["point"]
    for case in vector["products"]:
        point = backend.decode(bytes.fromhex(case["point"]))
        assert bytes(int(case["scalar"]) * point).hex() == case["product"]
    for case in vector["sums"]:
        points = [backend.decode(data) for data in unhex(case["points"])]
        assert bytes(active.msm([int(k) for k in case["scalars"]], points)).hex() == case["sum"]


def test_transcript() -> None:
    vector = load("transcript")
    t = Transcript.open(context(vector), vector["purpose"])
    for step in vector["steps"]:
        if "absorb" in step:
            t.absorb(step["absorb"], bytes.fromhex(step["data"]))
        elif "secret" in step:
            secrets = t.secrets(bytes.fromhex(vector["proof_key"]))
            assert str(secrets.secret(step["secret"], int(step["index"]))) == step["integer"]
            assert str(secrets.nonce(step["secret"], int(step["index"]))) == step["nonce"]
        elif "weight" in step:
            assert str(t.weight()) == step["weight"]
        elif "challenge" in step:
            assert str(t.scalar(step["challenge"])) == step["scalar"]
        else:
            assert t.squeeze(step["squeeze"]).hex() == step["bytes"]


def test_schnorr(backend: Backend) -> None:
    vector = load("schnorr")
    game, X = bytes.fromhex(vector["game"]), bytes.fromhex(vector["X"])
    verbs.verify_key(game, vector["seat"], X, bytes.fromhex(vector["proof"]))
    assert verbs.joint_key(unhex(vector["keys"])).hex() == vector["joint"]
    assert verbs.beacon_lot(game, unhex(vector["nonces"]), 3) == vector["lot_of_3"]
    for bad in unhex(vector["refuse"]):
        with pytest.raises(REFUSED):
            verbs.verify_key(game, vector["seat"], X, bad)


def test_batch_dleq(backend: Backend) -> None:
    vector = load("batch_dleq")
    X = bytes.fromhex(vector["X"])
    deck = MaskedDeck.from_bytes(bytes.fromhex(vector["deck"]))
    assert list(verbs.open_deck(deck, [int(secret) for secret in vector["secrets"]])) == vector["faces"]
    for case in vector["cases"]:
        what = (context(case), case["purpose"], X, deck, case["places"])
        tokens, proof = bytes.fromhex(case["tokens"]), bytes.fromhex(case["proof"])
        verbs.verify_tokens(*what, tokens, proof)
        for bad in unhex(case["refuse"]):
            with pytest.raises(REFUSED):
                verbs.verify_tokens(*what, tokens, bad)
        for bad in unhex(case["refuse_tokens"]):
            with pytest.raises(REFUSED):
                verbs.verify_tokens(*what, bad, proof)


@pytest.mark.parametrize("N", generate_mental_poker.SIZES)
def test_shuffle(backend: Backend, N: int) -> None:
    vector = load(f"shuffle_{N}")
    joint = bytes.fromhex(vector["joint"])
    before = MaskedDeck.from_bytes(bytes.fromhex(vector["in"]))
    out, proof = bytes.fromhex(vector["out"]), bytes.fromhex(vector["proof"])
    assert verbs.verify_shuffle(context(vector), joint, before, out, proof).to_bytes() == out
    for bad in unhex(vector["refuse"]):
        with pytest.raises(REFUSED):
            verbs.verify_shuffle(context(vector), joint, before, out, bad)
    for bad in unhex(vector["refuse_out"]):
        with pytest.raises(REFUSED):
            verbs.verify_shuffle(context(vector), joint, before, bad, proof)


def test_no_lower(backend: Backend) -> None:
    vector = load("no_lower")
    deck = MaskedDeck.from_bytes(bytes.fromhex(vector["deck"]))
    others = [unhex(tokens) for tokens in vector["other_tokens"]]
    what = (context(vector), bytes.fromhex(vector["X"]), deck, vector["places"], others, vector["cards"])
    verbs.verify_no_lower(*what, bytes.fromhex(vector["proof"]))
    for bad in unhex(vector["refuse"]):
        with pytest.raises(REFUSED):
            verbs.verify_no_lower(*what, bad)


def test_degenerate(backend: Backend) -> None:
    """True proofs whose recomputed points are all the identity stand; with one bit changed none does."""
    vector = load("degenerate")
    where, X = context(vector), bytes.fromhex(vector["X"])
    deck = MaskedDeck.from_bytes(bytes.fromhex(vector["deck"]))
    given, out = bytes.fromhex(vector["tokens"]["tokens"]), bytes.fromhex(vector["shuffle"]["out"])
    cards = vector["no_lower"]["cards"]
    proven = {
        vector["key"]: lambda proof: verbs.verify_key(where.game, where.seat, X, proof),
        vector["tokens"]["proof"]: lambda proof: verbs.verify_tokens(
            where, "deal", X, deck, (0, 1, 2), given, proof
        ),
        vector["no_lower"]["proof"]: lambda proof: verbs.verify_no_lower(
            where, X, deck, (0, 1, 2), ((), (), ()), cards, proof
        ),
        vector["shuffle"]["proof"]: lambda proof: verbs.verify_shuffle(where, X, deck, out, proof),
    }
    for text, verify in proven.items():
        proof = bytes.fromhex(text)
        verify(proof)
        for at in range(0, len(proof), 32):
            with pytest.raises(REFUSED):
                verify(proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1 :])
