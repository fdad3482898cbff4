"""Playing a fully known game to its end, fast: what a searching bot does a thousand times for one move.

The rules are `game.rules`; this is the same bout in local variables and sets of bits (`game.bots.worth`),
some thirty times faster, and worth nothing unless it is the same: `tests/game/bots/test_swift.py` walks both
side by side over thousands of random games and compares every choice, every question and every ending.
Here everybody plays honestly and nobody accuses or resigns, and what never ends is a draw.
"""

# ruff: noqa: FBT001 (called a million times, so everything goes by position)

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from operator import or_
from typing import Final, NamedTuple

from game.bots.worth import Worth
from game.position import Phase, Position
from game.seating import able_seats, asking_order, next_opponent, next_seat, teams_of

LONGEST: Final = 80
"""Bouts until an imagined game counts as a draw (R19)."""


class Habit(NamedTuple):
    """How a seat plays without thinking. Cards are bits of `Worth`; `left` is the size of the talon."""

    lead: Callable[[int, int, int], int]
    """`(hand, left, room)`: the cards led; several only of one rank, and no more than `room`."""
    beat: Callable[[int, int, int, int, int], int]
    """`(fits, attack, hand, ranks, left)`: one of the cards `fits`, or 0 to take. `ranks` is the set of
    cards of the ranks on the table."""
    throw: Callable[[int, int, int, int, bool], int]
    """`(fits, hand, left, foe, taking)`: one of the cards `fits`, or 0 to pass. `foe` is the number of cards
    in the defender's hand."""
    hand_on: Callable[[int, int, int, int, int], int]
    """`(fits, shown, unbeaten, hand, left)`: one of the cards `fits` to transfer, −1 to show the trump
    `shown`, 0 for neither."""


class Habits(NamedTuple):
    """The habits of all seats, by seat."""

    leads: tuple[Callable[[int, int, int], int], ...]
    beats: tuple[Callable[[int, int, int, int, int], int], ...]
    throws: tuple[Callable[[int, int, int, int, bool], int], ...]
    hand_ons: tuple[Callable[[int, int, int, int, int], int], ...]


def habits_of(seats: Iterable[Habit]) -> Habits:
    """Everybody's habits, seat by seat."""
    leads, beats, throws, hand_ons = zip(*seats, strict=True)
    return Habits(leads, beats, throws, hand_ons)


def stock_of(talon: Iterable[int]) -> tuple[int, ...]:
    """A talon, top first, as the sets of its first 0, 1, 2 … cards."""
    return tuple(accumulate(talon, or_, initial=0))


class Standing(NamedTuple):
    """A position without its cards: the same in every imagined world."""

    phase: Phase
    leader: int
    defender: int
    order: tuple[int, ...]
    room: int
    """R7: how many more attack cards may be laid."""
    unbeaten: int
    table: int
    ranks: int
    """The set of cards of the ranks on the table."""
    passed: int
    taking: bool
    shown: bool
    limit: int
    seats_in: int


def standing_of(position: Position, worth: Worth) -> Standing:
    """Where a position stands: in LEAD, DEFEND, THROW or GIVE."""
    table = ranks = 0
    for laid in position.plays:
        table |= worth.bit[laid.card]
        ranks |= worth.alike[worth.bit[laid.card]]
    held = position.hands[position.defender].bit_count()
    return Standing(
        phase=position.phase,
        leader=position.leader,
        defender=position.defender,
        order=position.order,
        room=min(position.limit - position.attacks, held - position.unbeaten.bit_count()),
        unbeaten=worth.bits(position.unbeaten),
        table=table,
        ranks=ranks,
        passed=position.passed,
        taking=position.taking,
        shown=position.shown,
        limit=position.limit,
        seats_in=position.seats_in,
    )


class Table:
    """What the imagined games of one decision have in common."""

    def __init__(self, position: Position, worth: Worth) -> None:
        setup = position.setup
        self.worth = worth
        self.team = setup.team
        self.seats = setup.seats
        self.give = setup.give
        self.transfer = setup.transfer
        self.show = setup.show
        self.several = setup.several
        self.neighbours = setup.neighbours
        seats = range(setup.seats)
        self.turns = tuple(
            tuple(
                (*(turn for step in seats if (turn := (leader + step) % setup.seats) != defender), defender)
                for defender in seats
            )
            for leader in seats
        )
        """Per leader and final defender, the order of the refill (R16)."""
        self._follows: dict[int, tuple[int, int, tuple[int, ...]]] = {}
        self._ends: dict[int, int] = {}

    def play_on(self, standing: Standing, hands: list[int], stock: Sequence[int], habits: Habits) -> int:
        """The set of seats that are the durak in the end, 0 for a draw. `hands` is used up; `stock` as
        `stock_of` gives it."""
        (
            phase,
            leader,
            defender,
            order,
            room,
            unbeaten,
            table,
            ranks,
            passed,
            taking,
            shown,
            limit,
            seats_in,
        ) = standing
        leads, beat_habits, throws, hand_ons = habits
        beats, alike = self.worth.beats, self.worth.alike
        give, transfer, turns = self.give, self.transfer, self.turns
        follows, ends = self._follows, self._ends
        top = 0
        left = len(stock) - 1
        leading = phase is Phase.LEAD
        asked = phase is Phase.THROW or phase is Phase.GIVE
        for _ in range(LONGEST):
            held = hands[defender]
            if leading:
                room = held.bit_count()
                if room > limit:
                    room = limit
                hand = hands[leader]
                table = unbeaten = leads[leader](hand, left, room)
                hands[leader] = hand ^ table
                ranks = alike[table & -table]
                room -= table.bit_count()
                passed = 0
                taking = shown = False
            while True:
                if not asked:
                    if transfer and table == unbeaten:
                        target, card = self._hand_on(
                            hands, defender, seats_in, table, ranks, shown, limit, left, hand_ons[defender]
                        )
                        if target >= 0:
                            if card:
                                table |= card
                                unbeaten |= card
                                hands[defender] = held ^ card
                            else:
                                shown = True
                            order = self._asking_order(hands, seats_in, defender, target)
                            defender = target
                            held = hands[defender]
                            room = min(limit, held.bit_count()) - table.bit_count()
                            passed = 0
                            continue
                    attack = 1 << unbeaten.bit_length() - 1
                    fits = held & beats[attack]
                    if fits and (card := beat_habits[defender](fits, attack, held, ranks, left)):
                        held ^= card
                        unbeaten ^= attack
                        table |= card
                        if not ranks & card:
                            ranks |= alike[card]
                            passed = 0
                        if unbeaten:
                            continue
                    else:
                        taking = True
                        passed = 0
                        if not give:
                            break
                asked = False
                if room <= 0:
                    break
                for seat in order:
                    hand = hands[seat]
                    if hand and not passed >> seat & 1:
                        fits = hand & ranks
                        if fits and (card := throws[seat](fits, hand, left, held.bit_count(), taking)):
                            hands[seat] = hand ^ card
                            table |= card
                            unbeaten |= card
                            room -= 1
                            asked = taking
                            break
                        passed |= 1 << seat
                else:
                    break
            if taking:
                hands[defender] = held | table
            else:
                hands[defender] = held
                limit = 6
            if left:
                # Nobody is out while there is a talon.
                for seat in turns[leader][defender]:
                    number = 6 - hands[seat].bit_count()
                    if number > 0:
                        if number > left:
                            number = left
                        hands[seat] |= stock[top + number] ^ stock[top]
                        top += number
                        left -= number
            if not left:
                before = seats_in
                for seat, hand in enumerate(hands):
                    if not hand and seats_in >> seat & 1:
                        seats_in ^= 1 << seat
                if before != seats_in:
                    duraks = ends[seats_in] if seats_in in ends else self._end(seats_in)
                    if duraks >= 0:
                        return duraks
            key = seats_in << 4 | defender << 1 | taking
            leader, defender, order = follows.get(key) or self._follow(key, seats_in, defender, taking)
            leading = True
            asked = False
        return 0

    def _follow(
        self, key: int, seats_in: int, defender: int, taken: bool
    ) -> tuple[int, int, tuple[int, ...]]:
        """R13: who leads after a bout, to whom, and who may throw in."""
        leader = defender
        if taken or not seats_in >> defender & 1:
            leader = next_seat(defender, seats_in, self.seats)
        target = next_opponent(leader, seats_in, self.team)
        # When a bout begins, whoever is in holds cards.
        order = asking_order(self.team, seats_in, seats_in, leader, target, neighbours=self.neighbours)
        self._follows[key] = leader, target, order
        return self._follows[key]

    def _asking_order(self, hands: list[int], seats_in: int, head: int, defender: int) -> tuple[int, ...]:
        able = able_seats(tuple(hands))
        return asking_order(self.team, seats_in, able, head, defender, neighbours=self.neighbours)

    def _end(self, seats_in: int) -> int:
        """R18, R23: the seats that are the durak when these are in, 0 for a draw, −1 while play goes on."""
        duraks = -1
        if teams_of(seats_in, self.team) <= 1:
            losing = {self.team[seat] for seat in range(self.seats) if seats_in >> seat & 1}
            duraks = sum(1 << seat for seat in range(self.seats) if self.team[seat] in losing)
        self._ends[seats_in] = duraks
        return duraks

    def _hand_on(
        self,
        hands: list[int],
        defender: int,
        seats_in: int,
        table: int,
        ranks: int,
        shown: bool,
        limit: int,
        left: int,
        hand_on: Callable[[int, int, int, int, int], int],
    ) -> tuple[int, int]:
        """R14, R15: the next defender and the card laid, 0 for a trump shown; (−1, 0) if nothing is handed
        on."""
        target = next_seat(defender, seats_in, self.seats)
        attacks = table.bit_count()
        held = hands[defender]
        room = hands[target].bit_count() - attacks
        fits = held & ranks if attacks < limit and room > 0 else 0
        trump = held & ranks & self.worth.trumps if self.show and not shown and room >= 0 else 0
        if not fits and not trump:
            return -1, 0
        card = hand_on(fits, trump, table, held, left)
        if card < 0:
            return target, 0
        return (target, card) if card else (-1, 0)
