"""The twelve worked cases at the end of docs/rules.md (10 stands in test_transfer)."""

from __future__ import annotations

from game.cards import deck_cards, members, parse_card
from game.open_table import deal
from game.options import Options
from game.position import Ending, Phase, Result, face, talon
from game.rules import capacity, owed_at_deal, publish, start
from tests.game.table import Table, cards, endgame


def test_case_1_thirty_six_cards_six_seats_no_talon() -> None:
    options = Options(seats=6)
    deck = deck_cards(36)
    position = start(options, deck[-1])
    assert talon(position) == 0
    assert face(position, 35) == deck[-1]
    assert position.hands[5] >> 35 & 1
    game = deal(options, deck)
    table = Table(game)
    assert table.hand(5) == "9D TD JD QD KD AD"
    assert table.word == 4, "seat 4 holds the six of trumps"
    table.do(4, "lead 6D")
    table.do(5, "beat 6D AD")
    for seat in (4, 0, 1, 2, 3):
        table.do(seat, "pass")
    closed = table.position.closed
    assert closed is not None
    assert closed.drawn == (0,) * 6
    assert [hand.bit_count() for hand in table.position.hands] == [6, 6, 6, 6, 5, 5]
    assert all(35 in places for _, places in owed_at_deal(options)), (
        "the holder answers for the trump place too"
    )


def test_case_2_the_last_talon_card_keeps_the_attacker_in() -> None:
    table = Table(endgame(Options(), ["7C", "8C KD"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.hand(0) == "6H"
    assert table.position.out == ()
    assert talon(table.position) == 0
    assert (table.phase, table.word) == (Phase.LEAD, 1)


def test_case_3_take_with_two_cards_and_one_unbeaten() -> None:
    table = Table(endgame(Options(), ["7C 9S", "9C KD AD", "7D TS", "7S 7H"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "pass"), (2, "throw 7D"))
    assert table.position.hands[1].bit_count() == 2
    table.do(1, "take")
    assert capacity(table.position) == 1
    assert table.word == 0, "a seat that had passed before is asked again"
    table.do(0, "throw 9S")
    assert table.position.closed is not None
    assert table.position.closed.taken


def test_case_4_limit_five() -> None:
    hands = ["7S 7C 7D 8S 8C 8D KC", "9S 9C 9D TS TC QD JH KH AH", "KS"]
    table = Table(endgame(Options(), hands, talon="KD QC QS JS JC JD AS AC AD 6S 6C 6H"))
    table.play_all(
        (0, "lead 8S"), (1, "beat 8S 9S"), (0, "throw 8C"), (1, "beat 8C 9C"),
        (0, "throw 8D"), (1, "beat 8D 9D"),
        (0, "pass"), (2, "pass"),
    )  # fmt: skip
    assert table.position.limit == 6
    table = Table(endgame(Options(), hands, talon="KD QC QS JS JC JD AS AC AD 6S 6C 6H"))
    table.play_all(
        (0, "lead 7S"), (1, "beat 7S 9S"), (0, "throw 7C"), (1, "beat 7C 9C"),
        (0, "throw 7D"), (1, "beat 7D QD"),
        (0, "pass"), (2, "pass"),
    )  # fmt: skip
    hands = ["7S 7C 7D 8S 8C 8D", "9S 9C 9D TS TC 7H JH", "8H KS"]
    table = Table(endgame(Options(), hands, talon="KD QC QS JS JC JD AS AC AD 6S 6C 6H"))
    table.play_all(
        (0, "lead 8S"), (1, "beat 8S 9S"), (0, "throw 8C"), (1, "beat 8C 9C"),
        (0, "throw 8D"), (1, "beat 8D 7H"),
        (0, "throw 7S"), (1, "beat 7S TS"), (0, "throw 7C"), (1, "beat 7C TC"),
    )  # fmt: skip
    assert table.position.closed is not None
    assert len(table.position.closed.plays) == 10, (
        "five attack cards: it closed, although 7D and 8H would fit"
    )
    assert table.position.limit == 6

    table = Table(endgame(Options(), ["7S 8S", "9S TS", "KC AC"], talon="6H"))
    table.play_all((0, "lead 7S"), (1, "take"), (0, "pass"), (2, "pass"))
    assert table.position.limit == 5, "a take does not lift it"


def test_case_5_sevens_back_and_forth_between_two() -> None:
    options = Options(variant="transfer")
    table = Table(endgame(options, ["7C 7H 8S 9S", "7D 7S TS JS"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "transfer 7D"), (0, "transfer 7H"))
    assert table.refuses(1, "transfer 7S") == ("R14", "illegal.next-hand-full")
    table = Table(endgame(options, ["7C 7H 8S 9S QS KS", "7D 7S TS JS"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "transfer 7D"), (0, "transfer 7H"), (1, "transfer 7S"))
    assert table.position.defender == 0
    assert table.position.unbeaten.bit_count() == 4
    assert capacity(table.position) == 0
    table = Table(endgame(options, ["7C 8S", "7D TS"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "transfer 7D") == ("R14", "illegal.next-hand-full")


def test_case_6_the_attacker_goes_out_with_his_last_card() -> None:
    table = Table(endgame(Options(), ["7C", "8C KD", "AS AD"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (2, "pass"))
    assert table.position.out == (0,)
    assert (table.word, table.position.defender) == (1, 2)
    table = Table(endgame(Options(), ["7C", "8C KD", "AS AD"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "take"), (2, "pass"))
    assert table.position.out == (0,)
    assert (table.word, table.position.defender) == (2, 1)


def test_case_7_all_throwers_out_of_cards_and_the_defender_takes() -> None:
    table = Table(endgame(Options(), ["7C", "8C KD", "7D"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "take"), (2, "throw 7D"))
    assert table.phase is Phase.OVER
    assert table.result == Result(0, (1,), (0, 2), ())


def test_case_8_the_last_two_or_three_play_their_last_cards_in_one_bout() -> None:
    table = Table(endgame(Options(), ["7C", "8C"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.result == Result(1, (), (0, 1), ())
    table = Table(endgame(Options(), ["7C", "8C 9D", "7D"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (2, "throw 7D"), (1, "beat 7D 9D"))
    assert table.result == Result(1, (), (0, 2, 1), ())


def test_case_9_cheating() -> None:
    options = Options(cheating=True)
    talon = "JS JC JD TS TC 6S 6C 6H"
    table = Table(endgame(options, ["7C QS", "8C KS AS AC", "QD 9H TD"], talon=talon), height=8)
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    ten = table.do(0, "throw QS")
    table.do(1, "beat QS KS")
    twelve = table.do(2, "throw QD")
    assert (ten, twelve) == (10, 12)
    table.do(1, "accuse 12")
    assert table.position.marked == 0b010, "the queen was legal at that moment: the accuser is marked"
    assert (table.phase, table.word) == (Phase.DEFEND, 1), "a false accuser keeps the word"
    assert table.refuses(1, "accuse 10") == ("R26", "illegal.marked")
    table.do(1, "take")
    table.do(2, "accuse 10")
    assert table.position.marked == 0b011
    assert table.hand(0) == "QS"
    assert table.hand(1) == "KS AS AC"
    assert table.hand(2) == "9H TD QD"
    assert (table.phase, table.word) == (Phase.THROW, 0)
    assert [laid.card for laid in table.position.plays] == list(cards("7C 8C"))
    assert not table.position.taking
    assert table.refuses(0, "throw QS") == ("R10", "illegal.rank-not-on-table")
    place = table.game.place_of[parse_card("QS")]
    assert face(table.position, place) == parse_card("QS"), "a face once public stays so"


def test_case_11_three_seats_that_always_take() -> None:
    table = Table(deal(Options(seats=3), deck_cards(36)))
    bouts = 0
    while table.phase is not Phase.OVER:
        seat = table.word
        if table.phase is Phase.LEAD:
            card = next(iter(table.hand(seat).split()))
            table.do(seat, f"lead {card}")
            bouts += 1
        else:
            table.do(seat, "take" if table.phase is Phase.DEFEND else "pass")
    assert table.position.ending is Ending.REPEATED
    assert table.result == Result(1, (), (), ())
    assert bouts < 200


def test_case_12_transfers_all_the_way_round() -> None:
    options = Options(variant="transfer", first_limit=0)
    table = Table(
        endgame(options, ["7C KC 9S 9D", "7D QS QD", "7S JS JD JC"], talon="TS TC TD 8S 8C 8D AS AC 6H")
    )
    table.play_all((0, "lead 7C"), (1, "transfer 7D"), (2, "transfer 7S"))
    assert (table.position.defender, table.position.leader, table.position.head) == (0, 0, 2)
    table.do(0, "take")
    closed = table.position.closed
    assert closed is not None
    assert closed.defender == 0
    assert [tuple(members(drawn)) for drawn in closed.drawn] == [(), (27, 28, 29, 30), (31, 32, 33)]
    table = Table(
        endgame(options, ["7C KC AS AD", "7D QS QD", "7S JS JD"], talon="TS TC TD 8S 8C 8D 9S 9C AC 6H")
    )
    table.play_all((0, "lead 7C"), (1, "transfer 7D"), (2, "transfer 7S"))
    table.play_all((0, "beat 7S AS"), (0, "beat 7D AD"), (0, "beat 7C KC"))
    closed = table.position.closed
    assert closed is not None
    assert [tuple(members(drawn)) for drawn in closed.drawn] == [(34, 35), (26, 27, 28, 29), (30, 31, 32, 33)]


def test_case_1_dealing_again_with_the_same_public_card_is_the_same_position() -> None:
    position = start(Options(seats=6), parse_card("AD"))
    assert publish(position, 35, parse_card("AD")) == position
