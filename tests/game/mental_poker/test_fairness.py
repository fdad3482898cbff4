"""Real shuffles favour no place and no card: chi-squared over many three-party deals, seeds fixed.

Each sample is a whole deal of six cards by three seats, masks and all; only the proofs, which don't touch the
order, are left out. The bound is the 99.9 % point of chi-squared: with fixed seeds the result is a fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from game.mental_poker import deck as verbs
from game.mental_poker import group, sodium
from game.mental_poker.deck import Context
from game.mental_poker.keys import key_point
from game.mental_poker.shuffle_argument import remask
from game.mental_poker.transcript import Transcript
from tests.game.mental_poker.scenes import seed_bytes

CARDS = 6
SEATS = 3
BOUND_25, BOUND_29, BOUND_719 = 52.62, 58.30, 841.9
"""99.9 % points for 25 = 5·5, 29 = 6·5 − 1 and 719 = 6! − 1 degrees of freedom."""


def deal(number: int) -> tuple[int, ...]:
    """The faces at the six places of game `number`."""
    game = seed_bytes("fair game", number)
    secrets = [verbs.secret_from(seed_bytes(f"fair {number}", seat, 64)) for seat in range(SEATS)]
    X = key_point(verbs.joint_key([verbs.public_key(secret) for secret in secrets]))
    deck = verbs.first_deck(tuple(range(CARDS)))
    for seat in range(SEATS):
        transcript = Transcript.open(Context(game, 2 + seat, seat), "shuffle")
        statement, _ = remask(transcript, X, deck, seed_bytes(f"fair proof {number}", seat))
        deck = statement.C_out
    return verbs.open_deck(deck, secrets)


def chi_squared(counts: Sequence[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def judge(deals: Sequence[tuple[int, ...]]) -> None:
    """Card by place, and the first two cards together.

    A deal puts every card somewhere, so the 36 counts of card by place hang together: a sum of permutation
    matrices has 6/5 of the chi-squared that 36 free counts with the same margins would have.
    """
    at = Counter((place, card) for faces in deals for place, card in enumerate(faces))
    table = [at[place, card] for place in range(CARDS) for card in range(CARDS)]
    assert sum(table) == CARDS * len(deals)
    assert chi_squared(table, len(deals) / CARDS) * (CARDS - 1) / CARDS < BOUND_25

    first_two = Counter(faces[:2] for faces in deals)
    pairs = [first_two[one, two] for one in range(CARDS) for two in range(CARDS) if one != two]
    assert chi_squared(pairs, len(deals) / (CARDS * (CARDS - 1))) < BOUND_29


@pytest.fixture
def how_many() -> Iterator[int]:
    """Deals the normal suite has time for; the order comes from the transcript and not from the backend."""
    fast = sodium.find()
    if fast is None:
        yield 300
        return
    before = group.use_backend(fast)
    yield 2000
    group.use_backend(before)


def test_no_bias_between_places_and_cards(how_many: int) -> None:
    judge([deal(number) for number in range(how_many)])


@pytest.mark.slow
def test_no_bias_between_all_orders(how_many: int) -> None:
    deals = [deal(number) for number in range(max(how_many, 2000) * 3)]
    judge(deals)
    orders = Counter(deals)
    assert chi_squared([*orders.values(), *[0] * (720 - len(orders))], len(deals) / 720) < BOUND_719


def test_a_biased_shuffle_would_be_seen() -> None:
    """The same judge over the naive exchange shuffle, whose bias is famous."""

    def naive(number: int) -> tuple[int, ...]:
        faces = list(range(CARDS))
        for i in range(CARDS):
            j = seed_bytes("naive", number * CARDS + i, 8)[0] % CARDS
            faces[i], faces[j] = faces[j], faces[i]
        return tuple(faces)

    with pytest.raises(AssertionError):
        judge([naive(number) for number in range(2400)])
