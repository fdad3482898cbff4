"""What `durak audit` costs: 1,000 files, renamed copies of 50 golden games, by one process and by several.

    python -m benchmarks.audit [--files 1000] [--jobs 2] [--json]

Prints, for each number of processes, files a second, CPU milliseconds a file (workers, and this process that
hands out the files); the gain per process over one; the largest worker's memory. On a machine that does other
things at the same time the gain says little; CPU a file still does: what does not grow with the number of
processes is not lost when there are cores for them.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from cli.auditing import audit

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"


@dataclass(frozen=True)
class Cost:
    """Of one audit: seconds on the clock, CPU seconds of the workers and of this process."""

    clock: float
    workers: float
    here: float


def _cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def measure(paths: list[Path], jobs: int) -> Cost:
    """Judge all; every file must get a verdict."""
    began, workers, here = time.perf_counter(), _cpu(resource.RUSAGE_CHILDREN), _cpu(resource.RUSAGE_SELF)
    audited = audit(paths, jobs, lambda one: None)
    cost = Cost(
        time.perf_counter() - began,
        _cpu(resource.RUSAGE_CHILDREN) - workers,
        _cpu(resource.RUSAGE_SELF) - here,
    )
    assert len(audited) == len(paths)
    assert all(one.verdict != "internal" for one in audited)
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    originals = sorted(GOLDEN.glob("*.durak"))[:50]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number in range(arguments.files):
            paths.append(Path(folder) / f"{number:04}.durak")
            shutil.copy(originals[number % len(originals)], paths[-1])
        costs = {jobs: measure(paths, jobs) for jobs in sorted({1, arguments.jobs})}
    found = {
        "files": arguments.files,
        "per_second": {str(jobs): round(arguments.files / cost.clock, 1) for jobs, cost in costs.items()},
        "worker_ms": {str(n): round(1000 * cost.workers / arguments.files, 1) for n, cost in costs.items()},
        "here_ms": {str(n): round(1000 * cost.here / arguments.files, 2) for n, cost in costs.items()},
        "gain_per_process": round(costs[1].clock / costs[arguments.jobs].clock / arguments.jobs, 2),
        "worker_mebibytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    }
    if arguments.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
