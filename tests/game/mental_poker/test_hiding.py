"""One honest shuffle hides the order, even from somebody who knows everything else (DEALING §4).

The distinguisher is told the secrets, permutations and masks of all parties but one, and the cards of the
deck that party was given. It guesses where card 0 went, by every relation that has ever given a deck away:
cards passed on unmasked, one mask for all, masks it can compute, card points with a known relation. It
finds the card every time where such a fault is put in on purpose, and no more often than by chance in what
the product makes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from game.mental_poker import deck as verbs
from game.mental_poker import group, sodium
from game.mental_poker.backend import Point
from game.mental_poker.deck import Context
from game.mental_poker.elgamal import Ciphertext, MaskedDeck
from game.mental_poker.group import base
from game.mental_poker.hash_to_group import card_point
from game.mental_poker.keys import key_point
from game.mental_poker.shuffle_argument import remask
from game.mental_poker.transcript import Transcript
from tests.game.mental_poker.scenes import seed_bytes, seed_int

pytestmark = pytest.mark.usefixtures("fastest")

CARDS = 6
SEATS = 3
HONEST = 1
GAMES = 240


@pytest.fixture(scope="module")
def fastest() -> Iterator[None]:
    """libsodium where there is one."""
    found = sodium.find()
    before = group.use_backend(found) if found is not None else group.backend()
    yield
    group.use_backend(before)


@dataclass(frozen=True)
class Known:
    """What the distinguisher has: the faces of `before` in order, both decks, joint key, other secrets."""

    faces: tuple[int, ...]
    before: MaskedDeck
    after: MaskedDeck
    joint: Point
    other_secrets: tuple[int, ...]
    masks_it_can_compute: tuple[int, ...]
    point_of: Callable[[int], Point]


@dataclass(frozen=True)
class Deal:
    known: Known
    place_of_card_0: int


def cheat(number: int, seat: int, X: Point, deck: MaskedDeck) -> MaskedDeck:
    """A shuffle by a party whose dice the distinguisher knows."""
    context = Context(seed_bytes("hiding game", number), 2 + seat, seat)
    statement, _ = remask(Transcript.open(context, "shuffle"), X, deck, seed_bytes(f"known {number}", seat))
    return statement.C_out


Shuffle = Callable[[int, Point, MaskedDeck], tuple[MaskedDeck, tuple[int, ...]]]
"""The honest party's shuffle: the deck, and masks an observer could compute."""


def of_the_product(number: int, X: Point, deck: MaskedDeck) -> tuple[MaskedDeck, tuple[int, ...]]:
    context = Context(seed_bytes("hiding game", number), 2 + HONEST, HONEST)
    secret = seed_bytes("secret of the honest party", number)
    statement, _ = remask(Transcript.open(context, "shuffle"), X, deck, secret)
    return statement.C_out, ()


def with_masks(masks_of: Callable[[int], list[int]], *, computable: bool = False) -> Shuffle:
    """A faulty shuffle: a good permutation, bad masks."""

    def shuffle(number: int, X: Point, deck: MaskedDeck) -> tuple[MaskedDeck, tuple[int, ...]]:
        order = list(range(CARDS))
        random.Random(f"order {number}").shuffle(order)
        masks = masks_of(number)
        G = base(1)
        cards = [
            Ciphertext(deck.ciphertexts[old].A + r * G, deck.ciphertexts[old].B + r * X)
            for old, r in zip(order, masks, strict=True)
        ]
        return MaskedDeck(cards), tuple(masks) if computable else ()

    return shuffle


FAULTY: dict[str, Shuffle] = {
    "unmasked": with_masks(lambda number: [0] * CARDS),
    "one mask for all": with_masks(lambda number: [seed_int("one mask", number)] * CARDS),
    "masks from public data": with_masks(
        lambda number: [seed_int(f"public {place}", number) for place in range(CARDS)], computable=True
    ),
}


def deal(number: int, shuffle: Shuffle) -> Deal:
    secrets = [verbs.secret_from(seed_bytes(f"hiding {number}", seat, 64)) for seat in range(SEATS)]
    X = key_point(verbs.joint_key([verbs.public_key(secret) for secret in secrets]))
    before = cheat(number, 0, X, verbs.first_deck(tuple(range(CARDS))))
    faces = verbs.open_deck(before, secrets)
    after, computable = shuffle(number, X, before)
    others = tuple(secret for seat, secret in enumerate(secrets) if seat != HONEST)
    known = Known(faces, before, after, X, others, computable, card_point)
    return Deal(known, verbs.open_deck(after, secrets).index(0))


def guess(known: Known, dice: random.Random) -> int:
    """Where card 0 is now, by the first relation that gives it away; else any place."""
    source = known.before.ciphertexts[known.faces.index(0)]
    outputs = known.after.ciphertexts
    G = base(1)
    steps = [[(out.A - old.A, out.B - old.B) for old in known.before.ciphertexts] for out in outputs]
    shared = [bytes(a) for row in steps for a, _ in row]
    for place, out in enumerate(outputs):
        if out == source:
            return place
        step = (out.A - source.A, out.B - source.B)
        if shared.count(bytes(step[0])) >= CARDS - 1:
            return place
        if any(step == (r * G, r * known.joint) for r in known.masks_it_can_compute):
            return place
        # Without the honest key: what is left of the mask, and whether it is a known multiple of what it was.
        rest = out.B
        for secret in known.other_secrets:
            rest = rest - secret * out.A
        if rest == known.point_of(0):
            return place
        for factor in range(1, 8):
            if factor * source.A == out.A or rest == factor * known.point_of(0):
                return place
    return dice.randrange(CARDS)


def hits(shuffle: Shuffle, games: int) -> int:
    dice = random.Random(2026)
    deals = (deal(number, shuffle) for number in range(games))
    return sum(guess(each.known, dice) == each.place_of_card_0 for each in deals)


@pytest.mark.parametrize("fault", FAULTY)
def test_the_distinguisher_finds_the_card_where_there_is_a_fault(fault: str) -> None:
    assert hits(FAULTY[fault], 20) == 20


def test_the_distinguisher_fails_against_one_honest_shuffle() -> None:
    expected = GAMES / CARDS
    deviation = (GAMES * (1 / CARDS) * (1 - 1 / CARDS)) ** 0.5
    found = hits(of_the_product, GAMES)
    assert abs(found - expected) < 3.3 * deviation, f"{found} of {GAMES}; chance gives {expected}"
