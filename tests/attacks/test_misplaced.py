"""Attacks with true things in the wrong place: copied keys, openings and denials proven for something else,
the trump of a table without talon, ABORTs against seats nobody waits for (3, 17, 26, 29, 33, 36)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from game import claims, kinds, payloads, rules
from game.cards import Card, Place
from game.mental_poker import deck as real_suite
from game.mental_poker import sigma
from game.mental_poker.deck import Context, MaskedDeck
from game.mental_poker.group import base, read_point
from game.mental_poker.hash_to_group import card_point
from game.mental_poker.transcript import Transcript
from game.state import Stage
from ledger.engine import Payload
from ledger.level import Status
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import COURSE, recorded

DENIAL = "attacks 6"
"""Seat 2 claims a ten of trumps and opens it; seats 0 and 1 prove that they hold none lower."""

# -- 3: what an honest seat has said, said again


def test_attack_03_the_commitment_of_an_honest_seat_copied_and_opened_as_it_opens_it() -> None:
    """The commitment holds the seat, so the copy can be opened by nobody."""
    hall = Hall(recorded(), 0)
    cheat = hall.cheat
    cheat.keep(cheat.say(kinds.JOIN, hall.signed(0)[0].payload))
    assert {hall.log(seat).state.stage for seat in hall.honest} == {Stage.KEYS}
    opened = hall.signed(0)[1]
    assert opened.kind == kinds.OPEN_KEYS
    cheat.say(kinds.OPEN_KEYS, opened.payload)
    hall.halted("I_PROOF")


def test_attack_03_an_entry_of_an_honest_seat_signed_anew_as_ones_own() -> None:
    """At every round that all seats answer: own signature, own seat, their payload."""
    game = recorded(DENIAL)
    for stage, code, rule in (
        (Stage.KEYS, "I_PROOF", ""),
        (Stage.DEAL, "I_RULE", "R2"),
        (Stage.NO_LOWER, "I_PROOF", ""),
    ):
        hall = Hall(game, game.at(stage))
        theirs = next(entry for entry in hall.signed(0) if entry.height == hall.log(0).height)
        own = hall.cheat.owed()
        assert own[0] == theirs.kind
        if stage is Stage.NO_LOWER:
            assert len(theirs.payload[0]) == len(own[1][0])  # type: ignore[arg-type]
        hall.cheat.say(theirs.kind, theirs.payload)
        hall.halted(code, rule=rule)


# -- 17: true proofs of something else

Where = Callable[[Cheat], tuple[Context, str, MaskedDeck, int]]


def deck_before(cheat: Cheat) -> MaskedDeck:
    game = cheat.hall.game
    return game.states[game.at(Stage.SHUFFLE) + 2].the_deck


ELSEWHERE: dict[str, Where] = {
    "another game": lambda c: (c.context(game=bytes(32)), "open", c.state.the_deck, c.x),
    "an earlier height": lambda c: (c.context(height=c.state.height - 1), "open", c.state.the_deck, c.x),
    "another seat": lambda c: (c.context(seat=2), "open", c.state.the_deck, c.x),
    "another purpose": lambda c: (c.context(), "deal", c.state.the_deck, c.x),
    "another key": lambda c: (c.context(), "open", c.state.the_deck, c.x + 1),
    "another deck": lambda c: (c.context(), "open", deck_before(c), c.x),
}


def hidden(cheat: Cheat) -> list[tuple[Place, Card]]:
    position = cheat.state.the_position
    return [
        (place, card)
        for place, card in cheat.own.hand(cheat.state).items()
        if rules.face(position, place) is None
    ]


def opened(where: tuple[Context, str, MaskedDeck, int], cheat: Cheat, *places: Place) -> Payload:
    context, purpose, deck, x = where
    return real_suite.make_tokens(context, purpose, x, bytes(base(x)), deck, places, cheat.proof_key)


@pytest.mark.parametrize("what", ELSEWHERE)
def test_attack_17_a_card_laid_with_the_proof_of_something_else(what: str) -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    place, card = hidden(hall.cheat)[0]
    opening = opened(ELSEWHERE[what](hall.cheat), hall.cheat, place)
    hall.cheat.say(kinds.LEAD, ((place,), (card,), opening))
    hall.halted("I_PROOF")


def test_attack_17_a_card_laid_with_the_opening_of_another_place() -> None:
    """A true token and proof of one's own, of the place beside it; then that token for this place."""
    game = recorded()
    for named in (0, 1):
        hall = Hall(game, game.turn(1, kinds.LEAD))
        cheat = hall.cheat
        (place, _), (other, _), *_ = hidden(cheat)
        card = dict(hidden(cheat))[(place, other)[named]]
        cheat.say(kinds.LEAD, ((place,), (card,), opened(here(cheat), cheat, other)))
        hall.halted("I_PROOF")


def here(cheat: Cheat) -> tuple[Context, str, MaskedDeck, int]:
    return cheat.context(), "open", cheat.state.the_deck, cheat.x


@pytest.mark.parametrize("what", ["another game", "an earlier height", "another seat", "another key"])
def test_attack_17_no_lower_trump_of_something_else(what: str) -> None:
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.NO_LOWER))
    cheat = hall.cheat
    context, _, deck, x = ELSEWHERE[what](cheat)
    listed = claims.no_lower(cheat.state.the_position, cheat.state.claimed, cheat.seat)
    assert listed is not None
    places, cards = listed
    tokens = tuple(cheat.state.other_tokens(place, cheat.seat) for place in places)
    proof = real_suite.prove_no_lower(
        context, x, bytes(base(x)), deck, places, tokens, cards, cheat.proof_key
    )
    cheat.say(kinds.NO_LOWER, (proof,))
    hall.halted("I_PROOF")


# -- 26: a table without talon, where the holder of the trump place answers for it too (R3)


def no_talon() -> tuple[Hall, list[int], list[bytes]]:
    """Four seats, 24 cards; seat 3 holds the trump place and speaks last. Its places and tokens."""
    game = recorded("no talon", seats=4)
    hall = Hall(game, game.at(Stage.DEAL), cheats=(3,))
    places, tokens, _ = hall.cheat.owed()[1]
    assert isinstance(places, tuple)
    assert isinstance(tokens, bytes)
    assert hall.cheat.state.setup.trump_place in hall.cheat.state.setup.dealt(hall.cheat.seat)
    return hall, list(places), [tokens[at : at + 32] for at in range(0, len(tokens), 32)]  # type: ignore[arg-type]


def test_attack_26_the_holder_of_the_trump_place_chooses_the_trump() -> None:
    hall, places, tokens = no_talon()
    cheat = hall.cheat
    trump = cheat.state.setup.trump_place
    rest = cheat.state.the_deck.ciphertexts[trump].B
    for entry in hall.log(0).met(cheat.state.height):
        given = payloads.read_tokens(entry.payload)
        at = 32 * given.places.index(trump)
        rest = rest - read_point(given.tokens[at : at + 32])
    held = hall.card_at(trump)
    wanted = next(card for card in cheat.state.setup.cards if card // 13 != held // 13)
    tokens[places.index(trump)] = bytes(rest - card_point(wanted))
    S = tuple(read_point(token) for token in tokens)
    A = tuple(cheat.state.the_deck.ciphertexts[place].A for place in places)
    statement = sigma.TokenStatement(cheat.deck_key, tuple(places), A, S)
    transcript = Transcript.open(cheat.context(), "deal")
    proof = sigma.prove_tokens(transcript, statement, cheat.x, cheat.proof_key).to_bytes()
    cheat.say(kinds.TOKENS, (tuple(places), b"".join(tokens), proof))
    hall.halted("I_PROOF")


def test_attack_29_the_holder_of_the_trump_place_keeps_it_closed() -> None:
    hall, places, _ = no_talon()
    cheat = hall.cheat
    kept = tuple(Place(place) for place in places if place != cheat.state.setup.trump_place)
    tokens, proof = real_suite.make_tokens(
        cheat.context(), "deal", cheat.x, bytes(cheat.deck_key), cheat.state.the_deck, kept, cheat.proof_key
    )
    cheat.say(kinds.TOKENS, (kept, tokens, proof))
    hall.halted("I_RULE", rule="R2")


# -- 36: the trump that was claimed, and no other card


def opening_stage() -> tuple[Hall, dict[Card, Place]]:
    """Seat 2 has claimed its lowest trump and must open it. Its hand by card."""
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.OPEN), cheats=(2,))
    return hall, {card: place for place, card in hidden(hall.cheat)}


def test_attack_36_another_card_opened_than_the_one_claimed() -> None:
    """True token, true proof, a card it holds: but not what it has claimed."""
    hall, hand = opening_stage()
    cheat = hall.cheat
    claimed = claims.claimed_card(cheat.state.the_position, cheat.state.claimed)
    for card in (min(hand), max(hand)):
        if card != claimed:
            hall, hand = opening_stage()
            opening = opened(here(hall.cheat), hall.cheat, hand[card])
            hall.cheat.say(kinds.OPEN, (hand[card], card, opening))
            hall.halted("I_RULE", rule="R4")


@pytest.mark.parametrize("place", [0, 20, 23])
def test_attack_36_the_claimed_trump_opened_at_a_place_of_others(place: int) -> None:
    """Of another hand, of the talon, and at the trump place, whose face is public."""
    hall, _ = opening_stage()
    cheat = hall.cheat
    claimed = claims.claimed_card(cheat.state.the_position, cheat.state.claimed)
    said = None if place == 23 else opened(here(cheat), cheat, Place(place))
    cheat.say(kinds.OPEN, (place, claimed, said))
    hall.halted("I_RULE", rule="R4")


def test_attack_36_the_claimed_trump_opened_by_another_seat() -> None:
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.OPEN), cheats=(1,))
    place, card = hidden(hall.cheat)[0]
    hall.cheat.say(kinds.OPEN, (place, card, opened(here(hall.cheat), hall.cheat, place)))
    hall.halted("I_TURN")


@pytest.mark.parametrize(
    ("seat", "rank"), [(0, 11), (0, 6), (0, 0), (1, 10), (1, 12)],
    ids=["the trump under the talon", "an eight among nines", "a two", "the rank before", "a higher one"],
)  # fmt: skip
def test_attack_36_a_rank_nobody_could_claim(seat: int, rank: int) -> None:
    """The king of trumps lies under the talon; seat 0 has claimed a queen when seat 1 is asked."""
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.CLAIM) + seat, cheats=(seat,))
    hall.cheat.say(kinds.CLAIM, (rank,))
    hall.halted("I_RULE", rule="R4")


def test_attack_36_silence_about_a_trump_that_all_see() -> None:
    """At a table without talon the trump card lies open in the last hand, and is lower than all claims."""
    game = recorded("no talon", seats=4)
    hall = Hall(game, game.at(Stage.CLAIM) + 3, cheats=(3,))
    assert rules.face(hall.cheat.state.the_position, hall.cheat.state.setup.trump_place) == 8
    hall.cheat.say(kinds.CLAIM, (None,))
    hall.halted("I_RULE", rule="R4")


# -- 13: places this deck does not have


@pytest.mark.parametrize("place", [24, 51])
@pytest.mark.parametrize("stage", [Stage.OPEN, Stage.PLAY])
def test_attack_13_a_place_beyond_the_deck(stage: Stage, place: int) -> None:
    """A place of a 52-card deck in a game of 24."""
    game = recorded(DENIAL)
    seat = 2 if stage is Stage.OPEN else 0
    height = game.at(Stage.OPEN) if stage is Stage.OPEN else game.turn(0, kinds.LEAD)
    for with_opening in (True, False):
        hall = Hall(game, height, cheats=(seat,))
        cheat = hall.cheat
        kind, payload = cheat.owed()
        opening = payload[-1] if with_opening else None
        said = (place, payload[1], opening) if stage is Stage.OPEN else ((place,), payload[1], opening)
        cheat.say(kind, said)
        hall.halted("I_SHAPE")


# -- 33: an ABORT is for seats the log waits for


def waiting_for_2() -> Hall:
    """Seat 2 has the word, and something has been led before."""
    game = recorded()
    height = next(
        state.height
        for state in game.states
        if state.led and state.stage is Stage.PLAY and [due.seat for due in COURSE.expect(state)] == [2]
    )
    return Hall(game, height)


@pytest.mark.parametrize("named", [(0,), (0, 2), (1,), (1, 2), (2, 2), (), (5,)])
def test_attack_33_an_abort_against_seats_the_log_does_not_wait_for(named: tuple[int, ...]) -> None:
    hall = waiting_for_2()
    shape = named in ((2, 2), ())
    hall.cheat.say(kinds.ABORT, (named,))
    hall.halted("I_SHAPE" if shape else "I_RULE", rule="" if shape else "R30")


@pytest.mark.parametrize("stage", [Stage.DEAL, Stage.RESULT])
def test_attack_33_an_abort_where_nothing_is_played(stage: Stage) -> None:
    game = recorded()
    hall = Hall(game, game.at(stage), cheats=(1, 2))
    one, two = hall.cheats.values()
    one.keep(one.say(*one.owed()))
    one.say(kinds.ABORT, ((two.seat,),))
    hall.halted("I_RULE", rule="R30", by=1)


def test_attack_33_an_abort_before_the_first_lead() -> None:
    """Dealt, but nothing is played yet: a stalled table is simply left (R30)."""
    game = recorded()
    height = game.at(Stage.PLAY)
    (due,) = COURSE.expect(game.states[height])
    cheat = 1 if due.seat != 1 else 2
    hall = Hall(game, height, cheats=(cheat,))
    assert not hall.log(due.seat).state.led
    hall.cheat.say(kinds.ABORT, ((due.seat,),))
    hall.halted("I_RULE", rule="R30")


def test_attack_33_one_seat_alone_ends_no_game() -> None:
    """Its ABORT stands in the log and binds nobody: the game goes on, and so does its signer, or waits."""
    hall = waiting_for_2()
    hall.cheat.say(kinds.ABORT, ((2,),))
    for seat in hall.honest:
        assert hall.log(seat).status is Status.OPEN
        assert len(hall.log(seat).aborts_known(hall.log(seat).height)) == 1
    hall.waits_for(2)
    hall.act(2)
    for seat in hall.honest:
        assert hall.log(seat).status is Status.OPEN
        assert hall.log(seat).height > hall.first
