"""A whole game as a fold: order of stages, who owes what, what is refused, and that a game always ends."""

from __future__ import annotations

import pytest

from game import kinds, payloads, rules
from game.actions import Lead
from game.course import Course
from game.mental_poker import deck as real_suite
from game.options import RULES_ID, encode
from game.seat import OwnSeat
from game.state import CourseState, Stage
from ledger.engine import Due, Kind, Payload, Seat
from ledger.errors import BadGenesis, Forbidden, Unsupported
from ledger.genesis import Genesis, Previous
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import Step, Table, chooser, genesis_of, options_of, seed_of

TABLES = [(36, 2), (36, 3), (36, 6), (24, 2), (24, 4), (52, 2), (52, 6)]


def play_whole(table: Table, seed: int) -> list[Step]:
    return list(table.play(chooser(seed)))


def until(table: Table, stage: Stage, seed: int = 1) -> CourseState:
    while table.state.stage is not stage:
        table.step(chooser(seed))
    return table.state


def refused(table: Table, due: Due, kind: Kind, payload: Payload) -> Forbidden:
    with pytest.raises(Forbidden) as caught:
        table.course.check(table.state, due, kind, payload)
    return caught.value


@pytest.mark.parametrize(("deck", "seats"), TABLES)
def test_a_game_runs_from_join_to_secrets_and_ends(deck: int, seats: int) -> None:
    table = Table(options_of(deck=deck, seats=seats))
    steps = play_whole(table, seed=deck + seats)
    stages = [step.before.stage for step in steps]
    assert stages[: 3 + seats + 1] == [
        Stage.JOIN,
        Stage.KEYS,
        *[Stage.SHUFFLE] * seats,
        Stage.ACK,
        Stage.DEAL,
    ]
    assert stages[-2:] == [Stage.RESULT, Stage.SECRETS]
    assert stages == sorted(stages[: stages.index(Stage.PLAY)]) + stages[stages.index(Stage.PLAY) :]
    assert table.state.stage is Stage.OVER
    assert sorted(table.state.opened) == list(table.state.setup.cards)
    assert [step.before.height for step in steps] == list(range(len(steps)))


@pytest.mark.parametrize(("deck", "seats"), TABLES)
def test_the_real_suite_deals_the_cards_that_the_secrets_open(deck: int, seats: int) -> None:
    table = Table(options_of(deck=deck, seats=seats), course=Course(real_suite))
    state = until(table, Stage.PLAY)
    hands = [own.hand(state) for own in table.own]
    assert all(len(hand) == 6 for hand in hands)
    play_whole(table, seed=3)
    opened = table.state.opened
    assert sorted(opened) == list(table.state.setup.cards)
    for hand in hands:
        assert all(opened[place] == card for place, card in hand.items())
    assert opened[-1] == table.state.the_position.setup.trump


def test_without_open_after_the_game_ends_with_the_result() -> None:
    table = Table(options_of(open_after=False))
    steps = play_whole(table, seed=5)
    assert steps[-1].before.stage is Stage.RESULT
    assert table.state.stage is Stage.OVER
    assert table.state.secrets == ()


def test_r2_every_seat_owes_tokens_for_all_other_hands_and_the_trump_place() -> None:
    table = Table(options_of(seats=3))
    state = until(table, Stage.DEAL)
    assert table.course.token_places(state, Seat(1)) == (*range(6), *range(12, 18), 35)


def test_r3_with_no_talon_the_holder_of_the_trump_place_answers_for_it_too() -> None:
    table = Table(options_of(seats=6))
    state = until(table, Stage.DEAL)
    assert table.course.token_places(state, Seat(5)) == (*range(30), 35)
    until(table, Stage.PLAY)
    hand = table.own[5].hand(table.state)
    assert hand[payloads.Place(35)] == table.state.the_position.setup.trump


def test_r16_who_drew_owes_nobody_a_token_for_his_own_places() -> None:
    table = Table(options_of(seats=3))
    seen = 0
    for step in table.play(chooser(11)):
        if step.before.stage is Stage.REFILL:
            seen += 1
            for due, (kind, payload) in zip(step.dues, step.met, strict=True):
                assert kind == kinds.TOKENS
                drawn = rules.drawn(step.before.the_position)
                own = {place for seat, place in drawn if seat == due.seat}
                assert not own & set(payloads.read_tokens(payload).places)
    assert seen > 0


def test_r5_a_game_after_another_has_its_leader_from_the_genesis_and_no_claims() -> None:
    before = Previous(bytes(32), bytes(32), Seat(2), (0, 0, 0), (0, 0, 0))  # type: ignore[arg-type]
    table = Table(options_of(seats=3), previous=before)
    stages = [step.before.stage for step in play_whole(table, seed=1)]
    assert Stage.CLAIM not in stages
    assert stages[stages.index(Stage.DEAL) + 1] is Stage.PLAY


def test_r29_a_false_result_is_refused_with_its_rule() -> None:
    table = Table(options_of())
    state = until(table, Stage.RESULT)
    outcome, duraks, order, pogony = payloads.write_result(state.result)  # type: ignore[arg-type]
    error = refused(table, Due(Seat(0), (kinds.RESULT,)), kinds.RESULT, (1 - outcome, duraks, order, pogony))  # type: ignore[operator]
    assert (error.code, error.rule) == ("I_RULE", "R29")


def test_a_key_that_differs_from_its_commitment_is_a_bad_proof() -> None:
    table = Table(options_of(), course=Course(real_suite))
    state = until(table, Stage.KEYS)
    key, proof, _ = table.own[0].owed(state)[1]  # type: ignore[index]
    error = refused(table, Due(Seat(0), (kinds.OPEN_KEYS,)), kinds.OPEN_KEYS, (key, proof, bytes(32)))
    assert (error.code, error.reason) == ("I_PROOF", "forbidden.commitment")


def test_equal_keys_void_the_game_and_blame_nobody() -> None:
    class SameKey(OpenDeckSuite):
        def public_key(self, x: int) -> bytes:
            return bytes(31) + b"\1"

    table = Table(options_of(), course=Course(SameKey(), number=NUMBER))
    play_whole(table, seed=1)
    assert table.state.stage is Stage.VOID
    assert not table.course.over(table.state)
    assert table.course.expect(table.state) == ()


def test_a_card_other_than_the_one_at_the_place_is_a_bad_proof() -> None:
    table = Table(options_of(), course=Course(real_suite))
    state = until(table, Stage.PLAY)
    leader = Seat(state.the_position.leader)
    own = table.own[leader]
    action = next(
        action
        for action in own.legal(state)
        if isinstance(action, Lead) and rules.face(state.the_position, action.places[0]) is None
    )
    kind, (places, cards, opening) = own.write(state, action)
    free = next(
        card
        for card in state.setup.cards
        if card not in own.hand(state).values() and not state.the_position.seen >> card & 1
    )
    due = table.course.expect(state)[0]
    error = refused(table, due, kind, (places, (free,), opening))
    assert (error.code, error.reason) == ("I_PROOF", "forbidden.face")
    table.course.check(state, due, kind, (places, cards, opening))


def test_what_has_passed_does_not_vouch_for_what_only_equals_it() -> None:
    """In Python False == 0; on the wire they are two things, whatever was looked at before."""
    table = Table(options_of(seats=3))
    state = until(table, Stage.DEAL)
    due = table.course.expect(state)[1]
    kind, payload = table.own[1].owed(state)  # type: ignore[misc]
    places, *rest = payload
    assert isinstance(places, tuple)
    assert places[0] == 0
    alias = ((False, *places[1:]), *rest)
    assert alias == (places, *rest)
    assert refused(table, due, kind, alias).code == "I_SHAPE"
    table.course.check(state, due, kind, (places, *rest))
    assert refused(table, due, kind, alias).code == "I_SHAPE"


def test_what_has_passed_at_one_state_does_not_vouch_for_itself_at_another() -> None:
    table = Table(options_of(), course=Course(real_suite))
    state = until(table, Stage.KEYS)
    due = table.course.expect(state)[0]
    kind, payload = table.own[0].owed(state)  # type: ignore[misc]
    table.course.check(state, due, kind, payload)
    table.state = state._replace(commitments=(bytes(32), *state.commitments[1:]))
    assert refused(table, due, kind, payload).code == "I_PROOF"


@pytest.mark.parametrize("spoil", ["none", "extra", "two"])
def test_an_opening_of_the_wrong_size_is_a_bad_shape(spoil: str) -> None:
    table = Table(options_of())
    state = until(table, Stage.PLAY)
    own = table.own[state.the_position.leader]
    kind, (places, cards, opening) = own.write(state, own.legal(state)[0])
    tokens, proof = opening  # type: ignore[misc]
    wrong = {"none": None, "extra": (tokens + tokens, proof), "two": (tokens, proof + proof)}[spoil]  # type: ignore[operator]
    assert refused(table, table.course.expect(state)[0], kind, (places, cards, wrong)).code == "I_SHAPE"


def test_a_public_card_carries_no_opening() -> None:
    table = Table(options_of(seats=6))
    for step in table.play(chooser(4)):
        for kind, payload in step.met:
            if step.before.stage is Stage.PLAY:
                action, opening = payloads.read_action(kind, payload)
                public = [
                    place
                    for place, _ in rules.cards_laid(action)
                    if rules.face(step.before.the_position, place) is not None
                ]
                laid = rules.cards_laid(action)
                assert (opening is None) == (len(public) == len(laid))


def test_r30_an_abort_is_possible_from_the_first_lead_until_play_is_over() -> None:
    table = Table(options_of(seats=3))
    playing = [table.course.playing(step.before) for step in table.play(chooser(2))]
    first, last = playing.index(True), len(playing) - playing[::-1].index(True)
    assert all(playing[first:last])
    assert not table.course.playing(table.state)


@pytest.mark.parametrize(("absent", "over"), [("void", False), ("durak", True)])
def test_r30_what_an_abort_means_is_the_tables_choice(absent: str, *, over: bool) -> None:
    table = Table(options_of(seats=3, absent=absent))
    until(table, Stage.PLAY)
    table.step(chooser(1))
    after = table.course.abort(table.state, (Seat(1),))
    assert table.course.over(after) is over
    assert table.course.expect(after) == ()
    if over:
        assert after.result is not None
        assert after.result.duraks == (1,)


def test_two_runs_of_a_seat_write_the_same_bytes() -> None:
    first, second = (
        Table(options_of(), course=Course(real_suite)),
        Table(options_of(), course=Course(real_suite)),
    )
    for one, two in zip(first.play(chooser(9)), second.play(chooser(9)), strict=True):
        assert one.met == two.met
        assert first.course.public_bytes(one.after) == second.course.public_bytes(two.after)


def test_a_restarted_seat_reads_the_same_hand_from_its_seed() -> None:
    table = Table(options_of(), course=Course(real_suite))
    state = until(table, Stage.PLAY)
    again = OwnSeat(table.course, table.genesis.game_id, Seat(0), seed_of("game 0"))
    assert again.hand(state) == table.own[0].hand(state)
    assert "secrets hidden" in repr(again)


def test_the_product_refuses_the_open_deck() -> None:
    with pytest.raises(Unsupported):
        Course(real_suite).start(genesis_of(options_of(), suite=0))


def test_other_rules_are_unsupported_never_invalid() -> None:
    genesis = genesis_of(options_of(), suite=1)
    other = Genesis(bytes(32), genesis.options, 1, genesis.seats)
    with pytest.raises(Unsupported):
        Course(real_suite).start(other)


def test_options_and_seats_must_agree() -> None:
    genesis = genesis_of(options_of(seats=2), suite=1)
    other = Genesis(RULES_ID, encode(options_of(seats=3)), 1, genesis.seats)
    with pytest.raises(BadGenesis):
        Course(real_suite).start(other)
