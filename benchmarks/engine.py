"""Random games through the real rules: games per second and core, and that memory stays flat.

    python benchmarks/engine.py [--seconds 3] [--seed 1] [--memory-games 100000] [--only-memory]

Times are CPU seconds of this process (`time.process_time`), the best and the mean of many short runs: on a
busy machine the best is nearer the truth. "with check" asks `check` about every action before it is applied.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from game import open_table
from game.actions import NO_CHALLENGE, Accuse, Action, Challenge
from game.cards import deck_cards
from game.options import Options
from game.position import Phase
from game.rules import accusable, check, dues

ELSEWHERE = (
    "random 2-seat 36-card games elsewhere: Rust jorisperrenet 9,705 · Go vovakirdan 5,266 · "
    "Python larsenbier 548 · OpenSpiel 491"
)
OVER = Phase.OVER
CHALLENGE = Phase.CHALLENGE
FIRST_HEIGHT = 20

TABLES = {
    "2 seats, 36 cards": Options(),
    "2 seats, transfer and show": Options(variant="transfer", show_transfer=True),
    "2 seats, several leads": Options(lead="several"),
    "3 seats, 36 cards": Options(seats=3),
    "4 seats, 36 cards": Options(seats=4),
    "4 seats, neighbours": Options(seats=4, throwers="neighbours"),
    "4 seats, 2v2": Options(seats=4, teams="2v2"),
    "6 seats, 52 cards": Options(deck=52, seats=6),
    "2 seats, cheating": Options(cheating=True),
    "4 seats, cheating": Options(seats=4, cheating=True),
}


def honest_game(options: Options, dice: random.Random, *, checked: bool) -> int:
    """One random game without accusing or resigning; the number of actions."""
    deck = list(deck_cards(options.deck))
    dice.shuffle(deck)
    game = open_table.deal(options, deck)
    chance = dice.random
    height = FIRST_HEIGHT
    while game.position.phase is not OVER:
        moves = open_table.moves_of(game)
        action = moves[int(chance() * len(moves))]
        if checked:
            check(game.position, game.position.word, action)
        game = open_table.play(game, action, height)
        height += 1
    return height - FIRST_HEIGHT


def cheating_game(options: Options, dice: random.Random, *, checked: bool) -> int:
    """One random game with false plays, accusations (one chance in eight) and challenge rounds."""
    deck = list(deck_cards(options.deck))
    dice.shuffle(deck)
    game = open_table.deal(options, deck)
    chance = dice.random
    height = FIRST_HEIGHT
    while game.position.phase is not OVER:
        met: list[tuple[int, Action]] = []
        for seat, _ in dues(game.position):
            position = game.position
            heights = accusable(position, seat) if position.phase is CHALLENGE or chance() < 0.125 else ()
            legal: list[Action]
            if position.phase is CHALLENGE:
                legal = [NO_CHALLENGE, *map(Challenge, heights)]
            else:
                legal = [*open_table.moves_of(game), *map(Accuse, heights)]
            action = legal[int(chance() * len(legal))]
            if checked:
                check(game.position, seat, action)
            met.append((seat, action))
        game = open_table.play_round(game, tuple(met), height)
        height += 1
    return height - FIRST_HEIGHT


def measure(options: Options, seconds: float, seed: int, *, checked: bool) -> tuple[float, float, float]:
    """Games per second, best and mean, and actions per game."""
    one: Callable[..., int] = cheating_game if options.cheating else honest_game
    size = 20
    best = total = 0.0
    games = actions = runs = 0
    while total < seconds or runs < 5:
        dice = random.Random(seed + runs % 3)
        start = time.process_time()
        for _ in range(size):
            actions += one(options, dice, checked=checked)
        spent = time.process_time() - start
        best = max(best, size / spent)
        total += spent
        games += size
        runs += 1
    return best, games / total, actions / games


def memory(games: int, seed: int) -> list[tuple[int, int, int]]:
    """After each tenth of the games: how many, live objects, resident bytes. Positions must not be kept;
    what grows at first are the shared actions (`game.actions`), of which there is a last one."""
    dice = random.Random(seed)
    seen = []
    for number in range(1, games + 1):
        honest_game(TABLES["2 seats, 36 cards"], dice, checked=False)
        if number % max(1, games // 10) == 0:
            gc.collect()
            seen.append((number, len(gc.get_objects()), resident()))
    return seen


def resident() -> int:
    """Bytes of this process in memory; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def speed(seconds: float, seed: int) -> None:
    """Print games per second for every table, with the peers' figures."""
    print(ELSEWHERE)
    print(f"{'table':28} {'best':>7} {'mean':>7} {'with check':>11} {'actions':>8}   games/s and core")
    for name, options in TABLES.items():
        best, mean, actions = measure(options, seconds, seed, checked=False)
        slower, _, _ = measure(options, seconds / 2, seed, checked=True)
        print(f"{name:28} {best:7.0f} {mean:7.0f} {slower:11.0f} {actions:8.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds per table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory-games", type=int, default=10_000)
    parser.add_argument("--only-memory", action="store_true")
    arguments = parser.parse_args()
    if not arguments.only_memory:
        speed(arguments.seconds, arguments.seed)
    for games, objects, size in memory(arguments.memory_games, arguments.seed):
        print(f"memory after {games:7} games: {objects:7} objects, {size / 1e6:6.1f} MB resident")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
