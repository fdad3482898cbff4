"""Every level at every kind of table: legal, honest, never resigning, always an answer (R33)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from game import open_table
from game.actions import Accuse, Action, Beat, Challenge, Resign, Throw
from game.bots import LEVELS, START, Level, Stop, Turn, bot, remember
from game.cards import deck_cards
from game.options import Options, check
from game.position import FALSE
from game.rules import check as check_action
from game.rules import dues, over

TABLES = {
    "two": Options(),
    "two-24": Options(deck=24),
    "two-52": Options(deck=52, first_limit=0),
    "transfer": Options(variant="transfer"),
    "transfer-3": Options(variant="transfer", show_transfer=True, seats=3),
    "show-2": Options(variant="transfer", show_transfer=True, lead="several"),
    "neighbours-5": Options(seats=5, throwers="neighbours", lead="several"),
    "no-talon-4": Options(deck=24, seats=4, throw_after_take=False),
    "no-talon-6": Options(seats=6),
    "teams-2v2": Options(seats=4, teams="2v2"),
    "teams-3v3": Options(seats=6, teams="3v3", deck=52),
    "teams-2v2v2": Options(seats=6, teams="2v2v2", cheating=True),
    "cheating": Options(cheating=True),
    "cheating-4": Options(cheating=True, seats=4, teams="2v2"),
}


def think(steps: int) -> Stop:
    """A stop that counts: a node budget."""
    left = [steps]

    def stop() -> bool:
        left[0] -= 1
        return left[0] < 0

    return stop


def play_out(
    options: Options, levels: list[Level], seed: int, *, cheat: bool = False
) -> Iterator[tuple[Turn, Action]]:
    """A whole game; with `cheat`, seat 0 plays anything legal. Yields every question and its answer."""
    dice = random.Random(seed)
    deck = list(deck_cards(options.deck))
    dice.shuffle(deck)
    game = open_table.deal(options, deck)
    bots = [bot(level, random.Random(seed + seat).getrandbits) for seat, level in enumerate(levels)]
    memory, height = START, 20
    while not over(game.position):
        met: list[tuple[int, Action]] = []
        for seat, _ in dues(game.position):
            hand = open_table.hand_of(game, seat)
            turn = Turn(game.position, seat, hand, open_table.legal_of(game, seat), memory)  # type: ignore[arg-type]
            if cheat and seat == 0:
                action: Action = dice.choice([play for play in turn.legal if not isinstance(play, Resign)])
            else:
                action = bots[seat].decide(turn, think(40))
                yield turn, action
            check_action(game.position, seat, action)
            met.append((seat, action))
        memory = remember(memory, game.position, met)
        game = open_table.play_round(game, tuple(met), height)
        height += 1


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", TABLES)
def test_r33_answers_are_legal_and_never_resign(table: str, level: Level) -> None:
    options = TABLES[table]
    check(options)
    asked = 0
    for turn, action in play_out(options, [level] * options.seats, seed=7):
        assert action in turn.legal
        assert not isinstance(action, Resign)
        asked += 1
    assert asked > 10


@pytest.mark.parametrize("level", LEVELS)
def test_r33_plays_honestly_among_cheats(level: Level) -> None:
    options = replace(Options(), cheating=True, seats=3)
    for seed in range(5):
        for turn, action in play_out(options, [level] * 3, seed=seed, cheat=True):
            if isinstance(action, Throw):
                assert turn.position.ranks >> action.card % 13 & 1
            if isinstance(action, Beat):
                assert turn.position.setup.beaters[action.attack] >> action.card & 1


@pytest.mark.parametrize("level", LEVELS)
def test_r33_who_accuses(level: Level) -> None:
    """Easy and random accuse nothing; the others every false play they could accuse, and no honest one."""
    accused = missed = 0
    for seed in range(6):
        for turn, action in play_out(Options(cheating=True, seats=3), [level] * 3, seed=seed, cheat=True):
            heights = {play.height for play in turn.legal if isinstance(play, Accuse | Challenge)} - {None}
            false = {laid.height for laid in turn.position.plays if laid.cheat == FALSE} & heights
            if isinstance(action, Accuse | Challenge) and action.height is not None:
                assert action.height in false
                accused += 1
            else:
                missed += bool(false)
    if level in ("normal", "hard"):
        assert accused
        assert not missed
    else:
        assert missed
        assert not accused
