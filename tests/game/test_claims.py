"""R4: who has the lowest trump, with hands that stay hidden."""

from __future__ import annotations

import pytest

from game import claims
from game.cards import Card, Place, deck_cards, parse_card
from game.errors import IllegalMove
from game.options import Options
from game.position import Position, face
from game.rules import hand_places, publish, start
from tests.game.table import cards

SIX, SEVEN, EIGHT, NINE, ACE = 4, 5, 6, 7, 12


def refused(position: Position, claimed: claims.Claimed, seat: int, rank: int | None) -> str:
    with pytest.raises(IllegalMove) as fault:
        claims.check_claim(position, claimed, seat, rank)
    assert fault.value.rule == "R4"
    assert fault.value.reason in claims.REASONS
    return fault.value.reason


@pytest.fixture
def three() -> Position:
    """Three seats, the seven of hearts under the talon."""
    return start(Options(seats=3), parse_card("7H"))


def test_r4_all_seats_are_asked_in_turn(three: Position) -> None:
    assert claims.claim_due(three, ()) == 0
    assert claims.claim_due(three, (None, NINE)) == 2
    assert claims.claim_due(three, (None, NINE, None)) is None
    assert refused(three, (), 1, None) == "illegal.not-your-word"
    assert refused(three, (None, None, None), 0, None) == "illegal.not-your-word"


def test_r4_a_claim_is_lower_than_the_best_so_far(three: Position) -> None:
    claims.check_claim(three, (NINE, None), 2, EIGHT)
    claims.check_claim(three, (NINE, None), 2, None)
    assert refused(three, (NINE, None), 2, NINE) == "illegal.claim-not-lower"
    assert refused(three, (NINE, None), 2, ACE) == "illegal.claim-not-lower"


def test_r4_nobody_claims_a_card_that_is_publicly_elsewhere(three: Position) -> None:
    assert refused(three, (), 0, SEVEN) == "illegal.claim-elsewhere"


@pytest.mark.parametrize("rank", [-1, 3, 13])
def test_r4_a_claim_is_a_rank_of_the_deck(three: Position, rank: int) -> None:
    assert refused(three, (), 0, rank) == "illegal.claim-rank"


def test_r4_the_holder_of_the_public_trump_must_claim_it_or_a_lower_one() -> None:
    position = start(Options(deck=24, seats=4), parse_card("JH"))
    jack, ten, queen = 9, 8, 10
    assert refused(position, (None, None, None), 3, None) == "illegal.claim-public-trump"
    assert refused(position, (None, queen, None), 3, None) == "illegal.claim-public-trump"
    assert refused(position, (None, None, None), 3, queen) == "illegal.claim-public-trump"
    claims.check_claim(position, (None, None, None), 3, jack)
    claims.check_claim(position, (None, None, None), 3, ten)
    claims.check_claim(position, (None, ten, None), 3, None)
    assert refused(position, (None, ten, None), 3, jack) == "illegal.claim-not-lower"
    assert refused(position, (), 0, jack) == "illegal.claim-elsewhere"
    assert claims.opener(position, (None, None, None, jack)) is None, "that card is public"
    assert claims.opener(position, (None, None, None, ten)) == 3
    assert claims.opener(position, (None, queen, None, jack)) is None
    assert claims.best_claimant((None, queen, None, jack)) == 3


def test_r4_honest_software_claims_its_lowest_trump_when_lower(three: Position) -> None:
    places = hand_places(three, 1)
    hand = dict(zip(places, cards("9H 6S AH 8C KD TH"), strict=True))
    assert claims.claim_for(three, (None,), 1, hand) == NINE
    assert claims.claim_for(three, (ACE,), 1, hand) == NINE
    assert claims.claim_for(three, (NINE,), 1, hand) is None
    assert claims.claim_for(three, (EIGHT,), 1, hand) is None
    without = dict(zip(places, cards("9S 6S AS 8C KD TS"), strict=True))
    assert claims.claim_for(three, (None,), 1, without) is None
    assert claims.to_open(three, (None, NINE, None), hand) == (places[0], parse_card("9H"))
    with pytest.raises(KeyError):
        claims.to_open(three, (None, EIGHT, None), hand)


def test_r4_the_best_claimant_opens_exactly_that_trump(three: Position) -> None:
    claimed = (None, NINE, EIGHT)
    assert claims.opener(three, claimed) == 2
    assert claims.claimed_card(three, claimed) == parse_card("8H")
    claims.check_open(three, claimed, 2, 12, parse_card("8H"))

    claims.check_open(three, (EIGHT, None, None), 0, 0, parse_card("8H"))

    def wrong(seat: int, place: int, card: str) -> str:
        with pytest.raises(IllegalMove) as fault:
            claims.check_open(three, claimed, seat, place, parse_card(card))
        assert fault.value.rule == "R4"
        return fault.value.reason

    assert wrong(1, 6, "9H") == "illegal.not-your-word"
    assert wrong(2, 12, "6H") == "illegal.open-other-card"
    assert wrong(2, 12, "8S") == "illegal.open-other-card"
    assert wrong(2, 0, "8H") == "illegal.not-your-card"
    assert wrong(2, 35, "8H") == "illegal.not-your-card"
    assert wrong(2, -1, "8H") == "illegal.not-your-card"


def test_r4_nobody_opens_where_nobody_claimed(three: Position) -> None:
    assert claims.opener(three, (None, None, None)) is None
    assert claims.claimed_card(three, (None, None, None)) is None


def test_r4_every_other_seat_proves_its_hidden_places(three: Position) -> None:
    claimed = (None, NINE, None)
    opened = publish(three, 8, parse_card("9H"))
    lower = cards("6H 8H")  # the seven is public
    assert claims.no_lower(opened, claimed, 0) == (tuple(range(6)), lower)
    assert claims.no_lower(opened, claimed, 1) is None
    assert claims.no_lower(opened, claimed, 2) == (tuple(range(12, 18)), lower)


def test_r4_nobody_claimed_all_prove_they_hold_no_trump(three: Position) -> None:
    everything = tuple(card for card in cards("6H 8H 9H TH JH QH KH AH"))
    for seat in range(3):
        assert claims.no_lower(three, (None, None, None), seat) == (hand_places(three, seat), everything)


def test_r4_who_has_nothing_to_prove_is_not_due(three: Position) -> None:
    opened = publish(three, 0, parse_card("6H"))
    assert [claims.no_lower(opened, (SIX, None, None), seat) for seat in range(3)] == [None, None, None]
    position = start(Options(seats=3), parse_card("6H"))
    opened = publish(position, 0, parse_card("7H"))
    assert [claims.no_lower(opened, (SEVEN, None, None), seat) for seat in range(3)] == [None, None, None]


def test_r4_the_public_trump_in_the_last_hand_needs_no_proof() -> None:
    position = start(Options(deck=24, seats=4), parse_card("AH"))
    claimed = (None, 10, None, None)
    opened = publish(position, 6, parse_card("QH"))
    assert face(opened, 23) == parse_card("AH")
    assert claims.no_lower(opened, claimed, 3) == (tuple(range(18, 23)), cards("9H TH JH"))


def test_r4_the_best_claimant_leads_else_the_lot() -> None:
    assert claims.first_leader((None, NINE, EIGHT), 0) == 2
    assert claims.first_leader((NINE, None, None), 2) == 0
    assert claims.first_leader((None, None, None), 2) == 2


def test_r4_a_claimant_with_a_still_lower_trump_commits_no_offence(three: Position) -> None:
    claims.check_claim(three, (), 0, NINE)
    opened = publish(three, 0, parse_card("9H"))
    assert claims.no_lower(opened, (NINE, None, None), 0) is None


def test_r4_honest_claims_find_the_lowest_trump_of_any_deal() -> None:
    deck = list(deck_cards(36))
    for turn in range(36):
        dealt = deck[turn:] + deck[:turn]
        position = start(Options(seats=5), dealt[-1])
        claimed: claims.Claimed = ()
        for seat in range(5):
            hand = {Place(place): Card(dealt[place]) for place in hand_places(position, seat)}
            rank = claims.claim_for(position, claimed, seat, hand)
            claims.check_claim(position, claimed, seat, rank)
            claimed += (rank,)
        trumps = [
            (dealt[place] % 13, place // 6) for place in range(30) if dealt[place] // 13 == dealt[-1] // 13
        ]
        assert claims.best_claimant(claimed) == (min(trumps)[1] if trumps else None)
