"""The values of DEALING §7, all of them: they say whether we follow the norm byte by byte."""

from __future__ import annotations

from hashlib import sha256

from game.mental_poker import deck as verbs
from game.mental_poker.backend import Backend
from game.mental_poker.deck import Context
from game.mental_poker.keys import key_point
from game.mental_poker.shuffle_argument import remask
from game.mental_poker.transcript import Transcript

GAME = bytes(range(32))
x = 12345678901234567890
KEY = bytes(32)
SHUFFLE = Context(GAME, 2, 0)


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def order(N: int, X: bytes) -> tuple[int, ...]:
    transcript = Transcript.open(SHUFFLE, "shuffle")
    return remask(transcript, key_point(X), verbs.first_deck(tuple(range(N))), KEY)[1].pi


def test_section_7(backend: Backend) -> None:
    X = verbs.public_key(x)
    out, proof = verbs.shuffle(SHUFFLE, X, verbs.first_deck((0, 1)), KEY)
    assert order(2, X) == (1, 2)
    assert len(proof) == 384
    assert digest(proof) == "665421eb85a9b83641f3de1a3a5a01436022b6d7b02bdcc63796b1701e444776"

    out, proof = verbs.shuffle(SHUFFLE, X, verbs.first_deck((0, 1, 2)), KEY)
    assert order(3, X) == (3, 2, 1)
    assert digest(out.to_bytes()) == "11539c8d60d072a5373ce1da4fe31a659a4735389c9cea9ea74ca80d21ce8c3c"
    assert digest(proof) == "3c9ac61126cb204aeb163250c8a96bb053f6b8ad6c9cdc69a6376c40e6ba83f2"

    first = verbs.first_deck(tuple(range(36)))
    out, proof = verbs.shuffle(SHUFFLE, X, first, KEY)
    assert digest(out.to_bytes()) == "140ed86c2b5ff07b23375a1258dcfbdca643bc5a31ed5c810b4482f078954020"
    assert digest(proof) == "37e2275eef0f228bc4a32c2c431cb72ea22f82e5cecaa3f39650dceed4c15b30"
    assert verbs.verify_shuffle(SHUFFLE, X, first, out.to_bytes(), proof) == out

    deal = Context(GAME, 9, 1)
    tokens, proof = verbs.make_tokens(deal, "deal", x, X, out, (0, 1, 2), KEY)
    assert digest(tokens + proof) == "3de4141a18069eca64a59007605cc8620d64c796bc1f0ea8e6ac79c0052a1e69"
    verbs.verify_tokens(deal, "deal", X, out, (0, 1, 2), tokens, proof)

    claim = Context(GAME, 12, 1)
    proof = verbs.prove_no_lower(claim, x, X, out, (0,), ((),), (0, 1, 2), KEY)
    assert digest(proof) == "f0e10b29d8d00cb40a6f34d64aff28978fdbe9566a2fdb329bbcdc29a06ad852"
    verbs.verify_no_lower(claim, X, out, (0,), ((),), (0, 1, 2), proof)

    proof = verbs.prove_key(GAME, 1, x, X, KEY)
    assert digest(proof) == "e9a0655b3fd570f20a729fcc014771185d35b0455ab16b85f4f5b963a2d6e968"
    verbs.verify_key(GAME, 1, X, proof)
