"""The verbs the course uses: bytes and numbers in, bytes and numbers out (DEALING §3 to §6).

Every proof verb takes the `Context` it is for; every `verify_` returns nothing (or what it decoded) and
raises `BadEncoding` or `ProofFailed`; sizes are looked at before anything is decoded. Makers must verify
their own proofs before they store them, which the log's own check of every entry does. Places are 0-based
indices into the deck; `X` are 32-byte keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from game.mental_poker import claims, shuffle_argument, sigma
from game.mental_poker.backend import ENCODED, L, Point
from game.mental_poker.elgamal import MaskedDeck, first_deck
from game.mental_poker.errors import BadEncoding, NotACard
from game.mental_poker.group import base, pieces, read_point
from game.mental_poker.hash_to_group import MOST, card_of, card_point, generators
from game.mental_poker.keys import (
    DeckSecret,
    beacon_lot,
    check_secret,
    join_commitment,
    joint_key,
    key_point,
    prove_key,
    public_key,
    secret_from,
    verify_key,
)
from game.mental_poker.transcript import Context, Transcript

__all__ = [
    "Context",
    "DeckSecret",
    "MaskedDeck",
    "beacon_lot",
    "check_secret",
    "face",
    "first_deck",
    "join_commitment",
    "joint_key",
    "make_tokens",
    "masked_deck",
    "open_deck",
    "own_face",
    "prove_key",
    "prove_no_lower",
    "public_key",
    "secret_from",
    "shuffle",
    "verify_key",
    "verify_no_lower",
    "verify_shuffle",
    "verify_tokens",
    "warm_up",
]

PURPOSES = ("deal", "open")
"""`deal`: TOKENS entries. `open`: plays, SHOW and OPEN."""


def warm_up() -> None:
    """Make what every game needs and none changes: tables of G and the generators, all card points.

    A hint for programs, to be taken while people still sit down: without it the first proof pays for it.
    """
    base(1)
    generators(MOST)
    card_of(card_point(0))


def masked_deck(data: bytes) -> MaskedDeck:
    """A deck of 64·N bytes that was verified before."""
    return MaskedDeck.from_bytes(data)


def shuffle(context: Context, joint: bytes, deck: MaskedDeck, proof_key: bytes) -> tuple[MaskedDeck, bytes]:
    """Permute and remask `deck` under the joint key. The new deck, and a proof of 32·(3N + 6) bytes."""
    X = key_point(joint)
    statement, witness = shuffle_argument.remask(Transcript.open(context, "shuffle"), X, deck, proof_key)
    transcript = Transcript.open(context, "shuffle")
    proof = shuffle_argument.prove_shuffle(transcript, statement, witness, proof_key)
    return statement.C_out, proof.to_bytes()


def verify_shuffle(context: Context, joint: bytes, deck: MaskedDeck, out: bytes, proof: bytes) -> MaskedDeck:
    """The deck `out` encodes, proven to be a shuffle of `deck`."""
    if len(out) != 64 * len(deck):
        raise BadEncoding("deck")
    parsed = shuffle_argument.ShuffleProof.from_bytes(proof, len(deck))
    statement = shuffle_argument.ShuffleStatement(key_point(joint), deck, MaskedDeck.from_bytes(out))
    shuffle_argument.verify_shuffle(Transcript.open(context, "shuffle"), statement, parsed)
    return statement.C_out


def make_tokens(
    context: Context,
    purpose: str,
    x: int,
    X: bytes,
    deck: MaskedDeck,
    places: Sequence[int],
    proof_key: bytes,
) -> tuple[bytes, bytes]:
    """This seat's tokens S = xA for `places` (ascending): 32 bytes each, and one proof of 64 for all."""
    A = _masks(deck, places)
    S = tuple(x * a for a in A)
    statement = sigma.TokenStatement(key_point(X), tuple(places), A, S)
    proof = sigma.prove_tokens(_open_tokens(context, purpose), statement, x, proof_key)
    return b"".join(map(bytes, S)), proof.to_bytes()


def verify_tokens(
    context: Context,
    purpose: str,
    X: bytes,
    deck: MaskedDeck,
    places: Sequence[int],
    tokens: bytes,
    proof: bytes,
) -> None:
    """`tokens` are the tokens of X's owner for `places`."""
    A = _masks(deck, places)
    if len(tokens) != ENCODED * len(A):
        raise BadEncoding("tokens")
    parsed = sigma.SigmaProof.from_bytes(proof)
    S = tuple(read_point(piece, "token") for piece in pieces(tokens, "tokens"))
    statement = sigma.TokenStatement(key_point(X), tuple(places), A, S)
    sigma.verify_tokens(_open_tokens(context, purpose), statement, parsed)


def face(deck: MaskedDeck, place: int, tokens: Sequence[bytes]) -> int:
    """The card at `place` from the tokens of all seats, in any order. Raises `NotACard`, `BadEncoding`."""
    return _card(place, _without(deck, place, tokens))


def own_face(deck: MaskedDeck, place: int, other_tokens: Sequence[bytes], x: int) -> int:
    """The card at `place` from the other seats' tokens and the own secret: what only the holder can do."""
    return _card(place, _without(deck, place, other_tokens) - x * deck.ciphertexts[place].A)


def prove_no_lower(
    context: Context,
    x: int,
    X: bytes,
    deck: MaskedDeck,
    places: Sequence[int],
    other_tokens: Sequence[Sequence[bytes]],
    cards: Sequence[int],
    proof_key: bytes,
) -> bytes:
    """No place holds any of `cards`. `other_tokens[i]`: all other seats' tokens for `places[i]`.

    Returns 32 + 96·places·cards bytes. Raises `CardIsHeld` if the claim is false.
    """
    statement = _no_lower(X, deck, places, other_tokens, cards)
    transcript = Transcript.open(context, "no-lower")
    return claims.prove_no_lower(transcript, statement, x, proof_key).to_bytes()


def verify_no_lower(
    context: Context,
    X: bytes,
    deck: MaskedDeck,
    places: Sequence[int],
    other_tokens: Sequence[Sequence[bytes]],
    cards: Sequence[int],
    proof: bytes,
) -> None:
    """The owner of X holds none of `cards` at `places`."""
    _no_lower_shape(deck, places, other_tokens, cards)
    parsed = claims.NoLowerProof.from_bytes(proof, len(places) * len(cards))
    statement = _no_lower(X, deck, places, other_tokens, cards)
    claims.verify_no_lower(Transcript.open(context, "no-lower"), statement, parsed)


def open_deck(deck: MaskedDeck, secrets: Sequence[int]) -> tuple[int, ...]:
    """All faces, from all seats' published secrets. Raises `NotACard`."""
    x = sum(secrets) % L
    return tuple(_card(place, masked.B - x * masked.A) for place, masked in enumerate(deck.ciphertexts))


def _open_tokens(context: Context, purpose: str) -> Transcript:
    if purpose not in PURPOSES:
        raise ValueError(purpose)
    return Transcript.open(context, purpose)


def _masks(deck: MaskedDeck, places: Sequence[int]) -> tuple[Point, ...]:
    """The first components at `places`. Raises `BadEncoding` unless ascending, in the deck and not none."""
    _ascending(places, len(deck), "places")
    return tuple(deck.ciphertexts[place].A for place in places)


def _no_lower(
    X: bytes,
    deck: MaskedDeck,
    places: Sequence[int],
    other_tokens: Sequence[Sequence[bytes]],
    cards: Sequence[int],
) -> claims.NoLowerStatement:
    _no_lower_shape(deck, places, other_tokens, cards)
    A = _masks(deck, places)
    Q = tuple(_without(deck, place, tokens) for place, tokens in zip(places, other_tokens, strict=True))
    return claims.NoLowerStatement(key_point(X), tuple(places), A, Q, tuple(cards))


def _no_lower_shape(
    deck: MaskedDeck, places: Sequence[int], other_tokens: Sequence[Sequence[bytes]], cards: Sequence[int]
) -> None:
    _ascending(places, len(deck), "places")
    _ascending(cards, MOST, "cards")
    if len(other_tokens) != len(places):
        raise BadEncoding("tokens")


def _ascending(values: Sequence[int], bound: int, what: str) -> None:
    if not values or values[0] < 0 or values[-1] >= bound:
        raise BadEncoding(what)
    if any(low >= high for low, high in pairwise(values)):
        raise BadEncoding(what)


def _without(deck: MaskedDeck, place: int, tokens: Sequence[bytes]) -> Point:
    """B minus `tokens`."""
    rest = deck.ciphertexts[place].B
    for token in tokens:
        rest = rest - read_point(token, "token")
    return rest


def _card(place: int, point: Point) -> int:
    card = card_of(point)
    if card is None:
        raise NotACard(place)
    return card
