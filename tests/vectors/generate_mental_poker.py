"""Writes the project's own vectors for the dealing: `python -m tests.vectors.generate_mental_poker`.

Everything comes from seeds in this file, so running it again changes nothing (`git diff --exit-code` stays
clean). A second implementation of DEALING can be checked with these files alone: they hold every input,
secrets included, every challenge, the bytes, and proofs that must be refused. Integers are decimal strings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from game.mental_poker import deck as verbs
from game.mental_poker.backend import L
from game.mental_poker.elgamal import MaskedDeck
from game.mental_poker.group import backend, base, identity, msm
from game.mental_poker.hash_to_group import CARD_DST, GENERATOR_DST, card_point, generators
from game.mental_poker.keys import key_point
from game.mental_poker.shuffle_argument import remask
from game.mental_poker.transcript import Context, Transcript, u8, u16

HERE = Path(__file__).parent
SIZES = (2, 6, 24, 36, 52)
NORM = "DEALING.md (docs/protocol.md), suite durak-ristretto255-bg1-1"


def seed_bytes(label: str, length: int = 32) -> bytes:
    return hashlib.shake_256(b"durak vectors 1 " + label.encode()).digest(length)


def seed_int(label: str) -> int:
    return int.from_bytes(seed_bytes(label, 64), "little") % L


GAME = seed_bytes("game")
KEY = seed_bytes("proof key")
x = seed_int("x")
X = verbs.public_key(x)
OTHERS = tuple(seed_int(f"other x {seat}") for seat in range(2))
JOINT = verbs.joint_key([X, *(verbs.public_key(other) for other in OTHERS)])


def group() -> Mapping[str, Any]:
    scalars = [0, 1, 2, L - 1, *(seed_int(f"scalar {n}") for n in range(4))]
    points = [backend().from_uniform(seed_bytes(f"point {n}", 64)) for n in range(4)]
    O, P, Q, k = identity(), points[0], points[1], scalars[4]  # noqa: E741
    terms = [(scalars[-count:] if count else [], points[:count]) for count in (0, 1, 2, 4)]
    terms += [([0], [P]), ([0, k], [P, Q]), ([k, 0], [P, Q]), ([0, 0], [P, Q])]
    terms += [([k], [O]), ([k, k], [O, P]), ([1, L - 1], [P, P]), ([k, L - k, 1], [P, P, Q])]
    sums = [
        {
            "scalars": [str(scalar) for scalar in ks],
            "points": [bytes(point).hex() for point in each],
            "sum": bytes(msm(ks, each)).hex(),
        }
        for ks, each in terms
    ]
    return {
        "norm": NORM,
        "generator_dst": GENERATOR_DST.decode(),
        "card_dst": CARD_DST.decode(),
        "generators": [bytes(point).hex() for point in generators(52)],
        "cards": [bytes(card_point(card)).hex() for card in range(52)],
        "base": [{"scalar": str(k), "product": bytes(base(k)).hex()} for k in scalars],
        "map": [
            {"uniform": seed_bytes(f"point {n}", 64).hex(), "point": bytes(point).hex()}
            for n, point in enumerate(points)
        ],
        "products": [
            {"scalar": str(k), "point": bytes(points[0]).hex(), "product": bytes(k * points[0]).hex()}
            for k in scalars
        ],
        "sums": sums,
    }


def transcript() -> Mapping[str, Any]:
    context = Context(GAME, 1000, 5)
    t = Transcript.open(context, "open")
    steps: list[dict[str, str]] = []
    for label, data in (
        ("X", bytes(base(1))),
        ("", b""),
        ("n", u16(3)),
        ("long", bytes(300)),
    ):
        t.absorb(label, data)
        steps.append({"absorb": label, "data": data.hex()})
    secrets = t.secrets(KEY)
    for label, index in (("k", 0), ("mask", 51), ("perm", 7)):
        steps.append(
            {
                "secret": label,
                "index": str(index),
                "integer": str(secrets.secret(label, index)),
                "nonce": str(secrets.nonce(label, index)),
            }
        )
    steps.append({"weight": str(t.weight())})
    steps.append({"weight": str(t.weight())})
    steps.append({"challenge": "c", "scalar": str(t.scalar("c"))})
    steps.append({"squeeze": "z", "bytes": t.squeeze("z").hex()})
    return {"norm": NORM, **_context(context), "purpose": "open", "proof_key": KEY.hex(), "steps": steps}


def schnorr() -> Mapping[str, Any]:
    proof = verbs.prove_key(GAME, 3, x, X, KEY)
    nonce = seed_bytes("beacon nonce")
    keys = [X, *(verbs.public_key(other) for other in OTHERS)]
    nonces = [seed_bytes(f"beacon nonce {seat}") for seat in range(3)]
    return {
        "norm": NORM,
        "game": GAME.hex(),
        "seat": 3,
        "x": str(x),
        "proof_key": KEY.hex(),
        "X": X.hex(),
        "proof": proof.hex(),
        "beacon_nonce": nonce.hex(),
        "join_commitment": verbs.join_commitment(GAME, 3, X, proof, nonce).hex(),
        "keys": [key.hex() for key in keys],
        "joint": verbs.joint_key(keys).hex(),
        "nonces": [each.hex() for each in nonces],
        "lot_of_3": verbs.beacon_lot(GAME, nonces, 3),
        "refuse": _damaged(proof),
    }


def batch_dleq() -> Mapping[str, Any]:
    deck = _final(8)
    cases = []
    for purpose, places in (("deal", (0, 1, 2, 3, 4, 5, 6, 7)), ("deal", (2, 5)), ("open", (6,))):
        context = Context(GAME, 40 + len(places), 0)
        tokens, proof = verbs.make_tokens(context, purpose, x, X, deck, places, KEY)
        cases.append(
            {
                **_context(context),
                "purpose": purpose,
                "places": list(places),
                "tokens": tokens.hex(),
                "weights": [str(weight) for weight in _weights(context, purpose, deck, places, tokens)],
                "proof": proof.hex(),
                "refuse": _damaged(proof),
                "refuse_tokens": [(tokens[32:] + tokens[:32]).hex()] if len(places) > 1 else [],
            }
        )
    return {
        "norm": NORM,
        "x": str(x),
        "proof_key": KEY.hex(),
        "X": X.hex(),
        "deck": deck.to_bytes().hex(),
        "cases": cases,
        "secrets": [str(secret) for secret in (x, *OTHERS)],
        "faces": list(verbs.open_deck(deck, [x, *OTHERS])),
    }


def shuffle(N: int) -> Mapping[str, Any]:
    context = Context(GAME, 3, 1)
    cards = tuple(range(52 - N, 52))
    before, _ = verbs.shuffle(Context(GAME, 2, 0), JOINT, verbs.first_deck(cards), KEY)
    after, proof = verbs.shuffle(context, JOINT, before, KEY)
    _, witness = remask(Transcript.open(context, "shuffle"), key_point(JOINT), before, KEY)
    return {
        "norm": NORM,
        **_context(context),
        "joint": JOINT.hex(),
        "proof_key": KEY.hex(),
        "in": before.to_bytes().hex(),
        "out": after.to_bytes().hex(),
        "pi": list(witness.pi),
        "rho": [str(mask) for mask in witness.rho],
        "challenges": _challenges(context, before, after, proof),
        "proof": proof.hex(),
        "refuse": _damaged(proof),
        "refuse_out": [(after.to_bytes()[64:] + after.to_bytes()[:64]).hex(), before.to_bytes().hex()],
    }


def no_lower() -> Mapping[str, Any]:
    deck = _final(8)
    faces = verbs.open_deck(deck, [x, *OTHERS])
    places = (1, 4, 6)
    others = [[bytes(other * deck.ciphertexts[place].A) for other in OTHERS] for place in places]
    cards = tuple(sorted(set(faces) - {faces[place] for place in places}))[:3]
    context = Context(GAME, 12, 0)
    proof = verbs.prove_no_lower(context, x, X, deck, places, others, cards, KEY)
    return {
        "norm": NORM,
        **_context(context),
        "x": str(x),
        "proof_key": KEY.hex(),
        "X": X.hex(),
        "deck": deck.to_bytes().hex(),
        "places": list(places),
        "other_tokens": [[token.hex() for token in tokens] for tokens in others],
        "cards": list(cards),
        "held": [faces[place] for place in places],
        "proof": proof.hex(),
        "refuse": _damaged(proof),
    }


def _final(N: int) -> MaskedDeck:
    """N cards, shuffled by three seats."""
    deck = verbs.first_deck(tuple(range(N)))
    for seat in range(3):
        deck, _ = verbs.shuffle(Context(GAME, 2 + seat, seat), JOINT, deck, seed_bytes(f"proof key {seat}"))
    return deck


def _context(context: Context) -> Mapping[str, Any]:
    return {"game": context.game.hex(), "height": context.height, "seat": context.seat}


def _weights(
    context: Context, purpose: str, deck: MaskedDeck, places: tuple[int, ...], tokens: bytes
) -> list[int]:
    """DEALING §5 written out."""
    t = Transcript.open(context, purpose)
    t.absorb("X", X)
    t.absorb("n", u16(len(places)))
    for place in places:
        t.absorb("place", u8(place) + deck.encoded(place)[:32])
    for start in range(0, len(tokens), 32):
        t.absorb("S", tokens[start : start + 32])
    return [t.weight() for _ in places]


def _challenges(context: Context, before: MaskedDeck, after: MaskedDeck, proof: bytes) -> Mapping[str, str]:
    """DEALING §4, verifier step 1, written out."""
    t = Transcript.open(context, "shuffle")
    for label, data in (
        ("X", JOINT), ("N", u16(len(before))), ("in", before.to_bytes()), ("out", after.to_bytes()),
        ("A", proof[:32]),
    ):  # fmt: skip
        t.absorb(label, data)
    challenges = {"x": t.scalar("x")}
    t.absorb("B", proof[32:64])
    challenges["y"] = t.scalar("y")
    challenges["z"] = t.scalar("z")
    challenges["e"] = int.from_bytes(proof[96:128], "little")
    return {name: str(value) for name, value in challenges.items()}


def _damaged(proof: bytes) -> list[str]:
    """Proofs every verifier must refuse: cut, extended, bent at both ends, a scalar not reduced."""
    bent_first = bytes([proof[0] ^ 2]) + proof[1:]
    bent_last = proof[:-32] + (int.from_bytes(proof[-32:], "little") ^ 1).to_bytes(32, "little")
    alias = proof[:-32] + (int.from_bytes(proof[-32:], "little") + L).to_bytes(32, "little")
    return [bad.hex() for bad in (b"", proof[:-1], proof + b"\0", bent_first, bent_last, alias)]


def build() -> dict[str, str]:
    """File name to text, all files."""
    contents: dict[str, Mapping[str, Any]] = {
        "group": group(),
        "transcript": transcript(),
        "schnorr": schnorr(),
        "batch_dleq": batch_dleq(),
        "no_lower": no_lower(),
    }
    for N in SIZES:
        contents[f"shuffle_{N}"] = shuffle(N)
    return {f"{name}.json": json.dumps(content, indent=1) + "\n" for name, content in contents.items()}


if __name__ == "__main__":
    for file_name, text in build().items():
        (HERE / file_name).write_text(text, "utf-8")
