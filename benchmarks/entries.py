"""What the ledger costs without proofs: one entry's check, a log of 200 entries, a genesis, one stored entry.

    python -m benchmarks.entries [--json]

Prints medians. The toy engine of the tests stands in for the game: this is signatures, hashes and CBOR alone.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ledger import edwards
from ledger.entry import read_record, sign_entry
from ledger.genesis import Genesis
from ledger.store import GameStore
from ledger.verify import judge_file
from tests.ledger.table import Table, seed_of
from tests.ledger.toy import Toy

ENTRIES = 200


def median(job: Callable[[], object], *, times: int) -> float:
    """Seconds of this process (a busy machine changes little), the median of so many runs."""
    took = []
    for _ in range(times):
        started = time.process_time()
        job()
        took.append(time.process_time() - started)
    return statistics.median(took)


def played() -> tuple[Table, list[bytes]]:
    """Exactly 200 entries of a table of four."""
    table = Table.of(4, turns=1000)
    records: list[bytes] = []
    while len(records) < ENTRIES:
        records += table.play()
    return table, records[:ENTRIES]


def measure() -> dict[str, float]:
    """Name of what is measured, unit at the end, to its median."""
    table, records = played()
    one = records[100]
    public = table.genesis.seats[read_record(one).seat].game_key
    data = table.genesis.to_bytes()

    def replay() -> None:
        log = table.fresh()
        for record in records:
            assert log.receive(record).kept

    def genesis() -> None:
        edwards.binds.cache_clear()
        Genesis.from_bytes(data)

    whole = median(replay, times=9)
    file = table.log.export()
    results = {
        "entry_us": whole / ENTRIES * 1e6,
        "signature_us": median(lambda: read_record(one).signed_by(public), times=400) * 1e6,
        "read_us": median(lambda: read_record(one), times=400) * 1e6,
        "sign_us": median(lambda: sign_entry(table.keys[0], table.body(0)), times=400) * 1e6,
        "log_200_ms": whole * 1e3,
        "judge_ms": median(lambda: judge_file(file, Toy()), times=5) * 1e3,
        "genesis_4_ms": median(genesis, times=9) * 1e3,
    }
    with tempfile.TemporaryDirectory() as folder:
        results["store_ms"] = store(Path(folder)) * 1e3
    return results


def store(folder: Path) -> float:
    """Seconds on the clock to sign, write, sync, read back and verify one own entry."""
    table = Table.of(2, turns=1000)
    took = []
    with GameStore.create(folder / "game", table.genesis, seed_of(0)) as game:
        for _ in range(60):
            while 0 not in table.log.waiting_for:
                game.append_received(*(entry.record for entry in table.act(1).kept))
            started = time.perf_counter()
            record = game.append(table.record(0))
            took.append(time.perf_counter() - started)
            assert table.log.receive(record).kept
    return statistics.median(took)


def main() -> None:
    results = {name: round(value, 1) for name, value in measure().items()}
    if "--json" in sys.argv[1:]:
        print(json.dumps(results, sort_keys=True))
        return
    for name, value in results.items():
        print(f"{name:>14} {value:10.1f}")


if __name__ == "__main__":
    main()
