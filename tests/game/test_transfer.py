"""Transfer and show: R14, R15. Trump is hearts."""

from __future__ import annotations

from game.actions import Beat, Show, Transfer
from game.cards import parse_card
from game.open_table import legal_of
from game.options import Options
from game.position import Phase, face
from game.rules import capacity
from tests.game.table import Table, endgame, texts

TRANSFER = Options(variant="transfer", first_limit=0)
SHOW = Options(variant="transfer", show_transfer=True, first_limit=0)


def test_r14_the_next_seat_must_defend_and_the_transferrer_is_the_head() -> None:
    table = Table(endgame(TRANSFER, ["7C 9S", "7D TC", "8C 9C TD", "AS AD"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "transfer 7D"))
    position = table.position
    assert (position.defender, position.head, position.leader, position.word) == (2, 1, 0, 2)
    assert position.order == (1, 3, 0)
    assert texts(position.unbeaten) == "7C 7D"
    assert capacity(position) == 1


def test_r14_not_in_the_throw_in_game() -> None:
    table = Table(endgame(Options(), ["7C 9S", "7D TC"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "transfer 7D") == ("R14", "illegal.no-transfer")
    assert table.refuses(1, "show 7D") == ("R15", "illegal.no-show")


def test_r14_only_the_rank_of_the_attack() -> None:
    table = Table(endgame(TRANSFER, ["7C 9S KS", "7D 8C TC"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "transfer 8C") == ("R14", "illegal.transfer-rank")


def test_r14_not_once_a_card_is_beaten() -> None:
    table = Table(endgame(TRANSFER, ["7C 7S 9S KS", "7D 8C TC AC"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "throw 7S"))
    assert table.refuses(1, "transfer 7D") == ("R14", "illegal.already-beaten")


def test_r14_not_after_take() -> None:
    table = Table(endgame(TRANSFER, ["7C 7S 9S KS", "7D 8C TC AC"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "take"))
    assert table.refuses(1, "transfer 7D") == ("R10", "illegal.not-your-word")


def test_r14_the_next_seat_needs_cards_for_all_of_them_and_nobody_is_skipped() -> None:
    table = Table(endgame(TRANSFER, ["7C 9S", "7D 8C TC", "AC", "KC KD KS"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "transfer 7D") == ("R14", "illegal.next-hand-full")


def test_r14_a_seat_that_ran_out_of_cards_in_this_bout_is_not_skipped_either() -> None:
    table = Table(endgame(TRANSFER, ["7C", "7D 8C"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "transfer 7D") == ("R14", "illegal.next-hand-full")


def test_r14_the_limit_of_five_binds_transfers() -> None:
    options = Options(variant="transfer", lead="several")
    table = Table(endgame(options, ["7S 7H 7C 9S KS AS", "7D 8C TC", "AC KC QC JC JD QD"], talon="6H"))
    table.play_all((0, "lead 7S 7H 7C"), (1, "transfer 7D"))
    assert capacity(table.position) == 1


def test_r14_passes_are_freed() -> None:
    table = Table(endgame(TRANSFER, ["7C 9S", "7D TC", "8C 9C TD"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "transfer 7D"), (2, "beat 7C 8C"), (2, "beat 7D TD"))
    assert table.word == 1, "the transferrer is asked first"
    table.do(1, "throw TC")
    table.do(2, "take")
    assert table.position.leader == 0, "the bout closed: the seat after the taker leads"
    assert table.word == 0


def test_r15_the_card_stays_and_is_public() -> None:
    table = Table(endgame(SHOW, ["7C 9S", "7H TC", "8C"], talon="AC 6H"))
    table.play_all((0, "lead 7C"), (1, "show 7H"))
    position = table.position
    assert texts(position.unbeaten) == "7C"
    assert table.hand(1) == "7H TC"
    assert face(position, table.game.place_of[parse_card("7H")]) == parse_card("7H")
    assert (position.defender, position.head, position.word, position.order) == (2, 1, 2, (1, 0))


def test_r15_only_the_trump_of_that_rank() -> None:
    table = Table(endgame(SHOW, ["7C 9S", "7D 8H TC", "8C KC"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "show 7D") == ("R15", "illegal.show-trump-only")
    assert table.refuses(1, "show 8H") == ("R15", "illegal.show-trump-only")


def test_r15_once_in_a_bout() -> None:
    table = Table(endgame(SHOW, ["7C 9S KS", "7H TC"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "show 7H"), (0, "take"), (1, "pass"))
    assert table.word == 1
    table.do(1, "lead 7H")
    table = Table(endgame(SHOW, ["7C 7D 9S", "7H TC"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "show 7H"), (0, "transfer 7D"))
    assert table.refuses(1, "show 7H") == ("R15", "illegal.shown-before")
    table.do(1, "beat 7C 7H")


def test_r15_the_next_hand_must_hold_the_attack_cards_but_none_more() -> None:
    table = Table(endgame(SHOW, ["7C 9S", "7D 7H TC", "8C"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "transfer 7D") == ("R14", "illegal.next-hand-full")
    table.do(1, "show 7H")
    table = Table(endgame(SHOW, ["7C", "7H TC"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "show 7H") == ("R15", "illegal.next-hand-full")


def test_r15_a_shown_card_may_be_laid_later_in_the_bout() -> None:
    table = Table(endgame(SHOW, ["7C 7D 9S", "7H TC KD"], talon="6H"))
    table.play_all((0, "lead 7C"), (1, "show 7H"), (0, "transfer 7D"), (1, "beat 7C 7H"), (1, "beat 7D KD"))
    assert (table.phase, table.word) == (Phase.THROW, 0)
    assert table.refuses(0, "throw 9S") == ("R10", "illegal.rank-not-on-table")


def test_r15_not_without_the_option() -> None:
    table = Table(endgame(TRANSFER, ["7C 9S", "7H TC"], talon="6H"))
    table.do(0, "lead 7C")
    assert table.refuses(1, "show 7H") == ("R15", "illegal.no-show")


def test_r10_neighbours_are_fixed_again_with_the_defender() -> None:
    options = Options(variant="transfer", throwers="neighbours", first_limit=0)
    table = Table(endgame(options, ["7C 9S", "7D TC", "8C 9C TD", "AS AD", "KS KD"], talon="6H"))
    assert table.position.order == (0, 2)
    table.play_all((0, "lead 7C"), (1, "transfer 7D"))
    assert table.position.order == (1, 3)


def test_r10_neighbours_skip_a_seat_without_cards_when_the_defender_is_fixed() -> None:
    options = Options(variant="transfer", throwers="neighbours", first_limit=0)
    table = Table(endgame(options, ["7C", "7D TC", "8C 9C TD"], talon="AC 6H"))
    table.play_all((0, "lead 7C"), (1, "transfer 7D"))
    assert table.position.defender == 2
    assert table.position.order == (1,), "seat 0 is empty; the first that may throw is the head"


def test_case_10_beat_transfer_and_show_with_one_trump_are_three_actions() -> None:
    table = Table(endgame(SHOW, ["7C 9S KS", "7H TS"], talon="6H"))
    table.do(0, "lead 7C")
    kinds = [type(action) for action in legal_of(table.game, 1) if parse_card("7H") in vars_of(action)]
    assert kinds == [Beat, Transfer, Show]
    actions = {table.read(words) for words in ("beat 7C 7H", "transfer 7H", "show 7H")}
    assert len(actions) == 3


def vars_of(action: object) -> list[object]:
    return [getattr(action, "card", None)]
