"""What dealing costs, beside the raw cost of the group operations it can't do without.

    python benchmarks/dealing.py [--rounds N] [--json]

For every backend this machine has: the single operations, then shuffles of 24, 36 and 52 cards, tokens and
the proof of no lower trump. `raw` is the sum of the operations a verb needs, each timed alone; `over` is what
our own code adds (below zero where a table made for one sum serves the next). Milliseconds of CPU, the best
of N rounds, so that a busy machine does not count. The budget is DESIGN's; ratios travel between machines,
absolute times do not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from game.mental_poker import deck as verbs
from game.mental_poker import group, sodium
from game.mental_poker.backend import Backend, L, Point
from game.mental_poker.elgamal import MaskedDeck
from game.mental_poker.hash_to_group import generators
from game.mental_poker.pure import PURE

GAME = bytes(range(32))
KEY = bytes(32)
x = int.from_bytes(hashlib.sha512(b"benchmark").digest(), "little") % L
BUDGET = {  # milliseconds: must, goal
    ("pure", "shuffle 52 prove"): (150, 100),
    ("pure", "shuffle 52 verify"): (150, 100),
    ("sodium", "shuffle 52 prove"): (40, 25),
    ("sodium", "shuffle 52 verify"): (35, 20),
}
OVER = 0.5
"""What our own code may add to the group operations of libsodium."""
clock = time.process_time if time.get_clock_info("process_time").resolution < 1e-5 else time.perf_counter
"""Coarse on Windows, where the clock on the wall must do."""
T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    backend: str
    what: str
    took: float
    raw: float | None = None

    def line(self) -> str:
        text = f"{self.backend:7} {self.what:26} {self.took:9.3f}"
        if self.raw is not None:
            over = self.took - self.raw
            text += f"  raw {self.raw:9.3f}  over {over:7.3f} {over / self.raw:+5.0%}"
            text += f" of at most {OVER:+.0%}" if self.backend == "sodium" else ""
        must, goal = BUDGET.get((self.backend, self.what), (0, 0))
        return text + (f"  must {must} goal {goal}" if must else "")


def scalars(count: int, bits: int = 256) -> list[int]:
    return [
        int.from_bytes(hashlib.sha512(b"%d" % n).digest()[: bits // 8], "little") % L for n in range(count)
    ]


class Bench:
    """One backend, already in use."""

    def __init__(self, backend: Backend, rounds: int) -> None:
        self.backend = backend
        self.rounds = rounds
        self.rows: list[Row] = []
        self.raw: dict[str, float] = {}
        self.X = verbs.public_key(x)

    def best(self, prepare: Callable[[], T], run: Callable[[T], object]) -> float:
        """Milliseconds of the fastest `run(prepare())`; only `run` is timed."""
        fastest = float("inf")
        for _ in range(self.rounds):
            given = prepare()
            began = clock()
            run(given)
            fastest = min(fastest, clock() - began)
        return fastest * 1000

    def operation(
        self, what: str, prepare: Callable[[], T], run: Callable[[T], object], times: int = 1
    ) -> None:
        """Note the time of one of the `times` operations `run` does."""
        self.raw[what] = self.best(prepare, run) / times
        self.rows.append(Row(self.backend.name, what, self.raw[what]))

    def verb(self, what: str, deck: MaskedDeck, run: Callable[[MaskedDeck], object], raw: float) -> None:
        """Time a verb on a deck that is decoded but has no tables yet."""
        wire = deck.to_bytes()
        took = self.best(lambda: MaskedDeck.from_bytes(wire), run)
        self.rows.append(Row(self.backend.name, what, took, raw))

    def points(self, count: int) -> list[Point]:
        """Fresh points: no encoding and no table remembered."""
        return [self.backend.base(k) + self.backend.base(1) for k in scalars(count)]

    def operations(self) -> None:
        """The single operations."""
        twenty = scalars(20)
        encodings = [bytes(point) for point in self.points(20)]
        prepared = self.points(1)[0]
        prepared.prepare()
        decode, base = self.backend.decode, self.backend.base
        self.operation("decode", lambda: None, lambda _: [decode(data) for data in encodings], 20)
        self.operation("encode", lambda: self.points(20), lambda made: [bytes(point) for point in made], 20)
        self.operation("add", lambda: self.points(21), lambda made: [p + q for p, q in pairwise(made)], 20)
        self.operation("base", lambda: None, lambda _: [base(k) for k in twenty], 20)
        self.operation("times prepared", lambda: None, lambda _: [k * prepared for k in twenty], 20)
        self.operation(
            "times",
            lambda: self.points(20),
            lambda made: [k * p for k, p in zip(twenty, made, strict=True)],
            20,
        )

    def sums(self) -> None:
        """Multi-scalar multiplications of the sizes the verbs need."""
        group.msm(scalars(52), generators(52))  # their tables are made once a process
        for count in (24, 36, 52):
            self.generator_sum(count)
        for count in (2, 3, 24, 36, 48, 52, 60, 72, 104):
            self.point_sum(count, 256)
        self.point_sum(30, 128)

    def generator_sum(self, count: int) -> None:
        ks, h = scalars(count), generators(count)
        self.operation(f"sum {count} generators", lambda: None, lambda _: group.msm(ks, h))

    def point_sum(self, count: int, bits: int) -> None:
        ks = scalars(count, bits)
        name = f"sum {count} points" + (f" {bits} bits" if bits < 256 else "")
        self.operation(name, lambda: self.points(count), lambda made: group.msm(ks, made))

    def shuffle(self, N: int) -> MaskedDeck:
        """The second shuffle of a table; the first is cheaper, its masks are O."""
        r, X = self.raw, self.X
        context = verbs.Context(GAME, 3, 1)
        before, _ = verbs.shuffle(verbs.Context(GAME, 2, 0), X, verbs.first_deck(tuple(range(N))), KEY)
        after, proof = verbs.shuffle(context, X, before, KEY)
        out = after.to_bytes()
        raw = N * (r["base"] + r["times prepared"] + 2 * r["add"] + 2 * r["encode"])
        raw += 6 * (r[f"sum {N} generators"] + r["base"]) + 2 * r[f"sum {N} points"] + 8 * r["encode"]
        self.verb(f"shuffle {N} prove", before, lambda deck: verbs.shuffle(context, X, deck, KEY), raw)
        raw = (2 * N + 3) * r["decode"] + 3 * (r[f"sum {N} generators"] + r["base"]) + 4 * r["times"]
        raw += 2 * r[f"sum {2 * N} points"] + 6 * r["encode"]
        self.verb(
            f"shuffle {N} verify",
            before,
            lambda deck: verbs.verify_shuffle(context, X, deck, out, proof),
            raw,
        )
        return after

    def tokens(self, deck: MaskedDeck, count: int) -> None:
        r, X = self.raw, self.X
        context, places = verbs.Context(GAME, 9, 1), tuple(range(count))
        made, proof = verbs.make_tokens(context, "deal", x, X, deck, places, KEY)
        weighted = r["times"] if count == 1 else r[f"sum {count} points 128 bits"]
        raw = count * (r["times"] + r["encode"]) + r["base"] + weighted + r["times"] + 2 * r["encode"]
        self.verb(
            f"tokens {count} make",
            deck,
            lambda fresh: verbs.make_tokens(context, "deal", x, X, fresh, places, KEY),
            raw,
        )
        raw = count * r["decode"] + r[f"sum {2 * count} points"] + r["base"] + r["times"] + 2 * r["encode"]
        self.verb(
            f"tokens {count} verify",
            deck,
            lambda fresh: verbs.verify_tokens(context, "deal", X, fresh, places, made, proof),
            raw,
        )

    def no_lower(self, deck: MaskedDeck) -> None:
        """Six places, two cards."""
        r, X = self.raw, self.X
        context, places, others = verbs.Context(GAME, 12, 1), tuple(range(6)), [()] * 6
        held = verbs.open_deck(deck, [x])[:6]
        cards = tuple(sorted(set(range(36)) - set(held)))[:2]
        proof = verbs.prove_no_lower(context, x, X, deck, places, others, cards, KEY)
        each = r["times prepared"] + r["base"] + 2 * r["add"]
        self.verb(
            "no lower 6x2 prove",
            deck,
            lambda fresh: verbs.prove_no_lower(context, x, X, fresh, places, others, cards, KEY),
            12 * (2 * r["sum 2 points"] + each + 3 * r["encode"]),
        )
        self.verb(
            "no lower 6x2 verify",
            deck,
            lambda fresh: verbs.verify_no_lower(context, X, fresh, places, others, cards, proof),
            12 * (r["sum 3 points"] + each + r["decode"] + 2 * r["encode"]),
        )

    def run(self) -> list[Row]:
        self.operations()
        self.sums()
        self.shuffle(24)
        deck = self.shuffle(36)
        self.shuffle(52)
        self.tokens(deck, 1)
        self.tokens(deck, 30)
        self.no_lower(deck)
        return self.rows


def main() -> None:
    parser = argparse.ArgumentParser(description="What dealing costs.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: list[Row] = []
    for backend in (PURE, sodium.find()):
        if backend is not None:
            group.use_backend(backend)
            rows += Bench(backend, options.rounds).run()
    if options.json:
        print(json.dumps([vars(row) for row in rows], indent=1))
        return
    print(f"Python {platform.python_version()}, {platform.machine()}; ms of CPU, best of {options.rounds}")
    for row in rows:
        print(row.line())


if __name__ == "__main__":
    main()
