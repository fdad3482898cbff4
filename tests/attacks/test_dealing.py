"""Attacks 25 to 34: tokens and draws."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from game import kinds, payloads, rules
from game.mental_poker import deck as real_suite
from game.mental_poker import sigma
from game.mental_poker.backend import Point
from game.mental_poker.errors import NotACard
from game.mental_poker.group import base, read_point
from game.mental_poker.hash_to_group import card_point
from game.mental_poker.transcript import Transcript
from game.state import Stage
from ledger.engine import Seat
from ledger.errors import Forbidden
from ledger.level import Status
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import COURSE, Recorded, recorded


def dealing(*, cheats: tuple[int, ...] = (1,)) -> Hall:
    """The honest seats have given their tokens of the first deal; the cheat's are missing."""
    game = recorded()
    return Hall(game, game.at(Stage.DEAL), cheats=cheats)


def refilling(*, cheats: tuple[int, ...] = (1,)) -> Hall:
    """A refill at which seat 1 owes tokens."""
    game = recorded()
    height = next(
        state.height
        for state in game.states
        if state.stage is Stage.REFILL and any(due.seat == 1 for due in COURSE.expect(state))
    )
    return Hall(game, height, cheats=cheats)


def split(tokens: object) -> list[Point]:
    assert isinstance(tokens, bytes)
    return [read_point(tokens[at : at + 32]) for at in range(0, len(tokens), 32)]


def joined(tokens: list[Point]) -> bytes:
    return b"".join(map(bytes, tokens))


def proven_as(cheat: Cheat, S: list[Point], x: int) -> bytes:
    """The proof an honest prover makes of these tokens, whatever they are."""
    places = cheat.hall.course.token_places(cheat.state, cheat.seat)
    A = tuple(cheat.state.the_deck.ciphertexts[place].A for place in places)
    statement = sigma.TokenStatement(cheat.deck_key, tuple(places), A, tuple(S))
    transcript = Transcript.open(cheat.context(), "deal")
    return sigma.prove_tokens(transcript, statement, x, cheat.proof_key).to_bytes()


Bend = Callable[[list[Point]], list[Point]]

BENT: dict[str, Bend] = {
    "attack 25: a wrong token": lambda S: [S[0] + base(1), *S[1:]],
    "attack 25: the last one wrong": lambda S: [*S[:-1], base(4)],
    "attack 27: two swapped": lambda S: [S[1], S[0], *S[2:]],
    "attack 27: one given twice": lambda S: [S[1], S[1], *S[2:]],
    "attack 28: errors that cancel": lambda S: [S[0] + base(3), S[1] - base(3), *S[2:]],
}


def say_bent(hall: Hall, bend: Bend, *, proven_anew: bool) -> None:
    cheat = hall.cheat
    places, tokens, proof = cheat.owed()[1]
    S = bend(split(tokens))
    if proven_anew:
        proof = proven_as(cheat, S, cheat.x)
    cheat.say(kinds.TOKENS, (places, joined(S), proof))


@pytest.mark.parametrize("proven_anew", [False, True])
@pytest.mark.parametrize("what", [name for name in BENT if "25" in name])
def test_attack_25_a_wrong_token(what: str, *, proven_anew: bool) -> None:
    hall = dealing()
    say_bent(hall, BENT[what], proven_anew=proven_anew)
    hall.halted("I_PROOF")


def test_attack_25_a_wrong_token_at_the_refill() -> None:
    hall = refilling()
    say_bent(hall, lambda S: [*S[:-1], S[-1] + base(1)], proven_anew=True)
    hall.halted("I_PROOF")


def test_attack_25_on_plain_python(pure_backend: None) -> None:
    hall = dealing()
    say_bent(hall, BENT["attack 25: a wrong token"], proven_anew=True)
    hall.halted("I_PROOF")


def test_attack_26_a_token_that_makes_the_trump_of_ones_choice() -> None:
    """Last to speak, the cheat knows all other tokens of the trump place: S = B − theirs − M."""
    hall = dealing()
    cheat = hall.cheat
    state = cheat.state
    trump = state.setup.trump_place
    given = [payloads.read_tokens(entry.payload) for entry in hall.log(0).met(state.height)]
    assert len(given) == 2
    rest = state.the_deck.ciphertexts[trump].B
    for said in given:
        at = 32 * said.places.index(trump)
        rest = rest - read_point(said.tokens[at : at + 32])
    wanted = card_point(12)
    places, tokens, _ = cheat.owed()[1]
    assert isinstance(places, tuple)
    S = split(tokens)
    assert rest - S[places.index(trump)] != wanted, "the trump is another card"
    S[places.index(trump)] = rest - wanted
    cheat.say(kinds.TOKENS, (places, joined(S), proven_as(cheat, S, cheat.x)))
    hall.halted("I_PROOF")


@pytest.mark.parametrize("proven_anew", [False, True])
@pytest.mark.parametrize("what", [name for name in BENT if "27" in name])
def test_attack_27_tokens_in_another_order(what: str, *, proven_anew: bool) -> None:
    hall = dealing()
    say_bent(hall, BENT[what], proven_anew=proven_anew)
    hall.halted("I_PROOF")


def test_attack_28_errors_that_cancel() -> None:
    hall = dealing()
    say_bent(hall, BENT["attack 28: errors that cancel"], proven_anew=True)
    hall.halted("I_PROOF")


def test_attack_28_errors_that_cancel_under_guessed_weights() -> None:
    """The weights come after the tokens: with those of the honest tokens the errors no longer cancel."""
    hall = dealing()
    cheat = hall.cheat
    places, tokens, _ = cheat.owed()[1]
    S = split(tokens)
    A = tuple(cheat.state.the_deck.ciphertexts[place].A for place in places)  # type: ignore[union-attr]
    honest = sigma.TokenStatement(cheat.deck_key, tuple(places), A, tuple(S))  # type: ignore[arg-type]
    transcript = Transcript.open(cheat.context(), "deal")
    honest.absorb(transcript)
    w = honest.weights(transcript)
    S[0], S[1] = S[0] + w[1] * base(9), S[1] - w[0] * base(9)
    cheat.say(kinds.TOKENS, (places, joined(S), proven_as(cheat, S, cheat.x)))
    hall.halted("I_PROOF")


def other_places(cheat: Cheat, what: str) -> tuple[int, ...]:
    owed = tuple(cheat.hall.course.token_places(cheat.state, cheat.seat))
    everything = range(len(cheat.state.setup.cards))
    free = next(place for place in everything if place not in owed)
    return {
        "one fewer": owed[1:],
        "one more": tuple(sorted((*owed, free))),
        "another one": tuple(sorted((*owed[1:], free))),
        "all there are": tuple(everything),
        "the own hand": tuple(cheat.state.setup.dealt(cheat.seat)),
    }[what]


def say_places(hall: Hall, what: str) -> None:
    """Tokens for other places than owed, honestly made and proven."""
    cheat = hall.cheat
    places = other_places(cheat, what)
    tokens, proof = real_suite.make_tokens(
        cheat.context(), "deal", cheat.x, bytes(cheat.deck_key), cheat.state.the_deck, places, cheat.proof_key
    )
    cheat.say(kinds.TOKENS, (places, tokens, proof))


PLACES = ["one fewer", "one more", "another one", "all there are", "the own hand"]


@pytest.mark.parametrize("what", PLACES)
def test_attack_29_tokens_for_other_places_than_dealt(what: str) -> None:
    hall = dealing()
    say_places(hall, what)
    hall.halted("I_RULE", rule="R2")


def test_attack_29_no_honest_seat_answers_for_anything_but_what_it_owes() -> None:
    """Nothing can be asked for: what a seat gives follows from the log alone, under the common deck."""
    hall = dealing()
    while hall.cheat.state.stage in (Stage.DEAL, Stage.CLAIM, Stage.OPEN):
        hall.goes_on()
    game = hall.game
    deck = game.states[-1].the_deck
    for seat in hall.honest:
        x = hall.secret(seat)
        for entry in hall.signed(seat):
            if entry.kind != kinds.TOKENS:
                continue
            state = game.states[entry.height]
            given = payloads.read_tokens(entry.payload)
            assert given.places == hall.course.token_places(state, Seat(seat))
            assert not set(given.places) & (set(state.setup.dealt(Seat(seat))) - {state.setup.trump_place})
            for place, token in zip(given.places, split(given.tokens), strict=True):
                assert token == x * deck.ciphertexts[place].A


@pytest.mark.parametrize("what", PLACES)
def test_attack_30_draws_that_are_not_the_refill(what: str) -> None:
    """Who draws what follows from the log; a cheat can only answer for other places."""
    hall = refilling()
    say_places(hall, what)
    hall.halted("I_RULE", rule="R16")


def test_attack_30_drawing_when_nothing_is_drawn() -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    cheat = hall.cheat
    places = (20, 21, 22)
    tokens, proof = real_suite.make_tokens(
        cheat.context(), "deal", cheat.x, bytes(cheat.deck_key), cheat.state.the_deck, places, cheat.proof_key
    )
    cheat.say(kinds.TOKENS, (places, tokens, proof))
    hall.halted("I_TURN")


def leading(seat: int = 1, *, nth: int = 0) -> tuple[Recorded, int]:
    game = recorded()
    return game, game.turn(seat, kinds.LEAD, nth=nth)


def lay(cheat: Cheat, place: int, card: int) -> None:
    """Lead this card from this place, with a true token and proof."""
    opening = real_suite.make_tokens(
        cheat.context(),
        "open",
        cheat.x,
        bytes(cheat.deck_key),
        cheat.state.the_deck,
        (place,),
        cheat.proof_key,
    )
    cheat.say(kinds.LEAD, ((place,), (card,), opening))


def test_attack_31_a_place_of_another_seat() -> None:
    game, height = leading()
    hall = Hall(game, height)
    place = next(
        place
        for place in rules.hand_places(hall.cheat.state.the_position, Seat(0))
        if rules.face(hall.cheat.state.the_position, place) is None
    )
    lay(hall.cheat, place, hall.card_at(place))
    hall.halted("I_RULE", rule="R6")


def test_attack_31_a_place_of_the_talon() -> None:
    game, height = leading()
    hall = Hall(game, height)
    place = 22
    assert not any(place in rules.hand_places(hall.cheat.state.the_position, Seat(seat)) for seat in range(3))
    lay(hall.cheat, place, hall.card_at(place))
    hall.halted("I_RULE", rule="R6")


def test_attack_31_a_place_laid_before() -> None:
    """A public card carries no token; named without one, it is no longer in the hand."""
    game = recorded()
    played = [
        (place, card)
        for state in game.states
        if state.position is not None and state.position.plays
        for laid in state.position.plays
        if laid.seat == 1
        for place, card in [(laid.place, laid.card)]
    ]
    place, card = played[0]
    height = next(
        state.height
        for state in game.states
        if state.position is not None
        and state.stage is Stage.PLAY
        and [due.seat for due in COURSE.expect(state)] == [1]
        and kinds.LEAD in COURSE.expect(state)[0].kinds
        and not any(place in rules.hand_places(state.position, Seat(seat)) for seat in range(3))
        and rules.face(state.position, place) is not None
    )
    hall = Hall(game, height)
    hall.cheat.say(kinds.LEAD, ((place,), (card,), None))
    hall.halted("I_RULE", rule="R6")


def test_attack_32_tokens_given_to_one_peer_alone_count_for_all() -> None:
    hall = dealing()
    cheat = hall.cheat
    cheat.silent()
    cheat.send(cheat.sign(*cheat.owed()), to=[2])
    hall.pass_time(6)
    assert {hall.log(seat).state.stage for seat in hall.honest} == {Stage.CLAIM}
    assert hall.log(0).export() == hall.log(2).export()
    hall.nobody_honest_is_named()
    hall.secrets_stay()


def test_attack_32_withheld_from_everybody() -> None:
    hall = dealing()
    hall.pass_time(30)
    hall.waits_for(1)


def test_attack_33_the_last_token_withheld_after_a_look_at_the_own_hand() -> None:
    """Possible and said openly: the cheat knows its own six cards and nothing else, everybody sees for whom
    the table waits, and before the first lead there is nothing to win by leaving."""
    hall = dealing()
    cheat = hall.cheat
    state = hall.log(0).state
    given = [payloads.read_tokens(entry.payload) for entry in hall.log(0).met(state.height)]

    def tokens_of(place: int) -> list[bytes]:
        return [said.tokens[32 * said.places.index(place) :][:32] for said in given if place in said.places]

    own = [real_suite.own_face(state.the_deck, place, tokens_of(place), cheat.x) for place in range(6, 12)]
    assert len(set(own)) == 6
    for place in (*range(6), *range(12, 18)):
        with pytest.raises(NotACard):
            real_suite.own_face(state.the_deck, place, tokens_of(place), cheat.x)
    hall.pass_time(30)
    hall.waits_for(1)
    for seat, seated in hall.honest.items():
        assert seated.peer.game is not None
        with pytest.raises(Forbidden):
            seated.peer.game.abort()
        assert kinds.ABORT not in [entry.kind for entry in hall.signed(seat)]


@pytest.mark.parametrize("absent", ["void", "durak"])
def test_attack_33_leaving_in_the_middle_of_the_game(absent: str) -> None:
    """The others end it without the seat (R30); where the table said so, the leaver is the durak."""
    game = recorded("leaver", absent=absent)
    hall = Hall(game, game.turn(1, kinds.LEAD, nth=0 if game.states[game.turn(1, kinds.LEAD)].led else 1))
    assert hall.log(0).state.led
    hall.pass_time(30)
    hall.waits_for(1)
    for seated in hall.honest.values():
        peer = seated.peer
        assert peer.game is not None
        peer.node.push(peer.game.genesis.game_id, [peer.game.abort()])
    hall.settle()
    for seat in hall.honest:
        log = hall.log(seat)
        assert log.status is Status.ABORTED
        assert log.state.waited_for == (1,)
        result = log.state.result
        assert (() if result is None else result.duraks) == ((1,) if absent == "durak" else ())
    hall.nobody_honest_is_named()
    hall.secrets_stay()


def test_attack_34_two_tokens_for_one_place() -> None:
    """The true ones for one peer, others for the other: the two records are the case, whatever they hold."""
    hall = dealing()
    cheat = hall.cheat
    kind, payload = cheat.owed()
    places, tokens, proof = payload
    S = split(tokens)
    bent = joined([S[0] + base(1), *S[1:]])
    true, false = cheat.sign(kind, payload), cheat.sign(kind, (places, bent, proof))
    cheat.silent()
    cheat.send(true, to=[0])
    hall.pass_time(6)
    assert hall.log(2).state.stage is Stage.CLAIM
    cheat.send(false, to=[2])
    hall.pass_time(6)
    hall.halted("F_FORK")
