"""Bots against bots on paired deals: the same deck with the seats swapped, so that luck cancels out.

The real rules drive the game directly with every face known (`game.open_table`); each bot is shown only what
its seat may know. Decks and dice follow from one seed, so a run with a node budget can be repeated exactly;
with a time budget (of processor time, so that a busy machine is no handicap), a slower machine plays a weaker
searching bot.
"""

from __future__ import annotations

import multiprocessing
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from game import open_table
from game.bots import START, Level, Turn, bot, remember
from game.cards import Card, deck_cards
from game.options import Options
from game.rules import dues, over, result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game.actions import Action
    from game.bots import Dice, Stop

FIRST_HEIGHT = 20
"""About where the first lead stands in a log; R19's height 4,000 counts from here."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: `games` deals, each once per way of seating `a` among `b`.

    Two seats: a deal is two games. More seats: `a` has one seat, each in turn, or with teams one team, each
    in turn. `paired=False` plays each deal once, the seats going round. `milliseconds` per move; `nodes`
    instead asks a bot's `stop` that often and never looks at a clock.
    """

    a: Level
    b: Level
    games: int
    options: Options = field(default_factory=Options)
    paired: bool = True
    seed: int = 1
    milliseconds: int = 50
    nodes: int = 0
    jobs: int = 1
    first: int = 0
    """The number of the first deal: a long match can be played in parts."""


@dataclass(slots=True)
class Tally:
    """What came of it, seen from `a`, who made `moves` moves in `spent` seconds."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    firsts: int = 0
    moves: int = 0
    spent: float = 0.0
    slowest: float = 0.0
    late: int = 0
    """Moves of `a` that took longer than the budget by a tenth and a millisecond."""
    by_deal: dict[int, int] = field(default_factory=dict)
    """Per deal, wins minus losses over its seatings."""

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.wins += other.wins
        self.losses += other.losses
        self.draws += other.draws
        self.firsts += other.firsts
        self.moves += other.moves
        self.spent += other.spent
        self.slowest = max(self.slowest, other.slowest)
        self.late += other.late
        for deal, score in other.by_deal.items():
            self.by_deal[deal] = self.by_deal.get(deal, 0) + score


def wilson(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927, JASA 22:209); z = 1.96 is 95 %."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    middle = share + z * z / (2 * trials)
    spread = z * ((share * (1 - share) + z * z / (4 * trials)) / trials) ** 0.5
    scale = 1 + z * z / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def seatings(options: Options) -> tuple[tuple[int, ...], ...]:
    """The sets of seats `a` can have: each seat alone, or each team."""
    if options.teams == "off":
        return tuple((seat,) for seat in range(options.seats))
    teams = options.seats // {"2v2": 2, "3v3": 3, "2v2v2": 2}[options.teams]
    return tuple(tuple(range(team, options.seats, teams)) for team in range(teams))


def run(plan: Plan) -> Iterator[Tally]:
    """One tally per deal as it ends, in any order. Closing the iterator stops the workers."""
    tasks = ((plan, plan.first + deal) for deal in range(plan.games))
    if plan.jobs <= 1:
        yield from map(_deal, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(plan.jobs) as pool:
        yield from pool.imap_unordered(_deal, tasks)


def _deal(task: tuple[Plan, int]) -> Tally:
    plan, number = task
    deck = list(deck_cards(plan.options.deck))
    random.Random(f"deck {plan.seed} {number}").shuffle(deck)
    ways = seatings(plan.options)
    tally = Tally()
    for way in ways if plan.paired else (ways[number % len(ways)],):
        _play(plan, number, deck, way, tally)
    return tally


def _play(plan: Plan, number: int, deck: list[Card], own: tuple[int, ...], tally: Tally) -> None:
    """One game; `own` are the seats of `a`."""
    seats = range(plan.options.seats)
    bots = [
        bot(plan.a if seat in own else plan.b, _dice(f"{plan.seed} {number} {own} {seat}")) for seat in seats
    ]
    game = open_table.deal(plan.options, deck)
    memory, height = START, FIRST_HEIGHT
    while not over(game.position):
        met: list[tuple[int, Action]] = []
        for seat, _ in dues(game.position):
            hand = {place: Card(card) for place, card in open_table.hand_of(game, seat).items()}
            legal = open_table.legal_of(game, seat)
            turn = Turn(game.position, seat, hand, legal, memory)  # type: ignore[arg-type]
            began = time.thread_time()
            met.append((seat, bots[seat].decide(turn, _stop(plan, began))))
            if seat in own:
                took = time.thread_time() - began
                tally.moves += 1
                tally.spent += took
                tally.slowest = max(tally.slowest, took)
                tally.late += took > plan.milliseconds * 0.0011 + 0.001
        memory = remember(memory, game.position, met)
        game = open_table.play_round(game, tuple(met), height)
        height += 1
    outcome = result(game.position)
    assert outcome is not None
    score = 0
    if outcome.duraks:
        score = -1 if own[0] in outcome.duraks else 1
    tally.games += 1
    tally.wins += score > 0
    tally.losses += score < 0
    tally.draws += score == 0
    tally.firsts += bool(outcome.order_out) and outcome.order_out[0] in own
    tally.by_deal[number] = tally.by_deal.get(number, 0) + score


def _dice(label: str) -> Dice:
    return random.Random(f"dice {label}").getrandbits


def _stop(plan: Plan, began: float) -> Stop:
    if plan.nodes:
        left = iter(range(plan.nodes))
        return lambda: next(left, None) is None
    deadline = began + plan.milliseconds / 1000
    clock = time.thread_time
    return lambda: clock() > deadline
