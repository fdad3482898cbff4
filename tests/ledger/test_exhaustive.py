"""R30 and R28 at tables of three and four seats, one of them dishonest: every story, every order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

import pytest

import ledger.entry
from tests.ledger.exhaustive import Explorer, Situation
from tests.ledger.table import Table
from tests.ledger.test_heads import exchange


@pytest.fixture(autouse=True)
def _signatures_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature that held once holds: the same few hundred records are received a million times."""
    monkeypatch.setattr(ledger.entry, "verify", lru_cache(maxsize=None)(ledger.entry.verify))


@dataclass(frozen=True)
class Story:
    """A table of so many seats after so many heights, some of whom have answered already; who is dishonest;
    how many acts deep it is told in the suite, and how many when there is time; what is too far for that."""

    seats: int
    dishonest: int
    deep: int
    deeper: int
    heights: int = 1
    answered: tuple[int, ...] = ()
    absent: int = 0
    misses: tuple[str, ...] = ("several outcomes, each with a proof",)

    def explorer(self, deep: int) -> Explorer:
        table = Table.of(self.seats, turns=6, absent=self.absent)
        table.play(self.heights)
        for seat in self.answered:
            table.act(seat)
        return Explorer(table, self.dishonest, stock=2, deep=deep)


INCOMPLETE = "an honest ABORT that is not complete"
SIGNED_ON = "an honest seat that signed on after its ABORT"
BOTH = "RESIGN beside ABORT"
PROVEN = "several outcomes, each with a proof"
APART = "ended for one and open for another, until they talk"
ENDS = ("open", "finished", "aborted", "halted")
WORTH_REACHING = {*ENDS, INCOMPLETE, SIGNED_ON, BOTH, "a fork", PROVEN, APART}

STORIES = {
    "three, the dishonest one is asked": Story(3, 0, 5, 7, misses=()),
    "three, an honest one is asked": Story(3, 1, 5, 7),
    "three, an honest one is asked, who is away is the durak": Story(3, 2, 5, 7, absent=1),
    "three, everybody is asked": Story(3, 0, 6, 9, heights=4, misses=(SIGNED_ON, BOTH, PROVEN)),
    "three, one is missing in a round": Story(3, 1, 5, 7, heights=4, answered=(0, 1)),
    "four, the dishonest one is asked": Story(4, 0, 4, 6, misses=(PROVEN, APART)),
    "four, an honest one is asked": Story(4, 1, 4, 6, misses=(PROVEN, APART)),
    "four, the dishonest one is missing in a round": Story(4, 3, 5, 7, heights=4, answered=(0, 1, 2)),
}


@cache
def told(name: str) -> tuple[Explorer, set[Situation]]:
    """Raises AssertionError where an honest seat is blamed, signs twice, or ends alone without a proof."""
    explorer = STORIES[name].explorer(STORIES[name].deep)
    return explorer, explorer.explore()


@pytest.mark.parametrize("name", STORIES)
def test_r30_every_story_ends_the_same_for_all_or_with_a_proof(name: str) -> None:
    explorer, _ = told(name)
    assert WORTH_REACHING - set(explorer.seen) == set(STORIES[name].misses)


@pytest.mark.parametrize("name", STORIES)
def test_r30_peers_that_exchange_heads_end_the_same_or_hold_a_proof(name: str) -> None:
    """What all hold together is one thing; that they get there by heads alone is another."""
    explorer, situations = told(name)
    pairs = {frozenset(pair) for now in situations for pair in combinations(now.held, 2)}
    for pair in sorted(pairs, key=lambda pair: sorted(map(sorted, pair))):
        if len(pair) == 2:
            left, right = (explorer.replayed(sorted(held)) for held in pair)
            exchange(left, right)
            if left.fault is None or right.fault is None:
                assert (left.status, left.ended, left.height) == (right.status, right.ended, right.height)
            assert left.heads().case == right.heads().case


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", STORIES)
def test_r30_longer_stories(name: str) -> None:
    STORIES[name].explorer(STORIES[name].deeper).explore()
