"""R34 for the normal bot, one habit at a time, at tables with known hands."""

from __future__ import annotations

from game.actions import PASS, TAKE, Accuse, Action, Beat, Lead, Throw
from game.bots import START, Memory, Turn, bot, never, remember
from game.cards import Card, Place, card_text, parse_card
from game.open_table import OpenGame, hand_of, legal_of
from game.options import Options
from tests.game.table import Table, endgame

TALON = "7S 8S 9S TS JS QS KS AS 6D"


def turn_of(game: OpenGame, memory: Memory = START) -> Turn:
    seat = game.position.word
    hand = {Place(place): Card(card) for place, card in hand_of(game, seat).items()}
    return Turn(game.position, seat, hand, legal_of(game, seat), memory)


def says(game: OpenGame, memory: Memory = START, level: str = "normal") -> str:
    """What the bot that has the word does, in words."""
    action: Action = bot(level, lambda bits: 0).decide(turn_of(game, memory), never)  # type: ignore[arg-type]
    match action:
        case Lead(_, cards):
            return "lead " + " ".join(card_text(card) for card in cards)
        case Throw(_, card):
            return "throw " + card_text(card)
        case Beat(attack, _, card):
            return f"beat {card_text(attack)} {card_text(card)}"
        case Accuse(height):
            return f"accuse {height}"
    return {TAKE: "take", PASS: "pass"}[action]


def test_r34_spares_trumps() -> None:
    """Leads plain cards before trumps, beats without trumps, and throws none in while there is a talon."""
    game = endgame(Options(), ["8D 7D 9H KC", "8C TC JC QC 7H 8H"], talon=TALON)
    assert says(game).startswith("lead 9H") or says(game).startswith("lead KC")
    table = Table(endgame(Options(), ["6C 9C 9D", "7C 7D 9H TH JH QH"], talon="7S 8S 6D"))
    table.do(0, "lead 6C")
    assert says(table.game) == "beat 6C 7C"
    table = Table(endgame(Options(), ["6C 7D 8H", "7C TS JS QS KS AS"], talon="8S 6D"))
    table.play_all((0, "lead 6C"), (1, "beat 6C 7C"))
    assert says(table.game) == "pass"


def test_r34_takes_early_rather_than_give_a_high_trump() -> None:
    """With a full talon a lonely six is taken; near its end the trump is played: the refill is minded."""
    table = Table(endgame(Options(), ["6C 7H 8H", "AD TS JS QS KS AS"], talon="7S 8S 9S 6S 7C 8C 9C 6D"))
    table.do(0, "lead 6C")
    assert says(table.game) == "take"
    table = Table(endgame(Options(), ["6C 7H 8H", "AD TS JS QS KS AS"], talon="7S 6D"))
    table.do(0, "lead 6C")
    assert says(table.game) == "beat 6C AD"


def test_r34_throws_what_the_defender_cannot_beat() -> None:
    """Two sevens fit; of one it is known that the defender can't beat it. The easy bot throws the other."""
    hands = ["7C 7S 7H KC", "8C 9C 8S 9S TC 6H"]
    table = Table(endgame(Options(), hands, talon="KS QS QD", known=hands[1]))
    table.play_all((0, "lead 7C"), (1, "beat 7C 8C"))
    assert says(table.game) == "throw 7H"
    assert says(table.game, level="easy") == "throw 7S"


def test_r34_leads_the_rank_the_defender_seems_to_lack() -> None:
    """Of two equal cards it leads the one of a suit in which the defender took rather than beat."""
    options = Options()
    hands = ["7S 7H", "6S 6H TC JC QC KC"]
    plain = endgame(options, hands, talon="8C 9C AC 8S 9S 9H 8H 6D")
    assert says(plain) == "lead 7S"
    position = plain.position
    unlikely = [0] * 36
    for place in range(36):
        if position.hands[1] >> place & 1:
            for text in ("8H", "9H", "TH", "JH", "QH", "KH", "AH"):
                unlikely[place] |= 1 << parse_card(text)
    assert says(plain, Memory(tuple(unlikely))) == "lead 7H"


def test_memory_notes_who_took_and_who_passed() -> None:
    table = Table(endgame(Options(), ["6C 6H 8H", "AD TS JS QS KS AS"], talon="7S 8S 9S 6S 7C 8C 9C 6D"))
    table.do(0, "lead 6C")
    before = table.position
    memory = remember(START, before, ((1, TAKE),))
    place = next(iter(hand_of(table.game, 1)))
    assert memory.unlikely[place] >> parse_card("TC") & 1
    assert not memory.unlikely[place] >> parse_card("7D") & 1
    assert not memory.unlikely[place] >> parse_card("6H") & 1
    table.do(1, "take")
    memory = remember(memory, table.position, ((0, PASS),))
    assert memory.unlikely[next(iter(hand_of(table.game, 0)))] >> parse_card("6H") & 1


def test_r34_never_hurts_the_own_teams_defence() -> None:
    """A partner's false beat is not accused, an opponent's is; a partner's false throw is."""
    options = Options(teams="2v2", cheating=True)
    hands = ["6C 9C 7H", "8S 8D AH", "6H 9H TH", "QH KH JH"]
    game = endgame(options, hands, trump="6D", known="")
    table = Table(game)
    table.do(0, "lead 6C")
    false = table.do(1, "beat 6C 8S")
    assert table.word == 0
    assert says(table.game) == f"accuse {false}"
    table.do(0, "pass")
    assert table.word == 2
    assert says(table.game) == f"accuse {false}"
    table.do(2, "pass")
    assert table.phase.name == "CHALLENGE"
    for seat, accuses in ((0, True), (2, True), (3, False)):
        hand = {Place(place): Card(card) for place, card in hand_of(table.game, seat).items()}
        turn = Turn(table.position, seat, hand, legal_of(table.game, seat))
        if turn.legal:
            action = bot("normal", lambda bits: 0).decide(turn, never)
            assert (getattr(action, "height", None) is not None) is accuses
