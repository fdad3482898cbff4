"""Playing "s shulerami": R24–R27. Trump is hearts."""

from __future__ import annotations

from game.actions import Accuse, Challenge, Resign
from game.open_table import legal_of
from game.options import Options
from game.position import Ending, Phase, Result, pairs
from game.rules import dues, is_upheld
from tests.game.table import Table, cards, endgame, texts

CHEATING = Options(cheating=True, first_limit=0)
TALON = "JS JC JD TS TC TD 6S 6C 6D 6H"


def table_of(*hands: str, options: Options = CHEATING, talon: str = TALON) -> Table:
    return Table(endgame(options, list(hands), talon=talon), height=8)


def test_r24_any_rank_may_be_thrown_and_any_card_may_beat() -> None:
    table = table_of("7C QS", "8S AS AC")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "throw QS"))
    assert [laid.cheat for laid in table.position.plays] == [0, 2, 2]
    assert is_upheld(table.position, 9)
    assert not is_upheld(table.position, 8)
    assert not is_upheld(table.position, 99)


def test_r24_not_cheatable() -> None:
    table = table_of("7C QS", "8S AS", "9C KS")
    assert table.refuses(0, "lead AS") == ("R6", "illegal.not-your-card")
    table.do(0, "lead 7C")
    assert table.refuses(0, "throw QS") == ("R10", "illegal.not-your-word")
    assert table.refuses(1, "beat QS AS") == ("R9", "illegal.not-unbeaten")
    table.do(1, "beat 7C 8S")
    assert table.refuses(2, "throw 9C") == ("R10", "illegal.not-your-word")
    table.play_all((0, "throw QS"), (1, "beat QS AS"))
    assert table.phase is Phase.CHALLENGE, "the defender is out of cards: capacity binds cheats too"


def test_r24_a_transfer_of_another_rank_is_refused() -> None:
    options = Options(cheating=True, variant="transfer", first_limit=0)
    table = table_of("7C QS KS", "8S 7S AS", "9C KC KD", options=options)
    table.do(0, "lead 7C")
    assert table.refuses(1, "transfer 8S") == ("R14", "illegal.transfer-rank")
    table.do(1, "transfer 7S")
    assert table.refuses(2, "accuse 9") == ("R25", "illegal.not-accusable")
    assert table.refuses(2, "accuse 8") == ("R25", "illegal.not-accusable")


def test_r24_honest_or_not_is_fixed_by_the_table_cheats_included() -> None:
    table = table_of("7C QS QD", "8C AS AC KD")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "throw QS"), (1, "beat QS AS"), (0, "throw QD"))
    assert [laid.cheat for laid in table.position.plays] == [0, 1, 2, 1, 1]


def test_r25_accusing_is_not_a_pass() -> None:
    table = table_of("7C QS KC", "8S AS AC", "9C KS")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"))
    table.do(0, "accuse 9")
    assert table.position.marked == 0b010
    assert (table.phase, table.word) == (Phase.DEFEND, 1), "the cheat has the word again"
    assert table.hand(1) == "8S AS AC"
    assert table.refuses(1, "beat 7C 8S") == ("R9", "illegal.does-not-beat")
    table.do(1, "beat 7C AC")
    assert table.position.plays[1].cheat == 0, "a marked seat's play is not accusable"
    assert table.refuses(0, "accuse 11") == ("R25", "illegal.not-accusable")
    assert table.refuses(0, "accuse 9") == ("R25", "illegal.not-accusable"), "a returned play is gone"


def test_r25_only_plays_of_others_partners_included() -> None:
    options = Options(cheating=True, teams="2v2", seats=4, first_limit=0)
    table = table_of(
        "7C QS", "8S AS AC KC", "9C KS", "9D TH", options=options, talon=TALON.replace(" TD", "")
    )
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "throw QS"))
    assert table.refuses(1, "accuse 9") == ("R25", "illegal.not-accusable")
    table.do(1, "beat QS AS")
    assert table.word == 2
    table.do(2, "accuse 10")
    assert table.position.marked == 0b0001
    assert table.word == 0


def test_r25_no_accusing_at_an_honest_table() -> None:
    table = Table(endgame(Options(), ["7C QS", "8C AS AC"], talon=TALON))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert table.refuses(0, "accuse 21") == ("R25", "illegal.no-cheating")


def test_r25_a_challenge_round_before_a_bout_closes() -> None:
    table = table_of("7C QS KC", "8S AS AC", "9C KS")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "pass"), (2, "pass"))
    assert table.phase is Phase.CHALLENGE
    assert [(seat, kinds) for seat, kinds in dues(table.position)] == [(0, (Challenge,)), (2, (Challenge,))]
    assert legal_of(table.game, 0) == (Challenge(None), Challenge(9))
    assert legal_of(table.game, 1) == ()
    assert table.refuses(0, "challenge 8") == ("R25", "illegal.not-accusable")
    assert table.refuses(1, "challenge") == ("R10", "illegal.not-your-word")
    table.challenge(s0="", s2="")
    assert table.phase is Phase.LEAD
    assert table.word == 1
    assert texts(table.position.discard).count("7C") == 1


def test_r25_none_to_accuse_no_round() -> None:
    table = table_of("7C QS KC", "8S AS AC")
    table.play_all((0, "lead 7C"), (1, "take"), (0, "pass"))
    assert table.phase is Phase.LEAD


def test_r25_marked_seats_are_not_asked() -> None:
    table = table_of("7C QS KC", "8C AS AC", "9C KS")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "accuse 9"))
    assert table.position.marked == 0b001
    table.play_all((0, "pass"), (2, "pass"))
    assert [seat for seat, _ in dues(table.position)] == [2]
    table.challenge(s2="9")
    assert table.position.marked == 0b101
    assert table.phase is Phase.LEAD, "none upheld: the bout closes"


def test_r26_all_answers_are_judged_and_the_earliest_upheld_play_returns() -> None:
    table = table_of("7C QS 9D", "8S AS AC KD", "9C KS JH 9H")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "throw QS"), (1, "beat QS AS"), (0, "pass"))
    table.play_all((2, "throw 9C"), (1, "take"), (0, "pass"), (2, "pass"))
    assert table.phase is Phase.CHALLENGE
    assert [seat for seat, _ in dues(table.position)] == [0, 1, 2]
    table.challenge(s0="11", s1="10", s2="9")
    # 11 was honest, 10 and 9 were not
    assert table.position.marked == 0b011
    assert (table.phase, table.word) == (Phase.DEFEND, 1)
    assert [laid.card for laid in table.position.plays] == list(cards("7C"))
    assert table.hand(1) == "8S AS AC KD"
    assert table.hand(2) == "KS 9H JH 9C"


def test_r26_the_take_and_the_answers_after_it_are_undone() -> None:
    table = table_of("7C QS 9D", "8C AS AC KD", "9C KS JH")
    table.play_all(
        (0, "lead 7C"), (1, "beat 7C 8C"), (0, "throw QS"), (1, "take"), (0, "pass"), (2, "throw KS")
    )
    assert table.position.passed == 0b001
    table.do(2, "accuse 10")
    assert (table.phase, table.word, table.position.taking) == (Phase.THROW, 0, False)
    assert table.position.passed == 0
    assert table.hand(2) == "KS JH 9C"


def test_r26_a_cheat_after_take_returns_to_the_giving() -> None:
    table = table_of("7C QS 9D", "8C AS AC KD", "9C KS JH")
    table.play_all((0, "lead 7C"), (1, "take"), (0, "throw QS"), (0, "pass"), (2, "accuse 10"))
    assert (table.phase, table.word, table.position.taking) == (Phase.GIVE, 0, True)
    assert table.position.marked == 0b001
    assert table.refuses(0, "throw QS") == ("R10", "illegal.rank-not-on-table")
    table.do(0, "pass")
    assert table.word == 2


def test_r26_passes_return_to_what_they_were() -> None:
    table = table_of("7C QS 9D", "8C AS AC KD", "9C KS JH")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "pass"), (2, "throw KS"))
    assert table.position.passed == 0, "a cheat lays a new rank like any other"
    table.do(1, "accuse 11")
    assert table.position.passed == 0b001
    assert table.word == 2


def test_r26_a_mark_is_for_the_rest_of_the_game() -> None:
    table = table_of("7C QS KC", "8S AS AC", "9C KS")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "accuse 9"), (1, "take"), (0, "pass"), (2, "pass"))
    assert table.phase is Phase.LEAD
    assert table.position.marked == 0b010
    table.play_all((2, "lead 9C"), (0, "take"), (2, "pass"))
    assert table.refuses(1, "throw AS") == ("R10", "illegal.rank-not-on-table")


def test_r26_marks_that_came_later_survive_a_rollback() -> None:
    table = table_of("7C QS KC", "8C AS AC AD", "9C KS")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "throw QS"), (1, "beat QS AS"), (0, "accuse 11"))
    assert table.position.marked == 0b001
    table.do(0, "pass")
    table.do(2, "accuse 10")
    assert table.position.marked == 0b001
    assert (table.phase, table.word) == (Phase.THROW, 0)


def test_r25_resign_ends_play_at_once() -> None:
    table = table_of("7C QS KC", "8S AS AC")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "resign"))
    assert table.result == Result(0, (0,), (), ())


def test_r25_height_four_thousand_ends_play_at_once() -> None:
    table = table_of("7C QS KC", "8S AS AC")
    table.height = 3997
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "pass"))
    assert table.position.ending is Ending.TOO_LONG


def test_r17_plays_taken_back_do_not_count() -> None:
    table = Table(endgame(CHEATING, ["7C QS", "8C 9S TD", "8D KS"], trump="6H"), height=8)
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"), (0, "throw QS"))
    assert table.position.hands[0] == 0
    table.do(1, "accuse 10")
    assert table.hand(0) == "QS"
    table.play_all((0, "pass"), (2, "throw 8D"), (1, "take"), (0, "pass"), (2, "pass"))
    table.challenge(s1="", s2="")
    assert table.position.out == ()


def test_r27_the_table_names_the_height_of_every_card() -> None:
    table = table_of("7C QS", "8S AS AC")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"), (0, "throw QS"))
    assert [(a.card, a.height, b and (b.card, b.height)) for a, b in pairs(table.position)] == [
        (cards("7C")[0], 8, (cards("8S")[0], 9)), (cards("QS")[0], 10, None)
    ]  # fmt: skip


def test_the_table_pairs_the_lowest_card_id_like_any_other() -> None:
    table = Table(endgame(Options(deck=52), ["2S QS", "3S AS AC"], talon="6H"))
    table.play_all((0, "lead 2S"), (1, "beat 2S 3S"))
    assert [(a.card, b and b.card) for a, b in pairs(table.position)] == [(0, 1)]


def test_r25_accusations_and_resigning_are_offered() -> None:
    table = table_of("7C QS", "8S AS AC")
    table.play_all((0, "lead 7C"), (1, "beat 7C 8S"))
    offered = legal_of(table.game, 0)
    assert offered[-2:] == (Accuse(9), Resign())
