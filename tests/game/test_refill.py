"""From the close of a bout to the next lead: R2, R3, R16–R20, and tokens owed."""

from __future__ import annotations

import pytest

from game.cards import bit_set, deck_cards, members
from game.options import Options
from game.position import Ending, Phase, Position, Result
from game.refill import LAST_HEIGHT
from game.rules import (
    apply,
    drawn,
    open_first_bout,
    owed,
    owed_at_deal,
    play,
    refilling,
    settle,
    start,
    still_in,
    talon,
)
from tests.game.table import Table, cards, endgame

FREE = Options(first_limit=0)


def close_bout(table: Table, *moves: tuple[int, str]) -> Position:
    """Play the moves, the last one without settling."""
    for seat, words in moves[:-1]:
        table.do(seat, words)
    seat, words = moves[-1]
    position = apply(table.position, ((seat, table.read(words)),), table.height)
    assert refilling(position)
    return position


# R2, R3 -----------------------------------------------------------------------------------------------


def test_r2_six_cards_seat_by_seat_from_the_top() -> None:
    position = start(Options(seats=3), deck_cards(36)[-1])
    assert [tuple(members(hand)) for hand in position.hands] == [
        tuple(range(6)), tuple(range(6, 12)), tuple(range(12, 18))
    ]  # fmt: skip
    assert talon(position) == 18
    assert position.phase is Phase.OPENING


def test_r2_tokens_for_every_other_hand_and_the_trump() -> None:
    owes = dict(owed_at_deal(Options(seats=2)))
    assert owes == {0: (*range(6, 12), 35), 1: (*range(6), 35)}
    owes = dict(owed_at_deal(Options(seats=6)))
    assert owes[5] == (*range(30), 35)
    assert owes[0] == tuple(range(6, 36))
    assert owes[3] == (*range(18), *range(24, 36))


# R16 --------------------------------------------------------------------------------------------------


def test_r16_the_leader_draws_first_then_clockwise_the_defender_last() -> None:
    hands = ["7C 9S", "8C KD", "AS AD", "KS"]
    table = Table(endgame(FREE, hands, talon="6S 6C 6D 7S 7D 7H 8S 8D 8H 9C 9D 9H TS TC TD TH QS 6H"))
    position = close_bout(table, (0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "pass"), (3, "pass"))
    assert position.closed is not None
    assert [drawn.bit_count() for drawn in position.closed.drawn] == [5, 4, 4, 5]
    first = 18
    assert drawn(position) == (
        *((0, first + n) for n in range(5)), *((2, first + n) for n in range(5, 9)),
        *((3, first + n) for n in range(9, 14)), *((1, first + n) for n in range(14, 18)),
    )  # fmt: skip
    assert talon(position) == 0


def test_r16_each_is_filled_completely_before_the_next() -> None:
    table = Table(endgame(FREE, ["7C 9S", "8C KD", "AS AD"], talon="6S 6C 6D 7S 6H"))
    position = close_bout(table, (0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "pass"))
    assert position.closed is not None
    assert [drawn.bit_count() for drawn in position.closed.drawn] == [5, 0, 0]


def test_r16_every_seat_but_the_drawer_owes_a_token_for_hidden_places() -> None:
    hands = ["7C 9S QS QC QD", "8C KD TS TC TD", "AS AD"]
    table = Table(endgame(FREE, hands, talon="6S 6C 6D 7S 6H"))
    position = close_bout(table, (0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "pass"))
    # seat 0 draws two, seat 2 three of which the last is the public trump card, seat 1 nothing
    assert drawn(position) == ((0, 31), (0, 32), (2, 33), (2, 34), (2, 35))
    assert owed(position) == ((0, (33, 34)), (1, (31, 32, 33, 34)), (2, (31, 32)))


def test_r16_who_owes_nothing_is_not_due() -> None:
    table = Table(endgame(FREE, ["7C 9S QS QC QD", "8C KD", "AS AD"], talon="6S 6H"))
    position = close_bout(table, (0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "pass"))
    assert owed(position) == ((1, (34,)), (2, (34,)))
    table = Table(endgame(FREE, ["7C 9S QS QC QD", "8C KD", "AS AD"], talon="6H"))
    position = close_bout(table, (0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "pass"))
    assert owed(position) == ()


def test_r16_a_seat_that_goes_out_at_this_refill_owes_and_one_that_is_out_does_not() -> None:
    table = Table(endgame(FREE, ["7C", "8C", "AS AD", ""], talon="6S 6H"))
    position = close_bout(table, (0, "lead 7C"), (1, "beat 7C 8C"))
    assert owed(position) == ((1, (34,)), (2, (34,)))
    after = settle(position, table.height)
    assert after.out == (3, 1)
    assert still_in(after) == (0, 2)


# R17, R18 ---------------------------------------------------------------------------------------------


def test_r17_order_by_the_height_that_emptied_the_hand() -> None:
    table = Table(endgame(FREE, ["7C", "8C 9D KD", "7D", "AS AC"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (2, "throw 7D"), (1, "beat 7D 9D"), (3, "pass"))
    assert table.position.out == (0, 2)
    assert table.word == 1


def test_r17_the_talon_comes_first() -> None:
    table = Table(endgame(FREE, ["7C", "8C 9D KD", "7D", "AS AC"], talon="6S 6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (2, "throw 7D"), (1, "beat 7D 9D"), (3, "pass"))
    assert table.position.out == (2,)
    assert table.hand(0) == "6S 6H"


def test_r18_one_seat_with_cards_is_the_durak() -> None:
    table = Table(endgame(FREE, ["7C", "8C KD"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.result == Result(0, (1,), (0,), ())
    assert table.position.ending is Ending.PLAYED


def test_r18_decided_only_when_a_bout_is_over() -> None:
    table = Table(endgame(FREE, ["7C", "8C KD"], trump="6H"))
    table.do(0, "lead 7C")
    assert table.result is None


# R19 --------------------------------------------------------------------------------------------------


def play_on(table: Table, bouts: int) -> None:
    """Two seats push one card round: seat 0 leads it, seat 1 takes; three seats: everybody takes."""
    for _ in range(bouts):
        leader = table.word
        card = table.hand(leader).split()[0]
        table.do(leader, f"lead {card}")
        table.do(table.word, "take")
        while table.phase is Phase.GIVE:
            table.do(table.word, "pass")


def test_r19_the_third_time_is_a_draw() -> None:
    table = Table(endgame(FREE, ["7C KC", "8C KD", "9C KS"], trump="6H"))
    seen = []
    while table.phase is not Phase.OVER:
        seen.append((table.word, table.position.hands))
        play_on(table, 1)
    assert table.position.ending is Ending.REPEATED
    assert table.result == Result(1, (), (), ())
    last = max(seen.count(key) for key in seen)
    assert last == 2, "the third bout of that kind did not begin"


def test_r19_what_was_before_a_discard_or_a_draw_is_forgotten() -> None:
    table = Table(endgame(FREE, ["7C KC", "8C KD", "9C KS"], trump="6H"))
    play_on(table, 4)
    assert len(table.position.memory) == 5
    leader = table.word
    table.do(leader, f"lead {table.hand(leader).split()[0]}")
    while table.phase is Phase.DEFEND:
        defender = table.word
        beats = [words for words in table.hand(defender).split() if words[1] == table_attack(table)[1]]
        table.do(defender, f"beat {table_attack(table)} {beats[-1]}")
    while table.phase is Phase.THROW:
        table.do(table.word, "pass")
    assert len(table.position.memory) == 1


def table_attack(table: Table) -> str:
    from tests.game.table import texts

    return texts(table.position.unbeaten).split()[0]


def test_r19_height_four_thousand_is_a_draw_there_and_then() -> None:
    table = Table(endgame(FREE, ["7C 9S KS", "8C KD"], talon="6H"), height=LAST_HEIGHT - 2)
    table.do(0, "lead 7C")
    assert table.phase is Phase.DEFEND
    table.do(1, "beat 7C 8C")
    assert table.position.ending is Ending.TOO_LONG
    assert table.result == Result(1, (), (), ())


def test_r19_a_game_decided_by_the_last_entry_is_decided() -> None:
    table = Table(endgame(FREE, ["7C", "8C KD"], trump="6H"), height=LAST_HEIGHT - 2)
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.result == Result(0, (1,), (0,), ())


def test_r19_no_tokens_round_at_height_four_thousand() -> None:
    table = Table(endgame(FREE, ["7C", "8C KD"], talon="6S 6H"), height=LAST_HEIGHT - 2)
    table.do(0, "lead 7C")
    position = play(table.position, table.read("beat 7C 8C"), LAST_HEIGHT - 1)
    assert position.ending is Ending.TOO_LONG
    table = Table(endgame(FREE, ["7C", "8C KD"], talon="6S 6H"), height=LAST_HEIGHT - 3)
    table.do(0, "lead 7C")
    position = play(table.position, table.read("beat 7C 8C"), LAST_HEIGHT - 2)
    assert refilling(position)
    assert settle(position, LAST_HEIGHT - 1).ending is Ending.TOO_LONG


# R20 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deck", "hands", "moves", "pogony"),
    [
        (36, ["6C 6D", "KD KS"], [(0, "lead 6C"), (1, "take"), (0, "throw 6D")], "6C 6D"),
        (36, ["6C", "KD KS"], [(0, "lead 6C"), (1, "take")], "6C"),
        (36, ["7C", "KD KS"], [(0, "lead 7C"), (1, "take")], ""),
        (36, ["6H", "KD KS"], [(0, "lead 6H"), (1, "take")], ""),
        (36, ["6C 6H", "KD KS"], [(0, "lead 6C"), (1, "take"), (0, "throw 6H")], ""),
        (24, ["9C 9D", "KD KS"], [(0, "lead 9C"), (1, "take"), (0, "throw 9D")], "9C 9D"),
        (52, ["2C 2D", "KD KS"], [(0, "lead 2D"), (1, "take"), (0, "throw 2C")], "2D 2C"),
        (52, ["6C 6D", "KD KS"], [(0, "lead 6C"), (1, "take"), (0, "throw 6D")], ""),
        (36, ["6C 6D 6S", "KD KS AS"], [
            (0, "lead 6S"), (1, "take"), (0, "throw 6C"), (0, "throw 6D"),
        ], "6S 6C"),
        # a beaten card does not matter, whatever it is
        (36, ["7C 6C", "6D 9D KC", ], [(0, "lead 7C"), (1, "beat 7C KC"), (0, "pass")], None),
        (36, ["6D 6S 6C", "7D AD AC", ], [
            (0, "lead 6D"), (1, "beat 6D 7D"), (0, "throw 6S"), (1, "take"), (0, "throw 6C"),
        ], "6S 6C"),
    ],
)  # fmt: skip
def test_r20_pogony(deck: int, hands: list[str], moves: list[tuple[int, str]], pogony: str | None) -> None:
    table = Table(endgame(Options(deck=deck, first_limit=0), hands, trump="TH"))
    table.play_all(*moves)
    if pogony is None:
        assert table.result is None
    else:
        assert table.result == Result(0, (1,), (0,), cards(pogony))


def test_r20_no_pogony_when_the_last_bout_was_beaten() -> None:
    table = Table(endgame(FREE, ["6C", "8C KD"], trump="TH"))
    table.play_all((0, "lead 6C"), (1, "beat 6C 8C"))
    assert table.result == Result(0, (1,), (0,), ())


def test_settle_needs_a_closed_bout() -> None:
    position = open_first_bout(start(FREE, deck_cards(36)[-1]), 0)
    with pytest.raises(ValueError, match="nothing to settle"):
        settle(position, 9)
    assert owed(position) == ()
    assert drawn(position) == ()
    assert bit_set(()) == 0
