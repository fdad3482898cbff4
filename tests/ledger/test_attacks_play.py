"""The hostile cases of the list that need a real game: 30, 36, 38, 39 and 43 to 48, signed with real keys.

Each is signed at heights of a whole game at which it can be tried, on a log of its own; the deck is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

import pytest

from game import kinds
from game.course import Course
from game.options import Options
from game.position import Phase, capacity, face
from game.state import CourseState, Stage
from ledger.engine import Height, Kind, Payload, Seat
from ledger.entry import VERSION, Body, sign_entry
from ledger.errors import Malformed
from ledger.fault import Fault
from ledger.identity import game_key
from ledger.log import Log
from ledger.outcome import Dropped, Forbade
from tests.logs import play_log
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import chooser, seed_of

COURSE = Course(OpenDeckSuite(), number=NUMBER)
MOST = 12
"""Heights at which one case is tried."""


@cache
def game(dice: int = 3, **chosen: object) -> Log[CourseState]:
    options = Options(**{"seats": 3, "deck": 36, **chosen})  # type: ignore[arg-type]
    return play_log(options, course=COURSE, label="list", choose=chooser(dice))


def up_to(log: Log[CourseState], height: int) -> Log[CourseState]:
    """The same game, as far as that height."""
    short = Log(COURSE, log.genesis)
    for entry in log.entries():
        if entry.height < height:
            short.receive(entry.record)
    return short


def signed(log: Log[CourseState], seat: int, kind: int, payload: Payload) -> bytes:
    level = log.level(log.height)
    body = Body(VERSION, log.game_id, level.height, Seat(seat), level.prev, level.state, Kind(kind), payload)
    return sign_entry(game_key(seed_of(f"list {seat}")), body)


def forbidden(log: Log[CourseState], height: int, seat: int, kind: int, payload: Payload) -> Fault:
    """What a seat that signs this at that height is blamed for."""
    short = up_to(log, height)
    outcome = short.receive(signed(short, seat, kind, payload))
    assert isinstance(outcome, Forbade), outcome
    assert outcome.fault.seat == seat
    return outcome.fault


def moments(
    log: Log[CourseState], when: Callable[[CourseState, tuple[Kind, ...]], bool]
) -> Iterator[tuple[int, CourseState]]:
    """Some heights of play at which `when` holds; at least one."""
    found = [
        (step.height, step.before)
        for step in log.steps()
        if step.before.stage is Stage.PLAY and when(step.before, step.dues[0].kinds)
    ]
    assert found
    return islice(iter(found), MOST)


def own_card(state: CourseState, seat: int) -> tuple[int, int]:
    """A place of that hand, and the card that lies there in the open deck."""
    place = next(place for place in range(36) if state.the_position.hands[seat] >> place & 1)
    return place, COURSE.suite.face(state.the_deck, place, ())


def test_attack_30_38_39_there_is_no_epoch_to_sign_and_no_key_to_replace() -> None:
    """One key for one game: kinds without a meaning are never due, and kinds above 31 are no entry."""
    log = game()
    for kind in (*range(21, 32),):
        assert forbidden(log, 20, 0, kind, ()).code == "I_TURN"
    short = up_to(log, 20)
    with pytest.raises(Malformed):
        signed(short, 0, 32, ())
    genesis = log.genesis
    stranger = sign_entry(
        game_key(seed_of("another key of seat 0")),
        Body(VERSION, log.game_id, short.height, Seat(0), short.level(short.height).prev,
             short.level(short.height).state, kinds.PASS, ()),
    )  # fmt: skip
    outcome = short.receive(stranger)
    assert isinstance(outcome, Dropped)
    assert outcome.code == "E_SIG"
    assert genesis == log.genesis


def test_attack_36_accusing_what_cannot_be_accused() -> None:
    """A card of one's own, of another bout, of none; and a returned one (R26)."""
    log = game(cheating=True, seats=3)
    plays = {
        laid.height for step in log.steps() if step.before.position for laid in step.before.position.plays
    }
    for height, state in moments(log, lambda state, asked: kinds.ACCUSE in asked):
        seat = state.the_position.word
        lying = {laid.height: laid.seat for laid in state.the_position.plays}
        own = [at for at, by in lying.items() if by == seat]
        gone = [at for at in plays if at < height and at not in lying]
        for target in (*own, *gone[-2:], height, 4000):
            fault = forbidden(log, height, seat, kinds.ACCUSE, (target,))
            marked = state.the_position.marked >> seat & 1
            assert (fault.code, fault.rule) == ("I_RULE", "R26" if marked else "R25")
    for height, _ in moments(log, lambda state, asked: state.the_position.phase is Phase.CHALLENGE):
        for due in log.level(Height(height)).dues:
            fault = forbidden(log, height, due.seat, kinds.CHALLENGE, (height,))
            assert (fault.code, fault.rule) == ("I_RULE", "R25")


@pytest.mark.parametrize("chosen", [{}, {"first_limit": 0}, {"throwers": "neighbours"}], ids=str)
def test_attack_43_more_cards_than_the_bout_or_the_hand_can_take(chosen: dict[str, object]) -> None:
    """Nobody is ever asked for a card beyond capacity, and whoever lays one unasked has signed it."""
    log = game(**chosen)
    for step in log.steps():
        if step.before.stage is Stage.PLAY and kinds.THROW in step.dues[0].kinds:
            assert capacity(step.before.the_position) > 0
    for height, state in moments(log, lambda state, asked: kinds.THROW not in asked):
        for seat in range(3):
            if state.the_position.hands[seat]:
                place, card = own_card(state, seat)
                fault = forbidden(log, height, seat, kinds.THROW, (place, card, None))
                assert fault.code == "I_TURN"


def test_attack_44_a_throw_by_somebody_whose_pass_binds() -> None:
    log = game()
    tried = 0
    for height, state in moments(log, lambda state, asked: bool(state.the_position.passed)):
        position = state.the_position
        for seat in range(3):
            if position.passed >> seat & 1 and position.hands[seat] and seat != position.word:
                place, card = own_card(state, seat)
                assert forbidden(log, height, seat, kinds.THROW, (place, card, None)).code == "I_TURN"
                tried += 1
    assert tried


def tokens_height(log: Log[CourseState], stage: Stage) -> tuple[int, int, Payload]:
    """The first height of that stage, a seat that owes tokens there, and what it honestly says."""
    step = next(step for step in log.steps() if step.before.stage is stage)
    return step.height, step.met[0].seat, step.met[0].payload


@pytest.mark.parametrize("stage", [Stage.DEAL, Stage.REFILL])
def test_attack_45_tokens_for_cards_nobody_draws_for_the_own_and_twice(stage: Stage) -> None:
    log = game()
    height, seat, (places, tokens, proof) = tokens_height(log, stage)
    assert isinstance(places, tuple)
    assert isinstance(tokens, bytes)
    spare = next(place for place in range(35, 0, -1) if place not in places)
    for other in ((*places[:-1], spare) if spare > places[-1] else (spare, *places[1:]), places[:-1]):
        ascending = tuple(sorted(other))
        fault = forbidden(log, height, seat, kinds.TOKENS, (ascending, tokens[: 32 * len(ascending)], proof))
        assert (fault.code, fault.rule) in {("I_RULE", "R2"), ("I_RULE", "R16"), ("I_SHAPE", "")}
    twice = (places[0], *places)
    assert forbidden(log, height, seat, kinds.TOKENS, (twice, bytes(32) + tokens, proof)).code == "I_SHAPE"


@pytest.mark.parametrize("stage", [Stage.DEAL, Stage.REFILL])
def test_attack_46_and_47_a_token_or_a_proof_of_another_length(stage: Stage) -> None:
    """There are no blobs: what a proof needs is in the entry, and its length is that of what it proves. That
    a proof of another seat or place fails is attack 17 of the dealing."""
    log = game()
    height, seat, (places, tokens, proof) = tokens_height(log, stage)
    assert isinstance(tokens, bytes)
    assert isinstance(proof, bytes)
    for wrong in (
        (tokens[:-1], proof),
        (tokens + b"\0", proof),
        (tokens, proof[:-1]),
        (tokens, proof + b"\0"),
    ):
        fault = forbidden(log, height, seat, kinds.TOKENS, (places, *wrong))
        assert (fault.code, fault.rule) == ("I_SHAPE", "")


def test_attack_48_a_card_beyond_the_deck_and_one_that_is_open_elsewhere() -> None:
    log = game()
    for height, state in moments(log, lambda state, asked: kinds.LEAD in asked):
        seat = state.the_position.leader
        place, _ = own_card(state, seat)
        opening = None if face(state.the_position, place) is not None else (bytes(32), bytes(64))
        assert forbidden(log, height, seat, kinds.LEAD, ((place,), (52,), opening)).code == "I_SHAPE"
        for card in (0, state.the_position.setup.trump):
            if COURSE.suite.face(state.the_deck, place, ()) != card:
                assert forbidden(log, height, seat, kinds.LEAD, ((place,), (card,), opening)).code == "I_RULE"
