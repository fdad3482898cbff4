"""Play the matches of README.md in parts, each part kept as soon as it is played.

    python benchmarks/arena/run.py MATCH… [--minutes 15] [--part 10]

`MATCH.parts` gets one JSON line per part, `MATCH.json` is the sum so far, as `durak arena --json` prints it.
A match that was broken off goes on where its parts end. Every number is repeatable: decks and dice follow
from the seed, and what a searching bot may spend is counted in looks (`--nodes`), not in time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from cli.arena import Plan, Tally, run
from cli.commands.arena import report
from game.options import Options

HERE = Path(__file__).resolve().parent
NODES = 1500
"""What a searching bot does in about 40 ms on the core these were played on; see README.md."""

MATCHES = {
    "hard_easy": Plan("hard", "easy", 500, nodes=NODES, seed=11),
    "hard_random": Plan("hard", "random", 500, nodes=400, seed=11),
    "hard_normal": Plan("hard", "normal", 500, nodes=NODES, seed=11),
    "hard_normal_4_seats": Plan("hard", "normal", 150, Options(seats=4), nodes=NODES, seed=11),
}


def played(parts: Path) -> Tally:
    """The sum of the parts kept so far."""
    tally = Tally()
    for line in parts.read_text().splitlines() if parts.exists() else ():
        part = json.loads(line)
        part["by_deal"] = {int(deal): score for deal, score in part["by_deal"].items()}
        tally.add(Tally(**part))
    return tally


def play(name: str, size: int, deadline: float) -> None:
    """Go on with one match until it is complete or time is up."""
    plan = MATCHES[name]
    parts = HERE / f"{name}.parts"
    tally = played(parts)
    while len(tally.by_deal) < plan.games and time.monotonic() < deadline:
        first = len(tally.by_deal)
        part = Tally()
        for deal in run(replace(plan, first=first, games=min(size, plan.games - first))):
            part.add(deal)
        with parts.open("a") as file:
            file.write(json.dumps(asdict(part)) + "\n")
        tally.add(part)
        whole = replace(plan, games=len(tally.by_deal))
        (HERE / f"{name}.json").write_text(json.dumps(report(whole, tally, tally.spent)) + "\n")
        print(
            name,
            f"{tally.games} games: {tally.wins} won, {tally.losses} lost, {tally.draws} drawn",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("matches", nargs="+", choices=MATCHES, metavar="MATCH")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--part", type=int, default=10, help="deals in a part")
    arguments = parser.parse_args()
    deadline = time.monotonic() + 60 * arguments.minutes
    for name in arguments.matches:
        play(name, arguments.part, deadline)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
