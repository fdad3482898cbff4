"""The bout: R6–R13, as conversations at tables with known hands. Trump is hearts unless said otherwise."""

from __future__ import annotations

from game.actions import Lead
from game.cards import Place, members
from game.options import Options
from game.position import Ending, Phase
from game.rules import capacity, dues, refusal
from tests.game.table import Table, cards, endgame, texts

FREE = Options(first_limit=0)


def two(first: str, second: str, options: Options = FREE, talon: str = "6H") -> Table:
    return Table(endgame(options, [first, second], talon=talon))


def three(first: str, second: str, third: str, options: Options = FREE, talon: str = "6H") -> Table:
    return Table(endgame(options, [first, second, third], talon=talon))


# R6 ---------------------------------------------------------------------------------------------------


def test_r6_the_leader_lays_any_one_card_and_cannot_pass() -> None:
    table = two("7C 8C AS", "9C TC")
    assert table.phase is Phase.LEAD
    assert table.refuses(0, "pass") == ("R6", "illegal.lead-no-pass")
    assert table.refuses(0, "take") == ("R8", "illegal.not-now")
    assert table.refuses(1, "lead 9C") == ("R10", "illegal.not-your-word")
    assert table.refuses(0, "lead 9C") == ("R6", "illegal.not-your-card")
    assert table.refuses(0, "lead 7C 8C") == ("R6", "illegal.lead-one")
    table.do(0, "lead AS")
    assert (table.phase, table.word, table.position.defender) == (Phase.DEFEND, 1, 1)
    assert table.hand(0) == "7C 8C"


def test_r6_the_defender_is_the_next_seat_that_is_in() -> None:
    table = Table(endgame(FREE, ["7C", "", "8C", "9C"], talon="6H"))
    assert table.position.defender == 2
    table = Table(endgame(FREE, ["7C", "", "8C", "9C"], talon="6H", leader=3))
    assert table.position.defender == 0


def test_r6_several_of_one_rank_by_ascending_card() -> None:
    table = three("7S 7C 7D 8C", "9C TC KC", "AC", Options(lead="several", first_limit=0))
    assert table.refuses(0, "lead 7C 8C") == ("R6", "illegal.lead-one-rank")
    assert table.refuses(0, "lead 7C 7S") == ("R6", "illegal.lead-order")
    assert table.refuses(0, "lead 7C 7C") == ("R6", "illegal.lead-order")
    assert table.refuses(0, "lead") == ("R6", "illegal.lead-order")
    table.do(0, "lead 7S 7C 7D")
    assert texts(table.position.unbeaten) == "7S 7C 7D"
    assert capacity(table.position) == 0


def test_r6_several_are_bound_by_the_hand_of_the_defender() -> None:
    table = three("7S 7C 7D 8C", "9C TC", "AC", Options(lead="several", first_limit=0))
    assert table.refuses(0, "lead 7S 7C 7D") == ("R7", "illegal.hand-full")
    table.do(0, "lead 7S 7D")


# R7 ---------------------------------------------------------------------------------------------------


def test_r7_capacity_counts_the_table_and_the_hand_now() -> None:
    table = two("7C 7D 7S 8D", "9C 9D TC")
    assert capacity(table.position) == 3
    table.do(0, "lead 7C")
    assert capacity(table.position) == 2
    table.do(1, "beat 7C 9C")
    assert capacity(table.position) == 2
    table.do(0, "throw 7D")
    assert capacity(table.position) == 1


def test_r7_never_more_unbeaten_than_the_defender_holds() -> None:
    table = two("7C 7D 7S", "9C 9D", talon="8S 6H")
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "throw 7D"))
    assert capacity(table.position) == 0
    table.do(1, "beat 7D 9D")
    assert table.position.closed is not None
    assert not table.position.closed.taken


def test_r7_six_attacks_close_the_bout() -> None:
    table = two("7S 7C 7D 8S 8C 8D 8H", "9S 9C 9D TS TC TD 7H KH AH")
    table.play_all((0, "lead 7S"), (1, "beat 7S 9S"), (0, "throw 7C"), (1, "beat 7C 9C"), (0, "throw 7D"))
    table.play_all((1, "beat 7D 7H"))
    assert capacity(table.position) == 3
    assert table.refuses(0, "throw 8S") == ("R10", "illegal.rank-not-on-table")
    table = two("7S 7C 7D 8S 8C 8D 8H", "9S 9C 9D TS TC TD 7H KH AH")
    table.play_all((0, "lead 8S"), (1, "beat 8S 9S"), (0, "throw 8C"), (1, "beat 8C 9C"), (0, "throw 8D"))
    table.play_all((1, "beat 8D 7H"), (0, "throw 7S"), (1, "beat 7S TS"), (0, "throw 7C"), (1, "beat 7C TC"))
    assert capacity(table.position) == 1
    table.play_all((0, "throw 7D"), (1, "beat 7D TD"))
    assert table.position.closed is not None
    assert len(table.position.closed.plays) == 12
    assert table.word == 1


def test_r7_a_take_does_not_lift_the_limit_of_five() -> None:
    table = Table(endgame(Options(), ["7S 8S 9S", "8C TC", "AC AD KC KD"], talon="6H"))
    assert table.position.limit == 5
    table.play_all((0, "lead 7S"), (1, "take"), (0, "pass"), (2, "pass"))
    assert table.position.limit == 5
    table.play_all((2, "lead AC"), (0, "take"), (2, "throw AD"), (2, "pass"), (1, "pass"))
    assert table.position.limit == 5
    table.do(1, "lead 8C")
    table.do(2, "beat 8C KC")
    table.play_all((1, "pass"), (0, "pass"))
    assert table.position.limit == 6


def test_r7_off_the_limit_is_six_from_the_start() -> None:
    assert two("7S", "8S").position.limit == 6


# R8, R9 -----------------------------------------------------------------------------------------------


def test_r8_while_a_card_is_unbeaten_only_the_defender_is_asked() -> None:
    table = three("7C 7D", "9C 8D", "7S")
    table.do(0, "lead 7C")
    assert [seat for seat, _ in dues(table.position)] == [1]
    assert table.refuses(0, "throw 7D") == ("R10", "illegal.not-your-word")
    assert table.refuses(1, "pass") == ("R8", "illegal.not-now")
    assert table.refuses(1, "throw 9C") == ("R8", "illegal.not-now")


def test_r9_higher_of_the_suit_or_a_trump() -> None:
    table = two("9C KH", "8C TC AD 7H", talon="6H")
    table.do(0, "lead 9C")
    assert table.refuses(1, "beat 9C 8C") == ("R9", "illegal.does-not-beat")
    assert table.refuses(1, "beat 9C AD") == ("R9", "illegal.does-not-beat")
    assert table.refuses(1, "beat KH TC") == ("R9", "illegal.not-unbeaten")
    table.do(1, "beat 9C 7H")


def test_r9_a_trump_only_by_a_higher_trump() -> None:
    table = two("9H", "8H TH AC", talon="6H")
    table.do(0, "lead 9H")
    assert table.refuses(1, "beat 9H 8H") == ("R9", "illegal.does-not-beat")
    assert table.refuses(1, "beat 9H AC") == ("R9", "illegal.does-not-beat")
    table.do(1, "beat 9H TH")


def test_r9_an_attack_is_beaten_once() -> None:
    table = two("9C 9D", "TC JC TD", Options(lead="several", first_limit=0))
    table.play_all((0, "lead 9C 9D"), (1, "beat 9C TC"))
    assert table.refuses(1, "beat 9C JC") == ("R9", "illegal.not-unbeaten")
    assert table.refuses(1, "beat 9D JC") == ("R9", "illegal.does-not-beat")
    assert table.refuses(1, "beat TC JC") == ("R9", "illegal.not-unbeaten")


# What is public -----------------------------------------------------------------------------------------


def test_a_public_face_cannot_be_called_another_card() -> None:
    table = Table(endgame(FREE, ["9C 9D", "TC JC TD"], talon="6H", known="9C"))
    nine_of_clubs, nine_of_diamonds = cards("9C 9D")
    at = table.game.place_of[nine_of_clubs]
    fault = refusal(table.position, 0, Lead((Place(at),), (nine_of_diamonds,)))
    assert fault is not None
    assert (fault.rule, fault.reason) == ("R6", "illegal.other-face")
    assert fault.params == {"card": nine_of_diamonds, "face": nine_of_clubs}
    assert refusal(table.position, 0, Lead((Place(at),), (nine_of_clubs,))) is None


def test_a_card_that_is_publicly_elsewhere_cannot_be_claimed() -> None:
    table = Table(endgame(FREE, ["9C 9D", "TC JC TD"], talon="6H", known="TC"))
    hidden = Place(next(iter(members(table.position.hands[0]))))

    def claim(text: str) -> tuple[str, str]:
        fault = refusal(table.position, 0, Lead((hidden,), cards(text)))
        assert fault is not None
        return fault.rule, fault.reason

    assert claim("TC") == ("R6", "illegal.elsewhere")  # in the other hand, known
    assert claim("AC") == ("R6", "illegal.elsewhere")  # in the discard
    assert claim("6H") == ("R6", "illegal.elsewhere")  # under the talon
    assert claim("2C") == ("R1", "illegal.no-such-card")


# R10 --------------------------------------------------------------------------------------------------


def test_r10_the_leader_is_asked_first_then_clockwise() -> None:
    table = Table(endgame(FREE, ["7C 9S", "9C TC", "7D", "7S"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"))
    assert (table.phase, table.word) == (Phase.THROW, 0)
    table.do(0, "pass")
    assert table.word == 2
    table.do(2, "pass")
    assert table.word == 3
    table.do(3, "pass")
    assert table.phase is Phase.LEAD
    assert table.word == 1


def test_r10_any_rank_on_the_table_may_be_thrown_trumps_too() -> None:
    table = three("7C 8D", "8C TC JC", "8H 9S")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.refuses(0, "throw TC") == ("R6", "illegal.not-your-card")
    table.do(0, "pass")
    assert table.refuses(2, "throw 9S") == ("R10", "illegal.rank-not-on-table")
    table.do(2, "throw 8H")
    assert table.word == 1


def test_r10_a_pass_binds_while_no_new_rank_is_laid() -> None:
    table = three("7C 9S", "9C TC KD", "7D 7S")
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "pass"), (2, "throw 7D"), (1, "beat 7D KD"))
    # the king is a new rank: seat 0 is asked again, from the head
    assert table.word == 0
    table = three("7C 9S", "9C TD KD", "7D TS")
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "pass"), (2, "throw 7D"), (1, "beat 7D TD"))
    assert table.word == 0
    table = three("7C 9S", "9C 9D KD", "7D TS")
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "pass"), (2, "throw 7D"), (1, "beat 7D 9D"))
    assert table.word == 2, "no new rank: the pass of seat 0 binds"


def test_r10_neighbours_only_the_head_and_the_first_after_the_defender() -> None:
    table = Table(
        endgame(Options(throwers="neighbours", first_limit=0), ["7C 9S", "9C TC", "7D", "7S"], talon="6H")
    )
    assert table.position.order == (0, 2)
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "pass"))
    assert table.word == 2
    table.do(2, "pass")
    assert table.phase is Phase.LEAD


def test_r10_neighbours_of_three_are_both() -> None:
    table = three("7C 9S", "9C TC", "7D", Options(throwers="neighbours", first_limit=0))
    assert table.position.order == (0, 2)


def test_r10_who_has_no_card_is_not_asked() -> None:
    table = three("7C", "9C TC", "7D 7S", talon="8S 6H")
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"))
    assert table.word == 2


def test_r10_the_asking_starts_anew_at_the_head() -> None:
    table = three("7C 7D", "9C 9D 9S", "7S 8S")
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "throw 7D"), (1, "beat 7D 9D"))
    assert table.word == 2, "the head is out of cards"
    table = three("7C 7D 8D", "9C 9D 9S", "7S 8S")
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "throw 7D"), (1, "beat 7D 9D"))
    assert table.word == 0


# R11, R12 ---------------------------------------------------------------------------------------------


def test_r11_taking_is_free_while_a_card_is_unbeaten_and_never_else() -> None:
    table = two("7C 9D", "8C KD")
    table.do(0, "lead 7C")
    table.do(1, "beat 7C 8C")
    assert table.refuses(1, "take") == ("R10", "illegal.not-your-word")
    assert table.refuses(0, "take") == ("R11", "illegal.nothing-to-take")


def test_r11_take_frees_passes_and_each_thrower_is_asked_once() -> None:
    table = Table(endgame(FREE, ["7C 9S 9H", "9C KD AD AS", "7D TS", "7S 7H"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 9C"), (0, "pass"), (2, "throw 7D"), (1, "take"))
    assert (table.phase, table.word) == (Phase.GIVE, 0)
    table.do(0, "throw 9S")
    assert table.word == 0
    table.do(0, "pass")
    assert table.word == 2
    table.do(2, "pass")
    table.do(3, "throw 7S")
    assert table.position.closed is not None
    assert table.position.closed.taken, "capacity is 0: nobody more is asked"
    assert set(table.hand(1).split()) == {"KD", "AD", "AS", "7C", "9C", "7D", "9S", "7S"}


def test_r11_the_thrower_loses_the_word_with_his_last_card() -> None:
    table = three("7C 7D", "9C KD AD AS", "7S TS")
    table.play_all((0, "lead 7C"), (1, "take"), (0, "throw 7D"))
    assert table.word == 2


def test_r11_without_throw_after_take_the_bout_closes_at_once() -> None:
    table = three("7C 7D", "9C KD AD AS", "7S TS", Options(throw_after_take=False))
    table.play_all((0, "lead 7C"), (1, "take"))
    assert table.position.closed is not None
    assert table.position.closed.taken
    assert table.word == 2


def test_r12_beaten_cards_go_to_the_discard() -> None:
    table = two("7C 9D", "8C KD")
    before = table.position.discard
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"))
    assert texts(table.position.discard & ~before) == "7C 8C"
    assert table.position.plays == ()


def test_r12_taken_cards_go_to_the_hand_known_to_all() -> None:
    table = two("7C 7D 9D", "8C KD", talon="6S 6H")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "throw 7D"), (1, "take"))
    assert set(table.hand(1).split()) == {"7C", "7D", "8C", "KD"}
    closed = table.position.closed
    assert closed is not None
    assert [laid.card for laid in closed.plays] == list(cards("7C 8C 7D"))
    assert all(table.position.seen >> card & 1 for card in cards("7C 7D 8C"))
    assert not table.position.seen >> cards("KD")[0] & 1


# R13 --------------------------------------------------------------------------------------------------


def test_r13_beaten_the_defender_leads() -> None:
    table = three("7C 9D", "8C KD", "AS AD")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "pass"))
    assert (table.phase, table.word, table.position.defender) == (Phase.LEAD, 1, 2)


def test_r13_taken_the_seat_after_the_taker_leads() -> None:
    table = three("7C 9D", "8C KD", "AS AD")
    table.play_all((0, "lead 7C"), (1, "take"), (0, "pass"), (2, "pass"))
    assert (table.word, table.position.defender) == (2, 0)


def test_r13_with_two_seats_a_take_means_the_same_attacker() -> None:
    table = two("7C 9D", "8C KD")
    table.play_all((0, "lead 7C"), (1, "take"), (0, "pass"))
    assert (table.word, table.position.defender) == (0, 1)


def test_r13_a_defender_who_is_out_does_not_lead() -> None:
    table = Table(endgame(FREE, ["7C 9D", "8C", "AS AD"], trump="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.position.out == (1,)
    assert (table.word, table.position.defender) == (2, 0)
    assert table.position.ending is Ending.NONE
