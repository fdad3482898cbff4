"""Endings of two seats with an empty talon, solved exactly: whether a seat can win, or at least draw.

Both hands are known then, so this is a game of perfect information with three outcomes. It is asked as two
yes-or-no questions, each an and-or search that remembers its answers.

Play can only go round in circles where attacks are handed on (R14, R15): else every bout takes cards out of
the game or out of the attacker's hand. A circle is nobody's win (R19), so "can the hero reach the goal?" is a
least fixpoint when the goal is to win and a greatest one when it is to draw: a bout that is met again on its
own path counts as not reached, or as reached. Such an answer holds for that path alone: it is kept only when
it does not lean on a bout still open above it (the graph-history problem), and a yes to "win", or a no to
"draw", is always kept, because it leans on nothing open.
"""

# ruff: noqa: FBT001, FBT003 (asked a million times, so everything goes by position)

from __future__ import annotations

from typing import Final

from game.bots.bot import Stop, never
from game.bots.swift import Standing, Table
from game.position import Phase

NODES_PER_LOOK: Final = 3
"""About as long as one imagined game takes: a budget of looks is then one of time."""
FREE: Final = 1 << 30
"""Leans on no open bout."""


class OutOfTime(Exception):
    """`stop` said so before the answer was there."""


class Ending:
    """One question about the endings of one table. Seats are roles here: hands of the attacker and of the
    defender, `mine` when the hero attacks."""

    def __init__(self, table: Table, *, win: bool, repeated: frozenset[tuple[int, int, bool]]) -> None:
        """`win`: the hero must win; else a draw will do. `repeated` are (leader's hand, other hand, hero
        leads) of bouts that have begun twice already: the next time is a draw (R19)."""
        self._win = win
        self._draw = not win
        self._worth = table.worth
        self._beats = table.worth.beats
        self._alike = table.worth.alike
        self._give = table.give
        self._several = table.several
        self._transfer = table.transfer
        self._show = table.show
        self._repeated = repeated
        self._stop: Stop = never
        self._bouts: dict[tuple[int, int, int], bool] = {}
        self._defences: dict[tuple[int, int, int, int, int], bool] = {}
        self._attacks: dict[tuple[int, int, int, int], bool] = {}
        self._open: dict[tuple[int, int, int], int] = {}
        self._leans = FREE
        """The outermost open bout that what was just answered leans on, by depth."""
        self.nodes = 0

    @property
    def goal(self) -> int:
        """The points to reach: 2 a win, 1 a draw."""
        return 2 if self._win else 1

    @property
    def size(self) -> int:
        """How many answers are remembered."""
        return len(self._bouts) + len(self._defences) + len(self._attacks)

    def reaches(self, standing: Standing, attack: int, defence: int, *, mine: bool, stop: Stop) -> bool:
        """Whether the hero reaches the goal from a bout that stands so. Raises `OutOfTime`."""
        self._stop = stop
        self._open.clear()
        self._leans = FREE
        match standing.phase:
            case Phase.LEAD:
                return self._lead(attack, defence, mine, standing.limit)
            case Phase.DEFEND:
                return self._defend(
                    attack, defence, standing.table, standing.unbeaten, mine, standing.limit, standing.shown
                )
            case Phase.THROW:
                return self._throw(attack, defence, standing.table, mine, standing.limit)
            case _:
                return self._given(attack, defence, standing.table, standing.unbeaten, mine, standing.limit)

    # Bouts ------------------------------------------------------------------------------------------

    def _lead(self, attack: int, defence: int, mine: bool, limit: int) -> bool:
        key = (attack, defence, limit << 1 | mine)
        answer = self._bouts.get(key)
        if answer is not None:
            return answer
        if self._repeated and (attack, defence, mine) in self._repeated:
            return self._draw
        depth = self._open.get(key)
        if depth is not None:
            self._leans = min(self._leans, depth)
            return self._draw
        self.nodes += 1
        if self.nodes % NODES_PER_LOOK == 0 and self._stop():
            raise OutOfTime
        depth = len(self._open)
        outer, self._leans = self._leans, FREE
        self._open[key] = depth
        answer = not mine
        for cards in self._leads(attack, defence, min(limit, defence.bit_count())):
            if self._defend(attack ^ cards, defence, cards, cards, mine, limit, False) is mine:
                answer = mine
                break
        del self._open[key]
        if self._leans >= depth or answer is self._win:
            # Nothing outside this bout was leant on, or the answer needs no circle.
            self._bouts[key] = answer
            self._leans = outer
        else:
            self._leans = min(self._leans, outer)
        return answer

    def _leads(self, attack: int, defence: int, most: int) -> list[int]:
        """What may be led, what can't be beaten first."""
        beats = self._beats
        singles = []
        rest = attack
        while rest:
            card = rest & -rest
            rest ^= card
            singles.append(card)
        singles.sort(key=lambda card: defence & beats[card] != 0)
        if not self._several or most < 2:
            return singles
        groups = [cards for card in singles for cards in self._groups(attack, card, most)]
        return groups + singles

    def _groups(self, attack: int, lowest: int, most: int) -> list[int]:
        """Sets of two and more cards of one rank that have `lowest` as their lowest."""
        rest = attack & self._alike[lowest] & -(lowest << 1)
        found = []
        chosen = rest
        while chosen:
            if chosen.bit_count() < most:
                found.append(chosen | lowest)
            chosen = chosen - 1 & rest
        return found

    def _beaten(self, attack: int, defence: int, mine: bool) -> bool:
        if not attack:
            return mine if defence else self._draw
        if not defence:
            return not mine
        return self._lead(defence, attack, not mine, 6)

    # Within a bout --------------------------------------------------------------------------------

    def _defend(
        self,
        attack: int,
        defence: int,
        table: int,
        unbeaten: int,
        mine: bool,
        limit: int,
        shown: bool,
    ) -> bool:
        key = (attack, defence, table, unbeaten, limit << 2 | shown << 1 | mine)
        answer = self._defences.get(key)
        if answer is not None:
            return answer
        outer, self._leans = self._leans, FREE
        answer = self._defences_reach(attack, defence, table, unbeaten, mine, limit, shown)
        if self._leans == FREE or answer is self._win:
            self._defences[key] = answer
            self._leans = outer
        else:
            self._leans = min(self._leans, outer)
        return answer

    def _defences_reach(
        self,
        attack: int,
        defence: int,
        table: int,
        unbeaten: int,
        mine: bool,
        limit: int,
        shown: bool,
    ) -> bool:
        """The defender's choice: `not mine` is what he wants to be true."""
        hardest = 1 << unbeaten.bit_length() - 1
        left = unbeaten ^ hardest
        fits = defence & self._beats[hardest]
        while fits:
            card = fits & -fits
            fits ^= card
            if left:
                reached = self._defend(attack, defence ^ card, table | card, left, mine, limit, shown)
            else:
                reached = self._throw(attack, defence ^ card, table | card, mine, limit)
            if reached is not mine:
                return reached
        if self._transfer and table == unbeaten:
            attacks = table.bit_count()
            room = attack.bit_count() - attacks
            same = defence & self._alike[hardest]
            if self._show and not shown and room >= 0 and same & self._worth.trumps:
                reached = self._defend(defence, attack, table, table, not mine, limit, True)
                if reached is not mine:
                    return reached
            if attacks < limit and room > 0:
                while same:
                    card = same & -same
                    same ^= card
                    cards = table | card
                    reached = self._defend(defence ^ card, attack, cards, cards, not mine, limit, shown)
                    if reached is not mine:
                        return reached
        if self._give:
            return self._given(attack, defence, table, unbeaten, mine, limit)
        return mine if not attack else self._lead(attack, defence | table, mine, limit)

    def _throw(self, attack: int, defence: int, table: int, mine: bool, limit: int) -> bool:
        """All is beaten: the attacker throws in or passes."""
        room = min(limit - (table.bit_count() >> 1), defence.bit_count())
        fits = attack & self._ranks(table) if room > 0 else 0
        if not fits:
            return self._beaten(attack, defence, mine)
        key = (attack, defence, table, limit << 1 | mine)
        answer = self._attacks.get(key)
        if answer is not None:
            return answer
        outer, self._leans = self._leans, FREE
        answer = not mine
        while fits:
            card = fits & -fits
            fits ^= card
            if self._defend(attack ^ card, defence, table | card, card, mine, limit, False) is mine:
                answer = mine
                break
        else:
            answer = self._beaten(attack, defence, mine)
        if self._leans == FREE or answer is self._win:
            self._attacks[key] = answer
            self._leans = outer
        else:
            self._leans = min(self._leans, outer)
        return answer

    def _given(
        self,
        attack: int,
        defence: int,
        table: int,
        unbeaten: int,
        mine: bool,
        limit: int,
    ) -> bool:
        """The defender takes: the attacker adds any of the cards that fit, and leads again."""
        attacks = table.bit_count() + unbeaten.bit_count() >> 1
        room = min(limit - attacks, defence.bit_count() - unbeaten.bit_count())
        fits = attack & self._ranks(table) if room > 0 else 0
        if not attack or (fits == attack and fits.bit_count() <= room):
            return mine
        taken = defence | table
        given = fits
        while True:
            if given.bit_count() <= room and self._lead(attack ^ given, taken | given, mine, limit) is mine:
                return mine
            if not given:
                return not mine
            given = given - 1 & fits

    def _ranks(self, table: int) -> int:
        alike = self._alike
        ranks = 0
        rest = table
        while rest:
            card = rest & -rest
            ranks |= alike[card]
            rest &= ~alike[card]
        return ranks
