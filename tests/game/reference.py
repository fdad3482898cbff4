"""Durak once more, written straight from docs/rules.md with plain lists and no thought of speed.

It shares nothing with game/ but card numbers, so that two readings of the rules can be compared. All hands
are open; an action is a tuple of words and card ids, `("beat", attack, card)`. Not part of the product.
"""

from __future__ import annotations

import copy
import itertools
from typing import Any

Word = tuple[Any, ...]


class ReferenceGame:
    """A game with this deck, top first; `leader` leads. Options are read by their names in docs/rules.md."""

    def __init__(self, options: Any, deck: list[int], leader: int, height: int) -> None:
        self.options = options
        n = options.seats
        self.n = n
        self.height = height
        self.hands: list[list[int]] = [deck[6 * seat : 6 * seat + 6] for seat in range(n)]
        self.talon = deck[6 * n :]
        self.trump = deck[-1] // 13
        self.lowest = min(card % 13 for card in deck)
        self.discard: list[int] = []
        self.is_in = [True] * n
        self.out: list[int] = []
        self.marked = [False] * n
        self.any_bout_beaten = False
        self.seen_bouts: list[Any] = []
        self.over: str | None = None
        self.duraks: list[int] = []
        self.pogony: list[int] = []
        self.snapshots: dict[int, ReferenceGame] = {}
        self.challenging = False
        self.new_bout(leader)

    # Seats ------------------------------------------------------------------------------------------

    def team(self, seat: int) -> int:
        teams = self.options.teams
        if teams == "off":
            return seat
        return seat % 3 if teams == "2v2v2" else seat % 2

    def clockwise_after(self, seat: int) -> list[int]:
        """All other seats that are in, clockwise."""
        around = [(seat + step) % self.n for step in range(1, self.n)]
        return [other for other in around if self.is_in[other]]

    def new_bout(self, leader: int) -> None:
        key = (leader, [sorted(hand) for hand in self.hands])
        if self.seen_bouts.count(key) == 2:  # R19: this would be the third time
            self.end("repeated", [])
            return
        self.seen_bouts.append(key)
        self.leader = leader
        self.head = leader
        self.table: list[dict[str, Any]] = []
        self.taking = False
        self.shown = False
        self.passes: list[int] = []
        self.snapshots = {}
        opponents = [seat for seat in self.clockwise_after(leader) if self.team(seat) != self.team(leader)]
        self.fix_defender(opponents[0])

    def fix_defender(self, seat: int) -> None:
        self.defender = seat
        may_throw = [
            s for s in self.clockwise_after(seat) if self.team(s) != self.team(seat) and self.hands[s]
        ]
        self.beside = [self.head, *may_throw[:1]]

    def throwers(self) -> list[int]:
        """R10, in asking order."""
        order = [self.head, *self.clockwise_after(self.head)]
        order = [seat for seat in order if self.is_in[seat] and self.hands[seat]]
        order = [seat for seat in order if self.team(seat) != self.team(self.defender)]
        if self.options.throwers == "neighbours":
            order = [seat for seat in order if seat in self.beside]
        return order

    # The table --------------------------------------------------------------------------------------

    def attacks(self) -> list[dict[str, Any]]:
        return [play for play in self.table if play["on"] is None]

    def unbeaten(self) -> list[int]:
        beaten = [play["on"] for play in self.table]
        return [play["card"] for play in self.attacks() if play["card"] not in beaten]

    def ranks(self) -> list[int]:
        return [play["card"] % 13 for play in self.table]

    def limit(self) -> int:
        return 5 if self.options.first_limit == 5 and not self.any_bout_beaten else 6

    def capacity(self) -> int:
        return min(self.limit() - len(self.attacks()), len(self.hands[self.defender]) - len(self.unbeaten()))

    def beats(self, attack: int, card: int) -> bool:
        if card // 13 == attack // 13:
            return card % 13 > attack % 13
        return card // 13 == self.trump

    # Who is asked -----------------------------------------------------------------------------------

    def asked(self) -> list[int]:
        """The seats that must act at this height."""
        if self.over:
            return []
        if self.challenging:
            return self.challengers()
        if not self.table:
            return [self.leader]
        if self.unbeaten() and not self.taking:
            return [self.defender]
        if self.capacity() > 0:
            for seat in self.throwers():
                if seat not in self.passes:
                    return [seat]
        return []

    def accusable(self, seat: int) -> list[int]:
        if self.marked[seat] or not self.is_in[seat] or not self.options.cheating:
            return []
        return [play["height"] for play in self.table if play["accusable"] and play["by"] != seat]

    def challengers(self) -> list[int]:
        return [seat for seat in range(self.n) if self.accusable(seat)]

    def legal(self, seat: int) -> set[Word]:
        if seat not in self.asked():
            return set()
        if self.challenging:
            return {("challenge", None)} | {("challenge", height) for height in self.accusable(seat)}
        hand = self.hands[seat]
        may_cheat = self.options.cheating and not self.marked[seat]
        words: set[Word] = {("resign",)}
        words |= {("accuse", height) for height in self.accusable(seat)}
        if not self.table:
            words |= {("lead", card) for card in hand}
            if self.options.lead == "several":
                for size in range(2, min(4, self.capacity()) + 1):
                    for cards in itertools.combinations(sorted(hand), size):
                        if len({card % 13 for card in cards}) == 1:
                            words.add(("lead", *cards))
            return words
        if self.unbeaten() and not self.taking:
            words.add(("take",))
            for attack in self.unbeaten():
                words |= {("beat", attack, card) for card in hand if may_cheat or self.beats(attack, card)}
            return words | self.handing_on(hand)
        words.add(("pass",))
        words |= {("throw", card) for card in hand if may_cheat or card % 13 in self.ranks()}
        return words

    def handing_on(self, hand: list[int]) -> set[Word]:
        """R14, R15."""
        words: set[Word] = set()
        if self.options.variant != "transfer" or len(self.unbeaten()) != len(self.table):
            return words
        rank = self.table[0]["card"] % 13
        following = len(self.hands[self.clockwise_after(self.defender)[0]])
        laid = len(self.attacks())
        if min(self.limit() - laid, following - laid) >= 1:
            words |= {("transfer", card) for card in hand if card % 13 == rank}
        if self.options.show_transfer and not self.shown and laid <= following:
            words |= {("show", card) for card in hand if card == 13 * self.trump + rank}
        return words

    # What is done -----------------------------------------------------------------------------------

    def after(self, answers: dict[int, Word]) -> ReferenceGame:
        """The game after a height."""
        game = copy.copy(self)
        for name in ("hands", "talon", "discard", "is_in", "out", "marked", "seen_bouts", "duraks", "pogony"):
            value = getattr(self, name)
            setattr(game, name, [list(item) if isinstance(item, list) else item for item in value])
        for name in ("table", "passes", "snapshots"):
            setattr(game, name, copy.copy(getattr(self, name)))
        game.run(self, answers)
        return game

    def run(self, before: ReferenceGame, answers: dict[int, Word]) -> None:
        if self.challenging:
            self.judge(
                [(seat, word[1]) for seat, word in answers.items() if word[1] is not None], closing=True
            )
        else:
            ((seat, word),) = answers.items()
            self.act(before, seat, word)
        self.height += 1
        if not self.over and self.height >= 4000:
            self.end("too long", [])

    def act(self, before: ReferenceGame, seat: int, word: Word) -> None:
        verb, *cards = word
        if verb == "resign":
            self.end("resigned", [s for s in range(self.n) if self.team(s) == self.team(seat)])
            return
        if verb == "accuse":
            self.judge([(seat, cards[0])], closing=False)
            return
        if verb == "take":
            self.taking = True
            self.passes = []
            if not self.options.throw_after_take:
                self.close()
                return
        elif verb == "pass":
            self.passes.append(seat)
        elif verb == "show":
            self.shown = True
            self.hand_on(seat)
        else:
            laid = cards if verb == "lead" else cards[-1:]
            for card in laid:
                honest = True
                if verb == "beat":
                    honest = self.beats(cards[0], card)
                if verb == "throw":
                    honest = card % 13 in self.ranks()
                if verb in ("beat", "throw") and card % 13 not in self.ranks() and not self.taking:
                    self.passes = []
                accusable = self.options.cheating and verb in ("beat", "throw") and not self.marked[seat]
                self.hands[seat].remove(card)
                self.snapshots[self.height] = before
                self.table.append(
                    {
                        "card": card,
                        "by": seat,
                        "height": self.height,
                        "on": cards[0] if verb == "beat" else None,
                        "honest": honest,
                        "accusable": accusable,
                    }
                )
            if verb == "transfer":
                self.hand_on(seat)
        if not self.asked():
            self.close()

    def hand_on(self, seat: int) -> None:
        self.head = seat
        self.passes = []
        self.fix_defender(self.clockwise_after(seat)[0])

    def judge(self, accusations: list[tuple[int, int]], *, closing: bool) -> None:
        """R25, R26."""
        upheld = []
        for seat, height in accusations:
            (play,) = [play for play in self.table if play["height"] == height]
            if play["honest"]:
                self.marked[seat] = True
            else:
                self.marked[play["by"]] = True
                upheld.append(height)
        if upheld:
            old = self.snapshots[min(upheld)]
            for name in (
                "hands",
                "table",
                "defender",
                "head",
                "passes",
                "taking",
                "shown",
                "beside",
                "snapshots",
            ):
                value = copy.copy(getattr(old, name))
                setattr(self, name, [list(hand) for hand in value] if name == "hands" else value)
            self.challenging = False
        elif closing:
            self.challenging = False
            self.finish_bout()

    def close(self) -> None:
        if self.challengers():
            self.challenging = True
        else:
            self.finish_bout()

    def finish_bout(self) -> None:
        """R12, R16–R20."""
        unbeaten = self.unbeaten()
        empty = [seat for seat in range(self.n) if self.is_in[seat] and not self.hands[seat]]
        emptied = {seat: max(p["height"] for p in self.table if p["by"] == seat) for seat in empty}
        if self.taking:
            self.hands[self.defender] += [play["card"] for play in self.table]
        else:
            self.discard += [play["card"] for play in self.table]
            self.any_bout_beaten = True
        order = [self.leader, *self.clockwise_after(self.leader)]
        order = [seat for seat in order if seat != self.defender] + [self.defender]
        for seat in order:
            while len(self.hands[seat]) < 6 and self.talon:
                self.hands[seat].append(self.talon.pop(0))
        for seat in sorted(empty, key=lambda seat: emptied[seat]):
            if not self.hands[seat]:
                self.is_in[seat] = False
                self.out.append(seat)
        holders = [seat for seat in range(self.n) if self.hands[seat]]
        if len({self.team(seat) for seat in holders}) <= 1:
            duraks = [s for s in range(self.n) if holders and self.team(s) == self.team(holders[0])]
            self.end("played", duraks)
            low = all(card % 13 == self.lowest and card // 13 != self.trump for card in unbeaten)
            if duraks and self.taking and low:
                self.pogony = unbeaten[:2]
            return
        if not self.taking and self.is_in[self.defender]:
            self.new_bout(self.defender)
        else:
            self.new_bout(self.clockwise_after(self.defender)[0])

    def end(self, how: str, duraks: list[int]) -> None:
        self.over = how
        self.duraks = duraks
        self.challenging = False
