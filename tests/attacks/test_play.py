"""Attacks 35 to 39: plays, claims, the last hand."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from game import claims, kinds, payloads, rules
from game.cards import Card, Place
from game.mental_poker import claims as no_lower_argument
from game.mental_poker import deck as real_suite
from game.mental_poker.group import base, msm
from game.mental_poker.transcript import Transcript
from game.state import Stage
from ledger.engine import Kind, Payload, Seat
from ledger.level import Status
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import COURSE, recorded

DENIAL = "attacks 6"
"""Seat 0 claims a queen of trumps, seat 2 a ten; seats 0 and 1 prove that they hold none lower."""


def leading() -> Hall:
    """The cheat has the word to lead."""
    game = recorded()
    return Hall(game, game.turn(1, kinds.LEAD))


def hidden_hand(cheat: Cheat) -> dict[Place, Card]:
    state = cheat.state
    return {
        place: card
        for place, card in cheat.own.hand(state).items()
        if rules.face(state.the_position, place) is None
    }


def opening(cheat: Cheat, *places: Place) -> Payload:
    return real_suite.make_tokens(
        cheat.context(), "open", cheat.x, bytes(cheat.deck_key), cheat.state.the_deck, places, cheat.proof_key
    )


def test_attack_35_another_card_than_the_one_that_lies_there() -> None:
    """Of the same rank in another suit, publicly nowhere: the rules alone would allow it."""
    hall = leading()
    hand = hidden_hand(hall.cheat)
    place, card = next(iter(hand.items()))
    for other in hall.cheat.state.setup.cards:
        if other not in hand.values() and not hall.cheat.state.the_position.seen >> other & 1:
            break
    assert other != card
    hall.cheat.say(kinds.LEAD, ((place,), (other,), opening(hall.cheat, place)))
    hall.halted("I_PROOF")


def test_attack_35_a_card_of_the_own_hand_from_another_place() -> None:
    hall = leading()
    (one, _), (_, two), *_ = hidden_hand(hall.cheat).items()
    hall.cheat.say(kinds.LEAD, ((one,), (two,), opening(hall.cheat, one)))
    hall.halted("I_PROOF")


def test_attack_35_a_token_bent_to_the_card_named() -> None:
    """S' = S + M − M' opens to M': the face fits, the proof does not."""
    from game.mental_poker.group import read_point
    from game.mental_poker.hash_to_group import card_point

    hall = leading()
    hand = hidden_hand(hall.cheat)
    place, card = next(iter(hand.items()))
    wanted = next(
        other
        for other in hall.cheat.state.setup.cards
        if other not in hand.values() and not hall.cheat.state.the_position.seen >> other & 1
    )
    token, proof = opening(hall.cheat, place)
    assert isinstance(token, bytes)
    bent = bytes(read_point(token) + card_point(card) - card_point(wanted))
    hall.cheat.say(kinds.LEAD, ((place,), (wanted,), (bent, proof)))
    hall.halted("I_PROOF")


def test_attack_35_a_card_that_is_not_in_this_deck() -> None:
    hall = leading()
    place = next(iter(hidden_hand(hall.cheat)))
    hall.cheat.say(kinds.LEAD, ((place,), (0,), opening(hall.cheat, place)))
    hall.halted("I_RULE", rule="R1")


def test_attack_35_a_hidden_card_without_its_token() -> None:
    hall = leading()
    place, card = next(iter(hidden_hand(hall.cheat).items()))
    hall.cheat.say(kinds.LEAD, ((place,), (card,), None))
    hall.halted("I_SHAPE")


def test_attack_35_tokens_for_more_than_is_laid() -> None:
    """A play opens what it lays: nothing else can be slipped into the log."""
    hall = leading()
    one, two, *_ = hidden_hand(hall.cheat)
    card = hidden_hand(hall.cheat)[one]
    hall.cheat.say(kinds.LEAD, ((one,), (card,), opening(hall.cheat, one, two)))
    hall.halted("I_SHAPE")


# -- 36, 37: no lower trump


def hiding() -> Hall:
    """Seat 2 has kept its ten of trumps to itself, seat 0 has opened its queen: seat 2 now owes a proof that
    can't be made."""
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.CLAIM), cheats=(2,))
    while hall.cheat.state.stage is Stage.CLAIM:
        assert hall.cheat.seat in hall.cheat.log.waiting_for
        hall.cheat.keep(hall.cheat.say(kinds.CLAIM, (None,)))
    assert hall.cheat.state.stage is Stage.NO_LOWER
    assert 2 in hall.cheat.log.waiting_for
    assert hall.cheat.own.owed(hall.cheat.state) is None, "an honest prover finds the card"
    return hall


def listed(cheat: Cheat) -> tuple[tuple[Place, ...], tuple[Card, ...]]:
    found = claims.no_lower(cheat.state.the_position, cheat.state.claimed, cheat.seat)
    assert found is not None
    return found


def denial(cheat: Cheat, places: tuple[Place, ...], cards: tuple[Card, ...]) -> bytes:
    """An honest proof for these places and cards."""
    state = cheat.state
    return real_suite.prove_no_lower(
        cheat.context(),
        cheat.x,
        bytes(cheat.deck_key),
        state.the_deck,
        places,
        tuple(state.other_tokens(place, cheat.seat) for place in places),
        cards,
        cheat.proof_key,
    )


def statement_of(
    cheat: Cheat, places: tuple[Place, ...], cards: tuple[Card, ...]
) -> no_lower_argument.NoLowerStatement:
    state = cheat.state
    return real_suite._no_lower(
        bytes(cheat.deck_key),
        state.the_deck,
        places,
        tuple(state.other_tokens(place, cheat.seat) for place in places),
        cards,
    )


def forged_denial(cheat: Cheat) -> bytes:
    """Every pair proven honestly, but for the card held a V of one's own choice."""
    places, cards = listed(cheat)
    statement = statement_of(cheat, places, cards)
    X, x = cheat.deck_key, cheat.x
    transcript = Transcript.open(cheat.context(), "no-lower")
    statement.absorb(transcript)
    drawn = []
    for j, (_, _, A, D) in enumerate(statement.pairs()):
        r = 7000 + j
        V = msm([r, -r * x], [D, A])
        if V.is_identity:
            V = base(r)
        transcript.absorb_point("V", V)
        drawn.append((A, D, V, r, 8000 + j, 9000 + j))
    for A, D, _, _, kr, kg in drawn:
        transcript.absorb_point("T1", msm([kr, -kg], [D, A]))
        transcript.absorb_point("T2", kr * X - base(kg))
    c = transcript.scalar("c")
    answers = tuple((V, kr + c * r, kg + c * r * x) for _, _, V, r, kr, kg in drawn)
    return no_lower_argument.NoLowerProof(c, answers).to_bytes()


def other_card_denied(cheat: Cheat) -> bytes:
    """The card held replaced by one that is not, in the proof alone."""
    places, cards = listed(cheat)
    held = set(cheat.own.hand(cheat.state).values())
    free = [card for card in cheat.state.setup.cards if card not in held]
    others = tuple(sorted(free[: len(cards)]))
    assert others != cards
    return denial(cheat, places, others)


def test_attack_36_a_lower_trump_denied_with_a_point_of_ones_own() -> None:
    hall = hiding()
    hall.cheat.say(kinds.NO_LOWER, (forged_denial(hall.cheat),))
    hall.halted("I_PROOF")


def test_attack_36_a_lower_trump_denied_by_proving_other_cards() -> None:
    hall = hiding()
    hall.cheat.say(kinds.NO_LOWER, (other_card_denied(hall.cheat),))
    hall.halted("I_PROOF")


def test_attack_36_a_false_silence_leaves_the_table_waiting_for_the_liar() -> None:
    """No offence can be shown, and no game can begin: the claim is never honoured."""
    hall = hiding()
    hall.pass_time(30)
    hall.waits_for(2)
    assert all(not hall.choices(seat) for seat in hall.honest)


def test_attack_36_a_claim_of_a_trump_one_does_not_hold() -> None:
    """It must be opened next, and can't be."""
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.CLAIM) + 1, cheats=(1,))
    hall.cheat.keep(hall.cheat.say(kinds.CLAIM, (7,)))
    assert hall.cheat.state.stage in (Stage.CLAIM, Stage.OPEN)
    assert hall.cheat.state.stage is Stage.OPEN
    place = next(iter(hall.cheat.own.hand(hall.cheat.state)))
    card = claims.claimed_card(hall.cheat.state.the_position, hall.cheat.state.claimed)
    assert card not in hall.cheat.own.hand(hall.cheat.state).values()
    hall.waits_for(1)
    assert card is not None
    hall.cheat.say(kinds.OPEN, (place, card, opening(hall.cheat, place)))
    hall.halted("I_PROOF")


Forge = Callable[[Cheat], bytes]


def identity_as_difference(cheat: Cheat) -> bytes:
    """r = 0: V = O makes every equation true whatever is held."""
    places, cards = listed(cheat)
    statement = statement_of(cheat, places, cards)
    transcript = Transcript.open(cheat.context(), "no-lower")
    statement.absorb(transcript)
    O = 0 * cheat.deck_key  # noqa: E741
    pairs = list(statement.pairs())
    for _ in pairs:
        transcript.absorb_point("V", O)
    for j, (_, _, A, D) in enumerate(pairs):
        transcript.absorb_point("T1", msm([50 + j, -60 - j], [D, A]))
        transcript.absorb_point("T2", (50 + j) * cheat.deck_key - base(60 + j))
    answers = tuple((O, 50 + j, 60 + j) for j in range(len(pairs)))
    return no_lower_argument.NoLowerProof(transcript.scalar("c"), answers).to_bytes()


def test_attack_37_the_identity_as_blinded_difference() -> None:
    hall = hiding()
    hall.cheat.say(kinds.NO_LOWER, (identity_as_difference(hall.cheat),))
    hall.halted("I_PROOF")


OTHER_LISTS: dict[str, tuple[str, Forge]] = {
    "a place left out": ("I_SHAPE", lambda c: denial(c, listed(c)[0][1:], without_held(c))),
    "the card held left out": ("I_SHAPE", lambda c: denial(c, listed(c)[0], without_held(c))),
    "the place of the card left out": (
        "I_SHAPE",
        lambda c: denial(c, without_its_place(c), listed(c)[1]),
    ),
    "another place twice over": ("I_PROOF", lambda c: padded(c)),
}


def without_held(cheat: Cheat) -> tuple[Card, ...]:
    held = set(cheat.own.hand(cheat.state).values())
    return tuple(card for card in listed(cheat)[1] if card not in held)


def without_its_place(cheat: Cheat) -> tuple[Place, ...]:
    hand = cheat.own.hand(cheat.state)
    return tuple(place for place in listed(cheat)[0] if hand[place] not in listed(cheat)[1])


def padded(cheat: Cheat) -> bytes:
    """A proof without the pair that fails, brought to its length by pairs that hold."""
    places, cards = listed(cheat)
    short = denial(cheat, without_its_place(cheat), cards)
    return short + short[32 : 32 + 96 * len(cards) * (len(places) - len(without_its_place(cheat)))]


@pytest.mark.parametrize("what", OTHER_LISTS)
def test_attack_37_another_list_than_the_one_owed(what: str) -> None:
    code, forge = OTHER_LISTS[what]
    hall = hiding()
    hall.cheat.say(kinds.NO_LOWER, (forge(hall.cheat),))
    hall.halted(code)


def test_attack_37_one_blind_for_all_pairs_harms_only_its_maker() -> None:
    """V − V' = r (M' − M) then shows differences of the own cards' points; the statement stays true."""
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.NO_LOWER))
    cheat = hall.cheat
    statement = statement_of(cheat, *listed(cheat))
    transcript = Transcript.open(cheat.context(), "no-lower")
    statement.absorb(transcript)
    pairs, r = list(statement.pairs()), 4711
    blinded = [msm([r, -r * cheat.x], [D, A]) for _, _, A, D in pairs]
    for V in blinded:
        transcript.absorb_point("V", V)
    for j, (_, _, A, D) in enumerate(pairs):
        transcript.absorb_point("T1", msm([50 + j, -60 - j], [D, A]))
        transcript.absorb_point("T2", (50 + j) * cheat.deck_key - base(60 + j))
    c = transcript.scalar("c")
    answers = tuple((V, 50 + j + c * r, 60 + j + c * r * cheat.x) for j, V in enumerate(blinded))
    proof = no_lower_argument.NoLowerProof(c, answers).to_bytes()
    cheat.keep(cheat.say(kinds.NO_LOWER, (proof,)))
    assert {hall.log(seat).state.stage for seat in hall.honest} == {Stage.PLAY}
    hall.nobody_honest_is_named()
    hall.secrets_stay()


# -- 38, 39: mechanisms that were dropped, and what stands in their place


@pytest.mark.parametrize("kind", [21, 25, 31])
def test_attack_38_there_is_no_entry_that_changes_a_hand(kind: int) -> None:
    """Hands are never masked again: no kind for it exists and none is asked for."""
    hall = leading()
    state = hall.cheat.state
    deck, proof = real_suite.shuffle(hall.cheat.context(), state.joint, state.the_deck, hall.cheat.proof_key)
    hall.cheat.say(Kind(kind), (deck.to_bytes()[: 64 * 6], proof[:64]))
    hall.halted("I_TURN")


def test_attack_38_a_second_shuffle_in_the_middle_of_the_game() -> None:
    hall = leading()
    state = hall.cheat.state
    deck, proof = real_suite.shuffle(hall.cheat.context(), state.joint, state.the_deck, hall.cheat.proof_key)
    hall.cheat.say(kinds.SHUFFLE, (deck.to_bytes(), proof))
    hall.halted("I_TURN")


@pytest.mark.parametrize("what", ["another number", "the secret of another seat", "zero"])
def test_attack_39_a_false_deck_secret_at_the_end(what: str) -> None:
    """The result is signed by all and stands; the case names the seat."""
    game = recorded()
    hall = Hall(game, game.at(Stage.SECRETS))
    x = {"another number": hall.cheat.x + 1, "the secret of another seat": hall.secret(0), "zero": 0}[what]
    hall.cheat.say(kinds.SECRETS, (x.to_bytes(32, "little"),))
    for seat in hall.honest:
        result = hall.log(seat).state.result
        assert result is not None
        assert payloads.write_result(result) == payloads.write_result(game.states[-1].result)  # type: ignore[arg-type]
    hall.halted("I_PROOF", stands=True)


def test_attack_39_the_last_hand_kept_closed() -> None:
    """Nobody can be made to open it: the game is finished, and the log says whose secret is missing."""
    game = recorded()
    hall = Hall(game, game.at(Stage.SECRETS))
    hall.pass_time(30)
    for seat in hall.honest:
        assert hall.log(seat).status is Status.FINISHED
        assert hall.log(seat).state.opened == ()
    hall.waits_for(1)
    assert Seat(1) == hall.cheat.seat


@pytest.mark.parametrize("item", range(4))
def test_attack_39_another_result_than_the_one_played(item: int) -> None:
    game = recorded()
    hall = Hall(game, game.at(Stage.RESULT))
    result = list(hall.cheat.owed()[1])
    others: list[object] = [1, (1,) if result[1] != (1,) else (2,), (2, 1), (6, 19)]
    assert result[item] != others[item]
    result[item] = others[item]  # type: ignore[call-overload]
    hall.cheat.say(kinds.RESULT, tuple(result))
    hall.halted("I_RULE", rule="R29")


# -- 35 once more: what needs no proof, and places named twice


def holding_a_public_card() -> tuple[Hall, Place, Card]:
    """The cheat leads, with a card in its hand whose face everybody knows: it was taken from the table."""
    game = recorded()
    for state in game.states:
        if state.stage is not Stage.PLAY or [due.seat for due in COURSE.expect(state)] != [1]:
            continue
        if kinds.LEAD not in COURSE.expect(state)[0].kinds:
            continue
        for place in rules.hand_places(state.the_position, Seat(1)):
            face = rules.face(state.the_position, place)
            if face is not None:
                return Hall(game, state.height), place, face
    raise AssertionError("seat 1 never leads with a public card in its hand")


@pytest.mark.parametrize("with_opening", [False, True])
def test_attack_35_a_public_card_laid_as_another(*, with_opening: bool) -> None:
    """No proof is due for it, so the rules must know its face."""
    hall, place, card = holding_a_public_card()
    cheat = hall.cheat
    wanted = next(other for other in cheat.own.hand(cheat.state).values() if other != card)
    said = opening(cheat, place) if with_opening else None
    cheat.say(kinds.LEAD, ((place,), (wanted,), said))
    hall.halted("I_SHAPE" if with_opening else "I_RULE", rule="" if with_opening else "R6")


def test_attack_35_a_public_card_with_an_opening_of_nothing() -> None:
    """No token, some proof: there is one form of an entry, and this is not it."""
    hall, place, card = holding_a_public_card()
    hall.cheat.say(kinds.LEAD, ((place,), (card,), (b"", bytes(64))))
    hall.halted("I_SHAPE")


@pytest.mark.parametrize("lead", ["one", "several"])
@pytest.mark.parametrize("order", ["same", "pair"])
def test_attack_35_one_place_laid_twice(lead: str, order: str) -> None:
    """Two cards of one place, or one card twice: one opening would do for both."""
    game = recorded("attacks" if lead == "one" else "several", lead=lead)
    hall = Hall(game, game.turn(1, kinds.LEAD))
    place, card = next(iter(hidden_hand(hall.cheat).items()))
    twin = (
        card
        if order == "same"
        else next(
            other for other in hall.cheat.state.setup.cards if other % 13 == card % 13 and other != card
        )
    )
    cards = tuple(sorted((card, twin)))
    hall.cheat.say(kinds.LEAD, ((place, place), cards, opening(hall.cheat, place)))
    hall.halted("I_RULE", rule="R6")


@pytest.mark.parametrize("lie", [0, 1])
def test_attack_35_several_cards_led_one_of_them_false(lie: int) -> None:
    """Two places opened truly; at one of them lies another card than the one of this rank that is named."""
    game = recorded("several", lead="several")
    hall = Hall(game, game.turn(1, kinds.LEAD))
    cheat = hall.cheat
    hand = sorted(hidden_hand(cheat).items())
    position = cheat.state.the_position
    places, true, false = next(
        ((one, two), card, twin)
        for (one, first), (two, second) in itertools.combinations(hand, 2)
        for card in ((second, first)[lie],)
        for twin in cheat.state.setup.cards
        if twin % 13 == card % 13 and twin not in dict(hand).values() and not position.seen >> twin & 1
    )
    said = sorted(
        zip(places, (false, true) if lie == 0 else (true, false), strict=True), key=lambda laid: laid[1]
    )
    assert dict(hand)[places[1 - lie]] == true
    cheat.say(
        kinds.LEAD,
        (tuple(place for place, _ in said), tuple(card for _, card in said), opening(cheat, *places)),
    )
    hall.halted("I_PROOF")
